//! Network files: naming, effect, and one-line errors.

use super::client::Client;
use super::positions::BUSY;
use super::rules::Board;
use super::shelf::{Shelf, name};
use sabi::eval::nnue::{Dense, Network, Parameters, Shape};
use sabi::eval::{EvalType, Evaluation};
use sabi_shogi::Position;

/// A network whose output is its last bias.
fn constant(output: i32) -> Parameters {
    let shape = Shape { width: 32, ..Shape::KP };
    Parameters {
        shape,
        bias: vec![0; shape.width],
        feature_weights: vec![0; shape.width * shape.features.inputs()],
        progress: None,
        stacks: vec![shape.dense().map(|(inputs, outputs)| Dense {
            bias: vec![if outputs == 1 { output } else { 0 }; outputs],
            weights: vec![0; inputs * outputs],
        })],
    }
}

fn bytes(parameters: &Parameters) -> Vec<u8> {
    let mut bytes = Vec::new();
    parameters.write(&mut bytes).expect("memory takes everything");
    bytes
}

/// Evaluation of a position, with the side it favours.
fn explained(engine: &mut Client, position: &str) -> String {
    engine.position(position);
    engine.send("eval");
    let lines = engine.sync();
    let value =
        lines.iter().find_map(|line| line.text.split_once("; ").filter(|(_, value)| value.contains(" cp for ")));
    value.unwrap_or_else(|| panic!("no value in {lines:?}")).1.to_owned()
}

/// Evaluation of the start position.
fn value(engine: &mut Client) -> i32 {
    let text = explained(engine, "startpos");
    text.strip_suffix(" cp for Black to move").and_then(|value| value.parse().ok()).expect("a number")
}

#[test]
fn eval_file_eval_dir_and_fv_scale() {
    let shelf = Shelf::new();
    // 90 is a pawn of 100 centipawns.
    let file = shelf.put("some.bin", bytes(&constant(90 * 16)));
    shelf.put("plain/nn.bin", bytes(&constant(90 * 16 * 2)));
    shelf.put("scaled/nn.bin", bytes(&constant(90 * 24 * 3)));
    shelf.put("scaled/eval_options.txt", "# of this network\nFV_SCALE=24\nOther=1\n");
    for (folder, line) in [
        ("words", &b"FV_SCALE 24"[..]),
        ("declared", b"option name FV_SCALE type spin default 24 min 1 max 128"),
        ("marked", b"\xef\xbb\xbfFV_SCALE=24\r\n"),
        ("shift_jis", b"\x83X\x83P\nFV_SCALE=24\n"),
    ] {
        shelf.put(&format!("{folder}/nn.bin"), bytes(&constant(90 * 24 * 4)));
        shelf.put(&format!("{folder}/eval_options.txt"), line);
    }
    let mut engine = Client::ready();
    let usual = value(&mut engine);
    for (settings, expected) in [
        (&[("EvalFile", name(&file))][..], 100),
        (&[("EvalFile", ""), ("EvalDir", name(&shelf.path().join("plain")))], 200),
        (&[("FV_SCALE", "32")], 100),
        (&[("FV_SCALE", "0")], 200),
        (&[("EvalDir", name(&shelf.path().join("scaled")))], 300),
        (&[("FV_SCALE", "48")], 150),
        (&[("FV_SCALE", "0"), ("EvalDir", name(&shelf.path().join("words")))], 400),
        (&[("EvalDir", name(&shelf.path().join("declared")))], 400),
        (&[("EvalDir", name(&shelf.path().join("marked")))], 400),
        (&[("EvalDir", name(&shelf.path().join("shift_jis")))], 400),
        (&[("EvalDir", name(shelf.path())), ("EvalFile", "some.bin"), ("FV_SCALE", "0")], 100),
        (&[("EvalDir", ""), ("EvalFile", "")], usual),
    ] {
        settings.iter().for_each(|(name, value)| engine.set(name, value));
        assert_eq!(engine.reported(), [""; 0], "{settings:?}");
        assert_eq!(value(&mut engine), expected, "{settings:?}");
    }
}

#[test]
fn eval_type_selects_embedded_evaluation() {
    let mut engine = Client::ready();
    let network = Network::embedded().expect("a network");
    let position = Position::from_sfen(&BUSY["sfen ".len()..]).expect("a position");
    let (by_network, hand_crafted) =
        (network.evaluate(&position), Evaluation::embedded(EvalType::HandCrafted).evaluate(&position));
    assert_ne!(by_network, hand_crafted);
    let shelf = Shelf::new();
    let file = shelf.put("nn.bin", bytes(&constant(90 * 16)));
    for (settings, expected) in [
        (&[][..], by_network),
        (&[("EvalType", "hand")], hand_crafted),
        // `EvalFile` takes precedence.
        (&[("EvalFile", name(&file))], 100),
        (&[("EvalType", "network")], 100),
        (&[("EvalFile", "")], by_network),
    ] {
        settings.iter().for_each(|(name, value)| engine.set(name, value));
        assert_eq!(engine.reported(), [""; 0], "{settings:?}");
        let last = explained(&mut engine, BUSY);
        let value = last.split(" cp for ").next().and_then(|text| text.rsplit(' ').next());
        assert_eq!(value, Some(&*expected.to_string()), "{settings:?}: {last}");
    }
}

