//! Playing levels: a short multi-PV search and a random choice among moves not much worse than the
//! best, with more choice at lower levels.

use crate::mate::mate_in_one;
use crate::search::{Limits, Report, Settings};
use rand::Rng;
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use sabi_shogi::{Bound, Move, Position, Score, legal_moves};
use std::cmp::Reverse;

/// A level from 1 (weakest) to [`Level::HIGHEST`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Level(u8);

/// Nodes, lines and temperature (in expected score) of each level (see [`Level::choose`]), tuned by
/// matches between neighbours.
const LEVELS: [(u64, usize, f64); Level::HIGHEST as usize] = [
    (400, 9, 0.07),
    (490, 9, 0.0525),
    (570, 8, 0.042),
    (680, 8, 0.0325),
    (800, 7, 0.0255),
    (1170, 7, 0.0145),
    (1450, 6, 0.0105),
    (1970, 6, 0.00872),
    (2150, 5, 0.00767),
    (2800, 5, 0.00675),
    (3650, 5, 0.00594),
    (3800, 4, 0.00522),
    (4950, 4, 0.0046),
    (6500, 4, 0.00404),
    (8500, 4, 0.00356),
    (11100, 4, 0.00313),
    (11300, 3, 0.00275),
    (14100, 3, 0.00242),
    (18400, 3, 0.00213),
    (24100, 3, 0.00188),
];
/// Maximum loss of expected score, in temperatures.
const MAX_LOSS: f64 = 3.0;
/// Longest mate in plies that every level plays.
const FOUND_MATE: i32 = 3;

impl Level {
    /// The highest level.
    pub const HIGHEST: u8 = 20;

    /// The level with this number; `None` for 0 (full strength) and beyond the highest.
    pub fn new(number: u8) -> Option<Self> {
        (1..=Self::HIGHEST).contains(&number).then_some(Self(number))
    }

    /// Its number.
    pub fn number(self) -> u8 {
        self.0
    }

    fn row(self) -> (u64, usize, f64) {
        LEVELS[usize::from(self.0) - 1]
    }

    /// Limits the search of this level: short, multi-PV.
    pub(super) fn weaken(self, limits: &mut Limits, settings: &mut Settings) {
        let (nodes, lines, _) = self.row();
        limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
        settings.multi_pv = settings.multi_pv.max(lines);
        settings.report_interval = 0;
    }

    /// The line to play, as the only one: a mate in one or three, or a line of the search.
    pub(super) fn chosen(
        self,
        position: &Position,
        settings: &Settings,
        searched: &[Move],
        lines: IterationLines,
        random: &mut impl Rng,
    ) -> Option<Report> {
        let mut lines = lines.finished;
        let allowed = |mv: &Move| searched.is_empty() || searched.contains(mv);
        if let (Some(pv), Some(first)) = (short_mate(position, settings).filter(|pv| allowed(&pv[0])), lines.first()) {
            let (score, plies) = (Score::mate_in(pv.len()), pv.len() as u32);
            return Some(Report { depth: plies, seldepth: plies, score, proved: true, pv, ..first.clone() });
        }
        let index = self.choose(&lines, random);
        (index < lines.len()).then(|| Report { multi_pv: 1, ..lines.swap_remove(index) })
    }

    /// Index of the line to play; `lines` are sorted, best first.
    ///
    /// A line that loses `loss` of expected score against the best has the weight `exp(-loss /
    /// temperature)`, and 0 beyond [`MAX_LOSS`] temperatures. A short mate is always played, and
    /// a move that allows a mate is avoided if possible.
    fn choose(self, lines: &[Report], random: &mut impl Rng) -> usize {
        let Some(best) = lines.first().map(|line| line.score) else { return 0 };
        if best.mate_plies().is_some_and(|plies| (1..=FOUND_MATE).contains(&plies)) || best.is_mate_loss() {
            return 0;
        }
        let (.., temperature) = self.row();
        let weight = |line: &Report| {
            let loss = (best.expected_score() - line.score.expected_score()) / temperature;
            if line.score.is_mate_loss() || loss > MAX_LOSS { 0.0 } else { (-loss).exp() }
        };
        WeightedIndex::new(lines.iter().map(weight)).map_or(0, |index| index.sample(random))
    }
}

