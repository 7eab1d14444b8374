//! Entering kings.

use crate::fixtures::{position, rows};
use sabi::position::{Declaration, EnteringKingRule};
use std::collections::BTreeMap;

const POSITIONS: &str = include_str!("../fixtures/declaration.tsv");

#[test]
fn declarations_are_judged_as_by_the_rules() {
    let mut verdicts = BTreeMap::new();
    for row in rows(POSITIONS) {
        let rule = match row[1] {
            "CSARule24" => EnteringKingRule::Points24,
            "CSARule24H" => EnteringKingRule::Points24Handicap,
            "CSARule27" => EnteringKingRule::Points27,
            "CSARule27H" => EnteringKingRule::Points27Handicap,
            "TryRule" => EnteringKingRule::Try,
            other => panic!("{other}"),
        };
        let position = position(row[0]);
        let verdict = match position.declaration(rule) {
            None => "no".to_owned(),
            Some(Declaration::Points) => "win".to_owned(),
            Some(Declaration::Try(mv)) => mv.to_string(),
        };
        assert_eq!(verdict, row[2], "{} {}", row[0], row[1]);
        assert_eq!(position.declaration(EnteringKingRule::None), None);
        *verdicts.entry((row[1], row[2] == "no")).or_insert(0) += 1;
    }
    assert_eq!(verdicts.len(), 10, "every rule is seen to win and not to: {verdicts:?}");
}
