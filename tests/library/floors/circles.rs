//! Dependencies between the files of a module are acyclic.
//!
//! Only paths that start with `crate` or `super` count; a path to a re-exported name leads to the
//! file that defines it. `mod` declarations in a `mod.rs` are not uses.

use super::paths::{expand, paths_from};
use super::{code, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A file by its path in the crate: `search`, `node`.
type Module = Vec<String>;

struct Files {
    code: BTreeMap<Module, String>,
    /// Names that a file re-exports, with their source.
    exports: BTreeMap<(Module, String), Module>,
}

fn module_of(path: &Path) -> Module {
    let mut parts: Module = path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

impl Files {
    fn new<'a>(sources: impl IntoIterator<Item = (&'a Path, &'a str)>) -> Self {
        let without_tests = |source: &str| {
            let source = code(source);
            source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned()
        };
        let code: BTreeMap<Module, String> = sources
            .into_iter()
            .map(|(path, source)| (module_of(path), without_tests(source)))
            .filter(|(module, _)| !module.iter().any(|part| part == "tests" || part == "lib" || part == "bin"))
            .collect();
        let mut exports = BTreeMap::new();
        for (module, code) in &code {
            for (at, _) in code.match_indices("pub use ").chain(code.match_indices("pub(super) use ")) {
                let tree = code[at..].split_once("use ").map_or("", |(_, rest)| rest);
                let mut paths = Vec::new();
                expand(&[], tree.split(';').next().unwrap_or_default(), &mut paths);
                for path in paths {
                    if let Some((name, way)) = path.split_last()
                        && !matches!(path[0].as_str(), "crate" | "super")
                    {
                        exports.insert((module.clone(), name.clone()), [module.as_slice(), way].concat());
                    }
                }
            }
        }
        Self { code, exports }
    }

    /// The file that a path of `module` leads to.
    fn file_of(&self, module: &Module, path: &[String]) -> Option<Module> {
        let ups = path.iter().take_while(|part| *part == "super").count();
        let mut full = match path.first()?.as_str() {
            "crate" => path[1..].to_vec(),
            _ => [&module[..module.len().checked_sub(ups)?], &path[ups..]].concat(),
        };
        // A name may be re-exported more than once.
        for _ in 0..4 {
            let known = (0..=full.len()).rev().find(|&length| self.code.contains_key(&full[..length]))?;
            let name = full.get(known).cloned();
            match name.and_then(|name| self.exports.get(&(full[..known].to_vec(), name))) {
                Some(way) => full = [way.as_slice(), &full[known..]].concat(),
                None => return Some(full[..known].to_vec()),
            }
        }
        None
    }

    /// Nodes that are reachable from themselves.
    fn circles(&self) -> BTreeSet<String> {
        let edges: BTreeMap<&Module, BTreeSet<Module>> = self
            .code
            .iter()
            .map(|(module, code)| {
                let paths = ["crate", "super"].into_iter().flat_map(|root| paths_from(code, root));
                let used = paths.filter_map(|path| self.file_of(module, &path));
                (module, used.filter(|to| to != module && to.first() == module.first()).collect())
            })
            .collect();
        let in_circle = |start: &Module| {
            let mut open: Vec<&Module> = edges[start].iter().collect();
            let mut seen = BTreeSet::new();
            while let Some(next) = open.pop() {
                if seen.insert(next) {
                    open.extend(&edges[next]);
                }
            }
            seen.contains(start)
        };
        edges.keys().filter(|module| in_circle(module)).map(|module| module.join("/")).collect()
    }
}

#[test]
fn file_dependencies_are_acyclic() {
    for package in ["", "tools"] {
        let sources = sources(package);
        let files = Files::new(sources.iter().map(|(path, source)| (path.as_path(), source.as_str())));
        let found = files.circles();
        assert!(found.is_empty(), "files that use each other: {found:?}");
    }
}

#[test]
fn finds_planted_cycles() {
    for (sources, expected) in [
        (
            &[("room/mod.rs", "mod a; mod b;"), ("room/a.rs", "use super::b::B;"), ("room/b.rs", "struct B;")][..],
            &[][..],
        ),
        (&[("room/a.rs", "use super::b::B;"), ("room/b.rs", "fn f() { crate::room::a::g() }")], &["room/a", "room/b"]),
        (
            &[
                ("room/mod.rs", "mod a; pub use a::{A, C as D};"),
                ("room/a.rs", "use super::{c, b::{self, B}};"),
                ("room/b.rs", "use crate::room::A;"),
            ],
            &["room/a", "room/b"],
        ),
        (
            &[("room/a.rs", "use super::b::B;"), ("room/b.rs", "use super::c::C;"), ("room/c.rs", "use super::a::A;")],
            &["room/a", "room/b", "room/c"],
        ),
        (
            &[
                ("room/a.rs", "use super::b;"),
                ("room/b.rs", "// super::a\n#[cfg(test)]\nmod tests { use super::super::a; }"),
            ],
            &[],
        ),
        (&[("one/a.rs", "use crate::two::b;"), ("two/b.rs", "use crate::one::a;")], &[]),
    ] {
        let files = Files::new(sources.iter().map(|&(path, source)| (Path::new(path), source)));
        assert!(files.circles().iter().eq(expected), "{sources:?}: {:?}", files.circles());
    }
}
