//! Real files of `tests/fixtures/records`; `expected.tsv` holds what other libraries read in them.

use super::samples::end;
use sabi_records::{Game, read_file, read_tree};
use std::path::PathBuf;

const EXPECTED: &str = include_str!("../../../../tests/fixtures/records/expected.tsv");

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/records")
}

fn games(name: &str) -> Vec<Game> {
    read_file(root().join(name)).map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

#[test]
fn fixtures_match_reference() {
    let rows: Vec<Vec<&str>> =
        EXPECTED.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    let read: Vec<Game> = read_tree(root()).map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect();
    assert_eq!(rows.len(), read.len());
    assert!(rows.len() >= 8, "the table was not found");
    for (row, game) in rows.iter().zip(&read) {
        assert_eq!((row[1], row[2]), end(game), "{}", row[0]);
        assert_eq!(row[3], game.usi(), "{}", row[0]);
        assert_eq!(game.times.len(), game.moves.len(), "{}", row[0]);
    }
}

#[test]
fn floodgate_headers() {
    let game = &games("rinsai/floodgate.csa")[0];
    assert_eq!(
        game.headers.names.each_ref().map(Option::as_deref),
        [Some("C2AC562E-YO-NNUE-NOBOOK-20260510"), Some("jhbr2")]
    );
    assert_eq!(game.headers.ratings, [Some(3108.0), Some(3270.0)]);
    assert_eq!(game.headers.date.as_deref(), Some("2026/06/01 02:30:00"));
    assert!(game.headers.event.as_deref().is_some_and(|event| event.starts_with("wdoor+floodgate-300-10F")));
    assert_eq!(game.times[0].map(|time| time.as_secs()), Some(39));
}

#[test]
fn handicap_game() {
    let game = &games("shogi_kifu_converter/piyo-shogi_KY.kif")[0];
    assert_eq!(game.start.sfen(), "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    assert_eq!(game.headers.ratings, [Some(990.0), Some(1050.0)]);
}
