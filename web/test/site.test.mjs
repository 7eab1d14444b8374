// The files of the page and its service worker, with stubs of the modules and the browser:
// `node --test web/test/site.test.mjs`. Needs no build.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import test from "node:test";
import { runInNewContext } from "node:vm";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MODULES = ["sabi.js", "wasi.js", "threads.js", "thread.js", "sabi.wasm", "sabi.threads.wasm"];

async function folder(context) {
  const path = await mkdtemp(join(tmpdir(), "site-"));
  context.after(() => rm(path, { recursive: true }));
  return path;
}

test("the version is that of all files", async (context) => {
  const [from, to] = [await folder(context), await folder(context)];
  const version = async () => {
    execFileSync(process.execPath, ["web/site.mjs", from, to], { cwd: ROOT });
    return /VERSION = "(sabi-[0-9a-f]{16})"/.exec(await readFile(`${to}/service-worker.js`, "utf8"))[1];
  };
  for (const name of MODULES) await writeFile(`${from}/${name}`, "old");
  const versions = [await version()];
  assert.equal(await version(), versions[0]);
  for (const name of ["sabi.wasm", "sabi.threads.wasm"]) {
    await writeFile(`${from}/${name}`, "new");
    versions.push(await version());
  }
  assert.equal(new Set(versions).size, 3);
});

/// The service worker with a stub of the browser; `respond` returns the promise of its answer to a
/// request, if it gives one.
async function serviceWorker(cache) {
  const listeners = {}, fetched = [];
  const stubs = { addEventListener: (name, listener) => { listeners[name] = listener; }, caches: { open: async () => cache },
    fetch: async (request, options) => { fetched.push(options?.cache); return new Response("a module"); },
    location: new URL("http://x/sabi/service-worker.js"), console: { warn() {} },
    URL, Headers, Response };
  const source = await readFile(new URL("../page/service-worker.js", import.meta.url), "utf8");
  runInNewContext(source.replace('["@FILES@"]', '["./", "app.js"]'), stubs);
  const respond = (url, mode = "cors", method = "GET") => {
    let answer;
    const respondWith = (found) => { answer = found; };
    listeners.fetch({ request: { method, url, mode }, respondWith });
    return answer;
  };
  return { fetched, respond };
}

test("a file that is cached on first use does not come from the browser's cache", async () => {
  const cache = { match: async () => undefined, put: async () => {} };
  const { fetched, respond } = await serviceWorker(cache);
  for (const mode of ["cors", "navigate"]) {
    assert.equal((await respond("http://x/sabi/sabi.threads.wasm", mode)).status, 200);
  }
  assert.deepEqual(fetched, ["no-cache", undefined]);
});

test("only the files of the page are cached, and answered without room for them", async () => {
  const cache = { match: async () => undefined, put: async () => { throw new Error("no room"); } };
  const { respond } = await serviceWorker(cache);
  for (const name of ["", "app.js", "app.js?version=1", "?game#move", "sabi.threads.wasm"]) {
    assert.equal((await respond(`http://x/sabi/${name}`)).status, 200, name);
  }
  for (const url of ["http://x/sabi/other.js", "http://x/sabi/sub/app.js", "http://x/",
    "http://y/sabi/app.js"]) {
    assert.equal(respond(url), undefined, url);
  }
  assert.equal(respond("http://x/sabi/app.js", "cors", "POST"), undefined);
});
