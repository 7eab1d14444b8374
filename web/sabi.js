// The engine as an object: USI lines in and out. The interface is that of YaneuraOu's WebAssembly
// builds.
//
// The module searches on the thread that created it, in slices: at WASI calls that yield, its stack
// is unwound (Asyncify of Binaryen), and rewound by `poll`. In browsers create it in a worker.
import { SUCCESS, importsOf, sleep, write } from "./wasi.js";

/// Milliseconds per slice of a search.
const SLICE = 30;
/// Bytes for the stack frames of a suspended search.
const FRAMES = 1 << 20;
/// States of Asyncify.
const [NORMAL, REWINDING] = [0, 2];

/// Compiles the module at `url`.
export async function compile(url) {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  // Some servers send no MIME type, which prevents streaming compilation.
  const known = (response.headers.get("content-type") || "").startsWith("application/wasm");
  return known ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/// One instance of the module. `onLine` is called with each output line; `suspends` with the
/// milliseconds to wait, 0 for a yield, and returns whether to suspend.
export class Instance {
  constructor(module, onLine, complains, suspends) {
    const emit = (channel, line) => { if (channel === 0) onLine(line); else this.answer = line; };
    const imports = importsOf(module, () => this.exports.memory, emit, complains);
    Object.assign(imports.wasi_snapshot_preview1, {
      sched_yield: () => this.#leave(suspends, 0),
      poll_oneoff: sleep(() => this.exports.memory, (wait) => this.#leave(suspends, wait)),
    });
    this.exports = new WebAssembly.Instance(module, imports).exports;
    this.suspended = false;
    this.exports.start();
    this.#frames = this.exports.reserve(FRAMES);
  }

  #polling = false;
  #frames;

  #leave(suspends, wait) {
    const { asyncify_get_state, asyncify_start_unwind, asyncify_stop_rewind } = this.exports;
    if (asyncify_get_state() === REWINDING) {
      asyncify_stop_rewind();
    } else if (this.#polling && suspends(wait)) {
      // Start and end of the stack memory for unwinding.
      new Uint32Array(this.exports.memory.buffer, this.#frames, 2).set([this.#frames + 8, this.#frames + FRAMES]);
      asyncify_start_unwind(this.#frames);
    }
    return SUCCESS;
  }

  /// Executes a line; returns whether the session continues.
  receive(line) {
    write(this.exports, this.exports.memory, line);
    return this.exports.receive() !== 0;
  }

  /// Answers a question about rules and records, see `questions.rs`.
  ask(question) {
    write(this.exports, this.exports.memory, question);
    this.exports.ask();
    return JSON.parse(this.answer);
  }

  /// Searches until `suspends` returns true; returns whether the search is unfinished.
  poll() {
    const { poll, asyncify_get_state, asyncify_start_rewind, asyncify_stop_unwind } = this.exports;
    if (this.suspended) asyncify_start_rewind(this.#frames);
    this.#polling = true;
    poll();
    this.#polling = false;
    this.suspended = asyncify_get_state() !== NORMAL;
    if (this.suspended) asyncify_stop_unwind();
    return this.suspended;
  }
}

/// Calls back after the pending events. Not by a timer: browsers throttle timers.
function later(callback) {
  if (typeof setImmediate === "function") return void setImmediate(callback);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { port1.close(); callback(); };
  port2.postMessage(null);
}

/// Fallback answers to commands, after a crash. `go perft` has none.
const FALLBACKS = [
  [/^\s*go\s+mate(?!\S)/, "checkmate timeout"],
  [/^\s*go(?!\S|\s+perft(?!\S))/, "bestmove resign"],
  [/^\s*isready(?!\S)/, "readyok"],
];

/// The fallback answers to the commands that are not answered yet, in order.
export class PendingAnswers {
  #answers = [];

  /// Called with each line, before the engine receives it.
  received(line) {
    const fallback = FALLBACKS.find(([command]) => command.test(line));
    if (fallback) this.#answers.push(fallback[1]);
  }

  /// Called with each line of the engine, which answers all commands of a kind, in order.
  emitted(line) {
    const [kind] = line.split(" ", 1);
    const at = this.#answers.findIndex((answer) => answer.split(" ", 1)[0] === kind);
    if (at >= 0) this.#answers.splice(at, 1);
  }

  all() {
    return [...this.#answers];
  }
}

/// Creates an engine. `locateFile` returns the URL of `sabi.wasm`, by default beside this script;
/// `module` is the compiled module, if available.
export default async function createSabi({ locateFile, printErr = () => {}, module } = {}) {
  const place = locateFile ? new URL(locateFile("sabi.wasm", ""), import.meta.url) : new URL("./sabi.wasm", import.meta.url);
  const compiled = module || (await compile(place));
  const [listeners, queue] = [new Set(), []];
  const pending = new PendingAnswers();
  let [over, running, scheduled, until, waitMs] = [false, false, false, 0, 0];
  // State of a new instance after a crash.
  let [options, position] = [new Map(), null];

  const emit = (line) => {
    if (over) return;
    pending.emitted(line);
    for (const listener of [...listeners]) listener(line);
  };
  const suspends = (wait) => (waitMs = wait) > 0 || performance.now() >= until;
  const launch = () => new Instance(compiled, emit, printErr, suspends);
  let instance = launch();

  /// Calls the module. Until it returns, it must not receive a line or search again: lines that
  /// listeners send wait in the queue. Questions share nothing with sessions and searches.
  const entered = (action) => {
    const before = running;
    running = true;
    try {
      return action();
    } finally {
      running = before;
    }
  };

  /// After a crash of the instance, such as a stack overflow, a new one continues the session.
  let reason = "";
  const recover = () => {
    if (over || instance) return;
    entered(() => {
      instance = launch();
      for (const line of [...options.values(), position].filter(Boolean)) instance.receive(line);
      emit(`info string the engine crashed and starts again: ${reason}`);
      pending.all().forEach(emit);
    });
  };
  const guarded = (action) => {
    try {
      recover();
      return entered(action);
    } catch (error) {
      [instance, reason] = [null, error.message];
      later(recover);
      return false;
    }
  };

  const search = () => {
    if (over) return;
    until = performance.now() + SLICE;
    waitMs = 0;
    if (guarded(() => instance.poll()) && !scheduled) {
      scheduled = true;
      const next = () => { scheduled = false; poll(); };
      if (waitMs > 0) setTimeout(next, waitMs);
      else later(next);
    }
  };

  const receive = (line) => {
    if (over) return;
    // After a crash the lines before this one are answered first.
    if (!instance) guarded(() => {});
    const option = /^\s*setoption\s+name\s+(\S+)/.exec(line);
    if (option) options.set(option[1].toLowerCase(), line);
    if (/^\s*position\b/.test(line)) position = line;
    pending.received(line);
    let continues = true;
    guarded(() => { continues = instance.receive(line); });
    if (continues) return search();
    // The module has stopped the search: what was asked before `quit` is answered.
    until = Infinity;
    while (guarded(() => instance.poll()));
    recover();
    over = true;
  };

  /// Receives the waiting lines and new ones, each with a slice, so that a `stop` is answered at once.
  /// What listeners send meanwhile waits for the next slice: else a listener that answers each
  /// `bestmove` by a short search would keep the host from its events.
  const receiveAll = (lines) => [...queue.splice(0), ...lines].forEach(receive);
  const poll = () => {
    if (running) return;
    receiveAll([]);
    search();
  };
  const postMessage = (text) => {
    const lines = String(text).split("\n");
    if (!running) return receiveAll(lines);
    if (!queue.length) later(poll);
    lines.forEach((line) => queue.push(line));
  };

  return {
    postMessage,
    addMessageListener: (listener) => void listeners.add(listener),
    removeMessageListener: (listener) => void listeners.delete(listener),
    terminate: () => { over = true; instance = null; listeners.clear(); },
    poll,
    /// Rules and records, see `questions.rs`.
    ask: (question) => guarded(() => instance.ask(question)) || { error: "the question could not be answered" },
  };
}
