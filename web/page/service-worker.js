// Caches the page for offline use, and isolates it from other origins for threads. The build fills
// in VERSION and FILES.
const VERSION = "@VERSION@";
const FILES = ["@FILES@"];
/// What is cached; the module with threads on first use.
const CACHED = new Set([...FILES, "sabi.threads.wasm"].map((name) => new URL(name, location).href));

addEventListener("install", (event) => {
  // Bypasses the browser's cache.
  const fresh = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(fresh)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const forget = async () => {
    for (const name of await caches.keys()) if (name.startsWith("sabi-") && name !== VERSION) await caches.delete(name);
    await clients.claim();
  };
  event.waitUntil(forget());
});

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  [url.search, url.hash] = ["", ""];
  if (event.request.method !== "GET" || !CACHED.has(url.href)) return;
  event.respondWith(answer(event.request));
});

const ISOLATION = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp", "cross-origin-resource-policy": "same-origin" };

async function answer(request) {
  const cache = await caches.open(VERSION);
  let response = await cache.match(request, { ignoreSearch: true });
  if (!response) {
    // Bypasses the browser's cache, too; older browsers take no options for a navigation.
    response = await fetch(request, request.mode === "navigate" ? undefined : { cache: "no-cache" });
    // The answer does not depend on the room for it.
    const warn = (error) => console.warn(error);
    if (response.ok) await cache.put(request, response.clone()).catch(warn);
  }
  if (response.type === "opaqueredirect" || response.status === 0) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
