// What a player does with the page in a headless browser: handicaps, clock, hint, dragging, branches,
// positions, links, keys: `node --test web/test/play.test.mjs`, after `web/build`.
import assert from "node:assert/strict";
import test from "node:test";
import { HANDICAPS, handicapStart } from "../page/setup.js";
import {
  PHONE,
  copied,
  folder,
  middle,
  moves,
  opened,
  output,
  paste,
  picture,
  place,
  play,
  press,
  status,
  tryMove,
} from "./page.mjs";

async function startGame(page, choices = {}) {
  for (const [id, value] of Object.entries({ level: "1", time: "1000", ...choices }))
    await page.selectOption(`#${id}`, value);
  await page.click("#start");
}
const rates = (page) =>
  page
    .locator("#moves .rate")
    .allTextContents()
    .then((texts) => texts.filter(Boolean));
const arrows = (page, color) => page.locator(`#board [stroke="var(--${color})"]`).count();
const spoken = (page) => page.locator("#spoken").textContent();

test("during a game nothing shows the evaluation until the user asks or the game is over", async (context) => {
  const { page } = await opened(context);
  await startGame(page);
  await output(page, /Your move/);
  for (const move of ["9i9h", "1i1h"]) {
    await play(page, move);
    await output(page, /Your move/);
  }
  const hidden = async () => {
    assert.deepEqual(await rates(page), []);
    assert.equal(await page.locator("#graph .area").count(), 0);
    assert.equal(await page.locator("#lines .line").count(), 0);
    assert.equal(await arrows(page, "best"), 0);
  };
  await hidden();
  assert.match(await page.locator("#status-line").textContent(), /No evaluation is shown/);
  await page.click("#back");
  await hidden();
  await page.click("#last");
  // A hint is a move without its score.
  await page.click("#hint");
  await output(page, /^Hint: ☗/);
  assert.equal(await arrows(page, "hint"), 1);
  await hidden();
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelectorAll("#lines .line").length === 3);
  assert.notDeepEqual(await rates(page), []);
  await play(page, "9g9f");
  await output(page, /Your move/);
  // The next game hides them again.
  await page.click("#resign");
  await output(page, /White wins/);
  assert.notDeepEqual(await rates(page), []);
  await startGame(page);
  await output(page, /Your move/);
  await play(page, "9i9h");
  await output(page, /Your move/);
  await hidden();
  await page.click("#resign");
  await output(page, /White wins/);
  assert.notDeepEqual(await rates(page), []);
});

test("handicap games begin with White, whose side is 上手", async (context) => {
  const { default: createSabi } = await import(new URL("sabi.js", folder));
  const engine = await createSabi();
  context.after(() => engine.terminate());
  for (const name of Object.keys(HANDICAPS)) {
    assert.equal(engine.ask(`look ${handicapStart(name)}`).handicap, name !== "even", name);
  }
  const { page } = await opened(context, { locale: "ja-JP" });
  assert.equal(await page.locator("#handicap option").count(), 16);
  await startGame(page, { handicap: "6" });
  await output(page, /あなたの番/);
  assert.equal(await moves(page), 1);
  assert.match(await page.locator("#above b").textContent(), /^☖ 上手 Sabi Lv. 1/);
  assert.match(await page.locator("#below b").textContent(), /^☗ 下手 あなた/);
  assert.match(await copied(page), /^手合割：六枚落ち/m);
  await page.click("#resign");
  await output(page, /投了 — 上手の勝ち/);
  // As the giver of the handicap the user begins.
  await startGame(page, { handicap: "lance", side: "white" });
  await output(page, /あなたの番/);
  assert.equal(await moves(page), 0);
  await page.click("#flip");
  await play(page, "3c3d");
  await output(page, /あなたの番/);
});

