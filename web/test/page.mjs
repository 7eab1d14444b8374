// What the tests of the page share: the page in a headless browser, after `web/build`. PAGE sets the folder
// of another build, SHOTS one for screenshots.
import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { after, before } from "node:test";
import { launch } from "./browser.mjs";
import { serve } from "./server.mjs";

export const folder = process.env.PAGE
  ? pathToFileURL(`${process.env.PAGE}/`)
  : new URL("../../target/web/page/", import.meta.url);
export const site = fileURLToPath(folder);
/// `server` serves the page below `/sabi/`; a test may end it and start another.
export const place = { browser: null, server: null };
export const startServer = () => serve({ "/sabi/": site });
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

before(async () => {
  await access(`${site}sabi.wasm`).catch(() => {
    throw new Error("there is no page to test; run: web/build");
  });
  Object.assign(place, { browser: await launch(), server: await startServer() });
});
after(async () => {
  await place.browser?.close();
  await place.server?.end();
});

export const status = (page) => page.locator("#status").textContent();
export const output = (page, pattern, timeout = 60_000) =>
  page.waitForFunction(
    ([source]) => new RegExp(source).test(document.getElementById("status").textContent),
    [pattern.source],
    { timeout },
  );
export const moves = (page) =>
  page
    .locator("#moves .move")
    .count()
    .then((count) => count - 1);

/// A page in a context of its own; faults of the page are faults of the test.
export async function opened(context, options = {}, fragment = "") {
  const visit = await place.browser.newContext({ locale: "en-US", viewport: { width: 1280, height: 800 }, ...options });
  await visit.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await visit.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  context.after(async () => {
    await visit.close();
    assert.deepEqual(faults, []);
  });
  await page.goto(`${place.server.address}/sabi/${fragment}`);
  if (!fragment) await output(page, /Ready|準備/);
  return { page, visit };
}

export async function picture(page, name) {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true });
}

/// Presses a square of the board, `7g`, or a piece in the hand, `P*`.
export async function press(page, name) {
  if (name[1] === "*") return page.locator(`.hand button[data-kind="${name[0]}"]:enabled`).click();
  await page.mouse.click(...(await middle(page, name)));
}

/// The middle of a square on the screen.
export async function middle(page, name) {
  const box = await page.locator("#board").boundingBox();
  const [file, rank] = [Number(name[0]), "abcdefghi".indexOf(name[1])];
  return [box.x + (box.width * (16 + 42 * (9 - file) + 21)) / 410, box.y + (box.height * (16 + 46 * rank + 23)) / 434];
}

export async function tryMove(page, move) {
  await press(page, move.slice(0, 2));
  await press(page, move.slice(2, 4));
  if (await page.locator("#promotion").isVisible())
    await page.locator(`#promotion button[value="${move[4] === "+" ? "yes" : "no"}"]`).click();
}

export async function play(page, move) {
  const before = await moves(page);
  await tryMove(page, move);
  await page.waitForFunction((count) => document.querySelectorAll("#moves .move").length > count + 1, before, {
    timeout: 5000,
  });
}

/// The record that the page copies.
export async function copied(page) {
  await page.click("#copy");
  await output(page, /Copied|コピーしました/);
  return page.evaluate(() => navigator.clipboard.readText());
}

/// Drops a file with this text, or of this size.
export const drop = (page, name, content) =>
  page.evaluate(
    ([name, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([typeof content === "number" ? new Uint8Array(content) : content], name));
      const options = { dataTransfer: data, bubbles: true, cancelable: true };
      document.dispatchEvent(new DragEvent("drop", options));
    },
    [name, content],
  );

export async function paste(page, text) {
  await page.click("#paste");
  await page.fill("#text", text);
  await page.click('#input button[value="yes"]');
}
