//! What a run through many games tells at its end.

use sabi::record::{Summary, read_bytes};

#[test]
fn a_summary_counts_what_was_kept_left_out_and_bad() {
    let mut summary = Summary::default();
    assert_eq!(summary.to_string(), "0 games read, 0 kept");
    let list = "7g7f\n7g7e\n2g2f\n9g9e\nwords\n1g1e\n3g3e\n";
    for game in read_bytes("a.usi", list.into()) {
        match game {
            Ok(game) if game.usi().ends_with("2g2f") => summary.leave_out("by rating"),
            Ok(_) => summary.keep(),
            Err(error) => summary.note(&error),
        }
    }
    assert_eq!((summary.read(), summary.kept(), summary.bad().total()), (2, 1, 5));
    assert_eq!(
        summary.to_string(),
        "2 games read, 1 kept\n1 left out by rating\n5 games could not be read\n  4 illegal moves\n    \
         a.usi:2: move 1 '7g7e' is illegal: the piece does not move like that\n    \
         a.usi:4: move 1 '9g9e' is illegal: the piece does not move like that\n    \
         a.usi:6: move 1 '1g1e' is illegal: the piece does not move like that\n    …\n  1 moves that make no sense\n    \
         a.usi:5: 'words' is not a statement of this format"
    );
}
