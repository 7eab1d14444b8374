//! `usi_options.md` and `usi_options.ja.md` match the option table.

use std::fs;
use std::path::Path;

#[test]
fn options_pages_are_up_to_date() {
    for (name, lang) in [("usi_options.md", "en"), ("usi_options.ja.md", "ja")] {
        let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect(name);
        let expected = sabi::engine::options_page(lang == "ja");
        assert!(page.replace("\r\n", "\n") == expected, "run: cargo run --release -- options --lang {lang} > {name}");
    }
}
