// Tells how much is downloaded.
import { readFile } from "node:fs/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";

const bytes = await readFile(`${process.argv[2]}/sabi.wasm`);
const kilobytes = (count) => `${Math.round(count / 1024)} KiB`;
console.log(`sabi.wasm: ${kilobytes(bytes.length)}, gzip ${kilobytes(gzipSync(bytes).length)}, brotli ${kilobytes(brotliCompressSync(bytes).length)}`);
