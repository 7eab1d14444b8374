//! Layering: no module uses a higher floor, and neither modules nor files of a module form cycles.

mod circles;
mod paths;

use paths::paths_from;
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Modules by floor. A module uses lower floors, and on its own floor the groups before its own.
type Floors = &'static [&'static [&'static [&'static str]]];

/// The packages, lower ones first. Cargo keeps crates from using each other in a circle.
const PACKAGES: [&str; 7] =
    ["crates/files", "crates/shogi", "crates/records", "crates/books", "crates/csa", "", "tools"];

const SHOGI: Floors = &[&[&["types"]], &[&["bitboard"]], &[&["position"], &["movegen"]]];

const ENGINE: Floors = &[
    &[&["machine"]],
    &[&["table"], &["eval", "mate"]],
    &[&["search"]],
    &[&["engine"]],
    &[&["usi", "analysis"]],
    &[&["cli"]],
    &[&["main"]],
];

/// The tools package uses all of the engine; the engine does not use it.
const TOOLS: Floors = &[&[&["checkpoint", "page"]], &[&["book", "tune", "train", "matches"]], &[&["cli"]], &[&["bin"]]];

/// One module uses another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    from: String,
    to: String,
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} uses {}", self.from, self.to)
    }
}

/// Floor, and group on it.
fn place(floors: Floors, module: &str) -> Option<(usize, usize)> {
    floors.iter().enumerate().find_map(|(floor, groups)| {
        let group = groups.iter().position(|group| group.contains(&module))?;
        Some((floor, group))
    })
}

/// Whether an edge is allowed: downwards, or to an earlier group. Both ends must be listed.
fn is_allowed(floors: Floors, edge: &Edge) -> bool {
    match (place(floors, &edge.from), place(floors, &edge.to)) {
        (Some(from), Some(to)) => edge.from == edge.to || to < from,
        _ => false,
    }
}

/// Source text without comments and string contents.
fn code(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find('\'').map_or(rest.len(), |end| end + 2)
        } else if next == '"' {
            string_length(rest)
        } else {
            code.push(next);
            next.len_utf8()
        };
        rest = &rest[skipped..];
    }
    code
}

/// Length of the string literal at the start of `text`.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Modules that `source` names below `root`: `crate` in a library, the crate name in a program.
fn named_modules(source: &str, root: &str) -> BTreeSet<String> {
    paths_from(&code(source), root).iter().filter_map(|path| path.get(1).cloned()).collect()
}

/// Edges of one file, given its path below `src`. `lib.rs` only declares modules.
fn edges_of_file(path: &Path, source: &str) -> Vec<Edge> {
    let first =
        path.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned()).unwrap_or_default();
    let from = first.trim_end_matches(".rs").to_owned();
    let root = match from.as_str() {
        "lib" => return Vec::new(),
        "main" => "sabi",
        "bin" => "sabi_tools",
        _ => "crate",
    };
    named_modules(source, root).into_iter().map(|to| Edge { from: from.clone(), to }).collect()
}

fn forbidden(floors: Floors, files: &[(PathBuf, String)]) -> Vec<Edge> {
    let edges: BTreeSet<Edge> = files.iter().flat_map(|(path, source)| edges_of_file(path, source)).collect();
    edges.into_iter().filter(|edge| !is_allowed(floors, edge)).collect()
}

/// Source files of a package with their paths below `src`.
fn sources(package: &str) -> Vec<(PathBuf, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join(package).join("src");
    let mut folders = vec![src.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = fs::read_to_string(&path).expect("a source file");
                files.push((path.strip_prefix(&src).expect("below src").to_owned(), source));
            }
        }
    }
    files
}

#[test]
fn modules_use_only_lower_layers() {
    for (package, floors) in [("crates/shogi", SHOGI), ("", ENGINE), ("tools", TOOLS)] {
        let files = sources(package);
        assert!(files.len() > 10, "the sources were not found");
        let list: Vec<String> = forbidden(floors, &files).iter().map(Edge::to_string).collect();
        assert!(list.is_empty(), "see the floors in this file: {}", list.join("; "));
    }
}

