//! Entering kings.

use sabi_test_support::{position, rows};
use sabi_shogi::{Color, Declaration, DeclarationProgress, EnteringKingRule};
use std::collections::BTreeMap;

const POSITIONS: &str = include_str!("../../../../tests/fixtures/declaration.tsv");

fn rule(name: &str) -> EnteringKingRule {
    match name {
        "CSARule24" => EnteringKingRule::Points24,
        "CSARule24H" => EnteringKingRule::Points24Handicap,
        "CSARule27" => EnteringKingRule::Points27,
        "CSARule27H" => EnteringKingRule::Points27Handicap,
        "TryRule" => EnteringKingRule::Try,
        other => panic!("{other}"),
    }
}

#[test]
fn declaration_rules() {
    let mut results = BTreeMap::new();
    for row in rows(POSITIONS) {
        let rule = rule(row[1]);
        let position = position(row[0]);
        let result = match position.declaration(rule) {
            None => "no".to_owned(),
            Some(Declaration::Points) => "win".to_owned(),
            Some(Declaration::Try(mv)) => mv.to_string(),
        };
        assert_eq!(result, row[2], "{} {}", row[0], row[1]);
        assert_eq!(position.declaration(EnteringKingRule::None), None);
        *results.entry((row[1], row[2] == "no")).or_insert(0) += 1;
    }
    assert_eq!(results.len(), 10, "every rule is seen to win and not to: {results:?}");
}

#[test]
fn declaration_points() {
    let mut counted = 0;
    for row in rows(POSITIONS) {
        let (position, rule) = (position(row[0]), rule(row[1]));
        let side = position.side_to_move();
        let Some(progress) = position.declaration_progress(side, rule) else {
            assert_eq!(rule, EnteringKingRule::Try, "all others count points");
            continue;
        };
        if rule == EnteringKingRule::Points24 {
            assert_eq!(progress.points_needed, 31);
        }
        let Some(note) = row[3].strip_prefix("camp ") else { continue };
        counted += 1;
        let words: Vec<&str> = note.split(' ').collect();
        let numbers = (progress.pieces_in_camp.to_string(), progress.points.to_string());
        assert_eq!((numbers.0.as_str(), numbers.1.as_str()), (words[0], words[2]), "{} {}", row[0], row[1]);
        assert_eq!(progress.king_in_camp, !note.contains("king outside"), "{}", row[0]);
        assert_eq!(progress.is_enough() && !note.contains("in check"), row[2] == "win", "{} {}", row[0], row[1]);
        let missing = (progress.pieces_missing(), progress.points_missing());
        assert_eq!(progress.is_enough(), progress.king_in_camp && missing == (0, 0));
    }
    assert!(counted > 100);
}

#[test]
fn declaration_points_of_both_sides() {
    let start = position("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    let progress = |color| start.declaration_progress(color, EnteringKingRule::Points27);
    let none = DeclarationProgress { points: 0, points_needed: 28, pieces_in_camp: 0, king_in_camp: false };
    assert_eq!(progress(Color::Black), Some(none));
    assert_eq!(progress(Color::White), Some(DeclarationProgress { points_needed: 27, ..none }));
    assert_eq!(start.declaration_progress(Color::Black, EnteringKingRule::None), None);
    // Rook handicap: its points count for White.
    let given = position("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    let points = [EnteringKingRule::Points27, EnteringKingRule::Points27Handicap]
        .map(|rule| given.declaration_progress(Color::White, rule).map(|progress| progress.points));
    assert_eq!(points, [Some(0), Some(5)]);
}

#[test]
fn king_near_camp() {
    for (rank, near) in [(0, true), (2, true), (3, true), (4, false), (8, false)] {
        let mut ranks = ["9"; 9];
        ranks[rank] = "4K4";
        let position = position(&format!("{} b - 1", ranks.join("/")));
        assert_eq!(position.king_nears_camp(Color::Black), near, "rank {rank}");
        assert!(!position.king_nears_camp(Color::White), "there is none");
    }
}
