// Opens annotated records with tsshogi, the reader of ShogiHome. See README.md.
import fs from "node:fs";
import { importCSA, importKIF, Move, parseCSAMove, parsePV } from "tsshogi";

let faults = 0;
const fault = (...words) => { faults += 1; console.log(...words); };

/** UTF-8 or, in a `.kif`, Shift_JIS. */
function read(file) {
  const bytes = fs.readFileSync(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis", { fatal: true }).decode(bytes);
  }
}

/** The moves of the line in a comment, and how many there should be. */
function line(position, comment) {
  const kif = /^#読み筋=(.*)$/m.exec(comment);
  if (kif) return [parsePV(position, kif[1]).length, kif[1].match(/[▲△]/g).length];
  const csa = /^\* -?\d+((?: [+-]\w+)*) #\d+$/m.exec(comment);
  if (!csa) return null;
  const words = csa[1].split(" ").filter(Boolean), at = position.clone();
  const legal = words.findIndex((word) => { const move = parseCSAMove(at, word); return move instanceof Error || !at.doMove(move); });
  return [legal < 0 ? words.length : legal, words.length];
}

for (const file of process.argv.slice(2)) {
  const text = read(file), isCsa = file.endsWith(".csa");
  const record = isCsa ? importCSA(text) : importKIF(text);
  if (record instanceof Error) { fault(file, record.message); continue; }
  const written = isCsa ? text.match(/^'\*/gm) : text.match(/^\*/gm);
  let comments = 0, branches = 0;
  record.forEach((node) => {
    comments += node.comment ? node.comment.trimEnd().split("\n").length : 0;
    branches += node.isFirstBranch ? 0 : 1;
  });
  if (comments !== (written || []).length) fault(file, comments, "comment lines of", (written || []).length);
  const told = (text.match(/^変化：/gm) || []).length;
  if (branches !== told) fault(file, branches, "branches of", told);
  let lines = 0, moves = 0;
  record.goto(0);
  record.resetAllBranchSelection();
  do {
    moves += record.current.move instanceof Move ? 1 : 0;
    const found = line(record.position, record.current.comment);
    if (found && found[0] !== found[1]) fault(file, record.current.ply, "line of", found[1], "moves ends after", found[0]);
    lines += found ? 1 : 0;
  } while (record.goForward());
  console.log(`${file}: ${moves} moves, ${comments} comment lines, ${lines} lines, ${branches} branches`);
}
console.log(faults ? `${faults} faults` : "ok");
process.exitCode = faults ? 1 : 0;
