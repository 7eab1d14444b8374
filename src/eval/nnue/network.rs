//! A network laid out for speed.

use super::features::{self, Features};
use super::file::NetworkError;
use super::kernel::Kernel;
use super::shape::{Dense, GROUP, Parameters, Shape};
use crate::eval::MAX_VALUE;
use crate::position::Position;
use crate::types::Color;
use crate::util::{HugeSlice, MemoryError, StackVec};
use bytemuck::{Pod, Zeroable};
use std::path::Path;

/// Numbers of the first layer come in cache lines.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Line(pub [i16; GROUP]);

/// The same of bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct ByteLine(pub [u8; 64]);

/// Outputs of a layer are computed so many at a time.
pub(super) const OUTPUTS: usize = 32;
/// Inputs of a layer are taken so many at a time.
pub(super) const INPUTS: usize = 4;
/// Weights of one step: for each of the outputs those of the inputs.
pub(super) const STEP: usize = OUTPUTS * INPUTS;
/// No layer but the first has more inputs or outputs, in lines of bytes.
pub(super) const WIDEST: usize = 4;

/// A small layer: for each block of [`OUTPUTS`], all inputs [`INPUTS`] at a time, for each output their weights.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layer {
    pub bias: Vec<[i32; OUTPUTS]>,
    weights: Vec<ByteLine>,
    /// A multiple of [`GROUP`].
    pub inputs: usize,
}

impl Layer {
    fn new(dense: &Dense, inputs: usize) -> Self {
        let blocks = dense.bias.len().div_ceil(OUTPUTS);
        let padded = inputs.next_multiple_of(GROUP);
        let mut bias = vec![[0; OUTPUTS]; blocks];
        bias.as_flattened_mut()[..dense.bias.len()].copy_from_slice(&dense.bias);
        let mut weights = vec![ByteLine::zeroed(); blocks * OUTPUTS * padded / size_of::<ByteLine>()];
        let bytes: &mut [i8] = bytemuck::cast_slice_mut(&mut weights);
        for (output, row) in dense.weights.chunks_exact(inputs).enumerate() {
            let (block, lane) = (output / OUTPUTS, output % OUTPUTS);
            for (input, &weight) in row.iter().enumerate() {
                let step = block * padded / INPUTS + input / INPUTS;
                bytes[step * STEP + lane * INPUTS + input % INPUTS] = weight;
            }
        }
        Self { bias, weights, inputs: padded }
    }

    /// The weights of a block of outputs.
    #[inline(always)]
    pub fn block(&self, at: usize) -> &[i8] {
        let size = self.inputs * OUTPUTS;
        &bytemuck::cast_slice(&self.weights)[at * size..][..size]
    }
}

/// A network, ready to evaluate.
#[derive(Debug)]
pub struct Network {
    shape: Shape,
    /// What its output is divided by.
    scale: i32,
    kernel: Kernel,
    bias: Vec<Line>,
    columns: HugeSlice<Line>,
    pub(super) layers: [Layer; 2],
    /// Of the last layer, which has one output.
    pub(super) last: (i32, Vec<i8>),
}

impl Network {
    /// What outputs are divided by unless something else is said.
    pub const USUAL_SCALE: i32 = 16;
    /// The greatest scale.
    pub const MAX_SCALE: i32 = 128;

