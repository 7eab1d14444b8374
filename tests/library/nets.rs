//! The embedded network.

use sabi::eval::nnue::Network;
use sabi_shogi::Position;

#[test]
fn network_orders_piece_values() {
    let network = Network::embedded().expect("a network");
    let value = |sfen: &str| network.evaluate(&Position::from_sfen(sfen).unwrap());
    let start = value("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    assert!(start.abs() < 150, "an even game is worth {start}");
    // Removing White's pieces is good for Black, in the order of piece values.
    let without_lance = value("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    let without_bishop = value("lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    let without_both = value("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    assert!(start < without_lance && without_lance < without_bishop && without_bishop < without_both);
    // A rook in hand is better than no rook.
    let with_rook = value("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1");
    assert!(with_rook > start + 500, "a rook more is worth {with_rook} after {start}");
}

/// Overflowing sums wrap around, in every build.
#[test]
fn extreme_weights_never_panic() {
    let mut bytes = include_bytes!("../../nets/kp.bin").to_vec();
    let head = 12 + u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize;
    for pair in bytes[head..].chunks_mut(2) {
        pair.copy_from_slice(&i16::MAX.to_le_bytes()[..pair.len()]);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("nn.bin");
    std::fs::write(&path, bytes).expect("a file");
    let network = Network::read(&path).expect("a network");
    let position = Position::startpos();
    assert_eq!(network.evaluate(&position), network.evaluate(&position));
}
