//! Tokens and numbers of a command.

use std::iter::Peekable;
use std::str::SplitAsciiWhitespace;

/// Iterator over the tokens of a line.
pub(super) type Tokens<'a> = Peekable<SplitAsciiWhitespace<'a>>;

/// Splits a line at blanks.
pub(super) fn tokens(text: &str) -> Tokens<'_> {
    text.split_ascii_whitespace().peekable()
}

/// Parses a number of digits only.
pub(super) fn number(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// Clock time in milliseconds; negative values count as 0.
pub(super) fn milliseconds(text: &str) -> Option<u64> {
    match text.strip_prefix('-') {
        Some(digits) => number(digits).map(|_| 0),
        None => number(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_digits() {
        assert_eq!((number("0"), number("18446744073709551615")), (Some(0), Some(u64::MAX)));
        for bad in ["", "-1", "+1", "1.5", "1e5", "abc", "３", "18446744073709551616"] {
            assert_eq!(number(bad), None, "{bad}");
        }
        assert_eq!((milliseconds("-500"), milliseconds("500")), (Some(0), Some(500)));
        assert_eq!((milliseconds("-"), milliseconds("--1"), milliseconds("")), (None, None, None));
    }
}
