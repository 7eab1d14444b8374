// The page in a headless browser: `node --test web/test/page.test.mjs`, after `web/build`. SHOTS
// sets a folder for screenshots.
import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import test, { after, before } from "node:test";
import { launch } from "./browser.mjs";
import { serve } from "./server.mjs";

const folder = new URL("../../target/web/page/", import.meta.url), site = fileURLToPath(folder);
let browser, server;

before(async () => {
  await access(`${site}sabi.wasm`).catch(() => { throw new Error("there is no page to test; run: web/build"); });
  [browser, server] = [await launch(), await serve({ "/sabi/": site })];
});
after(async () => { await browser?.close(); await server?.end(); });

const status = (page) => page.locator("#status").textContent();
const output = (page, pattern, timeout = 60_000) =>
  page.waitForFunction(([source]) => new RegExp(source).test(document.getElementById("status").textContent), [pattern.source], { timeout });
const moves = (page) => page.locator("#moves li").count().then((count) => count - 1);

/// A page in a context of its own; faults of the page are faults of the test.
async function opened(context, options = {}) {
  const place = await browser.newContext({ locale: "en-US", viewport: { width: 1280, height: 800 }, ...options });
  await place.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await place.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  context.after(async () => { await place.close(); assert.deepEqual(faults, []); });
  await page.goto(`${server.address}/sabi/`);
  await output(page, /Ready|準備/);
  return { page, place };
}

async function picture(page, name) {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true });
}

/// Presses a square of the board, `7g`, or a piece in the hand, `P*`.
async function press(page, name) {
  if (name[1] === "*") return page.locator(`.hand button[data-kind="${name[0]}"]:enabled`).click();
  await page.mouse.click(...(await middle(page, name)));
}

/// The middle of a square on the screen.
async function middle(page, name) {
  const box = await page.locator("#board").boundingBox();
  const [file, rank] = [Number(name[0]), "abcdefghi".indexOf(name[1])];
  return [box.x + (box.width * (16 + 42 * (9 - file) + 21)) / 410, box.y + (box.height * (16 + 46 * rank + 23)) / 434];
}

async function tryMove(page, move) {
  await press(page, move.slice(0, 2));
  await press(page, move.slice(2, 4));
  if (await page.locator("#promotion").isVisible()) await page.locator(`#promotion button[value="${move[4] === "+" ? "yes" : "no"}"]`).click();
}

async function play(page, move) {
  const before = await moves(page);
  await tryMove(page, move);
  await page.waitForFunction((count) => document.querySelectorAll("#moves li").length > count + 1, before, { timeout: 5000 });
}

/// The record that the page copies.
async function copied(page) {
  await page.click("#copy");
  await output(page, /Copied|コピーしました/);
  return page.evaluate(() => navigator.clipboard.readText());
}

/// Drops a file with this text, or of this size.
const drop = (page, name, content) => page.evaluate(([name, content]) => {
  const data = new DataTransfer();
  data.items.add(new File([typeof content === "number" ? new Uint8Array(content) : content], name));
  const options = { dataTransfer: data, bubbles: true, cancelable: true };
  document.dispatchEvent(new DragEvent("drop", options));
}, [name, content]);

async function paste(page, text) {
  await page.click("#paste");
  await page.fill("#text", text);
  await page.click('#input button[value="yes"]');
}

test("a whole game against a level", async (context) => {
  const { page } = await opened(context);
  await page.selectOption("#level", "1");
  await page.selectOption("#time", "1000");
  await page.click("#start");
  const { default: createSabi } = await import(new URL("sabi.js", folder));
  // The other player is the same engine at full strength in Node.js.
  const player = await createSabi();
  context.after(() => player.terminate());
  let found = () => {};
  player.addMessageListener((line) => line.startsWith("bestmove") && found(line.split(" ")[1]));
  for (let turn = 0; turn < 150; turn += 1) {
    await output(page, /Your move|—/);
    if (/—/.test(await status(page))) break;
    const position = await page.evaluate(() => localStorage.getItem("game"));
    const move = await new Promise((resolve) => {
      found = resolve;
      player.postMessage(`position ${position}`);
      player.postMessage("go nodes 3000");
    });
    assert.match(move, /^[1-9PLNSGBR][a-i*]/, `${move} in ${position}`);
    await play(page, move);
  }
  assert.match(await status(page), /— Black wins/);
  assert.ok((await moves(page)) > 20);
  const kif = await copied(page);
  assert.match(kif, /^先手：you\n後手：Sabi\n手数----指手[^]*\nまで\d+手で先手の勝ち\n$/m);
  // The end is a line of its own.
  assert.equal(kif.match(/^ +\d+ /gm).length, (await moves(page)) + 1);
  await picture(page, "game");
});

