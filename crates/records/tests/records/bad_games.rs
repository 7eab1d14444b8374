//! Summary of bad games.

use sabi_records::{BadGames, read_bytes};

#[test]
fn bad_games_are_counted_by_cause() {
    let mut bad = BadGames::default();
    let list = "7g7f\n7g7e\n2g2f\n9g9e\nwords\n1g1e\n3g3e\n";
    let games = read_bytes("a.usi", list.into());
    let good = games.filter_map(|game| game.inspect_err(|error| bad.note(error)).ok()).count();
    assert_eq!((good, bad.total()), (2, 5));
    assert_eq!(
        bad.to_string(),
        "5 games could not be read\n  4 illegal moves\n    \
         a.usi:2: move 1 '7g7e' is illegal: the piece does not move like that\n    \
         a.usi:4: move 1 '9g9e' is illegal: the piece does not move like that\n    \
         a.usi:6: move 1 '1g1e' is illegal: the piece does not move like that\n    …\n  1 invalid moves\n    \
         a.usi:5: 'words' is not a statement of this format"
    );
}
