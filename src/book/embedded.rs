//! The book that is part of the program.

/// Its bytes, as [`OpenBook::from_static`](super::OpenBook::from_static) takes them. `book/README.md` tells what it was made from,
/// and how.
pub const EMBEDDED: &[u8] = include_bytes!("../../book/sabi.shob");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::OpenBook;
    use crate::book::build::check;
    use crate::position::Position;

    #[test]
    fn it_is_whole_and_every_line_is_legal() {
        let book = OpenBook::from_static(EMBEDDED).unwrap();
        let found = check(&book, &Position::startpos()).unwrap();
        assert_eq!((found.faults, found.examples), (0, Vec::new()));
        assert!(found.positions > 5000, "{} positions can be reached", found.positions);
    }
}
