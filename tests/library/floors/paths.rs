//! Paths in source code.

/// The paths in `code` that begin with the word `root`, use trees expanded.
pub fn paths_from(code: &str, root: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(&format!("{root}::")) {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &code[at..];
        let simple = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len());
        let end = if rest[simple..].starts_with('{') { simple + group_length(&rest[simple..]) } else { simple };
        expand(&[], &rest[..end], &mut found);
    }
    found.into_iter().map(|(path, _)| path).collect()
}

/// Length of a group in braces.
fn group_length(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The paths of a use tree, and the names that they get: `a::{b, c::d as e}` are `a::b`, called `b`,
/// and `a::c::d`, called `e`. `a::{self}` is `a`.
pub fn expand(prefix: &[String], tree: &str, paths: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    let (head, group) = match tree.split_once('{') {
        Some((head, rest)) => (head, Some(rest.rsplit_once('}').map_or(rest, |(group, _)| group))),
        None => (tree, None),
    };
    let (head, alias) = head.split_once(" as ").map_or((head, None), |(head, alias)| (head, Some(alias.trim())));
    let head = head.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned);
    let mut path: Vec<String> = prefix.iter().cloned().chain(head).collect();
    let Some(group) = group else {
        if path.len() > 1 {
            path.pop_if(|last| last == "self");
        }
        let name = alias.map(str::to_owned).or_else(|| path.last().cloned());
        return paths.extend(name.map(|name| (path, name)));
    };
    let (mut depth, mut start) = (0, 0);
    for (at, c) in group.char_indices().chain([(group.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = &group[start..at];
                if !part.trim().is_empty() {
                    expand(&path, part, paths);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}
