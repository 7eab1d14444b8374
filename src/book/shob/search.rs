//! Finding a key among sorted ones.

/// The key at a place.
#[inline]
pub(super) fn key_at(keys: &[u8], at: usize) -> Option<u64> {
    keys.get(8 * at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// The place of a key.
///
/// Keys are evenly spread, so the search starts where the key should be and doubles its steps until it has passed it: it stays
/// within a page or two even among millions. Keys that are not evenly spread, or not sorted, cost a few steps more, and no key
/// is looked at twice for ever.
pub(super) fn find(keys: &[u8], key: u64) -> Option<usize> {
    let count = keys.len() / 8;
    let expected = ((u128::from(key) * count as u128) >> 64) as usize;
    let (mut low, mut high) = (0, count);
    // The least step about covers how far even spreading misses.
    let mut step = (count.isqrt() / 4).max(4);
    if key_at(keys, expected)? < key {
        low = expected + 1;
        while let Some(next) = low.checked_add(step).filter(|&next| next < high) {
            if key_at(keys, next)? >= key {
                high = next + 1;
                break;
            }
            low = next + 1;
            step *= 2;
        }
    } else {
        high = expected + 1;
        while let Some(next) = high.checked_sub(step + 1).filter(|&next| next > low) {
            if key_at(keys, next)? <= key {
                low = next;
                break;
            }
            high = next;
            step *= 2;
        }
    }
    while low < high {
        let middle = low.midpoint(high);
        match key_at(keys, middle)?.cmp(&key) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Equal => return Some(middle),
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_however_they_are_spread() {
        let spreads: [fn(u64) -> u64; 4] =
            [|n| n, |n| n << 50, |n| u64::MAX - (2000 - n) * (2000 - n), |n| n * 0x0020_c49b_a5e3_53f7];
        for spread in spreads {
            for count in [0, 1, 2, 3, 10, 100, 1000] {
                let keys: Vec<u64> = (0..count).map(|n| spread(n) | 1).collect();
                let mut sorted = keys.clone();
                sorted.sort_unstable();
                sorted.dedup();
                let bytes: Vec<u8> = sorted.iter().flat_map(|key| key.to_le_bytes()).collect();
                for (at, &key) in sorted.iter().enumerate() {
                    assert_eq!(find(&bytes, key), Some(at));
                    assert_eq!(find(&bytes, key ^ 1), None);
                }
                assert_eq!(find(&bytes, 0), None);
                assert_eq!(find(&bytes, u64::MAX), sorted.iter().position(|&key| key == u64::MAX));
            }
        }
    }

    #[test]
    fn keys_in_disorder_end_the_search_too() {
        let bytes: Vec<u8> = (0..1000u64).flat_map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes()).collect();
        for n in 0..1000u64 {
            find(&bytes, n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
    }
}
