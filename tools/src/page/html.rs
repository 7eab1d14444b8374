//! HTML page and its parts.

use sabi::util::{escape_html as escape, html_page};

/// Colours follow the reader's light or dark mode; charts use these CSS variables.
const STYLE: &str = include_str!("style.css");

/// A whole page; `style` adds rules to the common style sheet.
pub fn page(title: &str, style: &str, body: &str) -> String {
    html_page("en", title, &format!("{STYLE}{style}"), body)
}

/// A part of the page under its own heading.
pub fn section(title: &str, body: &str) -> String {
    format!("<section>\n<h2>{}</h2>\n{body}</section>\n", escape(title))
}

/// A collapsed section.
pub fn collapsed(summary: &str, body: &str) -> String {
    format!("<details>\n<summary>{}</summary>\n{body}</details>\n", escape(summary))
}

/// Name and value pairs. Both are text.
pub fn key_values(rows: &[(&str, String)]) -> String {
    let rows: String =
        rows.iter().map(|(name, value)| format!("<dt>{}</dt><dd>{}</dd>\n", escape(name), escape(value))).collect();
    format!("<dl>\n{rows}</dl>\n")
}

/// A table; the first cell of each row is its head. Cells are text.
pub fn table(heads: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let heads: String = heads.iter().map(|head| format!("<th scope=\"col\">{}</th>", escape(head))).collect();
    let rows: String = rows.into_iter().map(|row| table_row(&row)).collect();
    format!(
        "<div class=\"wide\"><table class=\"list\">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

fn table_row(cells: &[String]) -> String {
    let cell = |(at, cell): (usize, &String)| match at {
        0 => format!("<th scope=\"row\">{}</th>", escape(cell)),
        _ => format!("<td>{}</td>", escape(cell)),
    };
    let cells: String = cells.iter().enumerate().map(cell).collect();
    format!("<tr>{cells}</tr>\n")
}

/// A chart with its legend; `legend` is markup.
pub fn figure(svg: &str, legend: &str) -> String {
    format!("<figure>\n{svg}<figcaption>{legend}</figcaption>\n</figure>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let name = "<script>\"a\" & 'b'</script>";
        assert_eq!(escape(name), "&lt;script&gt;&quot;a&quot; &amp; 'b'&lt;/script&gt;");
        for html in [
            page(name, "", ""),
            section(name, ""),
            collapsed(name, ""),
            key_values(&[(name, name.to_owned())]),
            table(&[name], [vec![name.to_owned(), name.to_owned()]]),
        ] {
            assert!(html.contains("&lt;script&gt;") && !html.contains("<script"), "{html}");
        }
    }
}
