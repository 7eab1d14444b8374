//! Text decoding.

use super::error::Fault;
use encoding_rs::{Encoding, SHIFT_JIS, UTF_8};
use sabi_files::without_bom;
use std::borrow::Cow;
use std::io::{self, BufRead, Cursor, Read};

/// UTF-8 if valid, otherwise Shift_JIS (Windows code page). Nothing else is tried: short texts are
/// valid in several of the older Japanese encodings, and no program that writes records uses the
/// others. UTF-16 is known by the start of a file, which this may not be.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
    let bytes = without_bom(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) => SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes).ok_or(Fault::Encoding),
    }
}

/// [`decode`] for a file or its start, with replacement characters for invalid bytes: comments of
/// real records are sometimes cut in the middle of a character, and moves with such characters are
/// rejected anyway. The encoding is that with fewer of them, or UTF-16 if its mark is there.
pub(super) fn decode_lossy(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, text)) = utf_16(bytes) {
        return encoding.decode_without_bom_handling(text).0;
    }
    decode(bytes).unwrap_or_else(|_| {
        let bytes = without_bom(bytes);
        let (utf8, shift_jis) = (String::from_utf8_lossy(bytes), SHIFT_JIS.decode_without_bom_handling(bytes).0);
        let replaced = |text: &str| text.matches(char::REPLACEMENT_CHARACTER).count();
        if replaced(&utf8) < replaced(&shift_jis) { utf8 } else { shift_jis }
    })
}

/// A file in UTF-16 is read to its end and becomes UTF-8, in which line ends are single bytes.
pub(super) fn utf8_reader(mut reader: Box<dyn BufRead + Send>) -> io::Result<Box<dyn BufRead + Send>> {
    if utf_16(reader.fill_buf()?).is_none() {
        return Ok(reader);
    }
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    Ok(Box::new(Cursor::new(decode_lossy(&bytes).into_owned())))
}

/// The bytes of a file, as UTF-8 if they are UTF-16.
pub(super) fn utf8_bytes(bytes: Vec<u8>) -> Vec<u8> {
    let Some((encoding, text)) = utf_16(&bytes) else {
        return bytes;
    };
    encoding.decode_without_bom_handling(text).0.into_owned().into_bytes()
}

/// The byte order and the text of a file in UTF-16 with its mark, which Notepad calls Unicode.
fn utf_16(bytes: &[u8]) -> Option<(&'static Encoding, &[u8])> {
    let (encoding, length) = Encoding::for_bom(bytes).filter(|&(encoding, _)| encoding != UTF_8)?;
    Some((encoding, &bytes[length..]))
}

/// Maps digits and signs of full width to ASCII.
pub(super) fn plain(c: char) -> char {
    match c {
        '０'..='９' => char::from_u32(u32::from(c) - u32::from('０') + u32::from('0')).unwrap_or(c),
        '＋' => '+',
        '：' => ':',
        c => c,
    }
}

/// The value of a digit: ASCII, full width or kanji.
pub(super) fn digit(c: char) -> Option<u8> {
    match plain(c) {
        ascii @ '0'..='9' => Some(ascii as u8 - b'0'),
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
    fn detects_utf_16_by_its_mark() {
        assert_eq!(decode_lossy(b"\xff\xfeV\x002\x00"), "V2");
        assert_eq!(decode_lossy(b"\xfe\xff\x51\x48\x62\x4b"), "先手");
        assert_eq!(decode_lossy(b"\xff\xfeV\x00\x00\xd8"), "V\u{fffd}");
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
