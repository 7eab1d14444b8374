// Plays annotated pages in headless Chromium. See README.md.
//
//     node pages.mjs FOLDER CHROMIUM
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { Position, Record } from "tsshogi";

const [folder, executablePath] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
let faults = 0, file = "";
const check = (fine, ...words) => { if (!fine) { faults += 1; console.log(file, ...words); } };

async function open(name, width, height) {
  const page = await browser.newPage({ viewport: { width, height } });
  page.on("pageerror", (error) => check(false, "script:", String(error)));
  page.on("console", (message) => check(message.type() !== "error", "console:", message.text()));
  page.on("request", (request) => check(request.url().startsWith("file:"), "fetches", request.url()));
  await page.goto(pathToFileURL(path.resolve(folder, name)).href);
  return page;
}

/** The pieces on the board of a page and in its hands, as the page draws them. */
const drawn = (page) => page.evaluate(() => {
  const pieces = [...document.querySelectorAll("#board g > path + text")].map((text) => {
    const [x, y] = /translate\((\d+) (\d+)\)/.exec(text.parentNode.getAttribute("transform")).slice(1).map(Number);
    const turned = text.parentNode.getAttribute("transform").includes("rotate");
    return `${9 - (x - 16) / 42}${"abcdefghi"[(y - 16) / 46]}${turned ? "v" : ""}${text.textContent}`;
  });
  const hand = (id) => document.querySelector(`#${id} .hand`).textContent;
  return { pieces: pieces.sort(), hands: [hand("below"), hand("above")] };
});

const NAMES = { pawn: "歩", lance: "香", knight: "桂", silver: "銀", gold: "金", bishop: "角", rook: "飛", king: "玉", promPawn: "と",
  promLance: "杏", promKnight: "圭", promSilver: "全", horse: "馬", dragon: "龍" };

/** The same as tsshogi has it. */
function expected(position) {
  const pieces = position.board.listNonEmptySquares().map((square) => {
    const piece = position.board.at(square), white = piece.color === "white";
    const name = piece.type === "king" && white ? "王" : NAMES[piece.type];
    return `${square.file}${"abcdefghi"[square.rank - 1]}${white ? "v" : ""}${name}`;
  });
  const hand = (held) => ["rook", "bishop", "gold", "silver", "knight", "lance", "pawn"]
    .filter((kind) => held.count(kind)).map((kind) => NAMES[kind] + (held.count(kind) > 1 ? held.count(kind) : "")).join(" ");
  return { pieces: pieces.sort(), hands: [hand(position.blackHand), hand(position.whiteHand)] };
}

async function play(page) {
  const { game, none, mistakes } = await page.evaluate(() => ({ game: data.game, none: words.none, mistakes }));
  const last = game.moves.length, ply = () => page.evaluate(() => (state.line ? [state.line.base, state.line.step] : state.ply));
  const same = async (position, what) => {
    const [seen, wanted] = [await drawn(page), expected(position)];
    wanted.hands = wanted.hands.map((hand) => hand || none);
    check(JSON.stringify(seen) === JSON.stringify(wanted), "board", what, JSON.stringify(seen), JSON.stringify(wanted));
  };
  const record = new Record(Position.newBySFEN(game.start));
  await same(record.position, "at the start");
  for (const { move, number } of game.moves) {
    record.append(record.position.createMoveByUSI(move), { ignoreValidation: true });
    await page.keyboard.press("ArrowRight");
    await same(record.position, `after move ${number}`);
  }
  check((await ply()) === last, "ArrowRight ends at", await ply());
  for (const [act, wanted] of [
    [() => page.keyboard.press("Home"), 0],
    [() => page.keyboard.press("End"), last],
    [() => page.keyboard.press("ArrowLeft"), Math.max(0, last - 1)],
    [() => page.click("#first"), 0],
    [() => page.click("#next"), Math.min(1, last)],
    [() => page.click("#back"), 0],
    [() => page.click("#last"), last],
    [() => page.click("#moves tbody tr >> nth=0"), 0],
  ]) {
    await act();
    check((await ply()) === wanted, String(act), "leads to", await ply(), "not", wanted);
  }
  const box = await page.locator("#graph").boundingBox();
  await page.mouse.click(box.x + (await page.evaluate(() => across(element("graph"), game.moves.length / 2))), box.y + box.height / 2);
  // The mark of a mistake attracts the click.
  check(Math.abs((await ply()) - last / 2) <= 1 + last / 40, "the middle of the graph leads to", await ply());
  // A mistake is shown where it was made, with both moves drawn; → goes on.
  for (const [at, number] of mistakes.entries()) {
    if (!at) await page.keyboard.press("Home");
    await page.keyboard.press("n");
    const seen = await page.evaluate(() => [state.focus, state.ply, document.querySelectorAll("#board g[stroke], #board circle").length]);
    check(seen[0] === number && seen[1] === number - 1 && seen[2] >= (game.positions[number - 1].lines.length ? 2 : 1), "n leads to", seen, "not", number);
    check((await page.evaluate(() => document.querySelectorAll("#legend .sample").length)) >= 1, "no legend at", number);
  }
  if (mistakes.length) {
    await page.keyboard.press("ArrowRight");
    check((await ply()) === mistakes.at(-1), "→ after a mistake leads to", await ply());
    await page.click("#mistakes button >> nth=0");
    check(mistakes.includes(await page.evaluate(() => state.focus)), "a click on a mistake does not show it");
  }
  // The other language, and back.
  const spoken = async () => [await page.evaluate(() => document.documentElement.lang), await page.innerText("main")];
  const [code, text] = await spoken();
  await page.click("#language");
  const [other, changed] = await spoken();
  check(code !== other && text !== changed && (other === "en" || /[一-龠]/.test(changed)), "the language stays", code);
  await page.click("#language");
  check((await spoken())[1] === text, "the language does not come back");
  await page.keyboard.press("f");
  await page.keyboard.press("f");
  // A line is stepped through, and left again.
  const at = game.positions.findIndex((position) => position.lines.length && position.lines[0].moves.length > 1);
  if (at < 0) return;
  await page.keyboard.press("Home");
  for (let step = 0; step < at; step += 1) await page.keyboard.press("ArrowRight");
  const line = page.locator("#now .line").last();
  await line.locator("button").first().click();
  const base = (await ply())[0];
  check(base === at && (await ply())[1] === 1, "a click on a line leads to", await ply());
  await page.keyboard.press("ArrowRight");
  check((await ply())[1] === 2, "a step in a line leads to", await ply());
  await page.keyboard.press("Escape");
  check((await ply()) === at, "Escape leads to", await ply());
}

for (file of fs.readdirSync(folder).filter((name) => name.endsWith(".html"))) {
  const wide = await open(file, 1280, 900);
  if (await wide.evaluate(() => Boolean(document.getElementById("graph")))) await play(wide);
  await wide.emulateMedia({ media: "print" });
  check((await wide.pdf({ format: "A4" })).length > 1000, "prints nothing");
  const phone = await open(file, 360, 740), tablet = await open(file, 1000, 700);
  for (const [page, room] of [[phone, 360], [tablet, 1000]]) {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    check(width <= room, "is", width, "wide in", room);
  }
  const cut = await tablet.evaluate(() => [...document.querySelectorAll(".index")].some((box) => box.scrollWidth > box.clientWidth));
  check(!cut, "has a table that is cut at 1,000 pixels");
  await Promise.all([wide.close(), phone.close(), tablet.close()]);
  console.log(file);
}
await browser.close();
console.log(faults ? `${faults} faults` : "ok");
process.exitCode = faults ? 1 : 0;
