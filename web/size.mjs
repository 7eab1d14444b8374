// Prints download sizes.
import { readFile } from "node:fs/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";

const kilobytes = (count) => `${Math.round(count / 1024)} KiB`;
for (const name of ["sabi.wasm", "sabi.threads.wasm"]) {
  const bytes = await readFile(`${process.argv[2]}/${name}`);
  console.log(`${name}: ${kilobytes(bytes.length)}, gzip ${kilobytes(gzipSync(bytes).length)}, brotli ${kilobytes(brotliCompressSync(bytes).length)}`);
}
