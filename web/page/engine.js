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
  #broken;
  /// Why the engine is over, if it is.
  #over = "";

  /// `broken` is called with the reason when the engine is over, and again for each later search.
  constructor(module, broken) {
    this.#broken = broken;
    this.#worker = new Worker("worker.js", { type: "module" });
    this.#worker.onerror = (event) => this.#end(event.message || "worker");
    this.#worker.onmessage = ({ data }) => (data.error ? this.#end(data.error) : this.#receive(data));
    // One processor is left for the page.
    const threads = crossOriginIsolated ? Math.min(4, Math.max(1, navigator.hardwareConcurrency - 1)) : 1;
    this.#worker.postMessage({ module, threads });
    this.#send("isready");
  }

  #send(line) {
    this.#worker.postMessage({ line });
  }

  /// Nothing is answered any more: the running search ends without a result.
  #end(reason) {
    this.#over = reason;
    this.#running?.finish(null);
    this.#running = null;
    this.#broken(reason);
  }

  #receive(line) {
    // Only the engine with threads ends; the other starts again, with another message.
    const [, reason] = /^info string the engine crashed: (.*)/.exec(line) || [];
    if (reason !== undefined) return this.#end(reason);
    const running = this.#running;
    if (!running) return;
    if (/^(bestmove|checkmate) /.test(line)) {
      this.#running = null;
      running.finish(line);
    } else if (line.startsWith("info ")) {
      running.onLine(line);
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

  /// Makes the running search answer at once. Other than after `stop`, its line is its result.
  finish() {
    if (this.#running) this.#send("stop");
  }

  /// Searches a position with these options; `onLine` is called with each `info` line. Resolves to
  /// the last line, or `null` if another search or a stop came first, or the engine is over.
  async go(position, command, options, onLine) {
    const stopped = this.stop();
    const turn = this.#turn;
    await stopped;
    if (turn !== this.#turn) return null;
    if (this.#over) {
      this.#broken(this.#over);
      return null;
    }
    for (const [name, value] of Object.entries(options)) this.set(name, value);
    const { promise, resolve } = withResolvers();
    this.#running = { ended: promise, finish: resolve, onLine: (line) => turn === this.#turn && onLine(line) };
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
