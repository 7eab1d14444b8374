//! Excerpts for messages, and the mixing function of keys.

/// Start of a text of a file or a client, for a message; without control characters.
pub fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut letters = text.trim().chars().map(|c| if c.is_control() { '?' } else { c });
    let start: String = letters.by_ref().take(SHOWN).collect();
    if letters.next().is_some() { start + "..." } else { start }
}

/// Output `number`, from 1, of the generator with the initial state `seed`.
pub const fn split_mix(seed: u64, number: u64) -> u64 {
    let z = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_those_of_the_reference_implementation() {
        // https://prng.di.unimi.it/splitmix64.c with the state 1234567.
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([1, 2, 3].map(|number| split_mix(1_234_567, number)), expected);
    }

    #[test]
    fn excerpt_cuts_between_characters() {
        assert_eq!(excerpt(" short\n"), "short");
        assert_eq!(excerpt("a\0b"), "a?b");
        assert_eq!(excerpt(&"錆".repeat(60)).chars().count(), 60);
        assert_eq!(excerpt(&"錆".repeat(61)).chars().count(), 63);
    }
}
