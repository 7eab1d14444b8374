//! The network that comes with the engine.

use sabi::eval::nnue::Network;
use sabi::position::Position;

#[test]
fn it_knows_what_pieces_are_worth() {
    let network = Network::embedded().expect("a network");
    let value = |sfen: &str| network.evaluate(&Position::from_sfen(sfen).unwrap());
    let start = value("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    assert!(start.abs() < 150, "an even game is worth {start}");
    // What is missing of White is good for Black, and the more so the greater it is.
    let without_lance = value("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    let without_bishop = value("lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    let without_both = value("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    assert!(start < without_lance && without_lance < without_bishop && without_bishop < without_both);
    // A rook in hand is worth more than one that has left the game.
    let with_rook = value("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1");
    assert!(with_rook > start + 500, "a rook more is worth {with_rook} after {start}");
}