    /// Lays the parameters out, for the fastest kernel there is.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn new(parameters: &Parameters) -> Result<Self, MemoryError> {
        let Parameters { shape, bias, columns, dense: [first, second, last] } = parameters;
        let lines = shape.width / GROUP;
        let mut bias_lines = vec![Line::zeroed(); lines];
        bytemuck::cast_slice_mut(&mut bias_lines).copy_from_slice(bias);
        let mut column_lines = HugeSlice::zeroed(lines * shape.features.inputs())?;
        bytemuck::cast_slice_mut::<Line, i16>(&mut column_lines).copy_from_slice(columns);
        let [(first_inputs, _), (second_inputs, _), _] = shape.dense();
        let layers = [Layer::new(first, first_inputs), Layer::new(second, second_inputs)];
        let last = (last.bias[0], last.weights.clone());
        Ok(Self {
            shape: *shape,
            scale: Self::USUAL_SCALE,
            kernel: Kernel::best(),
            bias: bias_lines,
            columns: column_lines,
            layers,
            last,
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is not a whole network of a shape that is known, or there is not enough memory.
    pub fn read(path: &Path) -> Result<Self, NetworkError> {
        Ok(Self::new(&Parameters::read(path)?)?)
    }

    /// The same with outputs divided by `scale`, at least 1 (the option `FV_SCALE`).
    #[must_use]
    pub fn with_scale(self, scale: i32) -> Self {
        Self { scale: scale.max(1), ..self }
    }

    /// The same computed by another kernel. All give the same values.
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { kernel, ..self }
    }

    /// Its shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// What it is computed by.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    #[inline]
    pub(super) fn features(&self) -> Features {
        self.shape.features
    }

    /// Lines of each half of the first layer.
    #[inline]
    pub(super) fn lines(&self) -> usize {
        self.bias.len()
    }

    /// What an input adds to the first layer.
    #[inline]
    pub(super) fn column(&self, input: usize) -> &[Line] {
        let lines = self.lines();
        &self.columns[input * lines..][..lines]
    }

    /// Computes the half of the first layer that `color` sees.
    pub(super) fn refresh(&self, position: &Position, color: Color, half: &mut [Line]) {
        let mut columns = StackVec::<&[Line], { features::MOST }>::new();
        self.features().each(position, color, |input| columns.push(self.column(input)));
        self.kernel.update(&self.bias, half, &[], &columns);
    }

    /// The output for both halves, that of the side to move first.
    #[inline]
    pub(super) fn forward(&self, halves: [&[Line]; 2], scratch: &mut [ByteLine]) -> i32 {
        self.kernel.forward(self, halves, scratch)
    }

    /// The value of an output in centipawns.
    #[inline]
    pub(super) fn value(&self, output: i32) -> i32 {
        centipawns(output / self.scale)
    }

    /// Room for the inputs of the layers behind the first.
    pub(super) fn scratch(&self) -> Vec<ByteLine> {
        vec![ByteLine::zeroed(); self.lines() + 2 * WIDEST]
    }

    /// The output of the network for a position, computed from nothing, before it is divided.
    pub fn output(&self, position: &Position) -> i32 {
        let us = position.side_to_move();
        let halves = [us, !us].map(|color| {
            let mut half = vec![Line::zeroed(); self.lines()];
            self.refresh(position, color, &mut half);
            half
        });
        self.forward([&halves[0], &halves[1]], &mut self.scratch())
    }

    /// The same for inputs: those that the side to move sees, and the other.
    pub fn output_of(&self, inputs: [&[usize]; 2]) -> i32 {
        let halves = inputs.map(|inputs| {
            let columns: Vec<_> = inputs.iter().map(|&input| self.column(input)).collect();
            let mut half = vec![Line::zeroed(); self.lines()];
            self.kernel.update(&self.bias, &mut half, &[], &columns);
            half
        });
        self.forward([&halves[0], &halves[1]], &mut self.scratch())
    }

    /// The value of a position in centipawns for the side to move, computed from nothing.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.value(self.output(position))
    }
}

/// Whether all values are the same; the kernel does not matter.
impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape
            && self.scale == other.scale
            && self.bias == other.bias
            && self.columns[..] == other.columns[..]
            && self.layers == other.layers
            && self.last == other.last
    }
}

impl Network {
    /// What it says of a position, in lines for people.
    pub fn explain(&self, position: &Position) -> String {
        let (output, value) = (self.output(position), self.evaluate(position));
        let side = if position.side_to_move() == Color::Black { "Black" } else { "White" };
        let Self { shape, scale, kernel, .. } = self;
        format!("{shape}\n{output} by {kernel}, to be divided by {scale}; {value} cp for {side} to move")
    }
}

/// Networks count 90 for a pawn.
#[inline]
fn centipawns(value: i32) -> i32 {
    // No value of the format is greater, and so nothing overflows.
    (value.clamp(-31_753, 31_753) * 100 / 90).clamp(-MAX_VALUE, MAX_VALUE)
}
