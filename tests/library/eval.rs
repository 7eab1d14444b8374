//! Evaluation: symmetry, incremental updates, linearity in the weights.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use sabi::eval::{Evaluation, Evaluator, Group, MAX_PHASE, MAX_VALUE, Trace, Weight, Weights, evaluate};
use sabi_shogi::{Color, Position, legal_moves};
use sabi_test_support::random_games;

/// Random weights, so that missing features show.
fn random_weights(seed: u64) -> Weights {
    let mut random = StdRng::seed_from_u64(seed);
    let mut weights = Weights::zero();
    for index in 0..Weights::COUNT {
        *weights.get_mut(index).unwrap() = Weight::new(random.random_range(-300..300), random.random_range(-300..300));
    }
    weights
}

/// Positions without a king, as in mate problems, and full hands.
const ODD_POSITIONS: [&str; 5] = [
    "7nl/7k1/6p1p/9/9/9/9/9/9 b 2GSr2b2g3s3n3l16p 1",
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
    "4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1",
    "k8/9/9/9/9/9/9/9/8K b RB2G2S2N2L9Prb2g2s2n2l9p 1",
];

/// Visits the odd positions and those of random games.
fn each_position(seed: u64, games: usize, plies: usize, mut visit: impl FnMut(&Position)) {
    ODD_POSITIONS.iter().for_each(|sfen| visit(&Position::from_sfen(sfen).unwrap()));
    random_games(seed, games, plies, |position, _| visit(position));
}

#[test]
fn start_position_is_worth_the_tempo() {
    let weights = Weights::embedded();
    let trace = Trace::new(&Position::startpos(), weights);
    let tempo = weights.get(Weights::index_of("tempo.0.0").unwrap()).unwrap();
    assert_eq!(trace.value, i32::from(tempo.mg));
    assert_eq!(trace.features.len(), 1);
}

#[test]
fn evaluation_is_symmetric() {
    for weights in [Weights::untuned(), random_weights(1)] {
        let check = |position: &Position| {
            let turned = position.rotated();
            assert_eq!(evaluate(position, &weights), evaluate(&turned, &weights), "{position}");
        };
        each_position(2, 40, 150, check);
    }
}

#[test]
fn incremental_equals_refresh() {
    for weights in [Weights::untuned(), random_weights(3)] {
        let mut random = StdRng::seed_from_u64(4);
        let evaluation = Evaluation::from(weights.clone());
        let mut evaluator = Evaluator::new(&evaluation);
        for game in 0..60 {
            let mut position = match ODD_POSITIONS.get(game) {
                Some(sfen) => Position::from_sfen(sfen).unwrap(),
                None => Position::startpos(),
            };
            evaluator.reset(&position);
            let mut nulls = Vec::new();
            for _ in 0..250 {
                // Undo, passes and skipped queries leave caches stale for a while.
                match random.random_range(0..10) {
                    0..3 if !nulls.is_empty() => {
                        if nulls.pop() == Some(true) {
                            position.undo_null();
                        } else {
                            position.undo();
                        }
                        evaluator.pop();
                    }
                    3 if !position.in_check() => {
                        evaluator.push();
                        position.play_null();
                        nulls.push(true);
                    }
                    _ => {
                        let moves = legal_moves(&position);
                        let Some(&mv) = moves.choose(&mut random) else { break };
                        evaluator.push();
                        position.play_observed(mv, &mut evaluator);
                        nulls.push(false);
                    }
                }
                if random.random_range(0..3) > 0 {
                    assert_eq!(evaluator.evaluate(&position), evaluate(&position, &weights), "{position}");
                }
            }
        }
    }
}

#[test]
fn evaluation_is_linear_in_features() {
    let mut extreme = Weights::zero();
    for index in 0..Weights::COUNT {
        *extreme.get_mut(index).unwrap() = Weight::new(i16::MAX, i16::MIN);
    }
    for weights in [Weights::untuned(), random_weights(5), extreme] {
        let check = |position: &Position| {
            let trace = Trace::new(position, &weights);
            assert_eq!(trace.value, evaluate(position, &weights), "{position}");
            let (mut middle, mut end) = (0, 0);
            for feature in &trace.features {
                let weight = weights.get(feature.index.into()).unwrap();
                assert_ne!(feature.count, 0);
                middle += i32::from(feature.count) * i32::from(weight.mg);
                end += i32::from(feature.count) * i32::from(weight.eg);
            }
            assert!(trace.features.is_sorted_by(|a, b| a.index < b.index));
            let value = (middle * (MAX_PHASE - trace.phase) + end * trace.phase) / MAX_PHASE;
            assert_eq!(trace.value, position.side_to_move().sign() * value.clamp(-MAX_VALUE, MAX_VALUE), "{position}");
            let groups = Group::ALL.map(|group| trace.group(group, Color::Black) - trace.group(group, Color::White));
            assert_eq!(groups.iter().map(|pair| pair.mg).sum::<i32>(), middle);
            assert_eq!(groups.iter().map(|pair| pair.eg).sum::<i32>(), end);
        };
        each_position(6, 10, 200, check);
    }
}

#[test]
fn advantages_have_the_right_sign() {
    let weights = Weights::embedded();
    for (better, worse) in [
        // A rook up.
        (
            "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        ),
        // A king in its castle.
        (
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B3RSK1/LNSG1G1NL b - 1",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/4K4/PPPPPPPPP/1B3RS2/LNSG1G1NL b - 1",
        ),
        // A hanging piece, with and without the move.
        ("4k4/9/9/9/4s4/4P4/9/9/4K4 b - 1", "4k4/9/9/9/4s4/4P4/9/9/4K4 w - 1"),
    ] {
        let value = |sfen| {
            let position = Position::from_sfen(sfen).unwrap();
            position.side_to_move().sign() * evaluate(&position, weights)
        };
        assert!(value(better) > value(worse), "{better} {} {worse} {}", value(better), value(worse));
    }
}

#[test]
fn trace_is_a_table() {
    let position = Position::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B2GRSK1/LNS2G1NL b - 1");
    let text = Trace::new(&position.unwrap(), Weights::embedded()).to_string();
    for group in Group::ALL {
        assert!(text.contains(&group.to_string()), "{text}");
    }
    let table: Vec<_> = text.lines().take(Group::COUNT + 3).collect();
    assert!(table.iter().all(|line| line.chars().count() == table[0].chars().count()), "{text}");
}
