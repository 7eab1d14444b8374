// The engine as an object: lines of USI in, lines of USI out. The interface is that of the WebAssembly builds of YaneuraOu.
//
// The module thinks on the thread that created it, a slice at a time, and leaves it to others in between: at the calls of WASI that
// give up the processor its stack is put aside (Asyncify of Binaryen) and taken up again by `poll`. Browsers want this in a worker.

/// Milliseconds of thinking at a time.
const SLICE = 30;
/// Bytes for the frames of a search that is put aside.
const FRAMES = 1 << 20;
const [SUCCESS, BADF, NOSYS] = [0, 8, 52];
const [NORMAL, UNWINDING, REWINDING] = [0, 1, 2];

/// Compiles the module that lies at `url`.
export async function compile(url) {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  // Some servers do not know the type, and then it cannot be compiled while it arrives.
  const known = (response.headers.get("content-type") || "").startsWith("application/wasm");
  return known ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/// One instance of the module. `hears` is called with each line that it says, `suspends` with the milliseconds that it has nothing
/// to do for, and tells whether to put it aside.
export class Instance {
  constructor(module, hears, complains, suspends) {
    const text = new TextDecoder();
    const bytes = (at, length) => new Uint8Array(this.exports.memory.buffer, at, length);
    const view = () => new DataView(this.exports.memory.buffer);
    const imports = { sabi: {}, wasi_snapshot_preview1: {} };
    // There are no files, arguments and variables.
    for (const { module: from, name } of WebAssembly.Module.imports(module)) imports[from][name] = () => NOSYS;
    imports.sabi.say = (channel, at, length) => {
      const line = text.decode(bytes(at, length));
      if (channel === 0) hears(line);
      else this.answer = line;
    };
    const none = (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), SUCCESS);
    Object.assign(imports.wasi_snapshot_preview1, {
      args_sizes_get: none,
      environ_sizes_get: none,
      args_get: () => SUCCESS,
      environ_get: () => SUCCESS,
      fd_prestat_get: () => BADF,
      proc_exit: (code) => { throw new Error(`exit ${code}`); },
      random_get: (at, length) => (crypto.getRandomValues(bytes(at, length)), SUCCESS),
      clock_time_get: (clock, _, at) => {
        const now = clock === 0 ? Date.now() : performance.now();
        view().setBigUint64(at, BigInt(Math.round(now * 1e6)), true);
        return SUCCESS;
      },
      fd_write: (_, parts, count, written) => {
        let [said, total] = ["", 0];
        for (let part = 0; part < count; part += 1) {
          const [at, length] = [0, 4].map((offset) => view().getUint32(parts + 8 * part + offset, true));
          said += text.decode(bytes(at, length));
          total += length;
        }
        view().setUint32(written, total, true);
        complains(said.trimEnd());
        return SUCCESS;
      },
      sched_yield: () => this.#leave(suspends, 0),
      // Of all that can be waited for, the engine waits for time alone.
      poll_oneoff: (subscription, event, _, count) => {
        const wait = Number(view().getBigUint64(subscription + 24, true)) / 1e6;
        bytes(event, 32).fill(0);
        bytes(event, 8).set(bytes(subscription, 8));
        view().setUint32(count, 1, true);
        return this.#leave(suspends, wait);
      },
    });
    this.exports = new WebAssembly.Instance(module, imports).exports;
    this.suspended = false;
    this.#polling = false;
    if (!this.exports.start()) throw new Error("the engine does not start");
    this.#frames = this.exports.reserve(FRAMES);
  }

  #polling;
  #frames;

  #leave(suspends, wait) {
    const { asyncify_get_state, asyncify_start_unwind, asyncify_stop_rewind } = this.exports;
    if (asyncify_get_state() === REWINDING) {
      asyncify_stop_rewind();
    } else if (this.#polling && suspends(wait)) {
      // Where the next frame goes, and where there is no more room for one.
      new Uint32Array(this.exports.memory.buffer, this.#frames, 2).set([this.#frames + 8, this.#frames + FRAMES]);
      asyncify_start_unwind(this.#frames);
    }
    return SUCCESS;
  }

  #write(text) {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    // Making room may move the memory.
    const at = this.exports.buffer(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
  }

  /// Hands over a line; tells whether the session goes on.
  hear(line) {
    this.#write(line);
    return this.exports.hear() !== 0;
  }

  /// Answers a question about rules and records, see `questions.rs`.
  ask(question) {
    this.#write(question);
    this.exports.ask();
    return JSON.parse(this.answer);
  }

  /// Thinks until `suspends` says so; tells whether there is more to think about.
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

/// Calls back as soon as everything else that waits has had its turn. Timers would come too late: browsers hold them back.
function later(callback) {
  if (typeof setImmediate === "function") return void setImmediate(callback);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { port1.close(); callback(); };
  port2.postMessage(null);
}

/// The answer that a command must have, where it cannot be had.
const LAST_WORDS = [[/^\s*go\s+mate\b/, "checkmate timeout"], [/^\s*(go|ponderhit)\b/, "bestmove resign"], [/^\s*isready\b/, "readyok"]];
const FINAL = /^(bestmove|checkmate|readyok)\b/;

/// Makes an engine. `locateFile` tells where `sabi.wasm` lies, if not beside this script; `module` is the module, already compiled.
export default async function createSabi({ locateFile, printErr = () => {}, module } = {}) {
  const place = locateFile ? new URL(locateFile("sabi.wasm", ""), import.meta.url) : new URL("./sabi.wasm", import.meta.url);
  const compiled = module || (await compile(place));
  const listeners = new Set();
  let [over, scheduled, until, rests, owed] = [false, false, 0, 0, null];
  // What a new instance must be told to stand where the old one stood.
  let [options, position] = [new Map(), null];

  const emit = (line) => {
    if (over) return;
    if (FINAL.test(line)) owed = null;
    for (const listener of [...listeners]) listener(line);
  };
  const suspends = (wait) => (rests = wait) > 0 || performance.now() >= until;
  const launch = () => new Instance(compiled, emit, printErr, suspends);
  let instance = launch();

  /// What ends a WebAssembly instance, such as a stack that is too small, ends no game: another one takes over.
  let reason = "";
  const recover = () => {
    if (over || instance) return;
    instance = launch();
    for (const line of [...options.values(), position].filter(Boolean)) instance.hear(line);
    emit(`info string the engine broke off and starts again: ${reason}`);
    if (owed) emit(owed);
  };
  const guarded = (action) => {
    try {
      recover();
      return action();
    } catch (error) {
      [instance, reason] = [null, error.message];
      later(recover);
      return false;
    }
  };

  const poll = () => {
    if (over) return;
    until = performance.now() + SLICE;
    rests = 0;
    if (guarded(() => instance.poll()) && !scheduled) {
      scheduled = true;
      const next = () => { scheduled = false; poll(); };
      if (rests > 0) setTimeout(next, rests);
      else later(next);
    }
  };

  const hear = (line) => {
    if (over) return;
    const option = /^\s*setoption\s+name\s+(\S+)/.exec(line);
    if (option) options.set(option[1].toLowerCase(), line);
    if (/^\s*position\b/.test(line)) position = line;
    const known = LAST_WORDS.find(([command]) => command.test(line));
    if (known) owed = known[1];
    if (guarded(() => (instance.hear(line) ? true : void (over = true))) !== undefined) poll();
  };

  return {
    postMessage: (text) => String(text).split("\n").forEach(hear),
    addMessageListener: (listener) => void listeners.add(listener),
    removeMessageListener: (listener) => void listeners.delete(listener),
    terminate: () => { over = true; instance = null; listeners.clear(); },
    poll,
    /// Rules and records, see `questions.rs`.
    ask: (question) => guarded(() => instance.ask(question)) || { error: "the question could not be answered" },
  };
}
