//! Reference implementation of the file format and of inference, from the format description.

use super::*;
use flate2::read::ZlibDecoder;
use sabi_shogi::{HandKind, PieceKind, Square};
use std::borrow::Cow;
use std::io::Read;

fn length_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// The values of a LEB128 block, and the offset behind it.
fn leb128(bytes: &[u8], begin: usize) -> (Vec<i16>, usize) {
    let next = begin + 21 + length_at(bytes, begin + 17);
    let (mut numbers, mut number, mut bits) = (Vec::new(), 0i64, 0);
    for &byte in &bytes[begin + 21..next] {
        number += i64::from(byte % 128) << bits;
        bits += 7;
        if byte < 128 {
            numbers.push(if byte < 64 { number } else { number - (1 << bits) } as i16);
            (number, bits) = (0, 0);
        }
    }
    (numbers, next)
}

/// A parsed file, by the offsets of the description.
pub struct Plain<'b> {
    bytes: Cow<'b, [u8]>,
    shape: Shape,
    at: usize,
}

impl<'b> Plain<'b> {
    pub fn new(bytes: &'b [u8], shape: Shape) -> Self {
        let text = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
        let at = 12 + text + 4;
        let unpacked = |until: usize, weights: &[i16], from: usize| {
            let weights: Vec<u8> = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
            Cow::Owned([&bytes[..until], &weights, &bytes[from..]].concat())
        };
        let bytes = if shape.sfnn.is_some() {
            let (bias, next) = leb128(bytes, at);
            let (weights, next) = leb128(bytes, next);
            unpacked(at, &[bias, weights].concat(), next)
        } else if shape.features == Features::HalfKaZ15 {
            let begin = at + 2 * shape.width;
            let next = begin + 21 + length_at(bytes, begin + 17);
            let mut stream = Vec::new();
            ZlibDecoder::new(&bytes[begin + 21..next]).read_to_end(&mut stream).unwrap();
            let (medians, deltas) = leb128(&stream, 0);
            let (deltas, _) = leb128(&stream, deltas);
            let weights: Vec<i16> =
                deltas.iter().zip(medians.iter().cycle()).map(|(delta, median)| delta + median).collect();
            unpacked(begin, &weights, next)
        } else {
            Cow::Borrowed(bytes)
        };
        Self { bytes, shape, at }
    }

    fn short(&self, index: usize) -> i64 {
        i16::from_le_bytes(self.bytes[self.at + 2 * index..][..2].try_into().unwrap()).into()
    }

    /// Feature transformer output before clipping.
    fn accumulator(&self, position: &Position, color: Color) -> Vec<i64> {
        let width = self.shape.width;
        let mut sums: Vec<i64> = (0..width).map(|at| self.short(at)).collect();
        for input in inputs(self.shape.features, position, color) {
            for (at, sum) in sums.iter_mut().enumerate() {
                *sum += self.short(width * (1 + input) + at);
            }
        }
        sums
    }

    /// A dense layer in floating point, before clipping.
    fn dense(&self, at: &mut usize, input: &[f64], outputs: usize) -> Vec<f64> {
        let row = input.len().next_multiple_of(32);
        let bias = |output: usize| i32::from_le_bytes(self.bytes[*at + 4 * output..][..4].try_into().unwrap());
        let weight = |output: usize, input: usize| self.bytes[*at + 4 * outputs + output * row + input].cast_signed();
        let sums = (0..outputs).map(|output| {
            let products = input.iter().enumerate().map(|(number, input)| input * f64::from(weight(output, number)));
            f64::from(bias(output)) + products.sum::<f64>()
        });
        let sums = sums.collect();
        *at += outputs * (4 + row);
        sums
    }

    pub fn output(&self, position: &Position) -> i32 {
        let us = position.side_to_move();
        let accumulators = [us, !us].map(|color| self.accumulator(position, color));
        let mut at = self.at + 2 * self.shape.width * (1 + self.shape.features.inputs()) + 4;
        if self.shape.sfnn.is_some() {
            return self.stack_output(position, accumulators, at - 4);
        }
        let [first, second] = self.shape.hidden;
        let size = 4
            + first * (4 + 2 * self.shape.width)
            + second * (4 + first.next_multiple_of(32))
            + (4 + second.next_multiple_of(32));
        at += size * stack_of(&self.shape.buckets.to_string(), position, None);
        let mut layer: Vec<f64> = accumulators.concat().iter().map(|&sum| sum.clamp(0, 127) as f64).collect();
        for outputs in self.shape.hidden {
            let sums = self.dense(&mut at, &layer, outputs);
            layer = sums.into_iter().map(|sum| (sum / 64.0).floor().clamp(0.0, 127.0)).collect();
        }
        self.dense(&mut at, &layer, 1)[0] as i32
    }