test("the clock counts down, is kept over a reload, and ends the game", async (context) => {
  const { page } = await opened(context);
  await page.click("#clock summary");
  await page.fill("#main", "1");
  await page.fill("#increment", "5");
  await startGame(page);
  await output(page, /Your move/);
  const left = async () => {
    const [minutes, seconds] = (await page.locator("#below .clock").textContent()).split(":");
    return 60 * minutes + Number(seconds);
  };
  await page.waitForTimeout(2500);
  assert.ok((await left()) <= 58, String(await left()));
  await play(page, "9i9h");
  assert.ok((await left()) >= 61, String(await left()));
  await output(page, /Your move/);
  const before = await left();
  await page.reload();
  await output(page, /Your move/);
  const after = await left();
  assert.ok(after <= before && after > before - 20, `${before} ${after}`);
  await page.click("#resign");
  await page.click("#clock summary");
  await page.fill("#main", "0");
  await page.fill("#increment", "0");
  await page.fill("#byoyomi", "2");
  await startGame(page);
  await output(page, /Your move/);
  await output(page, /out of time — White wins/, 10_000);
  assert.match(await copied(page), /切れ負け/);
  await page.reload();
  await output(page, /Ready/);
  assert.match(await copied(page), /切れ負け/);
});

test("pieces are dragged with a mouse and with a finger", async (context) => {
  const { page } = await opened(context);
  const drag = async (from, to) => {
    await page.mouse.move(...(await middle(page, from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(page, to)), { steps: 5 });
    if (from === "7g") await picture(page, "drag");
    await page.mouse.up();
  };
  await drag("7g", "7f");
  assert.equal(await moves(page), 1);
  // An illegal target, and outside: nothing stays chosen.
  for (const to of ["3e", "9a"]) await drag("3c", to);
  await page.mouse.move(...(await middle(page, "3c")));
  await page.mouse.down();
  await page.mouse.move(1200, 10, { steps: 3 });
  await page.mouse.up();
  assert.equal(await moves(page), 1);
  assert.equal(await page.locator(".ghost, #board .dot").count(), 0);
  await drag("3c", "3d");
  await drag("8h", "2b");
  await page.locator('#promotion button[value="yes"]').click();
  assert.equal(await moves(page), 3);
  await play(page, "3a2b");
  // From the hand.
  const box = await page.locator('#below .hand button[data-kind="B"]').boundingBox();
  await page.mouse.move(box.x + 10, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(...(await middle(page, "5e")), { steps: 5 });
  await page.mouse.up();
  assert.equal(await moves(page), 5);

  const { page: phone, visit } = await opened(context, PHONE);
  const client = await visit.newCDPSession(phone);
  const touch = (type, points) =>
    client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  const finger = async (from, to) => {
    const [[a, b], [x, y]] = [await middle(phone, from), await middle(phone, to)];
    await touch("touchStart", [[a, b]]);
    for (let at = 1; at <= 6; at += 1) await touch("touchMove", [[a + ((x - a) * at) / 6, b + ((y - b) * at) / 6]]);
    await touch("touchEnd", []);
  };
  await finger("7g", "7f");
  await phone.waitForFunction(() => document.querySelectorAll("#moves .move").length === 2);
  assert.equal(await phone.evaluate(() => scrollY), 0);
});

test("other moves become branches, which are kept, saved and deleted", async (context) => {
  const { page } = await opened(context);
  for (const move of ["7g7f", "3c3d", "2g2f"]) await play(page, move);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await tryMove(page, "8c8d");
  assert.equal(await moves(page), 2);
  assert.deepEqual(await page.locator("#moves .branch").allTextContents(), ["└ ☖P-3d"]);
  assert.match(await copied(page), /^ +2 ８四歩[^]*^変化：2手\n +2 ３四歩[^]*^ +3 ２六歩/m);
  await page.reload();
  await output(page, /Ready/);
  await page.locator("#moves .branch").click();
  assert.equal(await moves(page), 3);
  assert.equal(await page.locator("#moves .move.on span").first().textContent(), "2");
  assert.match(await copied(page), /^ +3 ２六歩[^]*^変化：2手\n +2 ８四歩/m);
  // A branch of the record is read again.
  const kif = await page.evaluate(() => navigator.clipboard.readText());
  await paste(page, "startpos");
  await output(page, /^0 moves/);
  await paste(page, kif);
  await output(page, /^3 moves/);
  assert.deepEqual(await page.locator("#moves .branch").allTextContents(), ["└ ☖P-8d"]);
  await page.click("#prune");
  assert.deepEqual(await page.locator("#moves .branch").allTextContents(), []);
  assert.equal(await moves(page), 2);
  assert.ok(await page.locator("#prune").isHidden());
  // What is taken back in a game stays, too.
  await startGame(page);
  await output(page, /Your move/);
  await play(page, "9i9h");
  await output(page, /Your move/);
  await page.click("#undo");
  await output(page, /Your move/);
  await play(page, "1i1h");
  await output(page, /Your move/);
  assert.equal(await page.locator("#moves .branch").count(), 0);
  await page.click("#resign");
  await output(page, /White wins/);
  assert.deepEqual(await page.locator("#moves .branch").allTextContents(), ["└ ☗L-9h"]);
});

test("positions are edited, and bad ones rejected", async (context) => {
  const { page } = await opened(context);
  await page.click("#edit");
  await page.click("#edit-clear");
  await page.click('#tools-of [data-tool="k"]');
  await press(page, "5a");
  await page.click('#tools-of [data-tool="P"]');
  await press(page, "5c");
  await press(page, "5d");
  await press(page, "5d");
  await page.click('#tools-of [data-tool="+R"]');
  await press(page, "1i");
  await page.click('#tools-of [data-tool=""]');
  await press(page, "1i");
  await press(page, "2i");
  await page.fill('#held [data-side="black"][data-kind="G"]', "1");
  await page.locator('#held [data-side="black"][data-kind="G"]').blur();
  assert.equal(await page.locator("#edit-sfen").inputValue(), "4k4/9/4P4/9/9/9/9/9/7+R1 b G 1");
  await page.click("#edit-rest");
  assert.equal(await page.locator("#edit-sfen").inputValue(), "4k4/9/4P4/9/9/9/9/9/7+R1 b Gr2b3g4s4n4l17p 1");
  await picture(page, "editor");
  await page.click("#edit-done");
  await output(page, /Ready/);
  assert.equal(await moves(page), 0);
  await play(page, "G*5b");
  await output(page, /checkmate — Black wins/);
  // Two pawns on a file, and no king: one message, and the editor stays.
  await page.click("#edit");
  await page.fill("#edit-sfen", "4k4/4P4/4P4/9/9/9/9/9/9 b - 1");
  await page.locator("#edit-sfen").blur();
  await page.click("#edit-clear");
  await page.click("#edit-done");
  await output(page, /Cannot be read: ./);
  assert.ok(await page.locator("#editor").isVisible());
  await page.fill("#edit-sfen", "nonsense");
  await page.locator("#edit-sfen").blur();
  await output(page, /Cannot be read: ./);
  await page.click("#edit-cancel");
  assert.equal(await moves(page), 1);
});

test("boards and pieces are chosen, sound is off, and all of it is kept", async (context) => {
  const { page } = await opened(context);
  assert.equal(await page.locator("#sound").isChecked(), false);
  const board = () =>
    page
      .locator("#board rect")
      .first()
      .evaluate((rect) => getComputedStyle(rect).fill);
  const colors = new Set();
  for (const theme of ["wood", "paper", "green", "slate"]) {
    await page.selectOption("#theme", theme);
    colors.add(await board());
    await page.selectOption("#pieces", theme === "green" ? "full" : "western");
    await picture(page, `board-${theme}`);
  }
  assert.equal(colors.size, 4);
  assert.equal(await page.locator("#board text.letter").count(), 40);
  await page.check("#sound");
  await page.reload();
  await output(page, /Ready/);
  assert.deepEqual(
    [
      await page.locator("#theme").inputValue(),
      await page.locator("#pieces").inputValue(),
      await page.locator("#sound").isChecked(),
    ],
    ["slate", "western", true],
  );
  await play(page, "7g7f");
});

test("a link opens the game at its move, and a bad one is reported", async (context) => {
  const { page, visit } = await opened(context);
  for (const move of ["7g7f", "3c3d", "8h2b+"]) await play(page, move);
  await page.keyboard.press("ArrowLeft");
  await page.click("#share");
  await output(page, /Link copied/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(new URL(link).hash, "#moves=7g7f_3c3d_8h2b+&ply=2");
  const { page: other } = await opened(context, {}, new URL(link).hash);
  await output(other, /^3 moves/);
  assert.equal(await other.locator("#moves .move.on span").first().textContent(), "2");
  assert.equal(new URL(other.url()).hash, "");
  await other.evaluate(() => {
    location.hash = "#sfen=4k4/9/4P4/9/9/9/9/9/4K4_b_G_1";
  });
  await output(other, /^0 moves/);
  await other.evaluate(() => {
    location.hash = "#moves=7g7e";
  });
  await output(other, /Cannot be read: ./);
  assert.equal(await other.locator("#edit-sfen").count(), 1);
  // A running game is not left without a question.
  await startGame(other);
  await output(other, /Your move/);
  await other.evaluate(() => {
    location.hash = "#moves=7g7f";
  });
  await other.locator('#leave button[value="no"]').click();
  assert.equal(await moves(other), 0);
  await other.evaluate(() => {
    location.hash = "#moves=2g2f";
  });
  await other.locator('#leave button[value="yes"]').click();
  await output(other, /^1 move/);
  assert.ok(visit);
});

test("keys and a screen reader suffice", async (context) => {
  const { page } = await opened(context);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  await page.locator("#squares button").last().focus();
  for (const key of [
    "ArrowUp",
    "ArrowUp",
    "ArrowLeft",
    "ArrowLeft",
    "ArrowLeft",
    "ArrowLeft",
    "ArrowLeft",
    "ArrowLeft",
  ])
    await page.keyboard.press(key);
  assert.equal(await focused(), "7g pawn Black");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(), "7f empty");
  await page.keyboard.press("Enter");
  assert.equal(await moves(page), 1);
  assert.equal(await focused(), "7f pawn Black");
  assert.equal(await spoken(page), "Black P-7f");
  // The arrows of the board do not step through the game; those beside it do.
  assert.equal(await page.locator("#moves .move.on span").first().textContent(), "1");
  for (const [text, spelled] of [
    ["3c3d", "White P-3d"],
    ["P-2f", "Black P-2f"],
  ]) {
    await page.fill("#typed", text);
    await page.keyboard.press("Enter");
    assert.equal(await spoken(page), spelled);
  }
  await page.fill("#typed", "P-9a");
  await page.keyboard.press("Enter");
  await output(page, /Not a legal move: P-9a/);
  await page.click("#language");
  for (const [text, spelled] of [
    ["84歩", "後手 ８四歩"],
    ["２五歩", "先手 ２五歩"],
  ]) {
    await page.fill("#typed", text);
    await page.keyboard.press("Enter");
    assert.equal(await spoken(page), spelled);
  }
  await page.locator("#moves .move.on").focus();
  await page.keyboard.press("ArrowUp");
  assert.equal(await spoken(page), "後手 ８四歩");
  assert.equal(await page.evaluate(() => document.activeElement.textContent.slice(0, 1)), "4");
  // Every control has a name.
  const nameless = await page.evaluate(() =>
    [
      ...document.querySelectorAll(
        "button, select, input:not([type=file]), textarea, progress, [role=grid], [role=img]",
      ),
    ]
      .filter((one) => !(one.textContent.trim() || one.ariaLabel || one.labels?.[0]?.textContent.trim()))
      .map((one) => one.outerHTML),
  );
  assert.deepEqual(nameless, []);
});

test("on a telephone the moves are one press away", async (context) => {
  for (const locale of ["ja-JP", "en-US"]) {
    const { page } = await opened(context, { ...PHONE, locale });
    await startGame(page);
    await output(page, /Your move|あなたの番/);
    await play(page, "7g7f");
    await output(page, /Your move|あなたの番/);
    await picture(page, `telephone-play-${locale}`);
    await page.locator('#tabs [data-tab="moves"]').tap();
    const [row, tabs] = [
      await page.locator("#moves .move.on").boundingBox(),
      await page.locator("#tabs").boundingBox(),
    ];
    const scrolled = await page.evaluate(() => scrollY);
    assert.ok(row.y >= 0 && row.y + row.height <= 844, `the move is at ${row.y}, scrolled by ${scrolled}`);
    assert.ok(tabs.y >= 0 && tabs.y < 844);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is too wide");
    await picture(page, `telephone-moves-${locale}`);
    for (const tab of ["analysis", "more"]) {
      await page.locator(`#tabs [data-tab="${tab}"]`).tap();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${tab} is too wide`);
      await picture(page, `telephone-${tab}-${locale}`);
    }
    assert.match(await status(page), /./);
  }
  assert.ok(place.server);
});
