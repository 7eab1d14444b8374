// The engine with threads, for workers of cross-origin isolated pages. The interface is that of
// `sabi.js` without `poll`: lines are read on the creating thread, searches run on others.
import { PendingAnswers, compile } from "./sabi.js";
import { importsOf, write } from "./wasi.js";

/// Memory in pages of 64 KiB, as in `build`.
const [INITIAL, MAXIMUM] = [1024, 16384];
/// How long the answers that are due may take after `quit`, in milliseconds.
const QUIT_TIMEOUT = 5000;

/// A factory of workers for threads; Node.js has its own kind.
async function workers() {
  const url = new URL("./thread.js", import.meta.url);
  if (typeof process === "undefined") return () => new Worker(url, { type: "module" });
  const { Worker: NodeWorker } = await import("node:worker_threads");
  return () => {
    const worker = new NodeWorker(url);
    worker.on("message", (data) => worker.onmessage({ data }));
    worker.on("error", (error) => worker.onerror(error));
    return worker;
  };
}

/// Creates an engine. `locateFile` returns the URL of `sabi.threads.wasm`, by default beside this
/// script.
export default async function createSabi({ locateFile, printErr = () => {}, module } = {}) {
  const place = new URL(locateFile ? locateFile("sabi.threads.wasm", "") : "./sabi.threads.wasm", import.meta.url);
  const [compiled, worker] = [module || (await compile(place)), await workers()];
  const memory = new WebAssembly.Memory({ initial: INITIAL, maximum: MAXIMUM, shared: true });
  const numbers = new Int32Array(new SharedArrayBuffer(4));
  const [listeners, idle, all, queue] = [new Set(), [], new Set(), []];
  const pending = new PendingAnswers();
  let [over, running, quitting] = [false, false, false];

  const emit = (line) => {
    if (over) return;
    pending.emitted(line);
    for (const listener of [...listeners]) listener(line);
    if (quitting && !pending.all().length) end();
  };
  const end = () => {
    over = true;
    listeners.clear();
    all.forEach((one) => one.terminate());
  };
  /// Ends the engine after a crash, not without its pending answers. A crashed thread may hold
  /// locks: not recoverable, and what listeners send now is ignored.
  const crash = (reason) => {
    running = true;
    emit(`info string the engine crashed: ${reason}`);
    pending.all().forEach(emit);
    end();
  };

  /// Starts a thread on an idle or new worker. Workers are not created by the calling thread: they
  /// never start if it does not return to its event loop.
  const spawn = (number, argument) => {
    if (over) return;
    const one = idle.pop() || worker();
    all.add(one);
    one.onmessage = ({ data }) => {
      if (data.line !== undefined) emit(data.line);
      else if (data.complaint !== undefined) printErr(data.complaint);
      else if (data.spawn) spawn(...data.spawn);
      else idle.push(one);
    };
    // Browsers give no message if the script of a worker cannot be loaded.
    one.onerror = (error) => crash(error.message || "a thread does not start");
    one.postMessage({ module: compiled, memory, numbers, number, argument });
  };

  const imports = importsOf(compiled, () => memory, (channel, line) => channel === 0 && emit(line), printErr);
  imports.env = { memory };
  imports.wasi = { "thread-spawn": (argument) => { const number = Atomics.add(numbers, 0, 1) + 1; spawn(number, argument); return number; } };
  const { exports } = new WebAssembly.Instance(compiled, imports);
  exports.start();

  const receive = (line) => {
    pending.received(line);
    write(exports, memory, line);
    if (exports.receive()) return;
    // The module has stopped the search: what was asked before `quit` is answered, by other threads.
    quitting = true;
    if (!pending.all().length) return end();
    const late = setTimeout(end, QUIT_TIMEOUT);
    // Node.js would wait for it.
    late.unref?.();
  };
  /// Lines that listeners send while the module onLine another wait for its return: it must not be
  /// entered again.
  const postMessage = (text) => {
    if (over || quitting) return;
    String(text).split("\n").forEach((line) => queue.push(line));
    if (running) return;
    running = true;
    try {
      while (queue.length && !over && !quitting) receive(queue.shift());
    } catch (error) {
      crash(error.message);
    }
    running = false;
  };
  return {
    postMessage,
    addMessageListener: (listener) => void listeners.add(listener),
    removeMessageListener: (listener) => void listeners.delete(listener),
    terminate: end,
  };
}