    /// Output of the layer stack whose sections begin `at` this byte.
    fn stack_output(&self, position: &Position, accumulators: [Vec<i64>; 2], mut at: usize) -> i32 {
        let integer = |at: usize| i64::from(i32::from_le_bytes(self.bytes[at..][..4].try_into().unwrap()));
        let mut progress = None;
        if self.shape.buckets.have_progress() {
            let pieces = Color::ALL.map(|color| inputs(Features::HalfKp, position, color)).concat();
            let sum = integer(at + 4) + pieces.into_iter().map(|input| integer(at + 8 + 4 * input)).sum::<i64>();
            let share = 1.0 / (1.0 + (-sum as f64 / 65536.0).exp());
            progress = Some((share * 256.0).floor().min(255.0) as usize);
            at += 4 + 4 + 4 * 81 * 1548;
        }
        let [first, second] = self.shape.hidden;
        let outputs = first.next_multiple_of(8);
        let size = 4
            + outputs * (4 + self.shape.width)
            + second * (4 + (2 * first).next_multiple_of(32))
            + (4 + second.next_multiple_of(32));
        at += size * stack_of(&self.shape.buckets.to_string(), position, progress) + 4;
        let products = accumulators.iter().flat_map(|accumulator| {
            let (left, right) = accumulator.split_at(accumulator.len() / 2);
            left.iter().zip(right).map(|(left, right)| (left.clamp(&0, &127) * right.clamp(&0, &127) / 128) as f64)
        });
        let sums = self.dense(&mut at, &products.collect::<Vec<_>>(), outputs);
        let squares = sums[..first].iter().map(|sum| (sum * sum / 524_288.0).floor().min(127.0));
        let clipped = sums[..first].iter().map(|sum| (sum / 64.0).floor().clamp(0.0, 127.0));
        let layer: Vec<f64> = squares.chain(clipped).collect();
        let layer = self.dense(&mut at, &layer, second);
        let layer: Vec<f64> = layer.into_iter().map(|sum| (sum / 64.0).floor().clamp(0.0, 127.0)).collect();
        (self.dense(&mut at, &layer, 1)[0] + sums.get(first).unwrap_or(&0.0)) as i32
    }
}

/// The layer stack of a position by the tables of the description.
fn stack_of(buckets: &str, position: &Position, progress: Option<usize>) -> usize {
    let us = position.side_to_move();
    let mut stack = 0;
    for name in buckets.split('_').skip(1) {
        let hand = |color: Color, kinds: &str| {
            let count = |kind: char| {
                let at = "PLNSBRG".find(kind).unwrap();
                usize::from(position.hand(color).count(HandKind::ALL[at]))
            };
            kinds.chars().map(count).sum::<usize>()
        };
        let groups = |color: Color, groups: &[&str]| -> usize {
            groups.iter().enumerate().map(|(bit, kinds)| hand(color, kinds).min(1) << bit).sum()
        };
        let king = |color: Color| {
            let king = position.king(color).unwrap().index();
            let king = if color == Color::Black { king } else { 80 - king };
            (king / 9, king % 9)
        };
        let single = |color: Color| match (name, king(color)) {
            ("HAND4", _) => groups(color, &["B"]),
            ("HAND16", _) => groups(color, &["P", "B"]),
            ("HAND64", _) => groups(color, &["PLN", "GSR", "B"]),
            ("HAND64Z", _) => {
                let points = [("P", 1), ("LN", 2), ("SG", 3), ("BR", 5)].map(|(kinds, each)| each * hand(color, kinds));
                points.iter().sum::<usize>().div_ceil(4).min(7)
            }
            ("HAND256", _) => groups(color, &["PLN", "SG", "B", "R"]),
            ("HAND1024", _) => groups(color, &["P", "LN", "SG", "B", "R"]),
            ("K3K3", (_, rank)) => rank / 3,
            ("K9K9", (_, rank)) | ("K13K13Z", (_, rank @ 0..7)) => rank,
            ("K9K9Z" | "K21K21" | "K29K29", (_, rank @ 0..6)) => rank / 3,
            ("K9K9Z" | "K21K21", (_, 6)) => 2,
            ("K9K9Z", (file, rank)) => 3 + (rank - 7) * 3 + file / 3,
            ("K13K13Z", (file, rank)) => 7 + (rank - 7) * 3 + file / 3,
            ("K21K21", (file, rank)) => 3 + (rank - 7) * 9 + file,
            ("K29K29", (file, rank)) => 2 + (rank - 6) * 9 + file,
            _ => unreachable!("{name}"),
        };
        let count = match name {
            "HAND4" => 2,
            "HAND16" => 4,
            "HAND64" | "HAND64Z" => 8,
            "HAND256" => 16,
            "HAND1024" => 32,
            "K3K3" => 3,
            "K9K9" | "K9K9Z" => 9,
            "K13K13Z" => 13,
            "K21K21" => 21,
            "K29K29" => 29,
            _ => {
                let stages: usize = name.strip_prefix("PROGRESS").unwrap().parse().unwrap();
                stack = stack * stages + progress.unwrap() * stages / 256;
                continue;
            }
        };
        stack = (stack * count + single(us)) * count + single(!us);
    }
    stack
}

