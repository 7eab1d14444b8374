//! Search of a key among the sorted keys.

use super::ShobError;
use super::storage::Section;

/// The key at an index.
#[inline]
pub(super) fn key_at(keys: &[u8], at: usize) -> Option<u64> {
    keys.get(8 * at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// The index of a key.
///
/// Keys are evenly distributed, so the search starts at the interpolated index and doubles the step
/// until it passes the key: it touches a page or two even among millions. Uneven or unsorted keys
/// cost a few more steps, and the search always terminates.
pub(super) fn find(keys: &Section<'_>, key: u64) -> Result<Option<usize>, ShobError> {
    let count = keys.len() / 8;
    let expected = ((u128::from(key) * count as u128) >> 64) as usize;
    // About the typical error of the interpolation.
    let mut step = (count.isqrt() / 2).max(8);
    let (mut lowest, mut highest) = (0, count);
    let (mut low, mut high) = (expected.saturating_sub(step), expected.saturating_add(step).min(count));
    while low < high {
        let part = keys.get(8 * low, 8 * (high - low))?;
        let (part, _) = part.as_chunks::<8>();
        let at = part.partition_point(|bytes| u64::from_le_bytes(*bytes) < key);
        step *= 2;
        if at == 0 && u64::from_le_bytes(part[0]) != key {
            (highest, low, high) = (low, low.saturating_sub(step).max(lowest), low);
        } else if at == part.len() {
            (lowest, low, high) = (high, high, high.saturating_add(step).min(highest));
        } else {
            return Ok((u64::from_le_bytes(part[at]) == key).then_some(low + at));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_files::ByteSource;

    #[test]
    fn finds_every_key() {
        let spreads: [fn(u64) -> u64; 4] =
            [|n| n, |n| n << 50, |n| u64::MAX - (2000 - n) * (2000 - n), |n| n * 0x0020_c49b_a5e3_53f7];
        for spread in spreads {
            for count in [0, 1, 2, 3, 10, 100, 1000] {
                let keys: Vec<u64> = (0..count).map(|n| spread(n) | 1).collect();
                let mut sorted = keys.clone();
                sorted.sort_unstable();
                sorted.dedup();
                let bytes: Vec<u8> = sorted.iter().flat_map(|key| key.to_le_bytes()).collect();
                let source = ByteSource::from(bytes);
                let find = |key| find(&Section::new(&source, &(0..source.len())), key).unwrap();
                for (at, &key) in sorted.iter().enumerate() {
                    assert_eq!(find(key), Some(at));
                    assert_eq!(find(key ^ 1), None);
                }
                assert_eq!(find(0), None);
                assert_eq!(find(u64::MAX), sorted.iter().position(|&key| key == u64::MAX));
            }
        }
    }

    #[test]
    fn unsorted_keys_terminate() {
        let bytes: Vec<u8> = (0..1000u64).flat_map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes()).collect();
        let source = ByteSource::from(bytes);
        for n in 0..1000u64 {
            let _ = find(&Section::new(&source, &(0..source.len())), n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
    }
}
