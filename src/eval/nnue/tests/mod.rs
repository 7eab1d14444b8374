//! Networks against an independent reference implementation of the format description.

mod description;
mod values;

use super::*;
use description::Plain;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi_shogi::{Color, HandKind, Position, Square, legal_moves};
use std::ops::RangeInclusive;

/// Ranges of bias and weights: of the feature transformer, the progress and the dense layers.
type Ranges = [RangeInclusive<i32>; 6];

/// A network of numbers from `draw`, in file order.
fn drawn(shape: Shape, ranges: &Ranges, mut draw: impl FnMut(&RangeInclusive<i32>) -> i32) -> Parameters {
    let [bias, feature_weights, progress_bias, progress_weights, dense_bias, dense_weights] = ranges;
    let bias = (0..shape.width).map(|_| draw(bias) as i16).collect();
    let feature_weights = (0..shape.width * shape.features.inputs()).map(|_| draw(feature_weights) as i16).collect();
    let progress = shape.buckets.have_progress().then(|| Progress {
        bias: draw(progress_bias),
        weights: (0..Progress::WEIGHTS).map(|_| draw(progress_weights)).collect(),
    });
    let mut stack = || {
        shape.dense().map(|(inputs, outputs)| Dense {
            bias: (0..outputs).map(|_| draw(dense_bias)).collect(),
            weights: (0..inputs * outputs).map(|_| draw(dense_weights) as i8).collect(),
        })
    };
    let stacks = (0..shape.buckets.count()).map(|_| stack()).collect();
    Parameters { shape, bias, feature_weights, progress, stacks }
}

/// A network of random parameters, scaled so that clipping happens sometimes.
fn random(shape: Shape, seed: u64) -> Parameters {
    let mut rng = SmallRng::seed_from_u64(seed);
    let spread = if shape.features == Features::Kp { 40 } else { 30 };
    let ranges = [-60..=119, -spread..=spread, -40_000..=39_999, -16_000..=15_999, -4000..=3999, -128..=127];
    drawn(shape, &ranges, |range| rng.random_range(range.clone()))
}

fn bytes_of(parameters: &Parameters) -> Vec<u8> {
    let mut bytes = Vec::new();
    parameters.write(&mut bytes).unwrap();
    bytes
}

/// The shape of a text.
fn told(text: &str) -> Shape {
    Shape::of_text(text, 0).unwrap()
}

/// A small network with king zones.
fn zones() -> Shape {
    Shape { features: Features::HalfKaZ15, width: 32, hidden: [8, 8], ..Shape::KP }
}

/// A small network with layer stacks of these hidden layers, shards and buckets.
fn sfnn(features: &str, inputs: usize, rest: &str, stacks: usize) -> Shape {
    let key = features.replace(['_', '+'], "").to_ascii_uppercase().replace("(FRIEND)", "");
    told(&format!(
        "ModelType=SFNNWithoutPsqt;Features={features}[{inputs}->64x2],Network=SFNN_{key}_64_{rest}{{LayerStack={stacks}}}"
    ))
}

/// Networks with all kinds of layer stacks.
fn stacked() -> Vec<Shape> {
    [
        ("7_64", 1),
        ("8_32_HAND4_K3K3", 36),
        ("15_32_HAND16", 16),
        ("16_64_HAND64_K9K9", 5184),
        ("23_8_HAND64Z_PROGRESS3", 192),
        ("7_32_HAND256", 256),
        ("39_32_K9K9Z_PROGRESS8", 648),
        ("7_32_K13K13Z", 169),
        ("8_32_K21K21", 441),
        ("7_8_K29K29", 841),
        ("7_8_HAND1024_PROGRESS2", 2048),
    ]
    .map(|(rest, stacks)| sfnn("K+A2", 1791, rest, stacks))
    .to_vec()
}

fn small() -> Shape {
    Shape { width: 64, hidden: [16, 32], ..Shape::KP }
}

const HANDICAP: &str = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";

