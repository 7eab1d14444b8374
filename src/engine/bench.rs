//! `bench`: searches fixed positions to a fixed depth. Its node count is the signature of the
//! search, its time the speed.

use super::{BenchResult, Options, UnusableEvaluation};
use crate::search::{Limits, OutOfMemory, Searcher, Signals, Statistics};
use sabi_shogi::Position;
use std::time::Instant;

/// The bench positions. Any change changes the signature.
///
/// Openings and middlegames are from the MIT-licensed sets of sugyan/rinsai (games of floodgate),
/// the crowded one from sugyan/shunsai (MIT), the mate problem from tokuhirom/tanuki-tsume-shogi
/// (MIT); the rest was made for this list.
pub const POSITIONS: [&str; 20] = [
    // Start positions: even game and handicap.
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    // Openings.
    "ln1g2snl/1rs1k1gb1/p2ppp1pp/2p3p2/9/PpP2P3/1P1PP1P1P/1BG3SR1/LNS1KG1NL b P 21",
    "ln1gk2nl/1rs3gs1/2pppp1p1/p5pPp/1p7/P1P5P/1PSPPPP2/2G4R1/LN2KGSNL w Bb 20",
    "ln1gk2nl/1r4gs1/p2sppbp1/3p2p1p/2p4P1/4PPP2/PPPPSSN1P/1BG2G1R1/LN2K3L b p 31",
    "l4g1nl/1r2gks2/p1n1pp1p1/2pps1p1p/1p5P1/P1P2PP2/1P+bPPS2P/2GSG2R1/LN1K3NL b b 31",
    // Middlegames.
    "lnsg2s1l/1p1k2g2/2pp2npp/rP4p2/3B1p3/p6R1/2NPPPP1P/2G1K1S2/L1S2G1NL w 2Pb2p 46",
    "lr5nl/3kg1g2/2nsppsp1/p1ppb1p1p/5P1P1/P1P1P1P1P/1P1PGSN2/2GSK4/LN5RL w Bp 46",
    "lr4knl/3g2g2/2nsp1sp1/p1pp1pp2/1p3P1Pp/P1PPS1P2/1PG1PGN1P/1KS2R3/LN6L w Bb 46",
    "1n3k1nl/3r1sgb1/4pp1pp/2g1s1p2/lP7/P1Gp5/B1S1PPPPP/2K1G1SR1/LN5NL w 2P3p 46",
    "ln1g4l/1p2ksg2/1sppppnpp/p8/4P4/P7P/1RNP1PPB1/2G1KG1SL/+r8 b BS2Pnl2p 61",
    "l4g1nl/4gk3/p1B1p1sp1/2ppspp1p/2+bn3P1/P1P1PPR2/3Pg3P/1PGSK4/LN5NL b RS2p 61",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    // Late middlegames and endgames.
    "lr4knl/3g2g2/2nsp2p1/p1pp2S2/1pP3sPp/P2PB4/1PS1P+pN1P/1K2G4/LN6L w BG2Prp 66",
    "3k1r2l/4g2P1/1+P1spgs2/1Bppb3p/3n1P1p1/1P2P1P1P/N1SP1S3/2G1K2R1/+l7L b N2Pgnl3p 91",
    "ln6l/1pkg5/2pp1Ns1p/p1s1p2p1/4+r4/P2P1LP1P/2N2PKS1/2G2G2L/2P2G3 b RSN2P2b3p 111",
    "1p5kl/2g2+B1g1/2np1+B1pp/1Pp3Ps1/7n1/r4P2P/+p1NPPp3/2G3SK1/+p1S2G1NL w LPrsl3p 124",
    // An entering king, a bare king, and a mate problem without the attacker's king.
    "+N1+P1K1+L2/2+P1+S4/+B1+P+P5/9/9/9/4p1pp1/2g1k1+r2/3g2+s2 b R2G2S2N9Pbn3l 201",
    "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "6SR1/6P1B/6GG1/8k/8B/8N/9/9/9 b r2g3s3n4l17p 1",
];

/// Depth of the signature.
pub const DEPTH: u32 = 13;
/// Hash size of the signature, in MB.
pub const HASH_MB: usize = 64;

/// Why the bench cannot run.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Out of memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// The evaluation cannot be loaded.
    #[error(transparent)]
    Evaluation(#[from] UnusableEvaluation),
}

/// Searches every position to `depth`, starting with empty tables; calls `each` after every
/// position and returns the total, with table statistics if the options enable them. With one
/// thread the node count is reproducible. `signals` may stop it; the total is then partial.
///
/// # Errors
/// When out of memory, or the evaluation cannot be loaded.
pub fn bench(
    depth: u32,
    options: &Options,
    signals: &Signals,
    each: &mut dyn FnMut(&str, BenchResult),
) -> Result<(BenchResult, Option<Statistics>), BenchError> {
    let mut searcher = Searcher::with_evaluation(&options.resources, options.eval.evaluation()?)?;
    let mut total = BenchResult::default();
    let mut statistics: Option<Statistics> = None;
    for sfen in POSITIONS {
        if signals.is_stopped() {
            break;
        }
        // A test checks the list.
        let Ok(position) = Position::from_sfen(sfen) else { continue };
        let start = Instant::now();
        let limits = options.limit(Limits { depth: Some(depth), ..Limits::unlimited(start) });
        let outcome = searcher.search(&position, &limits, &options.search, signals, &mut |_| {});
        let result = BenchResult { nodes: outcome.nodes, time: start.elapsed() };
        each(sfen, result);
        total = BenchResult { nodes: total.nodes + result.nodes, time: total.time + result.time };
        match (&mut statistics, outcome.statistics) {
            (Some(sum), Some(later)) => sum.add(&later),
            (sum, later) => *sum = later.map(|later| *later),
        }
    }
    Ok((total, statistics))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Resources, Settings};
    use sabi_shogi::has_legal_move;

    #[test]
    fn bench_positions_are_valid() {
        let positions =
            POSITIONS.map(|sfen| Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}")));
        assert!(positions.iter().all(has_legal_move));
        assert!(positions.iter().filter(|position| position.in_check()).count() >= 2);
        for (position, sfen) in positions.iter().zip(POSITIONS) {
            assert_eq!(position.sfen(), sfen);
            assert_eq!(position.declaration(Settings::default().entering_king), None, "{sfen}");
        }
    }

    #[test]
    fn bench_is_deterministic() {
        let run = || {
            let mut nodes = Vec::new();
            let options = Options { resources: Resources::new(1, 1), ..Options::default() };
            let (total, statistics) =
                bench(3, &options, &Signals::default(), &mut |_, result| nodes.push(result.nodes)).unwrap();
            assert_eq!(statistics, None);
            assert_eq!(nodes.iter().sum::<u64>(), total.nodes);
            nodes
        };
        assert_eq!(run(), run());
    }
}
