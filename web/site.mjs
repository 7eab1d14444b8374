// Builds the page: its files, the engine, and a service worker that lists them.
import { createHash } from "node:crypto";
import { copyFile, readFile, writeFile } from "node:fs/promises";

const [from, to] = process.argv.slice(2);
const FILES = {
  web: ["index.html", "style.css", "app.js", "engine.js", "words.js", "worker.js", "icon.svg", "app.webmanifest"],
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
const worker = await readFile("web/service-worker.js", "utf8");
const filled = worker.replace("@VERSION@", `sabi-${hash.digest("hex").slice(0, 16)}`).replace('["@FILES@"]', JSON.stringify(["./", ...names]));
await writeFile(`${to}/service-worker.js`, filled);
