//! Legal and illegal moves.

use sabi_test_support::{position, random_games, rows};
use sabi_shogi::{
    Move, MoveList, NonPromotions, Position, checking_moves, legal_moves, moves, quiet_moves, tactical_moves,
};
use std::collections::BTreeSet;

const LEGAL_MOVES: &str = include_str!("../../../../tests/fixtures/legal_moves.tsv");
const UCHIFUZUME: &str = include_str!("../../../../tests/fixtures/uchifuzume.tsv");
const NIFU: &str = include_str!("../../../../tests/fixtures/nifu.tsv");
const SELF_CHECK: &str = include_str!("../../../../tests/fixtures/self_check.tsv");

fn set(moves: &[Move]) -> BTreeSet<Move> {
    moves.iter().copied().collect()
}

/// All 16-bit moves that the single-move check accepts.
fn legal_by_trial(position: &Position) -> BTreeSet<Move> {
    (0..=u16::MAX).filter_map(Move::from_bits).filter(|&mv| position.is_legal(mv)).collect()
}

#[test]
fn legal_moves_agree_with_reference() {
    let mut checked = 0;
    for row in rows(LEGAL_MOVES) {
        let position = position(row[0]);
        let mut names: Vec<String> = legal_moves(&position).iter().map(Move::to_string).collect();
        names.sort();
        let expected: Vec<&str> = row[1].split(' ').filter(|&word| word != "-").collect();
        assert_eq!(names, expected, "{}", row[0]);
        checked += 1;
    }
    assert!(checked >= 300);
}

#[test]
fn illegal_reasons() {
    for (table, least) in [(UCHIFUZUME, 40), (NIFU, 12), (SELF_CHECK, 12)] {
        let mut results = BTreeSet::new();
        let mut checked = 0;
        for row in rows(table) {
            let position = position(row[0]);
            let mv: Move = row[1].parse().unwrap();
            assert_eq!(position.is_legal(mv), row[2] == "legal", "{} {}", row[0], row[1]);
            assert_eq!(legal_moves(&position).contains(&mv), row[2] == "legal", "{} {}", row[0], row[1]);
            results.insert(row[2]);
            checked += 1;
        }
        assert!(checked >= least && results.contains("illegal"));
    }
}

#[test]
fn generator_agrees_with_is_legal() {
    random_games(1, 12, 250, |position, _| {
        assert_eq!(set(&legal_moves(position)), legal_by_trial(position), "{position}")
    });
}

#[test]
fn partial_generators_are_complete() {
    random_games(2, 60, 300, |position, _| {
        for non_promotions in [NonPromotions::All, NonPromotions::Sensible] {
            let (mut all, mut tactical, mut quiet) = (MoveList::new(), MoveList::new(), MoveList::new());
            moves(position, non_promotions, &mut all);
            tactical_moves(position, non_promotions, &mut tactical);
            quiet_moves(position, non_promotions, &mut quiet);
            assert_eq!(all.len(), tactical.len() + quiet.len(), "{position}");
            assert_eq!(set(&all), &set(&tactical) | &set(&quiet));
            assert!(tactical.iter().all(|&mv| position.is_tactical(mv)));
            assert!(!quiet.iter().any(|&mv| position.is_tactical(mv)));
            assert!(set(&all).is_subset(&set(&legal_moves(position))));
        }
    });
}

#[test]
fn omitted_non_promotions_have_a_promotion() {
    random_games(3, 60, 300, |position, _| {
        let mut sensible = MoveList::new();
        moves(position, NonPromotions::Sensible, &mut sensible);
        for &mv in legal_moves(position).iter().filter(|mv| !sensible.contains(mv)) {
            let promoting = Move::step(mv.from().expect("a drop is never pointless"), mv.to(), true);
            assert!(sensible.contains(&promoting), "{position} {mv}");
        }
    });
}

#[test]
fn gives_check_agrees_with_playing() {
    random_games(4, 60, 300, |position, _| {
        let info = position.check_info();
        let mut expected = BTreeSet::new();
        for &mv in &legal_moves(position) {
            let reported = position.gives_check(mv, &info);
            position.play(mv);
            assert_eq!(position.in_check(), reported, "{position} after {mv}");
            position.undo();
            if reported {
                expected.insert(mv);
            }
        }
        let mut checks = MoveList::new();
        checking_moves(position, &info, NonPromotions::All, &mut checks);
        assert_eq!(checks.len(), expected.len(), "{position}");
        assert_eq!(set(&checks), expected, "{position}");
    });
}
