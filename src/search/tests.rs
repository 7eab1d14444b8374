//! The search without selectivity against plain minimax: no table of any size, policy and level
//! changes the value of a position.

use super::node::{NodeType, Root};
use super::root_move::root_moves;
use super::worker::{Shared, ThreadData, Worker};
use super::{Limits, Settings, Signals, TableCounts};
use crate::eval::{EvalType, Evaluation};
use crate::table::{EvalCache, Event, Policy, TranspositionTable};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use sabi_shogi::{Bound, Declaration, EnteringKingRule, Move, NonPromotions, Position, Repetition, Score, legal_moves};
use std::marker::PhantomData;
use std::ops::{Range, RangeInclusive};
use std::time::Instant;

const DEPTHS: RangeInclusive<i32> = 1..=4;
/// More moves take minimax too long.
const MAX_MOVES: usize = 18;

/// A node type without selectivity.
struct Full<N>(PhantomData<N>);

impl<N: NodeType> NodeType for Full<N> {
    const PV: bool = N::PV;
    const ROOT: bool = N::ROOT;
    const SELECTIVE: bool = false;
    type Child = Full<N::Child>;
    type Scout = Full<N::Scout>;
}

/// A king that reaches the other king's start square wins.
const RULE: EnteringKingRule = EnteringKingRule::Try;

fn settings() -> Settings {
    let entering_king = RULE;
    Settings {
        non_promotions: NonPromotions::All,
        draw_value: [0; 2],
        statistics: true,
        entering_king,
        ..Settings::default()
    }
}

/// Value of a leaf: rules or static eval.
fn leaf(position: &Position, depth: i32, ply: i32) -> Option<Score> {
    if ply > 0
        && let Some(repetition) = position.repetition_in_search(ply as usize)
    {
        return Some(match repetition {
            Repetition::Draw => Score::ZERO,
            Repetition::Win => Score::RULE_WIN - ply,
            Repetition::Loss => -(Score::RULE_WIN - ply),
            Repetition::Superior => Score::HAND_WIN - ply,
            Repetition::Inferior => -(Score::HAND_WIN - ply),
        });
    }
    if ply > 0
        && let Some(Declaration::Try(_)) = position.declaration(RULE)
    {
        return Some(Score::RULE_WIN - ply - 1);
    }
    (depth == 0).then(|| Score::cp(Evaluation::embedded(EvalType::HandCrafted).evaluate(position)))
}

fn minimax(position: &mut Position, depth: i32, ply: i32) -> Score {
    if let Some(score) = leaf(position, depth, ply) {
        return score;
    }
    let mut best = Score::mated_in(ply as usize);
    for &mv in &legal_moves(position) {
        position.play(mv);
        best = best.max(-minimax(position, depth - 1, ply + 1));
        position.undo();
    }
    best
}

/// Start squares of the Black king.
const HOME: Range<usize> = 7..9;
const NEAR_ITS_GOAL: Range<usize> = 1..3;

/// Kings and a few pieces: few moves for both sides, often no legal move or a mate nearby.
fn small_positions(count: usize, seed: u64, king: Range<usize>) -> Vec<Position> {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut board = [["1"; 9]; 9];
        let mut place = |piece: &'static str, ranks: Range<usize>| {
            let rank: usize = random.random_range(ranks);
            board[rank][random.random_range(0..9)] = piece;
        };
        (0..3).for_each(|_| place("p", 2..7));
        (0..3).for_each(|_| place("P", 3..8));
        ["+P", "S", "N", "+P", "L", "G"].into_iter().for_each(|piece| place(piece, 0..4));
        ["n", "s", "+p"].into_iter().for_each(|piece| place(piece, 2..9));
        place("k", 0..2);
        place("K", king.clone());
        let hand = ["-", "-", "G", "S"].choose(&mut random).copied().unwrap_or("-");
        let side = if random.random() { "b" } else { "w" };
        let ranks = board.map(|rank| rank.concat()).join("/");
        let Ok(position) = Position::from_sfen(&format!("{ranks} {side} {hand} 1")) else { continue };
        let moves = legal_moves(&position);
        let few_answers = |mv: &Move| legal_moves(&position.after(*mv)).len() <= MAX_MOVES;
        if (1..=MAX_MOVES).contains(&moves.len()) && moves.iter().all(few_answers) {
            positions.push(position);
        }
    }
    positions
}

/// The tables of one search.
struct Tables {
    table: TranspositionTable,
    cache: Option<EvalCache>,
    data: ThreadData,
    /// Their counters.
    counts: TableCounts,
}

