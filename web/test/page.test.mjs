// The page in a headless browser: games, analysis, records, bad input, offline:
// `node --test web/test/page.test.mjs`, after `web/build`.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { PHONE, copied, drop, folder, moves, opened, output, paste, picture, place, play, press, startServer, status, tryMove } from "./page.mjs";

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
  await page.selectOption("#nodes", "20000");
  await page.click("#whole");
  await output(page, /解析が終わりました/, 240_000);
  const rates = await page.locator("#moves .rate").allTextContents();
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
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 4);
  await page.selectOption("#level", "1");
  await page.selectOption("#time", "1000");
  await page.click("#start");
  await output(page, /Your move/);
  await press(page, "7g");
  // The reply may come from the book at once: the key is pressed within the same event.
  await page.evaluate(() => {
    document.querySelector('#squares [data-square="7f"]').click();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
  });
  await output(page, /Your move/);
  assert.equal(await moves(page), 2);
  assert.equal(await page.locator("#moves .move.on span").first().textContent(), "2");
  await play(page, "2g2f");
  await output(page, /Your move/);
  assert.equal(await moves(page), 4);
});

test("from the second visit on it thinks on several threads", async (context) => {
  const { page, visit } = await opened(context);
  // With two processors or fewer, one thread searches and the page keeps the other.
  await visit.addInitScript(() => Object.defineProperty(navigator, "hardwareConcurrency", { value: 4 }));
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

for (const [name, options] of Object.entries({ desktop: {}, telephone: { ...PHONE, locale: "ja-JP" } })) {
  test(`it works without a network once it is loaded, and analyses the game: ${name}`, async (context) => {
    const { page, visit } = await opened(context, options);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is too wide");
    await play(page, "7g7f");
    await visit.setOffline(true);
    await place.server.end();
    try {
      await page.reload();
      await output(page, /Ready|準備/);
      assert.equal(await moves(page), 1);
      if (name === "telephone") await page.locator('#tabs [data-tab="analysis"]').tap();
      await page.click("#analyse");
      await page.waitForFunction(() => document.querySelectorAll("#lines .line").length === 3);
      await picture(page, name);
      await page.click("#stop");
      await page.selectOption("#nodes", "20000");
      await page.click("#whole");
      await output(page, /is analysed|解析が終わりました/);
    } finally {
      place.server = await startServer();
    }
  });
}
