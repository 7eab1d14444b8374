// A worker for threads of the engine; see `threads.js`.
import { SUCCESS, importsOf, sleep } from "./wasi.js";

const port = typeof process === "undefined" ? globalThis : (await import("node:worker_threads")).parentPort;
const post = (data) => port.postMessage(data);

const run = ({ module, memory, numbers, number, argument }) => {
  const imports = importsOf(module, () => memory, (_, line) => post({ line }), (complaint) => post({ complaint }));
  const pause = (wait) => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait); return SUCCESS; };
  imports.env = { memory };
  imports.wasi_snapshot_preview1.poll_oneoff = sleep(() => memory, pause);
  imports.wasi = { "thread-spawn": (next) => { const made = Atomics.add(numbers, 0, 1) + 1; post({ spawn: [made, next] }); return made; } };
  new WebAssembly.Instance(module, imports).exports.wasi_thread_start(number, argument);
  post({ done: number });
};
if (port === globalThis) port.onmessage = ({ data }) => run(data);
else port.on("message", run);
