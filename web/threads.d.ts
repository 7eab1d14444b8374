import type { Options, Sabi } from "./sabi.js";

/** Creates an engine with threads, in a worker of a cross-origin isolated page. `locateFile`
 * returns the URL of `sabi.threads.wasm`. After a crash of a thread it gives the pending answer and
 * ends. */
export default function createSabi(options?: Options): Promise<Omit<Sabi, "poll" | "ask">>;
