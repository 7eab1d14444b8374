// Keeps the page, so that it works without a network. VERSION and FILES are filled in by the build.
const VERSION = "@VERSION@";
const FILES = ["@FILES@"];

addEventListener("install", (event) => {
  // What the browser keeps for itself may be old.
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
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(caches.open(VERSION).then(async (cache) => (await cache.match(event.request, { ignoreSearch: true })) || fetch(event.request)));
});