/// The active features by the tables of the description.
fn inputs(features: Features, position: &Position, color: Color) -> Vec<usize> {
    use PieceKind as K;
    let seen = |square: Square| if color == Color::Black { square.index() } else { 80 - square.index() };
    let mut pieces = Vec::new();
    let mut kings = [0; 2];
    for square in Square::all() {
        let Some(piece) = position.piece_at(square) else { continue };
        let base = match piece.kind() {
            K::Pawn => 90,
            K::Lance => 252,
            K::Knight => 414,
            K::Silver => 576,
            K::Bishop => 900,
            K::Horse => 1062,
            K::Rook => 1224,
            K::Dragon => 1386,
            K::King => {
                kings[usize::from(piece.color() != color)] = seen(square);
                continue;
            }
            _ => 738,
        };
        pieces.push(base + if piece.color() == color { 0 } else { 81 } + seen(square));
    }
    for (owner, first) in [(color, [1, 39, 49, 59, 69, 79, 85]), (!color, [20, 44, 54, 64, 74, 82, 88])] {
        use HandKind as H;
        let kinds = [H::Pawn, H::Lance, H::Knight, H::Silver, H::Gold, H::Bishop, H::Rook];
        for (kind, first) in kinds.into_iter().zip(first) {
            pieces.extend((0..usize::from(position.hand(owner).count(kind))).map(|nth| first + nth));
        }
    }
    pieces.resize(38, 0);
    let mirror = |number: usize| match number {
        0..90 => number,
        _ => (number - 90) / 81 * 81 + 90 + (8 - (number - 90) % 81 / 9) * 9 + number % 9,
    };
    // Kings after the other pieces, if they are inputs.
    let with_kings = [&pieces[..], &[1548 + kings[0], 1629 + kings[1]]].concat();
    let merged = [&pieces[..], &[1548 + kings[0], 1548 + kings[1]]].concat();
    let accumulator = |pieces: Vec<usize>, numbers: usize| -> Vec<usize> {
        pieces.into_iter().map(|piece| numbers * kings[0] + piece).collect()
    };
    let mirrored = |pieces: Vec<usize>, numbers: usize| -> Vec<usize> {
        if kings[0] < 45 {
            return accumulator(pieces, numbers);
        }
        let king = mirror(kings[0] + 90) - 90;
        pieces.into_iter().map(|piece| numbers * king + mirror(piece)).collect()
    };
    match features {
        Features::HalfKp => accumulator(pieces, 1548),
        Features::HalfKpVm => mirrored(pieces, 1548),
        Features::HalfKpe9 => {
            let of_the_board = |number: usize| if color == Color::Black { number } else { 80 - number };
            let class = |piece: usize| match piece {
                0..90 => 0,
                _ => {
                    let square = Square::new(of_the_board((piece - 90) % 81)).unwrap();
                    let attacks = |by| position.attackers(by, square, position.occupied()).count().min(2) as usize;
                    3 * attacks(color) + attacks(!color)
                }
            };
            pieces.into_iter().map(|piece| 1548 * 81 * class(piece) + 1548 * kings[0] + piece).collect()
        }
        Features::HalfKa1 => accumulator(with_kings, 1710),
        Features::HalfKaHm1 => mirrored(with_kings, 1710),
        Features::HalfKa2 => accumulator(merged, 1629),
        Features::HalfKaHm2 => mirrored(merged, 1629),
        Features::HalfKaZ15 => {
            let (file, rank) = (kings[0] / 9, kings[0] % 9);
            let centre = usize::from((2..7).contains(&file));
            let zone = match rank {
                7 | 8 => 5 * (8 - rank) + file.min(8 - file),
                6 => 10 + centre,
                3..6 => 12,
                _ => 13 + centre,
            };
            let place = |piece| 1710 * zone + if file > 4 { mirror(piece) } else { piece };
            with_kings.into_iter().map(place).collect()
        }
        Features::Kp => with_kings,
        Features::Ka2 => [&merged[..], &[1629 + kings[0], 1710 + kings[1]]].concat(),
    }
}