test("stop makes the engine move at once", async (context) => {
  const { page } = await opened(context);
  await page.selectOption("#level", "0");
  await page.selectOption("#time", "30000");
  await page.click("#start");
  await output(page, /Your move/);
  // Not in the book.
  await play(page, "9i9h");
  await output(page, /Thinking/);
  await page.click("#stop");
  await output(page, /Your move/, 5000);
  assert.equal(await moves(page), 2);
});

test("analysis continues until it is stopped, and follows the moves", async (context) => {
  const { page } = await opened(context);
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelectorAll("#lines .line").length === 3);
  assert.match(await page.locator("#status-line").textContent(), /depth \d+ .* nps/);
  await play(page, "7g7f");
  await page.waitForFunction(() => document.querySelector("#lines .line button")?.textContent.startsWith("☖"));
  await page.locator("#lines .line button").nth(2).click();
  assert.equal(await page.locator("#lines button.on").count(), 1);
  // The focus stays where it is while the engine reports.
  await page.locator("#lines .line button").first().focus();
  const reported = await page.locator("#status-line").textContent();
  const changed = (text) => document.getElementById("status-line").textContent !== text;
  await page.waitForFunction(changed, reported);
  assert.equal(await page.evaluate(() => document.activeElement.closest("#lines") !== null), true);
  await page.keyboard.press("Escape");
  await page.click("#stop");
  await page.waitForFunction(() => document.getElementById("stop").disabled);
  const statusLine = await page.locator("#status-line").textContent();
  await page.waitForTimeout(500);
  assert.equal(await page.locator("#status-line").textContent(), statusLine);
  await page.click("#back");
  assert.equal(await moves(page), 1);
  await picture(page, "analysis");
  // The lines would be hints in a game.
  await page.selectOption("#level", "1");
  await page.click("#start");
  await output(page, /Your move/);
  assert.equal(await page.locator("#lines .line").count(), 0);
  await play(page, "9i9h");
  await output(page, /Your move/);
  assert.equal(await page.locator("#lines .line").count(), 0);
});

