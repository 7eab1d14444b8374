// Runs a WASI program: `CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings web/test/wasi.mjs"`.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [program, ...rest], preopens: { "/": "/" }, env: { PWD: process.cwd() } });
const { instance } = await WebAssembly.instantiate(await readFile(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);
