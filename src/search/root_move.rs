//! Root moves and their results.

use super::limits::Settings;
use sabi_shogi::{Bound, Move, MoveList, Position, Score};

/// A PV with the result of its search.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The moves, starting with the root move; empty until it was best.
    pub pv: Vec<Move>,
    pub score: Score,
    pub bound: Bound,
    /// Depth of the iteration.
    pub depth: i32,
    /// Selective depth.
    pub seldepth: usize,
    /// Whether the score is a mate proved by the solver.
    pub proved: bool,
}

/// A move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Result of the current iteration; score -infinite if not best.
    pub line: Line,
    /// Last exact line of a completed iteration.
    pub previous_line: Option<Line>,
    /// Score of the previous iteration.
    pub previous_score: Score,
    /// Running average of the scores: center of the aspiration window.
    pub average_score: Option<Score>,
    /// Running average of `score * |score|`: its width.
    pub mean_squared_score: i32,
    /// Nodes spent on this move.
    pub nodes: u64,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> Self {
        let line =
            Line { pv: Vec::new(), score: -Score::INFINITE, bound: Bound::Exact, depth: 0, seldepth: 0, proved: false };
        Self {
            mv,
            line,
            previous_line: None,
            previous_score: -Score::INFINITE,
            average_score: None,
            mean_squared_score: 0,
            nodes: 0,
        }
    }

    /// The line of this iteration or the last one with a result; `None` before the first.
    pub(super) fn last_line(&self) -> Option<&Line> {
        if self.line.score == -Score::INFINITE { self.previous_line.as_ref() } else { Some(&self.line) }
    }

    /// The last exact line, or a bound before the first.
    pub(super) fn exact_line(&self) -> Option<&Line> {
        let line = self.last_line()?;
        if line.bound == Bound::Exact { Some(line) } else { self.previous_line.as_ref().or(Some(line)) }
    }

    /// Sets a proved mate, given by the side that moves last in `pv`.
    pub(super) fn set_proved_mate(&mut self, pv: Vec<Move>) {
        let plies = pv.len();
        let score = if plies.is_multiple_of(2) { Score::mated_in(plies) } else { Score::mate_in(plies) };
        self.line = Line { depth: plies as i32, seldepth: plies, pv, score, bound: Bound::Exact, proved: true };
        self.average_score = Some(score);
    }

    /// Whether a mate within the depth is proved; a longer one may be replaced by a shorter one.
    pub(super) fn has_proved_mate(&self) -> bool {
        self.line.proved && self.line.score.is_mate_win() && self.line.pv.len() as i32 <= self.line.depth
    }

    /// Saves the line of a completed iteration. A proved mate is not searched again.
    fn save(&mut self) {
        self.previous_score = self.line.score;
        if self.line.score != -Score::INFINITE && self.line.bound == Bound::Exact {
            self.previous_line = Some(self.line.clone());
        }
        if !self.has_proved_mate() {
            self.line.score = -Score::INFINITE;
        }
    }

    /// Whether the search of this iteration failed high.
    fn has_improved(&self) -> bool {
        self.line.bound == Bound::Lower && self.line.score != -Score::INFINITE
    }

    /// Restores the last completed line, if the interrupted iteration has no exact score. A fail
    /// high keeps its lower bound as score, and a move that has not been searched since it took the
    /// place of a refuted one the score of that one as an upper bound.
    fn restore(&mut self) {
        match &self.previous_line {
            Some(finished) if !self.has_improved() => self.line = finished.clone(),
            _ if self.has_improved() => self.line.bound = Bound::Exact,
            _ if self.line.score == -Score::INFINITE => self.line.score = self.previous_score,
            _ => {}
        }
    }

    /// Updates the averages.
    pub(super) fn add_score(&mut self, score: Score) {
        let value = score.get();
        let square = value * value.abs();
        (self.average_score, self.mean_squared_score) = match self.average_score {
            None => (Some(score), square),
            Some(average) => (Some(Score::raw((average.get() + value) / 2)), (self.mean_squared_score + square) / 2),
        };
    }
}

/// The root moves: `searchmoves`, also those the generator omits, or all.
pub(super) fn root_moves(position: &Position, settings: &Settings, wanted: &[Move]) -> Vec<RootMove> {
    if wanted.is_empty() {
        let mut list = MoveList::new();
        sabi_shogi::moves(position, settings.non_promotions, &mut list);
        list.iter().copied().map(RootMove::new).collect()
    } else {
        wanted.iter().copied().filter(|&mv| position.is_legal(mv)).map(RootMove::new).collect()
    }
}