/// The lines of the last finished iteration. Those of an unfinished one are not comparable: the
/// first is searched deeper than the others.
#[derive(Default)]
pub(super) struct IterationLines {
    finished: Vec<Report>,
    /// Lines of one depth, in order.
    iteration: Vec<Report>,
}

impl IterationLines {
    /// Adds a report. All iterations have the same number of lines. A proved loss, whose depth is the
    /// length of the mate, replaces the line of its move.
    pub(super) fn add(&mut self, report: &Report) {
        if report.bound != Bound::Exact {
            return;
        }
        if report.proved && report.score.is_mate_loss() {
            let lost = self.finished.iter_mut().find(|line| line.pv.first() == report.pv.first());
            lost.into_iter().for_each(|line| line.clone_from(report));
            self.finished.sort_by_key(|line| Reverse(line.score));
        }
        if report.multi_pv == 1 {
            self.iteration.clear();
        }
        let same_depth = self.iteration.first().is_none_or(|first| first.depth == report.depth);
        if same_depth && report.multi_pv == self.iteration.len() + 1 {
            self.iteration.push(report.clone());
            if self.iteration.len() >= self.finished.len() {
                self.finished.clone_from(&self.iteration);
            }
        }
    }
}

/// A mate by checks in one or three plies before the end of the game, which a search of few nodes
/// may miss.
fn short_mate(position: &Position, settings: &Settings) -> Option<Vec<Move>> {
    let last = settings.last_mate(position);
    if let Some(mv) = mate_at_once(position).filter(|_| last >= 1) {
        return Some(vec![mv]);
    }
    if last < 3 {
        return None;
    }
    legal_moves(position).iter().find_map(|&mv| {
        let next = position.after(mv);
        if !next.in_check() || next.declaration(settings.entering_king).is_some() || next.repetition().is_some() {
            return None;
        }
        let mut line = None;
        for &answer in &legal_moves(&next) {
            line = Some(vec![mv, answer, mate_at_once(&next.after(answer))?]);
        }
        line
    })
}

