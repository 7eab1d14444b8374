// Static file server.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".json": "application/json",
  ".wasm": "application/wasm", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json" };

/// Serves `folders`, each under its name; returns the address and a function that ends it.
export async function serve(folders, headers = {}) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const name = Object.keys(folders).find((start) => path.startsWith(start));
    const file = path.slice((name || "").length);
    try {
      const bytes = await readFile(join(folders[name], file.endsWith("/") || file === "" ? "index.html" : file));
      response.writeHead(200, { "content-type": TYPES[extname(file) || ".html"] || "application/octet-stream", ...headers });
      response.end(bytes);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = () => { server.closeAllConnections(); return new Promise((resolve) => server.close(resolve)); };
  return { address: `http://127.0.0.1:${server.address().port}`, end };
}
