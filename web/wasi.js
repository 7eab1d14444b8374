// Imports of both modules: the WASI functions needed without files, and the output function.

export const SUCCESS = 0;
const [BADF, NOSYS] = [8, 52];

/// The imports of a module. `memory` returns its memory, `emit` receives channel numbers and texts,
/// `complains` its standard error.
export function importsOf(module, memory, emit, complains) {
  const decoder = new TextDecoder();
  const view = () => new DataView(memory().buffer);
  // Shared memory cannot be passed to decoders and random generators directly.
  const text = (at, length) => decoder.decode(new Uint8Array(memory().buffer, at, length).slice());
  const imports = { sabi: {}, wasi_snapshot_preview1: {} };
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === "function") (imports[from] ||= {})[name] = () => NOSYS;
  }
  imports.sabi.emit = (channel, at, length) => emit(channel, text(at, length));
  // No arguments and no environment.
  const none = (count, size) => {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return SUCCESS;
  };
  Object.assign(imports.wasi_snapshot_preview1, {
    args_sizes_get: none,
    environ_sizes_get: none,
    args_get: () => SUCCESS,
    environ_get: () => SUCCESS,
    fd_prestat_get: () => BADF,
    sched_yield: () => SUCCESS,
    proc_exit: (code) => { throw new Error(`exit ${code}`); },
    random_get: (at, length) => {
      new Uint8Array(memory().buffer, at, length).set(crypto.getRandomValues(new Uint8Array(length)));
      return SUCCESS;
    },
    clock_time_get: (clock, _, at) => {
      // Workers have different time origins.
      const now = clock === 0 ? Date.now() : performance.timeOrigin + performance.now();
      view().setBigUint64(at, BigInt(Math.round(now * 1e3)) * 1000n, true);
      return SUCCESS;
    },
    fd_write: (_, parts, count, written) => {
      let [output, total] = ["", 0];
      for (let part = 0; part < count; part += 1) {
        const [at, length] = [0, 4].map((offset) => view().getUint32(parts + 8 * part + offset, true));
        output += text(at, length);
        total += length;
      }
      view().setUint32(written, total, true);
      complains(output.trimEnd());
      return SUCCESS;
    },
  });
  return imports;
}

/// `poll_oneoff`: only waits for a time, in milliseconds, are supported.
export const sleep = (memory, pause) => (subscription, event, _, count) => {
  const view = new DataView(memory().buffer);
  const wait = Number(view.getBigUint64(subscription + 24, true)) / 1e6;
  for (let at = 0; at < 32; at += 1) view.setUint8(event + at, at < 8 ? view.getUint8(subscription + at) : 0);
  view.setUint32(count, 1, true);
  return pause(wait);
};

/// Writes a text to the buffer of the module.
export function write(exports, memory, text) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  // Allocation may move the memory.
  const at = exports.buffer(bytes.length);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
}
