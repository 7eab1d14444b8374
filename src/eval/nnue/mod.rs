//! NNUE (Nasu 2018): a small neural network with an incrementally updated first layer.
//!
//! The networks are those of the YaneuraOu family, files called `nn.bin`: sparse piece-square
//! [`Features`] of both perspectives go through the feature transformer; both accumulators, side to
//! move first, go through small layers into one output. There may be several layer stacks, selected
//! by [`Buckets`]. Integer arithmetic, bit-identical with every [`Kernel`]. `docs/networks.md`
//! lists the supported architectures.
//!
//! [`Parameters`] are the contents of a file in file order; a [`Network`] has the memory layout for
//! inference; an [`AccumulatorStack`] holds the accumulators of one thread.

mod accumulator;
mod buckets;
mod features;
mod file;
mod kernel;
mod layer;
mod shape;
#[cfg(test)]
mod tests;

pub use accumulator::AccumulatorStack;
pub use buckets::{Buckets, Progress, UnknownBuckets};
pub use features::{Features, mirrored_indices, opposite_indices};
pub use file::{NetworkError, median_by};
pub use kernel::Kernel;
pub use shape::{Dense, Parameters, Sfnn, Shape, Shards};

use crate::eval::MAX_VALUE;
use crate::machine::{HugeSlice, MemoryError};
use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use features::{BonaPiece, MAX_ACTIVE, PIECES, Perspective, own_king};
use layer::{ByteCacheLine, CacheLine, LayerStack, SECOND, THIRD};
use sabi_shogi::{Color, HandKind, Position, Square, piece_text};
use shape::GROUP;
use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// Embedded file; `nets/README.md` documents its origin.
#[cfg(not(target_family = "wasm"))]
const EMBEDDED_FILE: &[u8] = include_bytes!("../../../nets/zones.bin");
/// A browser loads the smaller one.
#[cfg(target_family = "wasm")]
const EMBEDDED_FILE: &[u8] = include_bytes!("../../../nets/kp.bin");

/// Median absolute deviation of the outputs of the network for which the search was
/// tuned, with divisor 16.
const REFERENCE: i64 = 5667;

/// A network ready for inference.
#[derive(Debug)]
pub struct Network {
    /// Its shape.
    pub shape: Shape,
    /// Output divisor, at least 1.
    pub scale: i32,
    /// All give identical results.
    pub kernel: Kernel,
    bias: Vec<CacheLine>,
    feature_weights: HugeSlice<CacheLine>,
    /// By square of the own king.
    perspectives: [Perspective; Square::COUNT],
    progress: Option<Progress>,
    /// One per bucket.
    stacks: Vec<LayerStack>,
}

impl Network {
    /// Default output divisor.
    pub const DEFAULT_FV_SCALE: i32 = 16;
    /// Maximum measured divisor.
    const MAX_SCALE: i32 = 128;

