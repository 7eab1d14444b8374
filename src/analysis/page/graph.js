// The graphs of a game: Black's win rate with marks for errors, and the time of each move. Drawn in the pixels of the page,
// so that letters keep their size on a phone.
const EDGES = { left: 52, right: 14, top: 14, bottom: 20 };
const ERRORS = ["inaccuracy", "mistake", "blunder", "major_blunder"];
/// A mate that the best move known allows is no mistake.
const losesMate = ({ move, judgement }) => judgement.best !== move && (judgement.missed_mate !== null || judgement.allowed_mate !== null);
const isError = (move) => Boolean(move.judgement) && (ERRORS.includes(move.judgement.class) || losesMate(move));
const isMistake = (move) => isError(move) && (move.judgement.class !== "inaccuracy" || losesMate(move));

const inner = (box) => Math.max(80, box.clientWidth - EDGES.left - EDGES.right);
const across = (box, ply) => EDGES.left + (last ? (inner(box) * ply) / last : inner(box) / 2);

/// The ply under a pointer.
function plyAt(box, event) {
  const { left } = box.getBoundingClientRect();
  return Math.max(0, Math.min(last, Math.round(((event.clientX - left - EDGES.left) / inner(box)) * last)));
}

/// The mark of an error: its form tells the class, too.
function mark(x, y, { judgement }) {
  const fill = `fill="var(--${judgement.class})" stroke="var(--paper)"`;
  const ring = judgement.turning_point ? `<circle cx="${x}" cy="${y}" r="10" fill="none" stroke="var(--${judgement.class})" stroke-width="1.5"/>` : "";
  if (judgement.class === "inaccuracy") return `<circle cx="${x}" cy="${y}" r="3.5" ${fill}/>`;
  const form = judgement.class === "mistake" ? "M0 -6L6 0L0 6L-6 0Z" : "M-7 -5L7 -5L0 7Z";
  return `${ring}<path transform="translate(${x} ${y})" d="${form}" ${fill}/>`;
}

function numbers(box, y) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((each) => (inner(box) * each) / Math.max(1, last) >= 34) || 1000;
  const parts = [];
  for (let ply = step; ply <= last; ply += step) parts.push(`<text class="tick" x="${across(box, ply)}" y="${y}">${ply}</text>`);
  return parts.join("");
}

function drawGraph() {
  const box = element("graph"), high = 190, plot = high - EDGES.top - EDGES.bottom, floor = high - EDGES.bottom;
  const at = (position) => [across(box, position.ply), EDGES.top + plot * (1 - position.evaluation.win_rate)];
  const known = game.positions.filter((position) => position.evaluation);
  const points = known.map((position) => at(position).map((n) => n.toFixed(1)).join(" "));
  const parts = [`<rect class="sky" x="${EDGES.left}" y="${EDGES.top}" width="${inner(box)}" height="${plot}"/>`];
  if (points.length > 1) {
    const [first, end] = [across(box, known[0].ply), across(box, known.at(-1).ply)];
    parts.push(`<path class="area" d="M${first} ${floor} L${points.join(" L")} L${end} ${floor} Z"/>`);
  }
  parts.push(`<path class="middle" d="M${EDGES.left} ${EDGES.top + plot / 2}h${inner(box)}"/>`);
  for (const move of game.moves) {
    const position = game.positions[move.number];
    if (isError(move) && position.evaluation && ERRORS.includes(move.judgement.class)) parts.push(mark(...at(position), move));
  }
  parts.push(`<path class="cursor" d="M${across(box, state.focus || state.ply)} ${EDGES.top}v${plot}"/>`);
  const label = (text, y) => `<text class="label" x="${EDGES.left - 4}" y="${y}">${text}</text>`;
  parts.push(label("☗100 %", EDGES.top + 8), label("50 %", EDGES.top + plot / 2 + 4), label("☖100 %", floor), numbers(box, high - 5));
  box.setAttribute("viewBox", `0 0 ${box.clientWidth} ${high}`);
  box.innerHTML = parts.join("");
}

const clockText = (seconds) => {
  const whole = Math.round(seconds), [minutes, rest] = [Math.floor(whole / 60) % 60, String(whole % 60).padStart(2, "0")];
  return whole >= 3600 ? `${Math.floor(whole / 3600)}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
};

/// A bar a move: Black's upwards, White's downwards.
function drawTimes() {
  const box = element("times"), high = 92, half = (high - 12) / 2, middle = high / 2;
  if (!hasTimes) return;
  const most = Math.max(1, ...game.moves.map(({ seconds }) => seconds || 0));
  const wide = Math.max(1, Math.min(9, (inner(box) / Math.max(1, last)) * 0.8));
  const bars = game.moves.filter(({ seconds }) => seconds).map(({ number, side, seconds }) => {
    const tall = Math.max(1, (half * seconds) / most), y = side === "black" ? middle - tall : middle;
    const x = Math.max(EDGES.left, across(box, number) - wide / 2);
    return `<rect class="${side}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${wide.toFixed(1)}" height="${tall.toFixed(1)}"/>`;
  });
  const label = (text, y) => `<text class="label" x="${EDGES.left - 4}" y="${y}">${text}</text>`;
  box.setAttribute("viewBox", `0 0 ${box.clientWidth} ${high}`);
  box.innerHTML = `<path class="middle" d="M${EDGES.left} ${middle}h${inner(box)}"/>${bars.join("")}` +
    `<path class="cursor" d="M${across(box, state.focus || state.ply)} 4v${high - 8}"/>` +
    label(`☗${clockText(most)}`, 14) + label(`☖${clockText(most)}`, high - 5);
}
