//! Parsing of `setoption`: the name may contain blanks as far as the grammar allows, the value
//! anything.

use crate::engine::OptionError;

/// Why a `setoption` is rejected.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SetOptionError {
    #[error("expected 'setoption name NAME value VALUE'")]
    Form,
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("{0} takes no file: no file system available")]
    NoFiles(String),
    #[error("Threads takes 1, not '{0}': no threads available")]
    NoThreads(usize),
    #[error("DebugLogFile takes a file that can be written, not '{name}': {error}")]
    Log { name: String, error: std::io::Error },
}

/// Parses the text after `setoption` into name and value.
pub(super) fn parse(text: &str) -> Result<(&str, Option<&str>), SetOptionError> {
    let (keyword, rest) = split_word(text);
    if keyword != "name" {
        return Err(SetOptionError::Form);
    }
    let (name, value) = match find_word(rest, "value") {
        Some((name, value)) => (name, Some(value)),
        None => (rest, None),
    };
    if name.is_empty() { Err(SetOptionError::Form) } else { Ok((name, value)) }
}

/// The first word and the rest.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii();
    match text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((word, rest)) => (word, rest.trim_ascii()),
        None => (text, ""),
    }
}

/// The text before and after the first separate `word`.
fn find_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let is_edge = |c: Option<char>| c.is_none_or(|c| c.is_ascii_whitespace());
    text.match_indices(word).find_map(|(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        let after = rest.get(word.len()..)?;
        let alone = is_edge(before.chars().next_back()) && is_edge(after.chars().next());
        alone.then(|| (before.trim_ascii(), after.trim_ascii()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_names_and_values() {
        for (text, name, value) in [
            (" name MultiPV value 3 ", "MultiPV", Some("3")),
            (" name  Skill Level\tvalue 3", "Skill Level", Some("3")),
            (" name File value /a  b/評価 value.txt", "File", Some("/a  b/評価 value.txt")),
            (" name File value ", "File", Some("")),
            (" name File value", "File", Some("")),
            (" name valued value 1", "valued", Some("1")),
            (" name Clear_Hash", "Clear_Hash", None),
        ] {
            assert_eq!(parse(text).unwrap(), (name, value), "{text}");
        }
        for bad in ["", " name", " MultiPV 3", " value 3", " name value 3"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