impl Tables {
    fn new(megabytes: usize, second: usize, policy: Policy, cache: bool) -> Self {
        let mut table = TranspositionTable::new(megabytes, second).unwrap();
        table.set_policy(policy);
        let data = ThreadData::new().unwrap();
        Self { table, cache: cache.then(|| EvalCache::new(0).unwrap()), data, counts: TableCounts::default() }
    }

    /// Score of the real search without selectivity.
    fn search(&mut self, position: &Position, depth: i32) -> Score {
        let evaluation = Evaluation::embedded(EvalType::HandCrafted);
        self.table.next_generation();
        let (settings, signals) = (settings(), Signals::default());
        let limits = Limits::unlimited(Instant::now());
        let tables = (&self.table, self.cache.as_ref());
        let shared = Shared::new(tables, &evaluation, &settings, &limits, &signals, 1);
        let roots = root_moves(position, &settings, &[]);
        let mut worker = Worker::new(&shared, 0, &mut self.data, position, roots);
        worker.root_depth = depth;
        let score = worker.search::<Full<Root>>(-Score::INFINITE, Score::INFINITE, depth, 0, false);
        self.counts.add(worker.counts.as_deref().expect("counted"));
        score
    }
}

#[test]
fn table_size_changes_no_value() {
    let positions = [small_positions(40, 2, HOME), small_positions(10, 2, NEAR_ITS_GOAL)].concat();
    let values: Vec<Vec<Score>> = positions
        .iter()
        .map(|position| DEPTHS.map(|depth| minimax(&mut position.clone(), depth, 0)).collect())
        .collect();
    for (megabytes, second, policy, cache) in [
        (1, 0, Policy::DepthAndAge, false),
        (0, 0, Policy::DepthAndAge, false),
        (0, 1, Policy::DepthAndAge, true),
        (0, 0, Policy::Always, true),
        (0, 1, Policy::DepthPreferred, false),
        (1, 0, Policy::AgeBased, true),
        (0, 1, Policy::ExactPreferred, true),
    ] {
        let mut counts = TableCounts::default();
        for (position, values) in positions.iter().zip(&values) {
            let mut tables = Tables::new(megabytes, second, policy, cache);
            for (depth, &value) in DEPTHS.zip(values) {
                // In the second round nearly every probe hits.
                for _ in 0..2 {
                    let found = tables.search(position, depth);
                    assert_eq!(found, value, "{} at depth {depth}, {policy:?}", position.sfen());
                }
            }
            counts.add(&tables.counts);
        }
        // The test proves nothing unless entries are used.
        assert!(counts.table.of(Event::Hit) > 1000);
        assert!(second == 0 || counts.table.of(Event::SecondLevelHit) > 1000);
        assert!(!cache || counts.evaluations.hits() > 1000);
    }
}

/// Mate and rule-win distances are stored relative to the position, independent of ply.
#[test]
fn table_bounds_are_true() {
    let is_decided =
        |position: &Position| Tables::new(1, 0, Policy::default(), false).search(position, 4).is_decisive();
    let positions = [small_positions(400, 3, HOME), small_positions(100, 3, NEAR_ITS_GOAL)].concat();
    let decided: Vec<Position> = positions.into_iter().filter(is_decided).collect();
    let (mut mates, mut wins_by_rule) = (0, 0);
    for position in &decided {
        let mut tables = Tables::new(1, 0, Policy::default(), false);
        for depth in DEPTHS.chain([4, 4]) {
            tables.search(position, depth);
        }
        each_position(&mut position.clone(), 3, &mut |position| {
            let Some(entry) = tables.table.probe(position.key(), &mut ()) else { return };
            // Positions decided by rule are not searched.
            if position.declaration(RULE).is_some() {
                return;
            }
            let value = minimax(position, entry.depth, 0);
            let is_true = match entry.bound {
                Some(Bound::Exact) => entry.score == value,
                Some(Bound::Lower) => entry.score <= value,
                Some(Bound::Upper) => entry.score >= value,
                None => false,
            };
            assert!(is_true, "{}: {entry:?}, not {value:?}", position.sfen());
            mates += usize::from(entry.score.is_mate());
            wins_by_rule += usize::from(entry.score.is_decisive() && !entry.score.is_mate());
        });
    }
    assert!(mates > 100 && wins_by_rule > 100, "{mates} and {wins_by_rule} in {} positions", decided.len());
}

/// Every position within some plies.
fn each_position(position: &mut Position, plies: usize, look: &mut impl FnMut(&mut Position)) {
    look(position);
    if plies > 0 {
        for &mv in &legal_moves(position) {
            position.play(mv);
            each_position(position, plies - 1, look);
            position.undo();
        }
    }
}
