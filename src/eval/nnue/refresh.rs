//! Accumulator cache for refreshes ("Finny tables").

use super::attack_counts::AttackCounts;
use super::cache_line::CacheLine;
use super::features::{MAX_ACTIVE, own_king};
use super::network::Network;
use super::pieces::Pieces;
use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use sabi_shogi::{Color, Position};

/// By side and king square the last accumulator computed, with its pieces: few of them have changed
/// when the king returns.
#[derive(Clone, Debug)]
pub(super) struct RefreshCache {
    accumulators: Vec<CacheLine>,
    /// `None` if not computed yet.
    pieces: Vec<Option<Pieces>>,
}

impl RefreshCache {
    /// Empty; without size if the features do not depend on the king.
    pub fn new(network: &Network) -> Self {
        let entries = if network.features().depend_on_king() { 4 * network.features().king_buckets() } else { 0 };
        Self { accumulators: vec![CacheLine::zeroed(); entries * network.lines()], pieces: vec![None; entries] }
    }

    /// Clears the cache.
    pub fn clear(&mut self) {
        self.pieces.fill(None);
    }

    /// Computes the accumulator of `color`.
    pub fn refresh(
        &mut self,
        network: &Network,
        position: &Position,
        color: Color,
        attack_counts: Option<&AttackCounts>,
        accumulator: &mut [CacheLine],
    ) {
        let (bucket, mirrored) = network.features().king_bucket(own_king(position, color));
        let entry = (color.index() * 2 + usize::from(mirrored)) * network.features().king_buckets() + bucket;
        let Some(pieces) = self.pieces.get_mut(entry) else {
            return network.refresh(position, color, accumulator);
        };
        let last = &mut self.accumulators[entry * network.lines()..][..network.lines()];
        // Missing pieces have an index too, but their number never changes.
        let present = Pieces::new(position, color, attack_counts);
        match pieces {
            None => network.refresh(position, color, accumulator),
            Some(pieces) => {
                let perspective = network.perspective(position, color);
                let [mut removed, mut added] = [const { ArrayVec::<&[CacheLine], MAX_ACTIVE>::new_const() }; 2];
                present.changes_since(pieces, color, network.features().have_kings(), |number, is_added| {
                    let weights = network.feature_weights(perspective.input(number));
                    if is_added { &mut added } else { &mut removed }.push(weights);
                });
                network.kernel().update(last, accumulator, &removed, &added);
            }
        }
        last.copy_from_slice(accumulator);
        *pieces = Some(present);
    }
}
