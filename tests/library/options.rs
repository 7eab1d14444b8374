//! `usi_options.md` matches the option table.

use std::fs;
use std::path::Path;

#[test]
fn options_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("usi_options.md");
    let page = fs::read_to_string(path).expect("usi_options.md").replace("\r\n", "\n");
    assert!(page == sabi::engine::options_page(), "run: cargo run --release -- options > usi_options.md");
}
