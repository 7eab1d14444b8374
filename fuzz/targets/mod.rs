//! Properties that hold for any input: one function for each kind of input, which panics otherwise.
//!
//! Called by the fuzzer, and by `tests/library/fuzz_corpus.rs` on the stored corpus.

mod books;
mod evaluation;
mod records;
mod rules;
mod usi;

/// A fuzz target.
pub struct Target {
    pub name: &'static str,
    /// The check.
    pub check: fn(&[u8]),
    /// Seed fixtures, below `tests/fixtures`.
    pub fixtures: Option<&'static str>,
}

/// All targets.
pub const TARGETS: [Target; 25] = [
    target("usi_line", usi::line, None),
    target("usi_session", usi::session, None),
    target("sfen", rules::sfen, None),
    target("moves", rules::moves, None),
    target("csa", |bytes| records::check("a.csa", bytes), Some("records")),
    target("kif", |bytes| records::check("a.kif", bytes), Some("records")),
    target("ki2", |bytes| records::check("a.ki2", bytes), Some("records")),
    target("jkf", |bytes| records::check("a.jkf", bytes), None),
    target("pgn", |bytes| records::check("a.pgn", bytes), Some("records")),
    target("usi_list", |bytes| records::check("a.usi", bytes), None),
    target("csa_server", records::csa_server, None),
    target("record", |bytes| records::check("a", bytes), Some("records")),
    target("problems", records::problems, None),
    target("psv", records::psv, Some("records/cshogi")),
    target("hcpe", records::hcpe, Some("records/cshogi")),
    target("sabg", |bytes| records::check("a.sabg", bytes), None),
    target("sabg_block", records::block, None),
    target("shob", books::shob, None),
    target("db", books::db, Some("books")),
    target("ybb", books::ybb, Some("books")),
    target("apery", books::apery, Some("books")),
    target("sbk", books::sbk, Some("books")),
    target("book_json", books::other_formats, None),
    target("network", evaluation::network, None),
    target("weights", evaluation::weights, None),
];

const fn target(name: &'static str, check: fn(&[u8]), fixtures: Option<&'static str>) -> Target {
    Target { name, check, fixtures }
}

/// Messages are short and contain no control characters.
fn assert_clear(message: &impl ToString) {
    let message = message.to_string();
    assert!(!message.chars().any(char::is_control), "{message:?}");
    assert!((1..600).contains(&message.len()), "{message}");
}

/// What was accepted; `None` after an error, whose message must be clear.
fn accepted<T, E: ToString>(read: Result<T, E>) -> Option<T> {
    read.inspect_err(assert_clear).ok()
}