    /// Lays out the parameters, for the fastest kernel.
    ///
    /// # Errors
    /// When out of memory.
    pub fn new(parameters: &Parameters) -> Result<Self, MemoryError> {
        let Parameters { shape, bias, feature_weights, progress, stacks } = parameters;
        let lines = shape.width / GROUP;
        let mut bias_lines = vec![CacheLine::zeroed(); lines];
        bytemuck::cast_slice_mut(&mut bias_lines).copy_from_slice(bias);
        let in_memory = shape.features.in_memory();
        let mut weight_lines = HugeSlice::zeroed(lines * in_memory.inputs())?;
        lay_out(shape, feature_weights, bytemuck::cast_slice_mut(&mut weight_lines));
        Ok(Self {
            shape: *shape,
            scale: Self::DEFAULT_FV_SCALE,
            kernel: Kernel::best(),
            bias: bias_lines,
            feature_weights: weight_lines,
            perspectives: std::array::from_fn(|king| in_memory.perspective(king)),
            progress: progress.clone(),
            stacks: stacks.iter().map(|dense| LayerStack::new(dense, shape)).collect(),
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is not a complete network of a known shape, or out of memory.
    pub fn read(path: &Path) -> Result<Self, NetworkError> {
        Ok(Self::new(&Parameters::read(path)?)?)
    }

    /// The embedded network `nets/zones.bin`, in browsers `nets/kp.bin`, parsed on first use.
    /// `None` when out of memory.
    pub fn embedded() -> Option<&'static Arc<Self>> {
        static EMBEDDED: LazyLock<Option<Arc<Network>>> = LazyLock::new(|| {
            let parameters = Parameters::from_bytes(EMBEDDED_FILE).ok()?;
            Some(Arc::new(Network::new(&parameters).ok()?.with_measured_scale()))
        });
        EMBEDDED.as_ref()
    }

    /// Sets the output divisor, at least 1 (option `FV_SCALE`).
    #[must_use]
    pub fn with_scale(self, scale: i32) -> Self {
        Self { scale: scale.max(1), ..self }
    }

    /// Sets the kernel. All give identical results.
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { kernel, ..self }
    }

    #[inline]
    fn features(&self) -> Features {
        self.shape.features.in_memory()
    }

    /// The perspective of `color`.
    #[inline]
    fn perspective(&self, position: &Position, color: Color) -> Perspective {
        self.perspectives[own_king(position, color)]
    }

    /// Cache lines per accumulator.
    #[inline]
    fn lines(&self) -> usize {
        self.bias.len()
    }

    /// Weights of a feature, `[width] i16`.
    #[inline]
    fn feature_weights(&self, input: usize) -> &[CacheLine] {
        let lines = self.lines();
        &self.feature_weights[input * lines..][..lines]
    }

    /// The weights of a piece from both perspectives.
    #[inline(always)]
    fn feature_weights_of_both(&self, perspectives: &[Perspective; 2], piece: BonaPiece) -> [&[CacheLine]; 2] {
        let [black, white] = perspectives;
        [
            self.feature_weights(black.input(piece.by(Color::Black))),
            self.feature_weights(white.input(piece.by(Color::White))),
        ]
    }

    /// Computes the accumulator of `color` from scratch.
    fn refresh(&self, position: &Position, color: Color, accumulator: &mut [CacheLine]) {
        let mut weights = ArrayVec::<&[CacheLine], MAX_ACTIVE>::new();
        self.features().for_each_active(position, color, |input| weights.push(self.feature_weights(input)));
        self.kernel.update(&self.bias, accumulator, &[], &weights);
    }

    /// Output for both accumulators, side to move first.
    #[inline]
    fn forward(&self, position: &Position, accumulators: [&[CacheLine]; 2], scratch: &mut [ByteCacheLine]) -> i32 {
        let bucket = self.shape.buckets.bucket(position, self.progress.as_ref());
        self.kernel.forward(&self.stacks[bucket], accumulators, scratch)
    }

    /// An output in centipawns.
    #[inline]
    fn value(&self, output: i32) -> i32 {
        centipawns(output / self.scale)
    }

    /// Buffer for the inputs of the small layers.
    fn scratch(&self) -> Vec<ByteCacheLine> {
        vec![ByteCacheLine::zeroed(); self.lines() + SECOND + THIRD]
    }

    /// Output for a position from scratch, unscaled.
    pub fn output(&self, position: &Position) -> i32 {
        let us = position.side_to_move();
        let accumulators = [us, !us].map(|color| {
            let mut accumulator = vec![CacheLine::zeroed(); self.lines()];
            self.refresh(position, color, &mut accumulator);
            accumulator
        });
        self.forward(position, [&accumulators[0], &accumulators[1]], &mut self.scratch())
    }

    /// Output of a layer stack for these active features, side to move first.
    pub fn output_of(&self, inputs: [&[usize]; 2], stack: usize) -> i32 {
        let accumulators = inputs.map(|inputs| {
            let weights: Vec<_> = inputs.iter().map(|&input| self.feature_weights(input)).collect();
            let mut accumulator = vec![CacheLine::zeroed(); self.lines()];
            self.kernel.update(&self.bias, &mut accumulator, &[], &weights);
            accumulator
        });
        self.kernel.forward(&self.stacks[stack], [&accumulators[0], &accumulators[1]], &mut self.scratch())
    }

    /// Static eval in centipawns for the side to move, from scratch.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.value(self.output(position))
    }

