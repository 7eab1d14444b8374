//! Paths in source code.

/// The paths in `code` that begin with the word `root`, use trees expanded.
pub fn paths_from(code: &str, root: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for (at, _) in code.match_indices(&format!("{root}::")) {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &code[at..];
        let simple = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len());
        let end = if rest[simple..].starts_with('{') { simple + group_length(&rest[simple..]) } else { simple };
        expand(&[], &rest[..end], &mut paths);
    }
    paths
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

/// The paths of a use tree: `a::{b, c::d}` are `a::b` and `a::c::d`. `as` names are dropped.
pub fn expand(prefix: &[String], tree: &str, paths: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let (head, group) = match tree.split_once('{') {
        Some((head, rest)) => (head, Some(rest.rsplit_once('}').map_or(rest, |(group, _)| group))),
        None => (tree.split(" as ").next().unwrap_or(tree), None),
    };
    let head = head.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned);
    let path: Vec<String> = prefix.iter().cloned().chain(head).collect();
    let Some(group) = group else { return paths.push(path) };
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
