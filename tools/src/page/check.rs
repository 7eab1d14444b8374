//! Test check of generated pages.

/// Checks that a page is well formed, self-contained, of modest size and without NaN or infinity.
pub(crate) fn check_page(html: &str) {
    check_tags(html);
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    assert!(html.len() < 1 << 20, "{} bytes", html.len());
    // No external resources and no scripts. The SVG namespace is an address that is never opened.
    let inside = html.replace("http://www.w3.org/2000/svg", "");
    for word in ["http", "src=", "href=", "<script", "url(", "@import", "NaN", "inf"] {
        assert!(!inside.contains(word), "{word}");
    }
}

/// Checks that tags are closed in the right order.
fn check_tags(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in html.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').unwrap_or_else(|| panic!("'<{tag}' has no end"));
        assert!(!text.contains('>') || open.last() == Some(&"style"), "a stray '>' after <{tag}>: {text}");
        assert!(tag.matches('"').count() % 2 == 0, "<{tag}>");
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap_or_default();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else if !tag.starts_with('!') && !tag.ends_with('/') && name != "meta" {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
}

#[test]
fn detects_bad_tags() {
    for html in ["<p>", "<p><b></p></b>", "</p>", "<p", "<a b=\"></a>", "<p>a > b</p>"] {
        assert!(std::panic::catch_unwind(|| check_tags(html)).is_err(), "{html}");
    }
    check_tags("<!DOCTYPE html>\n<p a=\"b\">x<br/></p>");
}