/// Stable sort by score, best first.
pub(super) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| std::cmp::Reverse((root.line.score, root.previous_score)));
}

/// Gives each move after which a mate is known its score, and moves it down to that score. The
/// others keep their order, by depth and score.
pub(super) fn demote_refuted<'m>(moves: &mut [RootMove], mate_after: impl Fn(Move) -> Option<&'m [Move]>) {
    for at in (0..moves.len()).rev() {
        let (refuted, below) = moves[at..].split_first_mut().expect("not empty");
        if let Some(mate) = mate_after(refuted.mv) {
            refuted.set_proved_mate([&[refuted.mv], mate].concat());
            let better = below.iter().take_while(|root| root.line.score > refuted.line.score).count();
            moves[at..=at + better].rotate_left(1);
        }
    }
}

/// Saves the exact lines of a completed iteration, before the next one.
pub(super) fn save(moves: &mut [RootMove]) {
    moves.iter_mut().for_each(RootMove::save);
}

/// Restores the best `lines` moves of an interrupted iteration with `searched` completed lines:
/// exact lines, best first. If the interrupted line has a score, it may be better than completed
/// ones.
///
/// A loss found for the last completed best move is dropped: another move may hold.
pub(super) fn restore(moves: &mut [RootMove], searched: usize, lines: usize) {
    let is_exact = |root: &RootMove| root.line.bound == Bound::Exact && root.line.score != -Score::INFINITE;
    if searched == 0 && moves[0].line.score.is_loss() && !moves[0].line.proved {
        let previous = moves.iter().map(|root| root.previous_score).max().unwrap_or(-Score::INFINITE);
        if let Some(at) = moves.iter().position(|root| root.previous_score == previous && root.previous_line.is_some())
        {
            moves[..=at].rotate_right(1);
            moves[0].line.bound = Bound::Upper;
        }
    }
    let has_score = is_exact(&moves[searched]) || moves[searched].has_improved();
    for root in moves[searched..lines].iter_mut().filter(|root| !is_exact(root)) {
        root.restore();
    }
    if has_score {
        sort(&mut moves[..=searched]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root_move(mv: &str, score: i32, bound: Bound, depth: i32) -> RootMove {
        let mut root = RootMove::new(mv.parse().unwrap());
        (root.line.score, root.line.bound, root.line.depth) = (Score::raw(score), bound, depth);
        root
    }

    fn finished(mv: &str, score: i32, depth: i32) -> RootMove {
        let mut root = root_move(mv, score, Bound::Exact, depth);
        root.save();
        root
    }

    fn reported(moves: &[RootMove]) -> Vec<(String, i32, Bound, i32)> {
        let reported = |root: &RootMove| (root.mv.to_string(), root.line.score.get(), root.line.bound, root.line.depth);
        moves.iter().map(reported).collect()
    }

    #[test]
    fn running_average_follows_scores() {
        let mut root = RootMove::new("7g7f".parse().unwrap());
        root.add_score(Score::cp(-100));
        assert_eq!((root.average_score, root.mean_squared_score), (Some(Score::cp(-100)), -10_000));
        root.add_score(Score::cp(200));
        assert_eq!((root.average_score, root.mean_squared_score), (Some(Score::cp(50)), 15_000));
    }

    #[test]
    fn interrupted_fail_low_falls_back() {
        let mut moves = [finished("7g7f", 30, 9), finished("2g2f", 10, 8)];
        (moves[0].line.score, moves[0].line.bound) = (Score::cp(-80), Bound::Upper);
        restore(&mut moves, 0, 1);
        assert_eq!(reported(&moves)[0], ("7g7f".to_owned(), 30, Bound::Exact, 9));
    }

    #[test]
    fn interrupted_fail_high_is_played() {
        let mut moves = [root_move("2g2f", 90, Bound::Lower, 10), finished("7g7f", 30, 9)];
        restore(&mut moves, 0, 1);
        assert_eq!(reported(&moves)[0], ("2g2f".to_owned(), 90, Bound::Exact, 10));
    }

    /// The iteration after a refutation of the best move was interrupted before its first move.
    #[test]
    fn unsearched_move_keeps_its_upper_bound() {
        let mut moves = [root_move("2g2f", 30, Bound::Upper, 9), finished("7g7f", 10, 8)];
        save(&mut moves);
        restore(&mut moves, 0, 1);
        assert_eq!(reported(&moves)[0], ("2g2f".to_owned(), 30, Bound::Upper, 9));
        // Before the first iteration there is no line at all.
        let mut moves = [RootMove::new("2g2f".parse().unwrap())];
        restore(&mut moves, 0, 1);
        assert!(moves[0].last_line().is_none());
    }

    #[test]
    fn interrupted_line_is_sorted_by_its_score() {
        let order = |score, bound| {
            let mut moves = ["7g7f", "2g2f", "1g1f"].map(|mv| finished(mv, 30, 9));
            for (root, score) in moves.iter_mut().zip([39, 33, score]) {
                (root.line.score, root.line.depth) = (Score::raw(score), 10);
            }
            moves[2].line.bound = bound;
            restore(&mut moves, 2, 3);
            reported(&moves).into_iter().map(|(mv, _, _, depth)| (mv, depth)).collect::<Vec<_>>()
        };
        let lines = |lines: [(&str, i32); 3]| lines.map(|(mv, depth)| (mv.to_owned(), depth)).to_vec();
        for bound in [Bound::Exact, Bound::Lower] {
            assert_eq!(order(38, bound), lines([("7g7f", 10), ("1g1f", 10), ("2g2f", 10)]));
        }
        assert_eq!(order(38, Bound::Upper), lines([("7g7f", 10), ("2g2f", 10), ("1g1f", 9)]));
        let unsearched = -Score::INFINITE.get();
        assert_eq!(order(unsearched, Bound::Exact), lines([("7g7f", 10), ("2g2f", 10), ("1g1f", 9)]));
    }

    #[test]
    fn refuted_moves_are_demoted() {
        let mut moves = [finished("7g7f", 30, 9), finished("2g2f", 10, 8), finished("1g1f", 5, 8)];
        moves.iter_mut().for_each(RootMove::restore);
        let mate = ["8c8d", "9g9f", "8d8e"].map(|mv| mv.parse().unwrap());
        demote_refuted(&mut moves, |mv| (mv.to_string() == "7g7f").then_some(&mate[..]));
        let lost = ("7g7f".to_owned(), Score::mated_in(4).get(), Bound::Exact, 4);
        assert_eq!((reported(&moves)[0].0.as_str(), &reported(&moves)[2]), ("2g2f", &lost));
    }

    #[test]
    fn demotion_keeps_the_order_by_depth() {
        let mut moves = [root_move("7g7f", 20, Bound::Exact, 10), finished("2g2f", 25, 9), finished("1g1f", 30, 9)];
        restore(&mut moves, 1, 3);
        demote_refuted(&mut moves, |_| None);
        let order = |moves: &[RootMove]| moves.iter().map(|root| root.mv.to_string()).collect::<Vec<_>>();
        assert_eq!(order(&moves), ["7g7f", "2g2f", "1g1f"]);
        let mate = ["8c8d", "9g9f", "8d8e"].map(|mv| mv.parse().unwrap());
        demote_refuted(&mut moves, |mv| match mv.to_string().as_str() {
            "7g7f" => Some(&mate[..1]),
            "2g2f" => Some(&mate),
            _ => None,
        });
        assert_eq!(order(&moves), ["1g1f", "2g2f", "7g7f"]);
    }

    #[test]
    fn interrupted_loss_is_dropped() {
        let lost = Score::mated_in(6).get();
        let mut moves = [finished("2g2f", 20, 8), finished("7g7f", 30, 9), finished("1g1f", 20, 9)];
        (moves[0].line.score, moves[0].line.depth) = (Score::raw(lost), 10);
        restore(&mut moves, 0, 1);
        assert_eq!(reported(&moves)[0], ("7g7f".to_owned(), 30, Bound::Exact, 9));
        // Except when that move allows a proved mate.
        let mut moves = [finished("2g2f", 20, 8), finished("7g7f", 30, 9)];
        (moves[0].line.score, moves[0].line.depth) = (Score::raw(lost), 10);
        moves[1].previous_score = Score::mated_in(4);
        restore(&mut moves, 0, 1);
        assert_eq!(moves[0].mv.to_string(), "2g2f");
    }

    #[test]
    fn interrupted_multi_pv_lines() {
        let mut moves = [root_move("7g7f", 20, Bound::Exact, 10), finished("2g2f", 25, 9), finished("1g1f", 3, 9)];
        restore(&mut moves, 1, 3);
        let all: Vec<_> = reported(&moves).into_iter().map(|(mv, score, _, depth)| (mv, score, depth)).collect();
        assert_eq!(all, [("7g7f".to_owned(), 20, 10), ("2g2f".to_owned(), 25, 9), ("1g1f".to_owned(), 3, 9)]);
    }
}
