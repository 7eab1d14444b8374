//! The options page, rendered from their table.

use super::{OptionKind, options};
use std::fmt::Write;

const HEAD: &str = "\
# Options

Set an option with `setoption name NAME value VALUE`; names are matched without case. An option may be set at any time, also
during a search: it takes effect at the next `go` (`DebugLogFile`: at once; `Clear_Hash`: at once or after the running search). This page is rendered from the engine's own table by `sabi options`.

| Name | Type | Default | Values | What it does |
|---|---|---|---|---|
";

/// `usi_options.md`.
pub fn options_page() -> String {
    let mut page = HEAD.to_owned();
    for row in options() {
        let values = match &row.kind {
            kind @ OptionKind::Combo { .. } => {
                kind.choice_names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
            }
            kind => kind.valid_values(),
        };
        let default = match &row.kind {
            // The page is the same on every machine.
            OptionKind::MachineSpin { rule, .. } => (*rule).to_owned(),
            kind => kind.default_text().map(|text| format!("`{text}`")).unwrap_or_default(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(page, "| `{}` | {} | {default} | {values} | {} |", row.name, row.kind.name(), row.help);
    }
    page
}
