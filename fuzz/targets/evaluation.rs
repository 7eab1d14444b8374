//! Evaluation: networks and weights.

use super::accepted;
use sabi::eval::nnue::{
    AccumulatorStack, Buckets, Dense, Features, Kernel, Network, Parameters, Progress, Sfnn, Shape,
};
use sabi::eval::{Weights, evaluate};
use sabi_shogi::{Position, legal_moves};

/// Maximum moves of a line.
const MAX_LINE: usize = 40;

/// As a file, the input is rejected or is a network. Repeated as parameters, it fills a network
/// whose shape is chosen by the first byte: all kernels agree, and incremental updates equal a
/// refresh.
pub fn network(bytes: &[u8]) {
    if let Some(parameters) = accepted(Parameters::from_bytes(bytes)) {
        check_network(&parameters, bytes);
    }
    let Some((&choice, numbers)) = bytes.split_first().filter(|(_, numbers)| !numbers.is_empty()) else { return };
    let parameters = filled(shape(choice), numbers);
    let mut file = Vec::new();
    parameters.write(&mut file).expect("memory");
    assert!(Parameters::from_bytes(&file).expect("what is written is read") == parameters);
    check_network(&parameters, numbers);
}

/// Usually a small network.
fn shape(choice: u8) -> Shape {
    let choice = usize::from(choice);
    match choice % 16 {
        // Large ones are slow.
        _ if choice >= 0xF0 => Shape { features: Features::ALL[choice % 9], width: 32, hidden: [8, 8], ..Shape::KP },
        0..9 => {
            let buckets = if choice & 16 == 0 { Buckets::NONE } else { Buckets::K3K3 };
            Shape { width: 32, hidden: [1 + choice / 16, 32], buckets, ..Shape::KP }
        }
        9..14 => Shape { features: Features::Ka2, width: 64, hidden: [8, 1 + choice / 16], ..Shape::KP },
        _ => {
            let (hidden, sfnn) = ([7 + choice / 16 % 2, 16], Some(Sfnn { shards: None }));
            Shape { width: 64, hidden, buckets: Buckets::K3K3, sfnn, ..Shape::KP }
        }
    }
}

fn filled(shape: Shape, numbers: &[u8]) -> Parameters {
    let mut bytes = numbers.iter().copied().cycle();
    let mut byte = || bytes.next().unwrap_or_default();
    let mut short = || i16::from_le_bytes([byte(), byte()]);
    let bias = (0..shape.width).map(|_| short()).collect();
    let feature_weights = (0..shape.width * shape.features.inputs()).map(|_| short()).collect();
    let mut long = || i32::from_le_bytes([byte(), byte(), byte(), byte()]);
    let progress = shape
        .buckets
        .have_progress()
        .then(|| Progress { bias: long(), weights: (0..Progress::WEIGHTS).map(|_| long()).collect() });
    let mut dense = |(inputs, outputs): (usize, usize)| Dense {
        bias: (0..outputs).map(|_| i32::from_le_bytes([byte(), byte(), byte(), byte()])).collect(),
        weights: (0..inputs * outputs).map(|_| byte().cast_signed()).collect(),
    };
    let stacks = (0..shape.buckets.count()).map(|_| shape.dense().map(&mut dense)).collect();
    Parameters { shape, bias, feature_weights, progress, stacks }
}

fn check_network(parameters: &Parameters, choices: &[u8]) {
    let network = Network::new(parameters).expect("memory");
    let mut stack = AccumulatorStack::new(&network);
    let mut position = Position::startpos();
    stack.reset(&position);
    let mut depth = 0;
    for &choice in choices.iter().take(MAX_LINE) {
        let moves = legal_moves(&position);
        if depth > 0 && (moves.is_empty() || choice % 8 == 0) {
            position.undo();
            stack.pop();
            depth -= 1;
        } else if !moves.is_empty() {
            stack.push();
            position.play_observed(moves[usize::from(choice) % moves.len()], &mut stack);
            depth += 1;
        }
        assert_eq!(stack.output(&position), network.output(&position), "{position}");
    }
    let output = network.output(&position);
    let value = network.evaluate(&position);
    Kernel::all().into_iter().fold(network, |network, kernel| {
        let network = network.with_kernel(kernel);
        assert_eq!((network.output(&position), network.evaluate(&position)), (output, value), "{kernel}");
        network
    });
}

/// Accepted weights round-trip, and evaluate every position.
pub fn weights(bytes: &[u8]) {
    let Some(weights) = accepted(Weights::from_json(bytes)) else { return };
    let again = Weights::from_json(weights.to_json("a \"test\"").as_bytes()).expect("what is written is read");
    assert!(weights.iter().eq(again.iter()));
    let mut position = Position::startpos();
    for &choice in bytes.iter().rev().take(MAX_LINE) {
        let moves = legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        position.play(moves[usize::from(choice) % moves.len()]);
        assert_eq!(evaluate(&position, &weights), evaluate(&position.rotated(), &weights), "{position}");
    }
}
