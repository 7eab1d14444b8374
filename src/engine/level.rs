//! Playing levels: a short multi-PV search and a random choice among moves not much worse than the
//! best, with more choice at lower levels.

use crate::search::{LastReports, Limits, Report, Settings};
use rand::Rng;
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;

/// A level from 1 (weakest) to [`Level::HIGHEST`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Level(u8);

/// Nodes and temperature (in win rate) of each level (see [`Level::choose`]), tuned by matches
/// between neighbours.
const LEVELS: [(u64, f64); Level::HIGHEST as usize] = [
    (100, 0.25),
    (120, 0.2),
    (160, 0.16),
    (200, 0.13),
    (240, 0.11),
    (310, 0.087),
    (380, 0.072),
    (480, 0.06),
    (600, 0.05),
    (750, 0.042),
    (930, 0.036),
    (1200, 0.03),
    (1500, 0.026),
    (1800, 0.022),
    (2300, 0.019),
    (2800, 0.017),
    (3600, 0.015),
    (4400, 0.013),
    (5600, 0.012),
    (6900, 0.01),
];
/// Maximum loss of win rate of level 1 and of the highest level.
const WORST_LOSS: (f64, f64) = (0.40, 0.05);
/// Longest mate in plies that every level finds.
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

    /// 1 at level 1, 0 at the highest.
    fn weakness(self) -> f64 {
        f64::from(Self::HIGHEST - self.0) / f64::from(Self::HIGHEST - 1)
    }

    fn nodes(self) -> u64 {
        LEVELS[usize::from(self.0) - 1].0
    }

    fn lines(self) -> usize {
        4 + (8.0 * self.weakness()) as usize
    }

    fn temperature(self) -> f64 {
        LEVELS[usize::from(self.0) - 1].1
    }

    fn worst_loss(self) -> f64 {
        let (low, high) = WORST_LOSS;
        high + (low - high) * self.weakness()
    }

    /// Limits the search of this level: short, multi-PV.
    pub(super) fn weaken(self, limits: &mut Limits, settings: &mut Settings) {
        limits.nodes = Some(limits.nodes.map_or(self.nodes(), |nodes| nodes.min(self.nodes())));
        settings.multi_pv = settings.multi_pv.max(self.lines());
    }

    /// The line to play, as the only one.
    pub(super) fn chosen(self, reports: LastReports, random: &mut impl Rng) -> Option<Report> {
        let mut lines = reports.into_vec();
        let index = self.choose(&lines, random);
        (index < lines.len()).then(|| Report { multi_pv: 1, ..lines.swap_remove(index) })
    }

    /// Index of the line to play; `lines` are sorted, best first.
    ///
    /// A line that loses `loss` of win rate against the best has the weight `exp(-loss /
    /// temperature)`, and 0 beyond [`Level::worst_loss`]. A short mate is always played, and a move
    /// that allows a mate is avoided if possible.
    fn choose(self, lines: &[Report], random: &mut impl Rng) -> usize {
        let Some(best) = lines.first().map(|line| line.score) else { return 0 };
        if best.mate_plies().is_some_and(|plies| (1..=FOUND_MATE).contains(&plies)) || best.is_loss() {
            return 0;
        }
        let weight = |line: &Report| {
            let loss = best.win_rate() - line.score.win_rate();
            if line.score.is_loss() || loss > self.worst_loss() { 0.0 } else { (-loss / self.temperature()).exp() }
        };
        WeightedIndex::new(lines.iter().map(weight)).map_or(0, |index| index.sample(random))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Bound, Score};
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use std::time::Duration;

    fn lines(scores: &[Score]) -> Vec<Report> {
        let line = |(at, &score): (usize, &Score)| Report {
            depth: 1,
            seldepth: 1,
            multi_pv: at + 1,
            score,
            proved: false,
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv: vec!["7g7f".parse().unwrap()],
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
        assert!(levels.is_sorted_by(|a, b| a.nodes() < b.nodes() && a.temperature() > b.temperature()));
        assert!(levels.is_sorted_by(|a, b| a.lines() >= b.lines() && a.worst_loss() > b.worst_loss()));
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

    #[test]
    fn only_last_exact_lines_count() {
        let mut last = LastReports::default();
        let first = lines(&[Score::cp(10), Score::cp(5), Score::cp(1)]);
        first.iter().for_each(|line| last.add(line));
        last.add(&lines(&[Score::cp(20)])[0]);
        last.add(&Report { bound: Bound::Lower, multi_pv: 2, ..first[1].clone() });
        let (level, mut random) = (Level::new(1).unwrap(), SmallRng::seed_from_u64(1));
        let chosen = level.chosen(last, &mut random).unwrap();
        assert_eq!((chosen.score, chosen.multi_pv), (Score::cp(20), 1));
        assert!(level.chosen(LastReports::default(), &mut random).is_none());
    }
}