/// Positions of random games, and one with pieces missing.
fn positions(games: u64) -> Vec<Position> {
    let mut positions = vec![Position::from_sfen(HANDICAP).unwrap()];
    for seed in 0..games {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut position = Position::startpos();
        for _ in 0..120 {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.random_range(0..moves.len())]);
            positions.push(position.clone());
        }
    }
    positions
}

/// A position set up without the piece has the same value and key.
#[test]
fn piece_contributions() {
    let network = Network::new(&random(Shape::KP, 3)).unwrap();
    let read = |sfen: &str| Position::from_sfen(sfen).unwrap();
    let position = read("4k4/9/9/4p4/9/9/4P4/9/4K2R1 w 2P2b 7");
    let square = |name: &str| Square::all().find(|square| square.to_string() == name).unwrap();
    let value = network.evaluate(&position);
    for (name, without, sign) in [
        ("5d", "4k4/9/9/9/9/9/4P4/9/4K2R1 w 2P2b 7", 1),
        ("5g", "4k4/9/9/4p4/9/9/9/9/4K2R1 w 2P2b 7", -1),
        ("2i", "4k4/9/9/4p4/9/9/4P4/9/4K4 w 2P2b 7", -1),
    ] {
        let rest = position.without(square(name)).unwrap();
        assert_eq!((rest.key(), rest.sfen()), (read(without).key(), without.to_owned()));
        let contribution = sign * (value - network.evaluate(&read(without)));
        assert_eq!(network.contribution(&position, square(name)), Some(contribution), "{name}");
    }
    let without = read("4k4/9/9/4p4/9/9/4P4/9/4K2R1 w 2Pb 7");
    let bishop = network.hand_contribution(&position, Color::White, HandKind::Bishop);
    assert_eq!(bishop, Some(value - network.evaluate(&without)));
    for name in ["5a", "5i", "1a"] {
        assert_eq!(network.contribution(&position, square(name)), None, "{name}");
    }
    assert_eq!(network.hand_contribution(&position, Color::Black, HandKind::Bishop), None);
    let board = network.explain(&position);
    assert!(board.contains(&format!("White in hand: B2 {}\n", bishop.unwrap())), "{board}");
}

#[test]
fn every_kernel_matches_reference() {
    let kp = |width, hidden| Shape { width, hidden, ..Shape::KP };
    let hidden = [kp(96, [40, 8]), kp(128, [8, 96]), kp(512, [8, 64]), kp(32, [9, 7]), kp(64, [17, 16])];
    let features = Features::ALL.map(|features| Shape { features, width: 32, hidden: [8, 32], ..Shape::KP });
    let accumulator = sfnn("HalfKA_hm2(Friend)", 73_305, "15_32_K3K3", 9);
    let kings = Shape { buckets: "K9K9Z".parse().unwrap(), ..small() };
    for shape in
        [&[Shape::KP, small(), kings, Shape::HALF_KP, accumulator][..], &hidden, &features, &stacked()].concat()
    {
        let parameters = random(shape, 7);
        let bytes = bytes_of(&parameters);
        let plain = Plain::new(&bytes, shape);
        let mut outputs = Vec::new();
        for kernel in Kernel::all() {
            let network = Network::new(&parameters).unwrap().with_kernel(kernel);
            assert_eq!(network.kernel, kernel);
            for (at, position) in positions(2).iter().enumerate().step_by(3) {
                let output = network.output(position);
                assert_eq!(output, plain.output(position), "{shape}, {kernel}: {}", position.sfen());
                outputs.push((at, output));
            }
        }
        outputs.sort_unstable();
        outputs.dedup();
        assert!(outputs.len() > 30, "networks of random numbers tell positions apart: {outputs:?}");
    }
}