test("analysis ends with the game", async (context) => {
  const { page } = await opened(context);
  await paste(page, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelectorAll("#lines .line").length > 0);
  await play(page, "G*5b");
  await output(page, /— Black wins/);
  assert.ok(await page.locator("#stop").isDisabled());
  await paste(page, "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
  await output(page, /^0 moves$/);
  await page.click("#analyse");
  await output(page, /^checkmate — Black wins$/);
  assert.ok(await page.locator("#stop").isDisabled());
  // The result is told in the other language, too.
  await page.click("#language");
  await output(page, /^詰み — 先手の勝ち$/);
  await paste(page, "sfen lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
  await output(page, /^0手$/);
  assert.match(await page.locator("#above b").textContent(), /^☖ 上手/);
  assert.match(await page.locator("#below b").textContent(), /^☗ 下手/);
});

test("records are dropped and pasted, analysed as a whole and shown in Japanese", async (context) => {
  const { page } = await opened(context, { locale: "ja-JP" });
  const csa = await readFile(new URL("../../tests/fixtures/records/rinsai/floodgate.csa", import.meta.url), "utf8");
  await drop(page, "game.csa", csa);
  await output(page, /☗.*☖.* \d+手/);
  const count = await moves(page);
  assert.ok(count > 20);
  // Names and times are those of the record.
  assert.match(await copied(page), /^後手：jhbr2\n[^]*^ +1 ７六歩\(77\) +\( 0:39\/00:00:39\)$/m);
  // The list is not scrolled back while the engine reports.
  await page.keyboard.press("End");
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelectorAll("#lines .line").length > 0);
  await page.evaluate(() => { document.getElementById("moves").scrollTop = 0; });
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(() => document.getElementById("moves").scrollTop), 0);
  await page.click("#stop");
  await page.click("#whole");
  await output(page, /解析が終わりました/, 240_000);
  const rates = await page.locator("#moves li span:last-child").allTextContents();
  assert.ok(rates.filter((rate) => /^\d+ %$/.test(rate)).length >= count, rates.join());
  assert.ok((await page.locator("#graph .area").getAttribute("d")).split("L").length >= count);
  await picture(page, "whole");
  await paste(page, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  await page.click("#mate");
  await output(page, /1手詰/);
  // Useless interpositions do not count.
  await paste(page, "sfen 8k/6S2/9/8B/8L/9/9/9/9 b P2rb4g3s4n3l17p 1");
  await page.click("#mate");
  await output(page, /(^|\D)1手詰/);
  await paste(page, "position startpos");
  await page.click("#mate");
  await output(page, /不詰/);
});

test("bad input is reported and changes nothing", async (context) => {
  const { page } = await opened(context);
  await play(page, "7g7f");
  for (const text of ["hello", "startpos moves 7g7e", "   1 ９九歩(12)", "V2.2\n+7775FU", "\u0000\u0001", "{".repeat(100_000), "9".repeat(100_000)]) {
    await paste(page, text);
    await output(page, /Cannot be read: ./);
    assert.equal(await moves(page), 1, text.slice(0, 20));
    await page.click("#flip");
    await page.click("#flip");
  }
  await tryMove(page, "7g7f");
  await tryMove(page, "1a1i");
  assert.equal(await moves(page), 1);
  await paste(page, "");
  assert.equal(await moves(page), 1);
  await drop(page, "large.kif", (16 << 20) + 1);
  await output(page, /Cannot be read: larger than 16 MB/);
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.click("#copy");
  await output(page, /Copying needs/);
  await page.evaluate(() => {
    Blob.prototype.arrayBuffer = () => Promise.reject(new Error("it is a folder"));
  });
  await drop(page, "folder", "");
  await output(page, /Cannot be read: it is a folder/);
  assert.equal(await moves(page), 1);
});

test("taking back, resigning, promoting and dropping", async (context) => {
  const { page } = await opened(context);
  for (const move of ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"]) await play(page, move);
  await page.selectOption("#level", "1");
  await page.selectOption("#side", "white");
  await page.click("#start");
  await output(page, /Your move/);
  assert.equal(await moves(page), 1);
  await page.click("#flip");
  await play(page, "8c8d");
  await output(page, /Your move/);
  assert.equal(await moves(page), 3);
  await page.click("#undo");
  await output(page, /Your move/);
  assert.equal(await moves(page), 1);
  // A reload does not end the game.
  await page.reload();
  await output(page, /Your move/);
  assert.equal(await moves(page), 1);
  await play(page, "3c3d");
  await output(page, /Your move/);
  await page.click("#resign");
  await output(page, /Black wins/);
  const end = /^先手：Sabi\n後手：you\n[^]*^ +4 投了\nまで3手で先手の勝ち$/m;
  assert.match(await copied(page), end);
  await page.reload();
  await output(page, /Ready/);
  assert.match(await copied(page), end);
});

test("a move is played where it was chosen, whatever is shown by then", async (context) => {
  const { page } = await opened(context);
  for (const move of ["7g7f", "3c3d"]) await play(page, move);
  await press(page, "8h");
  await press(page, "2b");
  await page.locator("#promotion").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#promotion").waitFor({ state: "hidden" });
  assert.equal(await moves(page), 2);
  await press(page, "8h");
  await press(page, "2b");
  await page.locator("#promotion").waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.locator('#promotion button[value="yes"]').click();
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 4);
  await page.selectOption("#level", "1");
  await page.selectOption("#time", "1000");
  await page.click("#start");
  await output(page, /Your move/);
  await press(page, "7g");
  // The reply may come from the book at once: the key is pressed within the same event.
  await page.evaluate(([x, y]) => {
    document.getElementById("board").dispatchEvent(new MouseEvent("click", { clientX: x, clientY: y }));
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
  }, await middle(page, "7f"));
  await output(page, /Your move/);
  assert.equal(await moves(page), 2);
  assert.equal(await page.locator("#moves li.on span").first().textContent(), "2");
  await play(page, "2g2f");
  await output(page, /Your move/);
  assert.equal(await moves(page), 4);
});

test("from the second visit on it thinks on several threads", async (context) => {
  const { page, place } = await opened(context);
  // With two processors or fewer, one thread searches and the page keeps the other.
  await place.addInitScript(() => Object.defineProperty(navigator, "hardwareConcurrency", { value: 4 }));
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  assert.equal(await page.evaluate(() => crossOriginIsolated), false);
  await page.reload();
  await output(page, /Ready/);
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelectorAll("#lines .line").length === 3);
  await play(page, "7g7f");
  await page.waitForFunction(() => document.querySelector("#lines .line button")?.textContent.startsWith("☖"));
  await page.click("#stop");
  await page.waitForFunction(() => document.getElementById("stop").disabled);
  // The threaded module was used, and is cached for offline use.
  assert.ok(await page.evaluate(async () => Boolean(await caches.match("sabi.threads.wasm"))));
  await page.selectOption("#level", "1");
  await page.click("#start");
  await output(page, /Your move/);
  await play(page, "7g7f");
  await output(page, /Your move|—/);
});

test("it works without a network once it is loaded, on a telephone too", async (context) => {
  const { page, place } = await opened(context, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is too wide");
  await play(page, "7g7f");
  await place.setOffline(true);
  const stopped = server;
  await stopped.end();
  try {
    await page.reload();
    await output(page, /Ready/);
    assert.equal(await moves(page), 1);
    await page.click("#analyse");
    await page.waitForFunction(() => document.querySelectorAll("#lines .line").length === 3);
    await picture(page, "telephone");
  } finally {
    server = await serve({ "/sabi/": site });
  }
});
