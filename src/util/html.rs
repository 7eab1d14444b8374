//! The frame of HTML pages.

/// Distinguishes these pages from those of others.
const GENERATOR: &str = "<meta name=\"generator\" content=\"Sabi\">";

/// A page of a title, as heading too, and a body; `language` is a code of BCP 47.
pub fn html_page(language: &str, title: &str, style: &str, body: &str) -> String {
    let title = escape_html(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n{GENERATOR}\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{style}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}

/// Whether a file that starts like this is a page of [`html_page`].
pub fn is_html_page(head: &[u8]) -> bool {
    head.starts_with(b"<!DOCTYPE html>") && head.windows(GENERATOR.len()).any(|part| part == GENERATOR.as_bytes())
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_pages_are_recognised() {
        let page = html_page("en", GENERATOR, "", "");
        assert!(is_html_page(page.as_bytes()) && page.matches(GENERATOR).count() == 1);
        let other = page.replacen(GENERATOR, "<meta name=\"generator\" content=\"Hugo\">", 1);
        assert!(!is_html_page(other.as_bytes()) && !is_html_page(GENERATOR.as_bytes()) && !is_html_page(b""));
    }
}