fn mate_at_once(position: &Position) -> Option<Move> {
    if !position.in_check() {
        return mate_in_one(position, &position.check_info());
    }
    legal_moves(position).iter().copied().find(|&mv| {
        let next = position.after(mv);
        next.in_check() && legal_moves(&next).is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use sabi_shogi::usi_moves;

    fn lines(scores: &[Score]) -> Vec<Report> {
        let line = |(at, &score): (usize, &Score)| Report {
            depth: 1,
            multi_pv: at + 1,
            ..Report::without_search(score, vec!["7g7f".parse().unwrap()])
        };
        scores.iter().enumerate().map(line).collect()
    }

    /// Choices per line in a thousand trials.
    fn counts(level: u8, scores: &[Score]) -> Vec<u32> {
        let mut random = SmallRng::seed_from_u64(1);
        let mut counts = vec![0; scores.len()];
        let lines = lines(scores);
        (0..1000).for_each(|_| counts[Level::new(level).unwrap().choose(&lines, &mut random)] += 1);
        counts
    }

    #[test]
    fn levels_are_monotone() {
        let levels: Vec<_> = (1..=Level::HIGHEST).filter_map(Level::new).collect();
        assert_eq!((levels.len(), Level::new(0), Level::new(21)), (20, None, None));
        let is_weaker = |a: &Level, b: &Level| {
            let ((nodes, lines, temperature), next) = (a.row(), b.row());
            nodes < next.0 && lines >= next.1 && temperature > next.2
        };
        assert!(levels.is_sorted_by(is_weaker));
        let scores = [Score::cp(100), Score::cp(40), Score::cp(-60)];
        let best: Vec<_> = [1, 5, 10, 15, 20].map(|level| counts(level, &scores)[0]).to_vec();
        assert!(best.is_sorted() && best[4] > 2 * best[0], "{best:?}");
        let equal = counts(20, &[Score::cp(5), Score::cp(5)]);
        assert!(equal.iter().all(|&count| count > 400), "{equal:?}");
    }

    #[test]
    fn levels_avoid_blunders() {
        let giveaway = counts(1, &[Score::cp(100), Score::cp(-1200), Score::mated_in(4)]);
        assert_eq!(giveaway, [1000, 0, 0]);
        let mate = [Score::mate_in(3), Score::cp(3000), Score::cp(2900)];
        assert_eq!(counts(1, &mate)[0], 1000);
        assert_eq!(counts(1, &[Score::mated_in(6), Score::mated_in(2)]), [1000, 0]);
        assert_eq!(Level::new(3).unwrap().choose(&[], &mut SmallRng::seed_from_u64(1)), 0);
    }

    /// The search of the next iteration was interrupted after the solver had proved that the best
    /// move loses.
    #[test]
    fn proved_loss_replaces_the_line() {
        let mut found = IterationLines::default();
        let line = |mv: &str, multi_pv: usize, depth: u32, score: Score| Report {
            depth,
            multi_pv,
            ..Report::without_search(score, vec![mv.parse().unwrap()])
        };
        for (at, (mv, score)) in [("7g7f", 100), ("2g2f", 40), ("1g1f", 30)].into_iter().enumerate() {
            found.add(&line(mv, at + 1, 9, Score::cp(score)));
        }
        found.add(&line("2g2f", 1, 9, Score::cp(40)));
        found.add(&line("1g1f", 2, 9, Score::cp(30)));
        found.add(&Report { proved: true, ..line("7g7f", 3, 4, Score::mated_in(4)) });
        let order: Vec<_> = found.finished.iter().map(|line| line.pv[0].to_string()).collect();
        assert_eq!(order, ["2g2f", "1g1f", "7g7f"]);
        assert!(found.finished[2].score.is_mate_loss());
    }

    #[test]
    fn short_mates_are_found_by_rule() {
        let found = |sfen: &str, settings: &Settings| short_mate(&Position::from_sfen(sfen).unwrap(), settings);
        let find = |sfen: &str| found(sfen, &Settings::default()).map(|line| usi_moves(&line));
        let line = find("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
        assert_eq!(line, ["G*5b"]);
        let line = find("4k4/6S2/2G6/9/9/9/9/9/4K4 b 2G 1").unwrap();
        assert_eq!((line.len(), line[0].as_str()), (3, "G*6b"));
        // The game lasts three moves more, or two.
        for (last, plies) in [(3, Some(3)), (2, None)] {
            let limited = Settings { max_moves: Some(last), ..Settings::default() };
            assert_eq!(found("4k4/6S2/2G6/9/9/9/9/9/4K4 b 2G 1", &limited).map(|line| line.len()), plies);
        }
        assert_eq!(find("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"), None);
    }

    #[test]
    fn short_mates_answer_a_check() {
        let position = Position::from_sfen("4k4/4r4/3S1G3/9/9/9/9/9/4K4 b - 1").unwrap();
        assert!(position.in_check());
        assert_eq!(short_mate(&position, &Settings::default()).map(|line| line.len()), Some(1));
    }

    #[test]
    fn only_lines_of_the_last_finished_iteration_count() {
        let mut last = IterationLines::default();
        let at_depth = |depth, scores: &[Score]| lines(scores).into_iter().map(move |line| Report { depth, ..line });
        at_depth(1, &[Score::cp(90)]).for_each(|line| last.add(&line));
        at_depth(3, &[Score::cp(10), Score::cp(5)]).for_each(|line| last.add(&line));
        // The best move is refuted at depth 4; the other is not searched there.
        let unfinished = at_depth(4, &[Score::cp(-400)]).chain(at_depth(3, &[Score::ZERO, Score::cp(5)]).skip(1));
        unfinished.for_each(|line| last.add(&line));
        last.add(&Report { bound: Bound::Lower, multi_pv: 2, ..lines(&[Score::cp(70)])[0].clone() });
        let scores: Vec<_> = last.finished.iter().map(|line| line.score).collect();
        assert_eq!(scores, [Score::cp(10), Score::cp(5)]);
        let (level, mut random) = (Level::new(20).unwrap(), SmallRng::seed_from_u64(1));
        let start = Position::startpos();
        let settings = Settings::default();
        let chosen = level.chosen(&start, &settings, &[], last, &mut random).unwrap();
        assert_eq!((chosen.depth, chosen.multi_pv), (3, 1));
        assert!(level.chosen(&start, &settings, &[], IterationLines::default(), &mut random).is_none());
    }
}
