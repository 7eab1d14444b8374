//! Reordering of numbered results.

use std::collections::BTreeMap;

/// Yields the items numbered 0, 1, 2 … in this order, whatever order they arrive in.
pub fn in_order<T>(numbered: impl IntoIterator<Item = (usize, T)>) -> impl Iterator<Item = T> {
    let mut numbered = numbered.into_iter();
    // Items that arrived early.
    let mut waiting = BTreeMap::new();
    (0..).map_while(move |due| {
        loop {
            if let Some(item) = waiting.remove(&due) {
                return Some(item);
            }
            let (number, item) = numbered.next()?;
            waiting.insert(number, item);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order() {
        let come = [(1, 'b'), (0, 'a'), (3, 'd'), (2, 'c')];
        assert_eq!(in_order(come).collect::<String>(), "abcd");
        assert_eq!(in_order([(1, 'b'), (2, 'c')]).next(), None, "the first never comes");
        assert_eq!(in_order([(0, 'a'), (2, 'c')]).collect::<String>(), "a");
    }

    #[test]
    fn does_not_wait_unnecessarily() {
        let mut asked = 0;
        let come = [(0, 'a'), (1, 'b')].into_iter().inspect(|_| asked += 1);
        assert_eq!(in_order(come).next(), Some('a'));
        assert_eq!(asked, 1);
    }
}
