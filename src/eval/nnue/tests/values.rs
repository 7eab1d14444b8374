//! Reference values of another engine for seeded networks.

use super::*;
use sabi_shogi::split_mix;

/// A network of SplitMix64 numbers from state 1, in file order, feature transformer first.
fn seeded(shape: Shape) -> Parameters {
    let ranges = [60, 20, 40_000, 16_000, 3000, 127].map(|limit: i32| -limit..=limit);
    let mut number = 0;
    drawn(shape, &ranges, |range| {
        number += 1;
        let count = (range.end() - range.start() + 1) as u64;
        range.start() + ((split_mix(1, number) >> 8) % count) as i32
    })
}

/// Positions with reference values.
const VALUED: [&str; 5] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "ln3g2l/1ks1g4/pppp1s1p1/4p3p/9/2P1P1P1P/PP1PSP3/2G2S3/LNK2G1RL b BPrbn2p 1",
    "+B2k3+S1/5L2P/p2gn4/2p1p3G/sp1pPPNpp/PPr1Lp+r1L/N2P4N/L4+b3/4KG1g1 b Ss4p 155",
    HANDICAP,
];

/// Values of YaneuraOu 9.70 (`e` with `FV_SCALE` 16), built for each of these architectures, for
/// the file of the same network.
#[test]
fn values_match_yaneuraou() {
    let classic = |features, width, hidden| Shape { features, width, hidden, ..Shape::KP };
    let sfnn = |rest, width: usize, stacks: usize| {
        told(&format!("Features=K+A2[1791->{width}x2],Network=SFNN_KA2_{width}_{rest}{{LayerStack={stacks}}}"))
    };
    for (shape, values) in [
        (classic(Features::HalfKp, 32, [8, 96]), [-2057, 1137, -835, 2664, -2057]),
        (classic(Features::HalfKpVm, 32, [8, 32]), [-1337, -1134, -2413, -803, -1337]),
        (classic(Features::HalfKpe9, 32, [8, 32]), [-181, -2874, 275, 420, -1545]),
        (classic(Features::HalfKa1, 32, [8, 32]), [-4249, -4874, -5385, -4813, -5365]),
        (classic(Features::HalfKaHm1, 32, [16, 32]), [-2098, -2789, -2394, -1797, -2406]),
        (classic(Features::HalfKa2, 32, [32, 32]), [1301, 1946, 3681, 3457, 1955]),
        (classic(Features::HalfKaHm2, 32, [8, 32]), [747, -1744, 1069, 179, 394]),
        (classic(Features::Kp, 256, [32, 32]), [1443, 1691, 2828, 1387, 506]),
        (sfnn("7_32_HAND64_K3K3", 128, 576), [4209, -185, 2007, 872, 2710]),
        (sfnn("8_32_HAND16_K13K13Z_PROGRESS3", 128, 8112), [-2867, -287, -2610, -3626, -1621]),
        (sfnn("7_64_C512_S64X8_K3K3", 1024, 9), [670, 3147, -2298, 3896, 2016]),
    ] {
        let network = Network::new(&seeded(shape)).unwrap();
        let found = VALUED.map(|sfen| network.output(&Position::from_sfen(sfen).unwrap()) / 16);
        assert_eq!(found, values, "{shape}");
    }
}
