//! CRC-32 as in gzip and PNG: it notices every change that is confined to 32 neighbouring bits.

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            rest = if rest & 1 == 0 { rest >> 1 } else { (rest >> 1) ^ 0xedb8_8320 };
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
};

/// The CRC-32 (polynomial 0x04c11db7, reflected) of some bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| (sum >> 8) ^ TABLE[(sum as u8 ^ byte) as usize])
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn the_check_value_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
    }
}
