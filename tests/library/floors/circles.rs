//! Dependencies between the files of a module are acyclic.
//!
//! Paths count that begin with `crate`, `super`, a child module, or a name that a `use` brings in; a
//! path to a re-exported name leads to the file that defines it. `mod` declarations and re-exports
//! are not uses.

use super::paths::{expand, paths_from};
use super::{PACKAGES, code, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A file by its path in the crate: `search`, `node`.
type Module = Vec<String>;

#[derive(Default)]
struct Files {
    /// Without re-exports.
    code: BTreeMap<Module, String>,
    /// Names that a file re-exports, with their source.
    exports: BTreeMap<(Module, String), Module>,
    /// Names in the scope of a file, with the paths that they stand for.
    names: BTreeMap<Module, Vec<(String, Vec<String>)>>,
}

fn module_of(path: &Path) -> Module {
    let mut parts: Module = path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// The use items of `code`: whether public, and the tree.
fn uses(code: &str) -> impl Iterator<Item = (bool, &str)> {
    code.split_inclusive(';').filter_map(|item| {
        let (before, tree) = item.trim_end_matches(';').rsplit_once("use ")?;
        let before = before.rsplit('\n').next().unwrap_or_default().trim_start();
        let is_use = before.is_empty() || before.starts_with("pub") && !before.contains("fn");
        is_use.then_some((before.starts_with("pub"), tree))
    })
}

impl Files {
    fn new<'a>(sources: impl IntoIterator<Item = (&'a Path, &'a str)>) -> Self {
        let mut files = Self::default();
        for (path, source) in sources {
            let module = module_of(path);
            if module.iter().any(|part| ["tests", "lib", "bin"].contains(&part.as_str())) {
                continue;
            }
            let source = code(source);
            let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            // An inline module that takes all names of its own file.
            let mut own = source.replace("    use super::*;", "");
            let children = source.lines().filter_map(|line| {
                let name = line.trim_start_matches("pub ").trim_start_matches("pub(super) ").strip_prefix("mod ")?;
                Some((name.strip_suffix(';')?.to_owned(), vec!["self".to_owned(), name.strip_suffix(';')?.to_owned()]))
            });
            let mut names: Vec<_> = children.collect();
            for (is_public, tree) in uses(source) {
                let mut paths = Vec::new();
                expand(&[], tree, &mut paths);
                for (path, name) in paths {
                    let is_local = matches!(path[0].as_str(), "crate" | "super");
                    if is_public && !is_local {
                        let (_, way) = path.split_last().expect("a path");
                        files.exports.insert((module.clone(), name.clone()), [module.as_slice(), way].concat());
                    }
                    if is_local {
                        names.push((name, path));
                    }
                }
                if is_public {
                    own = own.replace(&format!("use {tree};"), "");
                }
            }
            files.names.insert(module.clone(), names);
            files.code.insert(module, own);
        }
        files
    }

    /// The file that a path of `module` leads to.
    fn file_of(&self, module: &Module, path: &[String]) -> Option<Module> {
        let ups = path.iter().take_while(|part| *part == "super").count();
        let mut full = match path.first()?.as_str() {
            "crate" => path[1..].to_vec(),
            "self" => [module, &path[1..]].concat(),
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

    /// The files that a file uses, of its own top-level module.
    fn used_by(&self, module: &Module) -> BTreeSet<Module> {
        let code = &self.code[module];
        let plain = ["crate", "super"].into_iter().flat_map(|root| paths_from(code, root));
        let named = self.names[module].iter().flat_map(|(name, path)| {
            paths_from(code, name).into_iter().map(|rest| [path.as_slice(), &rest[1..]].concat())
        });
        let used = plain.chain(named).filter_map(|path| self.file_of(module, &path));
        used.filter(|to| to != module && to.first() == module.first()).collect()
    }

    /// Files that are reachable from themselves.
    fn circles(&self) -> BTreeSet<String> {
        let edges: BTreeMap<&Module, BTreeSet<Module>> =
            self.code.keys().map(|module| (module, self.used_by(module))).collect();
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
    for package in PACKAGES {
        let sources = sources(package);
        // The files of a small crate are one room.
        let room =
            |path: &Path| if package.starts_with("crates/") { Path::new(package).join(path) } else { path.into() };
        let sources: Vec<_> = sources.into_iter().map(|(path, source)| (room(&path), source)).collect();
        let files = Files::new(sources.iter().map(|(path, source)| (path.as_path(), source.as_str())));
        let found = files.circles();
        assert!(found.is_empty(), "{package}: files that use each other: {found:?}");
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
        // The writers of a format use the notation, which calls them by a name that a `use` brings in.
        (
            &[
                ("room/mod.rs", "mod csa;\nmod notation;\n"),
                ("room/notation.rs", "use super::{csa, jkf as j};\nfn f() { csa::write(game) }\npub fn one_line() {}"),
                ("room/csa/mod.rs", "mod write;\npub use write::write;\n"),
                ("room/csa/write.rs", "use super::super::notation::one_line;\npub fn write() {}"),
            ],
            &["room/csa/write", "room/notation"],
        ),
        (
            &[
                ("room/a.rs", "use super::b as other;\nfn f() { other::c::g() }"),
                ("room/b/mod.rs", "pub mod c;\n"),
                ("room/b/c.rs", "use crate::room::a;"),
            ],
            &["room/a", "room/b/c"],
        ),
        // A child that uses its parent, which calls it.
        (
            &[("room/mod.rs", "mod a;\nfn f() { a::g() }\npub struct A;"), ("room/a.rs", "use super::A;")],
            &["room", "room/a"],
        ),
        (
            &[
                ("room/mod.rs", "mod a;\nfn f() { a::b::g() }\n"),
                ("room/a.rs", "pub mod b {\n    use super::*;\n    pub fn g() {}\n}"),
            ],
            &[],
        ),
        (&[("room/mod.rs", "mod a;\npub use a::g;\npub struct A;"), ("room/a.rs", "use super::A;")], &[]),
    ] {
        let files = Files::new(sources.iter().map(|&(path, source)| (Path::new(path), source)));
        assert!(files.circles().iter().eq(expected), "{sources:?}: {:?}", files.circles());
    }
}
