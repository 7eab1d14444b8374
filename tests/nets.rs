//! The network that is shipped beside the engine.

use sabi::eval::nnue::{Network, Parameters, Shape};
use sabi::position::Position;
use std::path::Path;

fn shipped() -> Parameters {
    Parameters::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/kp.bin")).expect("a network")
}

#[test]
fn it_has_its_shape_and_is_written_as_it_is_read() {
    let parameters = shipped();
    assert_eq!(parameters.shape, Shape::KP);
    let mut bytes = Vec::new();
    parameters.write(&mut bytes).unwrap();
    let file = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/kp.bin")).unwrap();
    assert!(bytes == file, "nets/kp.bin was written by something else");
}

#[test]
fn it_knows_what_pieces_are_worth() {
    let network = Network::new(&shipped()).unwrap();
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
