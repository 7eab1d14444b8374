// A game clock: main time, byoyomi and an increment for each move (Fischer), in milliseconds.

export class Clock {
  /// `left` are the remaining main times of both sides, if the game goes on.
  constructor({ main, byoyomi, increment }, left = { black: main, white: main }) {
    Object.assign(this, { main, byoyomi, increment, left: { ...left }, side: null, since: 0 });
  }

  /// The side to move thinks from now on.
  start(side, now) {
    [this.side, this.since] = [side, now];
  }

  /// What `side` has left: main time, and byoyomi.
  remaining(side, now) {
    const used = this.side === side ? now - this.since : 0,
      main = this.left[side] - used;
    return main >= 0 ? { main, byoyomi: this.byoyomi } : { main: 0, byoyomi: Math.max(0, this.byoyomi + main) };
  }

  /// Whether the time of the side to move is over; `grace` is what it may be late.
  isOver(now, grace = 0) {
    if (!this.side) return false;
    const { main, byoyomi } = this.remaining(this.side, now - grace);
    return main <= 0 && byoyomi <= 0;
  }

  /// Ends the thinking; with a move, its increment is added.
  stop(now, moved) {
    if (!this.side) return;
    const { main } = this.remaining(this.side, now);
    this.left[this.side] = main + (moved ? this.increment : 0);
    this.side = null;
  }

  /// The limits of `go`.
  limits(now) {
    const [black, white] = ["black", "white"].map((side) => Math.round(this.remaining(side, now).main));
    const times = `btime ${black} wtime ${white}`;
    return this.increment
      ? `${times} binc ${this.increment} winc ${this.increment}`
      : `${times} byoyomi ${this.byoyomi}`;
  }
}

/// A time to read: `1:05`, `1:02:03`; below ten seconds with tenths.
export function timeText(milliseconds) {
  if (milliseconds < 10_000) return (Math.ceil(milliseconds / 100) / 10).toFixed(1);
  const seconds = Math.ceil(milliseconds / 1000),
    two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600),
    minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