    /// Divisor that normalises the outputs: their sizes differ between networks, but search margins
    /// are in centipawns. `16 * median(|output - median(output)|) / REFERENCE` over the `sample`,
    /// from 1 to 128; 16 if all outputs are equal.
    pub fn measured_scale(&self) -> i32 {
        let outputs: Vec<i64> = sample().map(|position| self.output(&position).into()).collect();
        let center = median_by(outputs.clone(), i64::cmp);
        let spread = median_by(outputs.iter().map(|output| (output - center).abs()).collect(), i64::cmp);
        if spread == 0 {
            return Self::DEFAULT_FV_SCALE;
        }
        let scale = (i64::from(Self::DEFAULT_FV_SCALE) * spread + REFERENCE / 2) / REFERENCE;
        scale.clamp(1, Self::MAX_SCALE.into()) as i32
    }

    /// The network with its measured scale.
    #[must_use]
    pub fn with_measured_scale(self) -> Self {
        let scale = self.measured_scale();
        self.with_scale(scale)
    }
}

/// Copies the feature weights of a file into the memory layout.
fn lay_out(shape: &Shape, weights: &[i16], to: &mut [i16]) {
    let Shape { features, width, .. } = *shape;
    match features {
        // Files are ordered by class and king square; in memory the weights of one king square are
        // contiguous.
        Features::HalfKpe9 => {
            let classes = features.bucket_inputs() / PIECES;
            for (part, weights) in weights.chunks_exact(PIECES * width).enumerate() {
                let (class, bucket) = (part / features.king_buckets(), part % features.king_buckets());
                to[(bucket * classes + class) * PIECES * width..][..weights.len()].copy_from_slice(weights);
            }
        }
        // A king has its own index after the pieces, and shares another with kings of either side.
        Features::Ka2 => {
            let (pieces, kings) = weights.split_at((PIECES + Square::COUNT) * width);
            let (others, either) = pieces.split_at(PIECES * width);
            let (to_others, to_kings) = to.split_at_mut(others.len());
            to_others.copy_from_slice(others);
            for (to, (king, either)) in to_kings.iter_mut().zip(kings.iter().zip(either.iter().cycle())) {
                *to = king.wrapping_add(*either);
            }
        }
        _ => to.copy_from_slice(weights),
    }
}

/// Networks count 90 for a pawn.
#[inline]
fn centipawns(value: i32) -> i32 {
    // The format's value range; avoids overflow.
    (value.clamp(-31_753, 31_753) * 100 / 90).clamp(-MAX_VALUE, MAX_VALUE)
}

/// 128 positions of self-play games after eight random moves, at plies 16 to 95, not in check, for
/// measuring evaluations.
pub(in crate::eval) fn sample() -> impl Iterator<Item = Position> {
    include_str!("../sample.sfen").lines().filter_map(|line| Position::from_sfen(line).ok())
}

impl Eq for Network {}

/// Equal if all parameters are; the kernel does not count.
impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape
            && self.scale == other.scale
            && self.bias == other.bias
            && self.feature_weights[..] == other.feature_weights[..]
            && self.progress == other.progress
            && self.stacks == other.stacks
    }
}

impl Network {
    /// The contribution of each piece as a board, and the static eval.
    pub fn explain(&self, position: &Position) -> String {
        let output = self.output(position);
        let value = self.value(output);
        let side = position.side_to_move();
        let board = self.board(position);
        let Self { shape, kernel, scale, .. } = self;
        format!("{board}\n{shape}\n{output} by {kernel}, to be divided by {scale}; {value} cp for {side:?} to move")
    }

    /// The contribution of the piece on a square to its side, in centipawns: eval with it minus
    /// eval without it. `None` for a king.
    fn contribution(&self, position: &Position, square: Square) -> Option<i32> {
        let color = position.piece_at(square)?.color();
        Some(self.loss(position, &position.without(square)?, color))
    }

