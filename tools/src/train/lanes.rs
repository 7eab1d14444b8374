//! SIMD lanes.

use wide::f32x16;

/// Values per lane vector; every part of a model is a multiple of it.
pub(super) const LANES: usize = 16;
/// One vector.
pub(super) type Lanes = f32x16;

/// The values as a slice.
pub(super) fn values_of(lanes: &[Lanes]) -> &[f32] {
    bytemuck::cast_slice(lanes)
}

pub(super) fn values_of_mut(lanes: &mut [Lanes]) -> &mut [f32] {
    bytemuck::cast_slice_mut(lanes)
}

/// Adds rows of a table to `sums`, which has the length of a row.
#[inline]
pub(super) fn add_rows(table: &[Lanes], rows: &[u32], sums: &mut [Lanes]) {
    // The usual width at once, so that rows are read sequentially.
    match sums.len().is_multiple_of(16) {
        true => add_tiles::<16>(table, rows, sums),
        false => add_tiles::<2>(table, rows, sums),
    }
}

#[inline(always)]
fn add_tiles<const N: usize>(table: &[Lanes], rows: &[u32], sums: &mut [Lanes]) {
    let tiles = sums.len() / N;
    let table = table.as_chunks::<N>().0;
    for (tile, sums) in sums.as_chunks_mut::<N>().0.iter_mut().enumerate() {
        let mut total = *sums;
        for &row in rows {
            let values = &table[row as usize * tiles + tile];
            total.iter_mut().zip(values).for_each(|(total, number)| *total += *number);
        }
        *sums = total;
    }
}
