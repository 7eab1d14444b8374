//! Mates: in one without search, and longer ones by the solver.

use crate::fixtures::{position, random_games, rows};
use sabi::mate::{is_mate_after, mate_in_one, solver};
use sabi::movegen::{has_legal_move, legal_moves};
use std::collections::BTreeSet;

const MATES: &str = include_str!("../fixtures/mate_in_one.tsv");

#[test]
fn mates_in_one_agree_with_another_library() {
    let (mut mates, mut none) = (0, 0);
    for row in rows(MATES) {
        let position = position(row[0]);
        let info = position.check_info();
        let expected: BTreeSet<&str> = row[1].split(' ').filter(|&word| word != "-").collect();
        let found = mate_in_one(&position, &info).map(|mv| mv.to_string());
        match &found {
            Some(mv) => assert!(expected.contains(mv.as_str()), "{} {mv}", row[0]),
            None => assert!(expected.is_empty(), "{} {expected:?}", row[0]),
        }
        let all: BTreeSet<String> = legal_moves(&position)
            .iter()
            .filter(|&&mv| position.gives_check(mv, &info) && is_mate_after(&position, mv))
            .map(|mv| mv.to_string())
            .collect();
        assert_eq!(all.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected, "{}", row[0]);
        if found.is_some() { mates += 1 } else { none += 1 }
    }
    assert!(mates >= 100 && none >= 50);
}

#[test]
fn a_move_mates_when_no_answer_is_left() {
    random_games(30, 150, 300, |position, _| {
        let info = position.check_info();
        for &mv in &legal_moves(position) {
            if position.gives_check(mv, &info) {
                position.play(mv);
                let mated = !has_legal_move(position);
                position.undo();
                assert_eq!(is_mate_after(position, mv), mated, "{position} {mv}");
            }
        }
    });
}

#[test]
fn the_solver_finds_short_mates_and_proves_their_absence() {
    let limits = solver::MateLimits { nodes: Some(2_000_000), ..Default::default() };
    let mate_in_three = position("4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1");
    match solver::solve(&mate_in_three, &limits, &|| false) {
        solver::MateResult::Mate(line) => {
            let mut end = mate_in_three.clone();
            line.iter().for_each(|&mv| {
                assert!(end.is_legal(mv));
                end.play(mv);
            });
            assert!(end.in_check() && !has_legal_move(&end));
            assert_eq!(line.len(), 1);
        }
        other => panic!("{other:?}"),
    }
    let no_checks = sabi::position::Position::startpos();
    assert_eq!(solver::solve(&no_checks, &limits, &|| false), solver::MateResult::NoMate);
    let stopped = solver::MateLimits { nodes: Some(1), ..Default::default() };
    let hard = position("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1");
    assert_eq!(solver::solve(&hard, &stopped, &|| false), solver::MateResult::Unknown);
}
