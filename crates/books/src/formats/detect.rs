//! Format detection by content.

use super::format::Format;
use super::{apery, sbk, ybb};
use sabi_files::without_bom;

/// Bytes needed for detection.
pub const DETECTED: usize = 4096;

/// The format of a book; `None` if unknown.
pub fn detect(bytes: &[u8]) -> Option<Format> {
    detect_head(&bytes[..bytes.len().min(DETECTED)], bytes.len())
}

/// The format of a book of this length with these first [`DETECTED`] bytes.
pub fn detect_head(head: &[u8], length: usize) -> Option<Format> {
    let complete = length <= DETECTED;
    if head.starts_with(ybb::MAGIC) {
        return Some(Format::Ybb);
    }
    if let Some(format) = detect_text(without_bom(head)) {
        return Some(format);
    }
    if sbk::detect(head, complete) {
        return Some(Format::Sbk);
    }
    (length.is_multiple_of(16) && apery::detect(head, complete)).then_some(Format::Apery)
}

fn detect_text(head: &[u8]) -> Option<Format> {
    let text = head.trim_ascii_start();
    if text.starts_with(b"{") || text.starts_with(b"[") {
        // Our format starts with its name.
        let named = text[1..].trim_ascii_start().starts_with(b"\"format\"");
        return Some(if named { Format::Json } else { Format::Openings });
    }
    if text.starts_with(b"#YANEURAOU-DB") {
        return Some(Format::YaneuraOu);
    }
    let said = |line: &&[u8]| !(line.is_empty() || line.starts_with(b"#") || line.starts_with(b"//"));
    let starts_position = |line: &[u8]| line.starts_with(b"sfen ") || line.starts_with(b"position sfen ");
    let first = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).find(said)?;
    starts_position(first).then_some(Format::YaneuraOu)
}