#[test]
fn incremental_equals_refresh() {
    let classic = Features::ALL.map(|features| Shape { features, width: 32, hidden: [8, 8], ..Shape::KP });
    for shape in [&classic[..], &stacked()[6..7]].concat() {
        let network = Network::new(&random(shape, 11)).unwrap();
        let mut stack = AccumulatorStack::new(&network);
        for seed in 0..20 {
            // Cached accumulators of one line must not leak into another with other missing pieces.
            let mut position =
                if seed % 2 == 0 { Position::startpos() } else { Position::from_sfen(HANDICAP).unwrap() };
            stack.reset(&position);
            let mut rng = SmallRng::seed_from_u64(seed);
            let mut line = 0;
            // More moves than undos, some null moves, and not every position is evaluated.
            for _ in 0..400 {
                let moves = legal_moves(&position);
                if line > 0 && (moves.is_empty() || rng.random_bool(0.35)) {
                    match position.last_move() {
                        Some(_) => position.undo(),
                        None => position.undo_null(),
                    }
                    stack.pop();
                    line -= 1;
                } else if !position.in_check() && position.last_move().is_some() && rng.random_bool(0.1) {
                    stack.push();
                    position.play_null();
                    line += 1;
                } else if !moves.is_empty() {
                    stack.push();
                    position.play_observed(moves[rng.random_range(0..moves.len())], &mut stack);
                    line += 1;
                }
                if rng.random_bool(0.6) {
                    assert_eq!(stack.output(&position), network.output(&position), "{}", position.sfen());
                }
            }
        }
    }
}

#[test]
fn rotated_board_has_same_value() {
    for features in Features::ALL {
        let network = Network::new(&random(Shape { features, width: 32, hidden: [8, 8], ..Shape::KP }, 3)).unwrap();
        for position in positions(1) {
            let turned = position.rotated();
            assert_eq!(network.output(&position), network.output(&turned), "{features:?} {}", position.sfen());
        }
    }
}

#[test]
fn missing_king_is_evaluated() {
    let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b 2r2b4g4s4n4l17p 1").unwrap();
    for features in Features::ALL {
        let network = Network::new(&random(Shape { features, width: 32, hidden: [8, 8], ..Shape::KP }, 5)).unwrap();
        let mut stack = AccumulatorStack::new(&network);
        stack.reset(&position);
        assert_eq!(stack.output(&position), network.output(&position));
    }
}

#[test]
fn output_scaling() {
    let position = Position::startpos();
    let network = Network::new(&random(small(), 21)).unwrap();
    let output = network.output(&position);
    let centipawns = |scale: i32| (output / scale * 100 / 90).clamp(-12_000, 12_000);
    assert_eq!(network.evaluate(&position), centipawns(16));
    assert_eq!(network.with_scale(24).evaluate(&position), centipawns(24));
}

#[test]
fn networks_round_trip() {
    for shape in [&[Shape::KP, small(), zones(), Shape { hidden: [40, 8], ..small() }][..], &stacked()].concat() {
        let parameters = random(shape, 1);
        let bytes = bytes_of(&parameters);
        assert_eq!(Parameters::from_bytes(&bytes).unwrap(), parameters);
    }
    // Sizes and hashes of the description.
    let bytes = bytes_of(&random(Shape::KP, 1));
    assert_eq!(bytes.len(), 893_917);
    assert_eq!(bytes[4..8], 0x5C64_64A9_u32.to_le_bytes());
    assert_eq!((Shape::KP.first_hash(), Shape::KP.dense_hash()), (0x3F57_15FF, 0x6333_7156));
    assert_eq!((Shape::HALF_KP.first_hash(), Shape::HALF_KP.dense_hash()), (0x5D69_D7B8, 0x6333_7156));
    assert_eq!(12 + Shape::HALF_KP.to_string().len() + Shape::HALF_KP.bytes(), 64_217_066);
}

/// The bytes of a network with another text.
fn with_text(parameters: &Parameters, text: &str) -> Vec<u8> {
    let bytes = bytes_of(parameters);
    let old = parameters.shape.to_string().len();
    [&bytes[..8], &(text.len() as u32).to_le_bytes(), text.as_bytes(), &bytes[12 + old..]].concat()
}

