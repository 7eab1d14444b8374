//! Text of files and clients.

/// Text without a byte order mark of UTF-8.
pub fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Start of a text of a file or a client, for a message; without control characters.
pub fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut letters = text.trim().chars().map(|c| if c.is_control() { '?' } else { c });
    let start: String = letters.by_ref().take(SHOWN).collect();
    if letters.next().is_some() { start + "..." } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpt_cuts_between_characters() {
        assert_eq!(excerpt(" short\n"), "short");
        assert_eq!(excerpt("a\0b"), "a?b");
        assert_eq!(excerpt(&"錆".repeat(60)).chars().count(), 60);
        assert_eq!(excerpt(&"錆".repeat(61)).chars().count(), 63);
    }
}