#[test]
fn search_uses_the_network() {
    let shelf = Shelf::new();
    let file = shelf.put("nn.bin", bytes(&constant(900 * 16)));
    let mut engine = Client::ready_with(&[("EvalFile", name(&file))]);
    let thought = engine.go(&Board::startpos(), "depth 1");
    // After one move the score is for the other side.
    assert!(thought.score().value() < -700, "{:?}", thought.score());
}

#[test]
fn unusable_network_is_reported_and_changes_nothing() {
    let shelf = Shelf::new();
    let good = bytes(&constant(90 * 16));
    let other = good.iter().map(|&byte| if byte == b'1' { b'7' } else { byte }).collect::<Vec<_>>();
    let length =
        format!("it has {} bytes instead of {} for a network Features=K+P[1710->32x2],", good.len() - 1, good.len());
    let bad = [
        (shelf.put("cut/nn.bin", &good[..good.len() - 1]), &*length),
        (shelf.put("long/nn.bin", [&good[..], &[0; 9]].concat()), "for a network"),
        (shelf.put("other/nn.bin", other), "unsupported network: 'K+P' with 7770 inputs; supported: HalfKP, "),
        (shelf.put("head/nn.bin", &good[..6]), "not a network"),
        (shelf.put("empty/nn.bin", ""), "neither a network (nn.bin) nor weights (JSON)"),
    ];
    let file = shelf.put("good.bin", good);
    let mut engine = Client::ready_with(&[("EvalFile", name(&file))]);
    for (path, reason) in &bad {
        engine.set("EvalFile", "");
        engine.set("EvalDir", name(path.parent().expect("a folder")));
        let reported = engine.reported();
        assert!(
            reported.len() == 1 && reported[0].contains(reason) && reported[0].contains("nn.bin"),
            "{reason}: {reported:#?}"
        );
        assert_eq!(value(&mut engine), 100, "{reason}");
    }
}

/// Scores are scaled like those of the embedded network by default.
#[test]
fn network_scale_is_estimated() {
    let shelf = Shelf::new();
    let mut parameters = Parameters::from_bytes(include_bytes!("../../../nets/kp.bin")).expect("a network");
    let whole = Network::new(&parameters).expect("memory").measured_scale();
    parameters.stacks[0][2].weights.iter_mut().for_each(|weight| *weight /= 2);
    parameters.stacks[0][2].bias[0] /= 2;
    let half = Network::new(&parameters).expect("memory").measured_scale();
    assert!((whole / 2 - 1..=whole / 2 + 1).contains(&half), "{half} of {whole}");
    let file = shelf.put("half.bin", bytes(&parameters));
    let mut engine = Client::ready_with(&[("EvalFile", name(&file))]);
    let values = ["0", &half.to_string(), "128"].map(|scale| {
        engine.set("FV_SCALE", scale);
        assert_eq!(engine.reported(), [""; 0]);
        explained(&mut engine, BUSY)
    });
    assert!(values[0] == values[1] && values[1] != values[2], "{values:?}");
}

/// The values equal those of the library.
#[test]
fn eval_command_uses_the_network() {
    let shelf = Shelf::new();
    let mut parameters = constant(0);
    // Material: own pawns on the board for the first unit, enemy pawns for the second.
    let width = parameters.shape.width;
    for square in 0..81 {
        parameters.feature_weights[(90 + square) * width] = 9;
        parameters.feature_weights[(171 + square) * width + 1] = 9;
    }
    let inputs = 2 * width;
    parameters.stacks[0][0].weights[0] = 64;
    parameters.stacks[0][0].weights[inputs + 1] = 64;
    parameters.stacks[0][1].weights[0] = 64;
    parameters.stacks[0][1].weights[32 + 1] = 64;
    parameters.stacks[0][2].weights[0] = 100;
    parameters.stacks[0][2].weights[1] = -100;
    let network = Network::new(&parameters).expect("memory");
    let mut position = Position::startpos();
    for mv in ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "2b3c", "4e3d"] {
        position.play(mv.parse().expect("a move"));
    }
    assert_ne!(network.evaluate(&position), 0);
    let file = shelf.put("nn.bin", bytes(&parameters));
    let mut engine = Client::ready_with(&[("FV_SCALE", "16"), ("EvalFile", name(&file))]);
    let reported = explained(&mut engine, "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e 2b3c 4e3d");
    assert_eq!(reported, format!("{} cp for White to move", network.evaluate(&position)));
}
