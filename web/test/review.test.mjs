// The analysis of a whole game, in Node.js and on the page in a headless browser:
// `node --test web/test/review.test.mjs`, after `web/build`. SABI is the native program, with which the
// analysis is compared.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import test from "node:test";
import { PHONE, drop, folder, moves, opened, output, paste, picture, play } from "./page.mjs";

const record = new URL("../../tests/fixtures/records/rinsai/floodgate.csa", import.meta.url);
const NODES = 1000;

async function started(context) {
  const { default: createSabi } = await import(new URL("sabi.js", folder));
  const engine = await createSabi();
  context.after(() => engine.terminate());
  return engine;
}
const analyze = (engine, task) =>
  engine.ask(`analyze ${JSON.stringify({ nodes: NODES, multipv: 1, played: null, ...task })}`);
const report = (engine, request) => engine.ask(`report ${JSON.stringify({ language: "en", ...request })}`);

test(
  "the analysis is that of the native program",
  { skip: !process.env.SABI && "SABI is not set" },
  async (context) => {
    const engine = await started(context),
      bytes = await readFile(record);
    const { moves: played, kif } = engine.ask(new Uint8Array([...new TextEncoder().encode("read x.csa\n"), ...bytes]));
    const positions = [...played, null].map((move, ply) =>
      analyze(engine, {
        position: `startpos moves ${played.slice(0, ply).join(" ")}`.replace(/ moves $/, ""),
        played: move,
      }),
    );
    const own = report(engine, { game: { position: `startpos moves ${played.join(" ")}`, record: kif }, positions });
    const args = [
      "analyze",
      fileURLToPath(record),
      "--nodes",
      NODES,
      "--format",
      "json",
      "--lang",
      "en",
      "--option",
      "EvalFile=nets/kp.bin",
    ];
    const {
      games: [native],
    } = JSON.parse(
      execFileSync(process.env.SABI, args, { cwd: fileURLToPath(new URL("../..", import.meta.url)), encoding: "utf8" }),
    );
    for (const part of ["result", "end", "book", "turning_points", "positions", "moves"])
      assert.deepEqual(own.report[part], native[part], part);
    for (const side of ["black", "white"]) assert.deepEqual(own.report[side].summary, native[side].summary);
  },
);

