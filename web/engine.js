// The engine in its worker: one search at a time, each a promise of its last line.

/// A score from Black's view, from that of the side to move: the win rate, with the scale of the
/// networks, and centipawns or plies to mate.
export function scoreOf({ cp, mate }, side) {
  const sign = side === "black" ? 1 : -1;
  if (mate !== undefined) return { mate: sign * mate, rate: sign * mate > 0 ? 1 : 0 };
  return { cp: sign * cp, rate: 1 / (1 + Math.exp((-sign * cp) / 600)) };
}

/// Parses an `info` line; `null` without a PV.
export function parseInfo(text) {
  const words = text.split(" ");
  const after = (word) => { const at = words.indexOf(word); return at < 0 ? undefined : words[at + 1]; };
  const pv = words.indexOf("pv");
  if (words[1] === "string" || pv < 0) return null;
  const [number, cp, mate] = [after("multipv"), after("cp"), after("mate")];
  return { place: Number(number || 1), depth: Number(after("depth")), nodes: Number(after("nodes")), nps: Number(after("nps")),
    cp: cp && Number(cp), mate: mate && parseInt(mate, 10), exact: !/ (lower|upper)bound /.test(text), pv: words.slice(pv + 1) };
}

export class Engine {
  #worker;
  #options = new Map();
  #running = null;
  #turn = 0;

  constructor(module, broken) {
    this.#worker = new Worker("worker.js", { type: "module" });
    this.#worker.onerror = (event) => broken(event.message || "worker");
    this.#worker.onmessage = ({ data }) => (data.error ? broken(data.error) : this.#hear(data));
    // One processor is left for the page.
    const threads = crossOriginIsolated ? Math.min(4, Math.max(1, navigator.hardwareConcurrency - 1)) : 1;
    this.#worker.postMessage({ module, threads });
    this.#send("isready");
  }

  #send(line) {
    this.#worker.postMessage({ line });
  }

  #hear(line) {
    const running = this.#running;
    if (!running) return;
    if (/^(bestmove|checkmate) /.test(line)) {
      this.#running = null;
      running.finish(line);
    } else if (line.startsWith("info ")) {
      running.hears(line);
    }
  }

  newGame() {
    this.#send("usinewgame");
  }

  set(name, value) {
    if (this.#options.get(name) === value) return;
    this.#options.set(name, value);
    this.#send(`setoption name ${name} value ${value}`);
  }

  /// Stops the running search, if any, and waits for its end.
  async stop() {
    this.#turn += 1;
    if (!this.#running) return;
    this.#send("stop");
    await this.#running.ended;
  }

  /// Searches a position with these options; `hears` is called with each `info` line. Resolves to
  /// the last line, or `null` if another search or a stop came first.
  async go(position, command, options, hears) {
    const stopped = this.stop();
    const turn = this.#turn;
    await stopped;
    if (turn !== this.#turn) return null;
    for (const [name, value] of Object.entries(options)) this.set(name, value);
    const { promise, resolve } = withResolvers();
    this.#running = { ended: promise, finish: resolve, hears: (line) => turn === this.#turn && hears(line) };
    this.#send(`position ${position}`);
    this.#send(command);
    const line = await promise;
    return turn === this.#turn ? line : null;
  }
}

function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve) => { made.resolve = resolve; });
  return made;
}
