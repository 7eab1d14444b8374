//! Legal moves against the crate `shogi_legality_lite` in random games.

use sabi_test_support::random_games;
use sabi_shogi::legal_moves;
use shogi_core::{PartialPosition, ToUsi};
use shogi_usi_parser::FromUsi;

#[test]
fn legal_moves_agree_with_reference_in_random_games() {
    random_games(50, 30, 300, |position, _| {
        let command = format!("sfen {}", position.sfen());
        let other = PartialPosition::from_usi(&command).unwrap_or_else(|error| panic!("{command}: {error:?}"));
        let mut expected: Vec<String> =
            shogi_legality_lite::all_legal_moves_partial(&other).into_iter().map(|mv| mv.to_usi_owned()).collect();
        let mut actual: Vec<String> = legal_moves(position).iter().map(ToString::to_string).collect();
        expected.sort();
        actual.sort();
        assert_eq!(actual, expected, "{command}");
    });
}
