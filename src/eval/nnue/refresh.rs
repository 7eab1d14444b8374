//! What makes a refresh cheap: halves that were computed with the king on the same square before.

use super::effects::Effects;
use super::features::{MOST, Pieces, own_king};
use super::lines::Line;
use super::network::Network;
use crate::position::Position;
use crate::types::Color;
use arrayvec::ArrayVec;
use bytemuck::Zeroable;

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
        let entries = if network.features().depend_on_king() { 4 * network.features().places() } else { 0 };
        Self { halves: vec![Line::zeroed(); entries * network.lines()], pieces: vec![None; entries] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.pieces.fill(None);
    }

    /// Computes the half that `color` sees.
    pub fn refresh(
        &mut self,
        network: &Network,
        position: &Position,
        color: Color,
        effects: Option<&Effects>,
        half: &mut [Line],
    ) {
        let (place, mirrored) = network.features().place(own_king(position, color));
        let entry = (color.index() * 2 + usize::from(mirrored)) * network.features().places() + place;
        let Some(pieces) = self.pieces.get_mut(entry) else {
            return network.refresh(position, color, half);
        };
        let last = &mut self.halves[entry * network.lines()..][..network.lines()];
        // A piece that is missing has a number, too, but no move changes how many are.
        let present = network.features().pieces(position, color, effects);
        match pieces {
            None => network.refresh(position, color, half),
            Some(pieces) => {
                let view = network.features().view(position, color);
                let only_in = |these: &Pieces, those: &Pieces| {
                    let mut columns = ArrayVec::<&[Line], MOST>::new();
                    these.only_here(those, |number| columns.push(network.column(view.input(number))));
                    columns
                };
                network.kernel().update(last, half, &only_in(pieces, &present), &only_in(&present, pieces));
            }
        }
        last.copy_from_slice(half);
        *pieces = Some(present);
    }
}
