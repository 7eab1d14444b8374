//! Repetition by the rules, and in search.

use sabi_test_support::{position, rows};
use sabi_shogi::{Position, Repetition};

const GAMES: &str = include_str!("../../../../tests/fixtures/repetition.tsv");

/// Position from the arguments of `position`.
fn after(arguments: &str) -> Position {
    let (start, moves) = arguments.split_once(" moves ").unwrap_or((arguments, ""));
    let start = start.strip_prefix("sfen ").map_or_else(Position::startpos, position);
    start.with_moves(moves.split_ascii_whitespace()).unwrap_or_else(|error| panic!("{arguments}: {error}"))
}

#[test]
fn fourfold_repetition() {
    let mut results = std::collections::BTreeMap::new();
    for row in rows(GAMES) {
        let result = match after(row[0]).repetition() {
            None => "none",
            Some(Repetition::Draw) => "draw",
            Some(Repetition::Win) => "win",
            Some(Repetition::Loss) => "lose",
            Some(other) => panic!("{other:?} is no result of the rules"),
        };
        assert_eq!(result, row[1], "{}", row[0]);
        *results.entry(row[1]).or_insert(0) += 1;
    }
    assert!(results.len() == 4, "{results:?}");
}

#[test]
fn search_sees_first_repetition() {
    let shuffled = after("startpos moves 2h3h 8b7b 3h2h 7b8b");
    assert_eq!(shuffled.repetition(), None);
    assert_eq!(shuffled.repetition_in_search(5), Some(Repetition::Draw));
    assert_eq!(after("startpos moves 2h3h 8b7b 3h2h").repetition_in_search(5), None);
}

#[test]
fn repetition_across_the_root() {
    let shuffle = ["2h3h", "8b7b", "3h2h", "7b8b"].join(" ");
    let returned = |times: usize| after(&format!("startpos moves {}", vec![shuffle.as_str(); times].join(" ")));
    for ply in 0..=4 {
        assert_eq!(returned(1).repetition_in_search(ply), None);
        assert_eq!(returned(2).repetition_in_search(ply), None);
        assert_eq!(returned(3).repetition_in_search(ply), Some(Repetition::Draw));
    }
    assert_eq!(returned(2).repetition_in_search(5), Some(Repetition::Draw));
}

#[test]
fn superior_and_inferior_repetition() {
    // Black drops a pawn that White captures; then the position returns, Black to move, a pawn
    // down.
    let lost = after("sfen 4k4/9/9/9/9/9/9/4r4/K8 b P 1 moves P*5g 5h5g 9i8i 5g5h 8i9i 5a4a 9i8i 4a4b 8i9i 4b5a");
    assert_eq!(lost.repetition_in_search(usize::MAX), Some(Repetition::Inferior));
    assert_eq!(lost.repetition(), None);
    // The same with White to move, a pawn up.
    let won = after("sfen 4k4/9/4r4/9/9/9/9/9/K8 w P 1 moves 5a4a P*5d 5c5d 9i8i 5d5c 8i8h 4a5a 8h9i");
    assert_eq!(won.repetition_in_search(usize::MAX), Some(Repetition::Superior));
    assert_eq!(won.repetition(), None);
}
