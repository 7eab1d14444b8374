//! Text decoding.

use super::error::Fault;
use encoding_rs::SHIFT_JIS;
use std::borrow::Cow;

/// UTF-8 if valid, otherwise Shift_JIS (Windows code page). Nothing else is tried: short texts are
/// valid in several of the older Japanese encodings, and no program that writes records uses the
/// others.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
    let bytes = without_bom(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) => SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes).ok_or(Fault::Encoding),
    }
}

/// [`decode`] with replacement characters for invalid bytes: comments of real records are sometimes
/// cut in the middle of a character, and moves with such characters are rejected anyway. The
/// encoding is that with fewer of them.
pub(super) fn decode_lossy(bytes: &[u8]) -> Cow<'_, str> {
    decode(bytes).unwrap_or_else(|_| {
        let bytes = without_bom(bytes);
        let (utf8, shift_jis) = (String::from_utf8_lossy(bytes), SHIFT_JIS.decode_without_bom_handling(bytes).0);
        let replaced = |text: &str| text.matches(char::REPLACEMENT_CHARACTER).count();
        if replaced(&utf8) < replaced(&shift_jis) { utf8 } else { shift_jis }
    })
}

/// Strips a byte order mark.
pub(super) fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The value of a digit: ASCII, full width or kanji.
pub(super) fn digit(c: char) -> Option<u8> {
    match c {
        '0'..='9' => Some(c as u8 - b'0'),
        '０'..='９' => u8::try_from(c as u32 - '０' as u32).ok(),
        _ => "〇一二三四五六七八九".chars().position(|kanji| kanji == c).and_then(|value| u8::try_from(value).ok()),
    }
}

/// The number written in kanji, up to 99: 十八, 二.
pub(super) fn kanji_number(text: &str) -> Option<u8> {
    let (tens, ones) = match text.split_once('十') {
        Some((tens, ones)) => (if tens.is_empty() { 1 } else { single_digit(tens)? }, ones),
        None => (0, text),
    };
    let ones = if ones.is_empty() && tens > 0 { 0 } else { single_digit(ones)? };
    Some(10 * tens + ones)
}

fn single_digit(text: &str) -> Option<u8> {
    let mut chars = text.chars();
    let value = digit(chars.next()?)?;
    chars.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_utf8_and_shift_jis() {
        let shift_jis = SHIFT_JIS.encode("先手：中村　修").0;
        assert_eq!(decode(&shift_jis).unwrap(), "先手：中村　修");
        assert_eq!(decode("先手：中村　修".as_bytes()).unwrap(), "先手：中村　修");
        assert_eq!(decode(b"\xef\xbb\xbfV2.2").unwrap(), "V2.2");
        assert!(matches!(decode(b"\xff\xfe\x00\x80"), Err(Fault::Encoding)));
    }

    #[test]
    fn detects_short_shift_jis_header() {
        // These bytes are also valid EUC-JP.
        assert_eq!(decode(&[0xbd, 0xc5, 0xca, 0xde]).unwrap(), "ｽﾅﾊﾞ");
    }

    #[test]
    fn parses_piece_counts() {
        for (text, number) in [("二", 2), ("十", 10), ("十八", 18), ("二十", 20), ("４", 4)] {
            assert_eq!(kanji_number(text), Some(number), "{text}");
        }
        for bad in ["", "歩", "二二", "十十"] {
            assert_eq!(kanji_number(bad), None, "{bad}");
        }
    }
}
