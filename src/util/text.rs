//! Text of files and clients in pages and messages.

/// Escapes text for element content and attributes.
pub fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Start of a text of a file or a client, for a message; without control characters.
pub fn excerpt(text: &str) -> String {
    text.trim().chars().take(24).map(|c| if c.is_control() { '?' } else { c }).collect()
}
