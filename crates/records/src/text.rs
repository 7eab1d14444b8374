//! The text of records: encodings, digits of full width and kanji, scores in comments.

use super::error::Fault;
use encoding_rs::{Encoding, SHIFT_JIS, UTF_8};
use sabi_files::without_bom;
use sabi_shogi::{MAX_PLY, Score};
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
///
/// Line ends become `\n`: old programs end lines by `\r` alone.
pub(super) fn decode_lossy(bytes: &[u8]) -> Cow<'_, str> {
    let text = decode_bytes(bytes);
    if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")) } else { text }
}

fn decode_bytes(bytes: &[u8]) -> Cow<'_, str> {
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

/// A file in UTF-16, or whose lines end by `\r` alone, is read to its end and becomes UTF-8 with `\n`,
/// in which line ends are single bytes.
pub(super) fn utf8_reader(mut reader: Box<dyn BufRead + Send>) -> io::Result<Box<dyn BufRead + Send>> {
    let head = reader.fill_buf()?;
    if utf_16(head).is_none() && !has_old_line_ends(head) {
        return Ok(reader);
    }
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    Ok(Box::new(Cursor::new(utf8_bytes(bytes))))
}

/// The bytes of a file: as UTF-8 if they are UTF-16, and with `\n` if its lines end by `\r` alone, a
/// byte that is part of no character of Shift_JIS.
pub(super) fn utf8_bytes(bytes: Vec<u8>) -> Vec<u8> {
    let mut bytes = match utf_16(&bytes) {
        Some((encoding, text)) => encoding.decode_without_bom_handling(text).0.into_owned().into_bytes(),
        None => bytes,
    };
    if has_old_line_ends(&bytes) {
        bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
    }
    bytes
}

fn has_old_line_ends(bytes: &[u8]) -> bool {
    bytes.contains(&b'\r') && !bytes.contains(&b'\n')
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

/// A number of pieces, up to 99, in kanji or digits: 十八, 二, 17.
pub(super) fn piece_count(text: &str) -> Option<u8> {
    let digits: String = text.chars().map(plain).collect();
    if (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.parse().ok();
    }
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

/// Untrusted text as part of a line.
pub(super) fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ").trim().to_owned()
}

/// The score of a comment, for Black: the player's evaluation when choosing the move before the
/// comment. The text begins after the comment sign, `*` in KIF and `'*` in CSA.
///
/// Four formats: floodgate's `* -152 -3334FU` (0 for book moves), `*対局 … 評価値 60 読み筋 …` of ShogiGUI,
/// and `*評価値=80` and `*詰み=先手勝ち:5手` of ShogiHome. Scores of later analysis, `*解析` and
/// `#評価値=`, are ignored: programs differ in whether they refer to the position before or after
/// the move.
pub fn comment_score(comment: &str) -> Option<Score> {
    let text = comment.strip_prefix('*')?;
    if let Some(number) = text.strip_prefix("評価値=") {
        centipawns(number)
    } else if let Some(mate) = text.strip_prefix("詰み=") {
        mate_of(mate)
    } else if let Some(rest) = text.strip_prefix("対局") {
        let (_, value) = rest.split_once(" 評価値 ")?;
        match value.chars().take_while(|c| !c.is_whitespace()).collect::<String>().as_str() {
            "+詰" => Some(UNKNOWN_MATE),
            "-詰" => Some(-UNKNOWN_MATE),
            number => centipawns(number),
        }
    } else if text.starts_with(' ') {
        centipawns(text)
    } else {
        None
    }
}

/// A score as comment in ShogiHome's format, readable by [`comment_score`].
pub(super) fn score_comment(score: Score) -> String {
    match score.mate_plies() {
        Some(plies) => format!("*詰み={}勝ち:{}手", if score.is_mate_win() { "先手" } else { "後手" }, plies.abs()),
        None => format!("*評価値={}", score.get()),
    }
}

/// Whether a comment is nothing but this score, so that it can be written again from the score.
pub(super) fn is_score_alone(comment: &str, score: Score) -> bool {
    comment == score_comment(score) || comment.strip_prefix("* ").is_some_and(|cp| cp == score.get().to_string())
}

/// Whether the comments of a move say its score, so that it need not be written beside them. A
/// comment that is nothing but the score would be read as the score and dropped.
pub(super) fn say_score(comments: &[String], score: Score) -> bool {
    let first = comments.iter().find_map(|comment| Some((comment, comment_score(comment)?)));
    first.is_some_and(|(comment, said)| said == score && !is_score_alone(comment, score))
}

/// Untrusted text as a comment of one line.
pub(super) fn comment_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ").trim_end().to_owned()
}

/// A mate of unknown length.
const UNKNOWN_MATE: Score = Score::MATE_IN_MAX_PLY;

/// Parses the first word as a number.
fn centipawns(text: &str) -> Option<Score> {
    let value: f64 = text.split_whitespace().next()?.parse().ok()?;
    // Clamped to the range of scores.
    value.is_finite().then(|| Score::cp(value.round() as i32))
}

/// `先手勝ち:5手`, or without the length.
fn mate_of(text: &str) -> Option<Score> {
    let (winner, plies) =
        text.trim().split_once(':').map_or((text.trim(), None), |(winner, plies)| (winner, Some(plies)));
    let plies = plies.and_then(|plies| plies.strip_suffix('手')?.parse::<usize>().ok());
    let mate = plies.map_or(UNKNOWN_MATE, |plies| Score::mate_in(plies.min(MAX_PLY)));
    match winner {
        "先手勝ち" => Some(mate),
        "後手勝ち" => Some(-mate),
        _ => None,
    }
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
        for (text, number) in [("二", 2), ("十", 10), ("十八", 18), ("二十", 20), ("４", 4), ("17", 17), ("１７", 17)]
        {
            assert_eq!(piece_count(text), Some(number), "{text}");
        }
        for bad in ["", "歩", "二二", "十十", "170", "+7", "1七"] {
            assert_eq!(piece_count(bad), None, "{bad}");
        }
    }

    #[test]
    fn parses_scores_in_every_spelling() {
        for (comment, score) in [
            ("* -152 -3334FU +2726FU", Score::cp(-152)),
            ("* 0", Score::ZERO),
            ("* 0 joseki", Score::ZERO),
            ("* -488281", -Score::MAX_NON_MATE),
            ("*対局 候補1 時間 00:03.0 深さ 21/30 ノード数 15909354 評価値 60 読み筋 ▲３三角成(88)", Score::cp(60)),
            ("*対局 深さ 5 評価値 -詰 読み筋", -Score::MATE_IN_MAX_PLY),
            ("*評価値=80", Score::cp(80)),
            ("*評価値=-12.6", Score::cp(-13)),
            ("*詰み=先手勝ち:5手", Score::mate_in(5)),
            ("*詰み=後手勝ち", -Score::MATE_IN_MAX_PLY),
        ] {
            assert_eq!(comment_score(comment), Some(score), "{comment}");
        }
    }

    #[test]
    fn other_comments_have_no_score() {
        let plain = ["", "10", " 10 minutes", "*", "* ", "*10", "* nan", "* inf", "* joseki"];
        let named = ["*評価値=", "*評価値=abc", "*詰み=", "*詰み=両方", "*対局 評価値 ", "#評価値=-102"];
        let long = ["*対局 文字列 BookEvalDiff = 30", "*解析 0 時間 00:03.8 評価値 113 読み筋"];
        for comment in plain.into_iter().chain(named).chain(long) {
            assert_eq!(comment_score(comment), None, "{comment}");
        }
    }
}