#[test]
fn shape_from_text_and_file_size() {
    let parameters = random(Shape { width: 512, hidden: [16, 32], ..Shape::KP }, 2);
    let text = parameters.shape.to_string();
    let usual = Shape::KP.to_string();
    for other in [text.replace("K+P", "Anything(Else)"), "no shape at all".to_owned(), String::new(), usual] {
        let read = Parameters::from_bytes(&with_text(&parameters, &other));
        assert_eq!(read.unwrap().shape, parameters.shape, "{other}");
    }
}

#[test]
fn invalid_networks_are_rejected() {
    let parameters = random(small(), 2);
    let (bytes, text) = (bytes_of(&parameters), parameters.shape.to_string());
    let error = |bytes: &[u8]| Parameters::from_bytes(bytes).unwrap_err().to_string();
    for cut in [0, 3, 11, 12, 40] {
        assert!(error(&bytes[..cut]).contains("not a network"), "{cut}: {}", error(&bytes[..cut]));
    }
    let changed = |bytes: &[u8]| error(bytes).replace(char::is_numeric, "#");
    assert_eq!(
        changed(&bytes[..bytes.len() - 1]),
        format!("it has ###### bytes instead of ###### for a network {}", text.replace(char::is_numeric, "#"))
    );
    assert!(error(&[&bytes[..], &[0]].concat()).contains("for a network"));
    for (text, told) in [
        (text.replace("1710", "1711"), "'K+P' with 1711 inputs"),
        (text.replace("K+P[1710", "HalfRelativeKP(Friend)[5202"), "'HalfRelativeKP(Friend)' with 5202 inputs"),
        ("Features=HalfKA_hm[73305->1536x2]".to_owned(), "HalfKA_hm2(Friend) with the layers []"),
        (text.replace("[1<-32]", "[2<-32]"), "with the layers"),
        (text.replace("<-128]", "<-256]"), "with the layers"),
        (text.replace("64x2", "63x2"), "with the layers"),
        (text.replace("64x2", "18446744073709551615x2"), "'Features=K+P[1710->18446744073709551615x2]"),
        (text.replace("64x2", "4294967295x2"), "with the layers"),
        ("nothing that is known\u{1b}[31m".to_owned(), "'nothing that is known?[31m'"),
    ] {
        let message = error(&with_text(&parameters, &text));
        assert!(
            message.contains(told) && message.contains("supported: HalfKP, HalfKP_vm, HalfKPE9, HalfKA1, "),
            "{text}: {message}"
        );
    }
    let accumulator = "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->1536x2],Network=";
    for network in [
        "SFNN-1024{LayerStack=9}",
        "SFNN-1536{LayerStack=8}",
        "SFNN_HALFKAHM2_1536_15_32_K3K3{LayerStack=81}",
        "SFNN_HALFKAHM2_1024_15_32_K3K3{LayerStack=9}",
        "SFNN_HALFKA2_1536_15_32_K3K3{LayerStack=9}",
        "SFNN_HALFKAHM2_1536_12_32_K3K3{LayerStack=9}",
        "SFNN_HALFKAHM2_1536_15_32_K3K3_K3K3{LayerStack=81}",
        "SFNN_HALFKAHM2_1536_15_32_K5K5{LayerStack=25}",
        "SFNN_HALFKAHM2_1536_15_32_PROGRESS5{LayerStack=5}",
        "SFNN_HALFKAHM2_1536_15_32_C512_S64X8_K3K3{LayerStack=9}",
        "SFNN_HALFKAHM2_1536_15_32_C512_S0X8{LayerStack=1}",
        "SFNN_HALFKAHM2_1536_15_32{LayerStack=1",
        "SFNN_HALFKAHM2_1536_18446744073709551615_32_K3K3{LayerStack=9}",
        "SFNN_HALFKAHM2_1536_15_32_C65535_S65535X65535_K3K3{LayerStack=9}",
        "SFNN_HALFKAHM2_1536_15",
    ] {
        let message = error(&with_text(&parameters, &format!("{accumulator}{network}")));
        let told = format!("HalfKA_hm2(Friend) with '{}", &network[..network.len().min(20)]);
        assert!(message.contains(&told) && message.contains("layer stacks, such as"), "{network}: {message}");
    }
    let mut long = bytes.clone();
    long[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(error(&long).contains("not a network"));
}

#[test]
fn layer_stacks_in_architecture_text() {
    for names in ["K9K9Z", "HAND16_K3K3"] {
        let shape = Shape { buckets: names.parse().unwrap(), ..small() };
        let parameters = random(shape, 2);
        assert!(shape.to_string().ends_with(&format!("{{LayerStack={}}}_{names}", shape.buckets.count())), "{shape}");
        assert_eq!(Parameters::from_bytes(&bytes_of(&parameters)).unwrap(), parameters);
        let other = shape.to_string().replace(&format!("={}}}", shape.buckets.count()), "=7}");
        assert!(Shape::of_text(&other, 0).is_err(), "{other}");
    }
    assert!("K9".parse::<Buckets>().is_err());
}

#[test]
fn mirrored_layer_stacks() {
    for names in ["K3K3", "K9K9Z", "HAND16_K13K13Z", "HAND64_K29K29"] {
        let buckets: Buckets = names.parse().unwrap();
        let mirrored = buckets.mirrored();
        assert!((0..buckets.count()).all(|stack| usize::from(mirrored[usize::from(mirrored[stack])]) == stack));
        let [seen, other] = [
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "ln6l/kg1+P5/3S1pn2/pP4p1p/1pS2P3/P1P2bPP1/1SG5P/8R/LKb4NL w GR5pnsg 1",
        ]
        .map(|sfen| buckets.bucket(&Position::from_sfen(sfen).unwrap(), None));
        assert_eq!(usize::from(mirrored[seen]), other, "{names}");
        assert!(names == "K3K3" || seen != other);
    }
}

#[test]
fn zones_are_read_with_and_without_compression() {
    let parameters = random(zones(), 6);
    let packed = bytes_of(&parameters);
    let begin = 12 + zones().to_string().len() + 4 + 2 * zones().width;
    let end = packed.len() - (zones().bytes() - 4 - 2 * zones().width * (1 + zones().features.inputs()));
    let weights: Vec<u8> = parameters.feature_weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    let unpacked = [&packed[..begin], &weights, &packed[end..]].concat();
    assert!(packed.len() < unpacked.len());
    for bytes in [&packed, &unpacked] {
        assert_eq!(Parameters::from_bytes(bytes).unwrap(), parameters);
    }
    let error = |bytes: &[u8]| Parameters::from_bytes(bytes).unwrap_err().to_string();
    for bytes in [&packed, &unpacked] {
        for cut in [begin, begin + 7, begin + 25, end, bytes.len() - 1] {
            assert!(is_damaged(&error(&bytes[..cut])), "{cut}: {}", error(&bytes[..cut]));
        }
        assert!(is_damaged(&error(&[&bytes[..], &[0]].concat())));
    }
}

/// Whether a message says so of a network of known shape.
fn is_damaged(message: &str) -> bool {
    message.contains("for a network") || message.contains("is incomplete or damaged")
}

#[test]
fn damaged_layer_stacks_are_rejected() {
    let shape = sfnn("K+A2", 1791, "7_8_K3K3_PROGRESS2", 18);
    let bytes = bytes_of(&random(shape, 4));
    let error = |bytes: &[u8]| Parameters::from_bytes(bytes).err().map_or_else(String::new, |error| error.to_string());
    let first = 12 + shape.to_string().len() + 4;
    for cut in (first..bytes.len()).step_by(997).chain([first, bytes.len() - 1]) {
        assert!(is_damaged(&error(&bytes[..cut])), "{cut}: {}", error(&bytes[..cut]));
    }
    assert!(is_damaged(&error(&[&bytes[..], &[0]].concat())));
    // Magic, block length and values.
    for (at, byte) in [(first, b'c'), (first + 17, 3), (first + 20, 9), (first + 21, 0x80)] {
        let mut bad = bytes.clone();
        bad[at] = byte;
        assert!(is_damaged(&error(&bad)), "{at}: {}", error(&bad));
    }
}
