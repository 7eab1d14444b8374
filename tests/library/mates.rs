//! Mates: in one, and longer ones by the solver.

use sabi::mate::solver::{Mate, MateQuestion, MateResult, MateSolver};
use sabi::mate::{is_mate_after, mate_in_one};
use sabi_shogi::{Move, Position, has_legal_move, legal_moves};
use sabi_test_support::{position, random_games, rows};
use std::collections::BTreeSet;

const MATES: &str = include_str!("../fixtures/mate_in_one.tsv");

#[test]
fn mate_in_one_agrees_with_reference() {
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
fn mate_in_one_means_no_reply() {
    let (mut mates, mut none) = (0, 0);
    random_games(30, 150, 300, |position, _| {
        let info = position.check_info();
        let mut mating = Vec::new();
        for &mv in &legal_moves(position) {
            if position.gives_check(mv, &info) {
                position.play(mv);
                let mated = !has_legal_move(position);
                position.undo();
                assert_eq!(is_mate_after(position, mv), mated, "{position} {mv}");
                mating.extend(mated.then_some(mv));
            }
        }
        match mate_in_one(position, &info) {
            Some(mv) => {
                assert!(mating.contains(&mv), "{position} {mv}");
                mates += 1;
            }
            None => {
                assert!(mating.is_empty(), "{position} {mating:?}");
                none += 1;
            }
        }
    });
    assert!(mates > 500 && none > 10_000, "{mates} {none}");
}

/// The shortest mate by the rules of the game.
const SHORTEST: MateQuestion = MateQuestion { nodes: Some(2_000_000), plies: None, shortest: true, as_problem: false };

fn solver() -> MateSolver {
    MateSolver::new(16).expect("16 MB")
}

fn solve(solver: &mut MateSolver, position: &Position, question: &MateQuestion) -> MateResult {
    solver.solve(position, question, &mut |_| true).0
}

/// The position after the mate line.
fn mate(solver: &mut MateSolver, position: &Position, question: &MateQuestion) -> Mate {
    match solve(solver, position, question) {
        MateResult::Mate(mate) => {
            assert_mates(position, &mate.line);
            mate
        }
        other => panic!("{other:?} for {}", position.sfen()),
    }
}

/// Every move is legal, every attacker's move a check, and the last one mates.
fn assert_mates(position: &Position, line: &[Move]) {
    let mut end = position.clone();
    for (at, &mv) in line.iter().enumerate() {
        assert!(end.is_legal(mv), "{mv} in {}", position.sfen());
        end.play(mv);
        assert!(at % 2 == 1 || end.in_check(), "{mv} in {}", position.sfen());
    }
    assert!(line.len() % 2 == 1 && !has_legal_move(&end), "{line:?} in {}", position.sfen());
}

/// Shortest mate within `plies`, by brute force.
fn shortest_by_force(position: &mut Position, plies: u32) -> Option<u32> {
    let info = position.check_info();
    let mut best = None;
    for &mv in &legal_moves(position) {
        if position.gives_check(mv, &info) {
            position.play(mv);
            let bound = best.map_or(plies, |best: u32| best.saturating_sub(2));
            let found = if bound > 0 { longest_by_force(position, bound - 1) } else { None };
            position.undo();
            best = found.map(|found| found + 1).or(best);
        }
    }
    best
}

fn longest_by_force(position: &mut Position, plies: u32) -> Option<u32> {
    let mut longest = 0;
    for &mv in &legal_moves(position) {
        if plies < 2 {
            return None;
        }
        position.play(mv);
        let found = shortest_by_force(position, plies - 1);
        position.undo();
        longest = longest.max(found? + 1);
    }
    Some(longest)
}

#[test]
fn shortest_mate_agrees_with_brute_force() {
    let mut solver = solver();
    let (mut mates, mut none) = ([0; 3], 0);
    random_games(80, 45, 400, |position, _| {
        // Few checks, because brute force is slow.
        let info = position.check_info();
        let checks = legal_moves(position).iter().filter(|&&mv| position.gives_check(mv, &info)).count();
        if !(1..=12).contains(&checks) {
            return;
        }
        let forced = shortest_by_force(&mut position.clone(), 3);
        match solve(&mut solver, position, &MateQuestion { nodes: Some(4_000), ..SHORTEST }) {
            MateResult::Mate(found) => {
                assert_mates(position, &found.line);
                if found.plies <= 3 {
                    assert_eq!(Some(found.plies), forced, "{}", position.sfen());
                    mates[found.plies as usize / 2] += 1;
                } else {
                    assert_eq!(forced, None, "{}", position.sfen());
                    mates[2] += 1;
                }
                assert!(!found.shortest || found.line.len() as u32 == found.plies, "{}", position.sfen());
            }
            MateResult::NoMate => {
                assert_eq!(forced, None, "{}", position.sfen());
                none += 1;
            }
            MateResult::Unknown => assert_eq!(forced, None, "{}", position.sfen()),
        }
    });
    assert!(mates[0] > 50 && mates[1] > 10 && none > 500, "{mates:?} {none}");
}

#[test]
fn mates_of_real_games() {
    let mut solver = solver();
    for line in include_str!("../fixtures/nshogi_mate_1_ply.txt").lines().filter(|line| !line.starts_with('#')) {
        assert_eq!(mate(&mut solver, &position(line), &SHORTEST).plies, 1, "{line}");
    }
    for line in include_str!("../fixtures/nshogi_no_mate_1_ply.txt").lines().filter(|line| !line.starts_with('#')) {
        let question = MateQuestion { nodes: Some(500), ..SHORTEST };
        if let MateResult::Mate(found) = solve(&mut solver, &position(line), &question) {
            assert!(found.plies > 1, "{line}");
            assert_mates(&position(line), &found.line);
        }
    }
}

/// Smoke mate (煙詰), No. 99 of 将棋図巧 by Itō Kanju (1755): 117 plies, all but three of 39 pieces
/// vanish. Uses the smallest memory.
#[test]
fn full_table_is_garbage_collected() {
    let classic = position("k1+P4n1/2L+P2sL1/r4+P+P1P/+BpP+Pl1+Rg1/NP1S+PP+p1g/2L+p1g+P1+P/Ps1G1+P1N1/1sN1P4/B8 b - 1");
    let mut small = MateSolver::new(1).expect("1 MB");
    let question = MateQuestion { nodes: Some(300_000), plies: None, shortest: false, as_problem: true };
    let mut fills = Vec::new();
    let (result, nodes) = small.solve(&classic, &question, &mut |progress| {
        fills.push(progress.fill);
        true
    });
    assert!(result == MateResult::Unknown && nodes >= 300_000);
    assert!(fills.windows(2).any(|two| two[1] + 200 < two[0]) && fills.iter().all(|&fill| fill < 800));
}

#[test]
fn disproofs() {
    let mut solver = solver();
    for (sfen, why) in [
        ("4k4/9/9/9/9/9/9/9/9 b P 1", "no check"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "no check"),
        ("7lk/9/7G1/9/9/9/9/9/9 b P2r2b3g4s4n3l17p 1", "the pawn may not mate"),
        ("4k4/9/9/9/9/9/9/9/4K4 b R 1", "no other piece helps"),
    ] {
        assert_eq!(solve(&mut solver, &position(sfen), &SHORTEST), MateResult::NoMate, "{sfen}: {why}");
    }
}

/// With and without the table.
#[test]
fn results_are_independent_of_solver_state() {
    let mut used = solver();
    let mut asked = 0;
    random_games(20, 50, 300, |position, _| {
        let question = MateQuestion { nodes: Some(3_000), ..SHORTEST };
        if position.ply().is_multiple_of(7) {
            let mut fresh = MateSolver::new(1).expect("1 MB");
            assert_eq!(
                solve(&mut used, position, &question),
                solve(&mut fresh, position, &question),
                "{}",
                position.sfen()
            );
            asked += 1;
        }
    });
    assert!(asked > 100);
}

#[test]
fn useless_interpositions() {
    let mut solver = solver();
    for (sfen, by_the_rules, as_problem) in [
        // A distant lance check: four interposing drops by the rules; mate in one as a problem.
        ("8k/6S2/9/8B/8L/9/9/9/9 b P2rb4g3s4n3l17p 1", 3, 1),
        ("6R2/7S1/8S/8k/6B2/9/9/9/9 b rb4g2s4n4l18p 1", 5, 3),
        ("7k1/9/7B1/9/7R1/9/9/9/9 b Grb3g4s4n4l18p 1", 5, 3),
        // The interposition draws the rook near, where it can be captured: not useless.
        ("4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1", 1, 1),
    ] {
        let problem = position(sfen);
        assert_eq!(mate(&mut solver, &problem, &SHORTEST).plies, by_the_rules, "{sfen}");
        let question = MateQuestion { as_problem: true, ..SHORTEST };
        let found = mate(&mut solver, &problem, &question);
        assert_eq!(found.plies, as_problem, "{sfen}");
        assert!(found.line.len() as u32 >= found.plies && found.shortest);
    }
}

/// A rook or bishop must not promote, otherwise the required pawn drop would mate.
#[test]
fn non_promotions() {
    let mut solver = solver();
    for (sfen, plies) in [
        ("8B/6n1k/5SRl1/6g2/6s1G/9/9/9/9 b PN 1", 5),
        ("5B1n1/8k/5R3/7Ss/5G3/9/9/9/9 b P 1", 5),
        ("8k/7g1/6R2/6BS1/6nls/9/9/9/9 b P 1", 5),
        ("5k2G/9/7R1/5B3/9/9/9/9/9 b P 1", 7),
        ("8k/7R1/5g2s/5B1S1/9/9/9/9/9 b P 1", 7),
    ] {
        let problem = position(sfen);
        let found = mate(&mut solver, &problem, &SHORTEST);
        assert_eq!(found.plies, plies, "{sfen}");
        let first = found.line[0];
        let promotion = first.from().and_then(|from| Move::board(from, first.to(), true)).expect("a move on the board");
        assert!(!first.is_promotion() && problem.is_legal(promotion), "{sfen} {first}");
    }
}

#[test]
fn limits_end_the_search() {
    let mut solver = solver();
    let hard = position("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1");
    let question = MateQuestion { nodes: Some(1), ..SHORTEST };
    assert_eq!(solve(&mut solver, &hard, &question), MateResult::Unknown);
    let mut asked = 0;
    let stopped = solver.solve(&hard, &MateQuestion { nodes: None, ..SHORTEST }, &mut |_| {
        asked += 1;
        asked < 3
    });
    assert!(stopped.1 < 10_000);
    // No mate within three plies; longer ones are unknown.
    let in_five = position("8B/6n1k/5SRl1/6g2/6s1G/9/9/9/9 b PN 1");
    for (plies, found) in [(0, None), (3, None), (4, None), (5, Some(5)), (400, Some(5))] {
        let result = solve(&mut solver, &in_five, &MateQuestion { plies: Some(plies), ..SHORTEST });
        assert_eq!(if let MateResult::Mate(mate) = &result { Some(mate.plies) } else { None }, found, "{result:?}");
    }
}

/// Counting differently finds the same mates, and none longer.
#[test]
fn problem_counting_finds_the_same_mates() {
    let mut solver = solver();
    let (mut mates, mut shorter) = (0, 0);
    random_games(81, 12, 400, |position, _| {
        let by_the_rules = solve(&mut solver, position, &MateQuestion { nodes: Some(2_000), ..SHORTEST });
        let MateResult::Mate(found) = by_the_rules else { return };
        let problem = mate(&mut solver, position, &MateQuestion { nodes: None, as_problem: true, ..SHORTEST });
        assert!(problem.plies <= found.plies || !found.shortest, "{}", position.sfen());
        assert!(problem.line.len() as u32 >= problem.plies);
        mates += 1;
        shorter += u32::from(problem.plies < found.plies);
    });
    assert!(mates > 20 && shorter > 0, "{mates} {shorter}");
}