    /// The contribution of one piece of a kind in hand.
    fn hand_contribution(&self, position: &Position, color: Color, kind: HandKind) -> Option<i32> {
        Some(self.loss(position, &position.without_in_hand(color, kind)?, color))
    }

    fn loss(&self, with: &Position, without: &Position, color: Color) -> i32 {
        let sign = with.side_to_move().sign() * color.sign();
        sign * (self.evaluate(with) - self.evaluate(without))
    }

    /// Both hands and the board, each piece above its contribution.
    fn board(&self, position: &Position) -> String {
        let hand = |color: Color| {
            let one = |(kind, count): (HandKind, u8)| {
                let contribution = self.hand_contribution(position, color, kind).unwrap_or_default();
                format!("{}{count} {contribution}", kind.on_board().letter())
            };
            let held: Vec<String> = position.hand(color).iter().map(one).collect();
            if held.is_empty() { "-".to_owned() } else { held.join(", ") }
        };
        let mut board =
            "What each piece is worth to its side here, in centipawns: the value with it less the value without it\n"
                .to_owned();
        // Writing to a string cannot fail.
        let _ = writeln!(board, "White in hand: {}", hand(Color::White));
        (1..=9).rev().for_each(|file| board += &format!("{file:>6}"));
        for rank in 0..9 {
            let squares = || (0..9).rev().filter_map(move |file| Square::at(file, rank));
            let _ = write!(board, "\n  ");
            for square in squares() {
                let piece = position.piece_at(square).map_or(".".to_owned(), piece_text);
                let _ = write!(board, "{piece:>4}  ");
            }
            let contribution =
                |square| self.contribution(position, square).map(|contribution| contribution.to_string());
            let contributions: String =
                squares().map(|square| format!("{:>5} ", contribution(square).unwrap_or_default())).collect();
            let _ = write!(board, "{}\n  {}", (b'a' + rank) as char, contributions.trim_end());
        }
        let _ = write!(board, "\nBlack in hand: {}", hand(Color::Black));
        board
    }
}

#[cfg(test)]
mod network_tests {
    use super::*;

    #[test]
    fn sample_is_complete() {
        assert_eq!(sample().count(), 128);
    }

    #[test]
    fn embedded_networks_round_trip() {
        for (file, features) in
            [(EMBEDDED_FILE, Features::HalfKaZ15), (include_bytes!("../../../nets/kp.bin"), Features::Kp)]
        {
            let parameters = Parameters::from_bytes(file).unwrap();
            assert_eq!(parameters.shape, Shape { features, ..Shape::KP });
            let mut bytes = Vec::new();
            parameters.write(&mut bytes).unwrap();
            assert!(bytes == file, "the network {features:?} was written by something else");
        }
        assert!(Network::embedded().is_some());
    }

    fn measured(change: impl FnOnce(&mut Parameters)) -> i32 {
        let file = include_bytes!("../../../nets/kp.bin");
        let mut parameters = Parameters::from_bytes(file).unwrap();
        assert_eq!(parameters.shape, Shape::KP);
        change(&mut parameters);
        Network::new(&parameters).unwrap().measured_scale()
    }

    #[test]
    fn measured_scale_follows_output_spread() {
        let shipped = measured(|_| {});
        assert!((11..=15).contains(&shipped), "{shipped}");
        let halved = measured(|parameters| {
            parameters.stacks[0][2].weights.iter_mut().for_each(|weight| *weight /= 2);
            parameters.stacks[0][2].bias[0] /= 2;
        });
        assert!((shipped / 2 - 1..=shipped / 2 + 1).contains(&halved), "{halved} of {shipped}");
        let silent = measured(|parameters| {
            parameters.stacks[0][2].weights.fill(0);
            parameters.stacks[0][2].bias[0] = 0;
        });
        assert_eq!(silent, Network::DEFAULT_FV_SCALE);
    }
}