/// The checker must find planted violations.
#[test]
fn finds_known_edges() {
    let edges = |package: &str| -> BTreeSet<Edge> {
        sources(package).iter().flat_map(|(path, source)| edges_of_file(path, source)).collect()
    };
    let [engine, tools] = ["", "tools"].map(edges);
    for (edges, from, to) in [
        (&engine, "search", "table"),
        (&engine, "engine", "search"),
        (&engine, "usi", "engine"),
        (&engine, "cli", "usi"),
        (&engine, "main", "cli"),
        (&tools, "train", "page"),
        (&tools, "cli", "matches"),
        (&tools, "bin", "cli"),
    ] {
        assert!(edges.contains(&Edge { from: from.to_owned(), to: to.to_owned() }), "{from} uses {to}");
    }
}

/// A crate depends on crates before it alone, and none of a reader's crates on what a program needs.
#[test]
fn crates_use_only_lower_crates() {
    for (at, package) in PACKAGES.iter().enumerate().filter(|(_, package)| package.starts_with("crates/")) {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(package).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).expect("a manifest");
        let (_, dependencies) = manifest.split_once("\n[dependencies]\n").expect("dependencies");
        let dependencies = dependencies.split("[dev-dependencies]").next().unwrap_or_default();
        for name in dependencies.lines().filter_map(|line| line.split(['.', ' ']).next()) {
            assert!(!["clap", "ctrlc", "indicatif", "anyhow", "env_logger"].contains(&name), "{package} uses {name}");
            if let Some(name) = name.strip_prefix("sabi-") {
                let place = PACKAGES.iter().position(|other| *other == format!("crates/{name}"));
                assert!(place.is_some_and(|place| place < at), "{package} uses {name}");
            }
        }
    }
}

#[test]
fn rejects_planted_edges() {
    for (path, source, planted) in [
        ("eval/mod.rs", "use crate::search::Limits;", Some("eval uses search")),
        ("mate/table.rs", "fn f() { crate :: eval(); let x = crate::eval::evaluate(p); }", Some("mate uses eval")),
        ("table/mod.rs", "use crate::{machine::filled, eval::{Weights, nnue}};", Some("table uses eval")),
        ("usi/mod.rs", "use crate::analysis::Analyzed;", Some("usi uses analysis")),
        ("analysis/mod.rs", "use crate::cli::finish;", Some("analysis uses cli")),
        ("cellar/mod.rs", "use crate::table::Entry;", Some("cellar uses table")),
        ("search/mod.rs", "use crate::{\n    cellar,\n};", Some("search uses cellar")),
        (
            "search/node.rs",
            "const QUOTE: char = '\"'; use crate::engine::Engine; const X: &str = \"\";",
            Some("search uses engine"),
        ),
        (
            "table/mod.rs",
            "// use crate::search::Limits;\n/* crate::usi::run */ const X: &str = \"crate::\\\"usi::run\";",
            None,
        ),
        ("search/mod.rs", "use crate::{eval::Evaluator, mate::solver, table::Entry};", None),
        ("main.rs", "use sabi::usi::run;", None),
        ("table/mod.rs", "use my_crate::search; use other::crate::search;", None),
    ] {
        let found = forbidden(ENGINE, &[(PathBuf::from(path), source.to_owned())]);
        assert_eq!(found.first().map(Edge::to_string).as_deref(), planted, "{path}: {source}");
        assert!(found.len() <= 1);
    }
}

#[test]
fn rejects_planted_edges_between_tools() {
    for (path, source, planted) in [
        ("train/report.rs", "use crate::tune::report;", Some("train uses tune")),
        ("page/mod.rs", "use crate::cli::check_page;", Some("page uses cli")),
        ("bin/spsa/main.rs", "use sabi_tools::{matches, cellar};", Some("bin uses cellar")),
        ("bin/spsa/main.rs", "use crate::report; use sabi_tools::matches::Match;", None),
    ] {
        let found = forbidden(TOOLS, &[(PathBuf::from(path), source.to_owned())]);
        assert_eq!(found.first().map(Edge::to_string).as_deref(), planted, "{path}: {source}");
    }
}