test("a position and a game are analysed, and wrong questions rejected", async (context) => {
  const engine = await started(context);
  const start = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
    end = `${start} moves G*5b`;
  const positions = [analyze(engine, { position: start, played: "G*5b" }), analyze(engine, { position: end })];
  assert.deepEqual([positions[0].mates, positions[0].keeps_mate, positions[0].lines[0].moves], [true, true, "G*5b"]);
  const game = { position: end, names: ["A", "B"], times: [3], result: "black", end: "checkmate" };
  const { report: made, classes } = report(engine, { game, positions });
  assert.equal(made.moves[0].judgement.class, "best");
  const named = classes.map(([name]) => name);
  assert.ok(named.indexOf("best") < named.indexOf("inaccuracy") && named.at(-1) === "major_blunder", named.join());
  assert.ok(classes.every(([, text]) => text));
  assert.deepEqual([made.black.name, made.result, made.moves[0].seconds], ["A", "black", 3]);
  assert.match(
    report(engine, { game, positions, format: "html", made_by: "a test" }).text,
    /^<!DOCTYPE html>[^]*a test/,
  );
  assert.match(report(engine, { game, positions, format: "kif", language: "ja" }).text, /^\*#評価値=|\*#詰み=/m);
  const task = { position: start, nodes: 10, multipv: 1 };
  for (const question of [
    "analyze",
    "analyze {",
    'analyze {"position": "startpos"}',
    `analyze ${JSON.stringify({ ...task, nodes: 0 })}`,
    `analyze ${JSON.stringify({ ...task, multipv: 99 })}`,
    `analyze ${JSON.stringify({ ...task, played: "1a1b" })}`,
    `analyze ${JSON.stringify({ ...task, position: "nothing" })}`,
    `analyze ${JSON.stringify({ ...task, depth: 3 })}`,
    "report {}",
    `report ${JSON.stringify({ game, positions: [], language: "en" })}`,
    `report ${JSON.stringify({ game, positions, language: "fr" })}`,
    `report ${JSON.stringify({ game, positions, language: "en", format: "png" })}`,
    `report ${JSON.stringify({ game: { position: "startpos moves 7g7f" }, positions, language: "en" })}`,
  ]) {
    const { error, ...others } = engine.ask(question);
    assert.equal(typeof error, "string", question);
    assert.deepEqual(others, {});
  }
});

test("games are written with times and branches, and branches read again", async (context) => {
  const engine = await started(context);
  const game = {
    position: "startpos moves 7g7f 3c3d",
    names: ["A", null],
    times: [12, 70],
    result: "black",
    end: "timeout",
    branches: [
      { after: 1, moves: ["8c8d", "2g2f"] },
      { after: 0, moves: ["2g2f"] },
    ],
  };
  const { text } = engine.ask(`write kif ${JSON.stringify(game)}`);
  assert.match(text, /^ +2 ３四歩\(33\) +\( 1:10\/00:01:10\)\+?$/m);
  const again = engine.ask(`read x.kifu\n${text}`);
  assert.deepEqual(
    [again.moves, again.times, again.branches, again.unreadable_branches, again.names, again.end],
    [["7g7f", "3c3d"], [12, 70], game.branches, 0, ["A", null], "timeout"],
  );
  // A branch of a branch, and one that is illegal.
  const nested = engine.ask(
    `read x.kif\n手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n` +
      "\n変化：2手\n   2 ８四歩(83)\n   3 ６八銀(79)\n\n変化：3手\n   3 ２六歩(27)\n\n変化：1手\n   1 ９九歩(12)\n",
  );
  assert.deepEqual(
    [nested.branches, nested.unreadable_branches],
    [
      [
        { after: 1, moves: ["8c8d", "7i6h"] },
        { after: 1, moves: ["8c8d", "2g2f"] },
      ],
      1,
    ],
  );
  for (const bad of [
    { after: 9, moves: [] },
    { after: 0, moves: ["7g7e"] },
  ]) {
    assert.equal(typeof engine.ask(`write kif ${JSON.stringify({ ...game, branches: [bad] })}`).error, "string");
  }
  // Comments of a record stay as far as the moves are its own.
  const kif = engine.ask(
    "read game.kif\n先手：A\n手合割：平手\n手数----\n1 ７六歩(77)\n*first\n2 ３四歩(33)\n*second\n",
  ).kif;
  const other = engine.ask(`write kif ${JSON.stringify({ position: "startpos moves 7g7f 8c8d", record: kif })}`).text;
  assert.match(other, /^先手：A[^]*\*first/m);
  assert.doesNotMatch(other, /second/);
});

for (const [name, options] of [
  ["desktop", {}],
  ["telephone", PHONE],
]) {
  test(`a whole game is analysed while the user looks at another move: ${name}`, async (context) => {
    const { page } = await opened(context, { ...options, locale: name === "desktop" ? "en-US" : "ja-JP" });
    const phone = name === "telephone",
      tab = (of) => phone && page.locator(`#tabs [data-tab="${of}"]`).tap();
    await drop(page, "game.csa", await readFile(record, "utf8"));
    await output(page, /☗.*☖.* \d+/);
    const count = await moves(page);
    await tab("analysis");
    for (let press = 0; press < 3; press += 1) await page.click("#next");
    await page.selectOption("#nodes", "20000");
    await page.click("#whole");
    await page.waitForFunction(() => /^\d+\/\d+ · .*\d/.test(document.getElementById("progress-text").textContent));
    await page.click("#next");
    const shown = () => page.locator("#moves .move.on span").first().textContent();
    assert.equal(await shown(), "4");
    // Cancelled and started again.
    await page.click("#whole");
    await output(page, /cancelled|中止/);
    assert.ok(await page.locator("#progress").isHidden());
    await page.click("#whole");
    await output(page, /is analysed|解析が終わりました/, 300_000);
    assert.equal(await shown(), "4");
    assert.ok((await page.locator("#graph .area").getAttribute("d")).split("L").length >= count);
    assert.match(
      await page.locator(".summary").textContent(),
      phone ? /正確さ\d+\.\d %\d+\.\d %/ : /accuracy\d+\.\d %\d+\.\d %/,
    );
    await picture(page, `review-${name}`);
    // A mistake is shown in the position before it, with both moves; the next key plays it.
    const mistake = page.locator(".mistake-of").first(),
      number = Number(await mistake.getAttribute("data-number"));
    await mistake.click();
    assert.equal(await shown(), String(number - 1));
    assert.equal(await page.locator('#board [stroke="var(--best)"]').count(), 1);
    assert.equal(await page.locator('#board :is([stroke="var(--mistake)"], [stroke="var(--blunder)"], [stroke="var(--major_blunder)"])').count(), 1);
    await tab("moves");
    assert.match(await page.locator("#judgement").textContent(), new RegExp(`^${number - 1}\\. .*${number}\\. `));
    await picture(page, `mistake-${name}`);
    await tab("analysis");
    assert.ok((await page.locator("#lines .line button").count()) > 0);
    await page.locator("#lines .line button").first().click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowRight");
    assert.equal(await shown(), String(number));
    // The words follow the language, and a reload keeps the analysis.
    await page.click("#language");
    assert.match(await page.locator(".summary").textContent(), phone ? /accuracy/ : /正確さ/);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save-page")]);
    assert.equal(saved.suggestedFilename(), "sabi.html");
    await page.reload();
    await output(page, /Ready|準備/);
    assert.equal((await page.locator(".mistake-of").count()) > 0, true);
    // Another game has none.
    await tab("more");
    await paste(page, "startpos");
    await output(page, /^0/);
    assert.equal(await page.locator(".mistake-of").count(), 0);
    await play(page, "7g7f");
    assert.equal(await moves(page), 1);
    // A game ends a running analysis, and hides what it found.
    await tab("analysis");
    await page.selectOption("#nodes", "1000000");
    await page.click("#whole");
    await page.locator("#progress").waitFor();
    await tab("play");
    for (const [id, value] of [
      ["handicap", "here"],
      ["side", "white"],
      ["level", "1"],
      ["time", "1000"],
    ])
      await page.selectOption(`#${id}`, value);
    await page.click("#start");
    await output(page, /Your move|あなたの番/);
    assert.ok(await page.locator("#progress").isHidden());
    assert.deepEqual((await page.locator("#moves .rate").allTextContents()).filter(Boolean), []);
  });
}
