//! What makes a refresh cheap: halves that were computed with the king on the same square before.

use super::features::{MOST, PIECES};
use super::network::{Line, Network};
use crate::position::Position;
use crate::types::{Color, Square};
use crate::util::StackVec;
use bytemuck::Zeroable;

/// The set of the numbers of pieces.
type Pieces = [u64; PIECES.div_ceil(64)];

/// For each side and square of its king the half that was computed last, with the pieces that it stands for: few of them have changed
/// when the king is there again.
#[derive(Clone, Debug)]
pub(super) struct RefreshCache {
    halves: Vec<Line>,
    /// `None` where nothing was computed yet.
    pieces: Vec<Option<Pieces>>,
}

impl RefreshCache {
    /// An empty one, of no size where nothing depends on the square of a king.
    pub fn new(network: &Network) -> Self {
        let entries = if network.features().depend_on_king() { 2 * Square::COUNT } else { 0 };
        Self { halves: vec![Line::zeroed(); entries * network.lines()], pieces: vec![None; entries] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.pieces.fill(None);
    }

    /// Computes the half that `color` sees.
    pub fn refresh(&mut self, network: &Network, position: &Position, color: Color, half: &mut [Line]) {
        let (lines, offset) = (network.lines(), network.features().offset(position, color));
        let entry = color.index() * Square::COUNT + offset / PIECES;
        let Some(pieces) = self.pieces.get_mut(entry) else {
            return network.refresh(position, color, half);
        };
        let last = &mut self.halves[entry * lines..][..lines];
        let mut present = Pieces::default();
        network
            .features()
            .each(position, color, |input| present[(input - offset) / 64] |= 1 << ((input - offset) % 64));
        // A piece that is missing has a number, too, but no move changes how many are.
        present[0] &= !1;
        match pieces {
            None => network.refresh(position, color, half),
            Some(pieces) => {
                let only_in = |these: &Pieces, those: &Pieces| {
                    let mut columns = StackVec::<&[Line], MOST>::new();
                    for (word, (these, those)) in these.iter().zip(those).enumerate() {
                        let mut bits = these & !those;
                        while bits != 0 {
                            columns.push(network.column(offset + 64 * word + bits.trailing_zeros() as usize));
                            bits &= bits - 1;
                        }
                    }
                    columns
                };
                network.kernel().update(last, half, &only_in(pieces, &present), &only_in(&present, pieces));
            }
        }
        last.copy_from_slice(half);
        *pieces = Some(present);
    }
}
