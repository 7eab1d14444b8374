import type { Options, Sabi } from "./sabi.js";

/** Makes an engine with threads, in a worker of a page that is isolated from other origins. `locateFile` is asked for
 * `sabi.threads.wasm`. */
export default function createSabi(options?: Options): Promise<Omit<Sabi, "poll" | "ask">>;
