// Builds the page: its files, the engine, and a service worker that lists them.
import { createHash } from "node:crypto";
import { copyFile, readFile, readdir, writeFile } from "node:fs/promises";

const [from, to] = process.argv.slice(2);
const PAGE = "web/page";
const FILES = {
  [PAGE]: (await readdir(PAGE)).filter((name) => name !== "service-worker.js").sort(),
  "src/analysis/page": ["board.js"],
  [from]: ["sabi.js", "wasi.js", "threads.js", "thread.js", "sabi.wasm"],
};
const hash = createHash("sha256");
async function copy(folder, name) {
  await copyFile(`${folder}/${name}`, `${to}/${name}`);
  hash.update(name).update(await readFile(`${to}/${name}`));
}
// Rarely needed: cached on first use.
await copy(from, "sabi.threads.wasm");
const names = [];
for (const [folder, files] of Object.entries(FILES)) {
  for (const name of files) {
    await copy(folder, name);
    names.push(name);
  }
}
const worker = await readFile(`${PAGE}/service-worker.js`, "utf8");
const filled = worker.replace("@VERSION@", `sabi-${hash.digest("hex").slice(0, 16)}`).replace('["@FILES@"]', JSON.stringify(["./", ...names]));
await writeFile(`${to}/service-worker.js`, filled);
