//! Tables of weights before and after.

use super::super::changes::{group_changes, largest_changes};
use super::super::loss::Table;
use crate::page::{collapsed, table};
use crate::tune::weight_label;
use sabi::eval::{Group, Weights};

/// Number of largest changes listed.
const LISTED: usize = 40;

/// Groups listed completely.
const SMALL: [Group; 4] = [Group::Material, Group::Hands, Group::Threats, Group::Tempo];

/// Changes by group.
pub(super) fn groups(before: &Table, after: &Table) -> String {
    let rows = group_changes(before, after).map(|change| {
        vec![
            change.group.to_string(),
            change.weights.to_string(),
            change.changed.to_string(),
            format!("{:.2}", change.mean),
            change.largest.to_string(),
        ]
    });
    table(&["group", "weights", "changed", "mean change", "largest change"], rows)
}

/// The largest changes.
pub(super) fn changes(before: &Table, after: &Table) -> String {
    let order = largest_changes(before, after, LISTED);
    if order.is_empty() {
        return "<p>No weight changed.</p>\n".to_owned();
    }
    listed(&order, before, after)
}

/// All weights of the small groups that are not zero before and after.
pub(super) fn small_groups(before: &Table, after: &Table) -> String {
    let of_group = |group: Group| {
        let is_shown = |&index: &usize| {
            Weights::group(index) == Some(group) && (before[index] != [0.0; 2] || after[index] != [0.0; 2])
        };
        let indices: Vec<usize> = (0..Weights::COUNT).filter(is_shown).collect();
        let title = format!("All weights of {group} that are not zero: {}", indices.len());
        collapsed(&title, &listed(&indices, before, after))
    };
    SMALL.into_iter().map(of_group).collect()
}

/// Weights with values before and after.
fn listed(indices: &[usize], before: &Table, after: &Table) -> String {
    let rows = indices.iter().map(|&index| {
        let phase = |part: usize| format!("{} → {}", before[index][part], after[index][part]);
        vec![weight_label(index), phase(0), phase(1)]
    });
    table(&["weight", "middlegame", "endgame"], rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_values_before_and_after() {
        let before = vec![[0.0; 2]; Weights::COUNT];
        let mut after = before.clone();
        after[Weights::index_of("hand.0.2").unwrap()] = [-3.0, 7.0];
        let html = small_groups(&before, &after);
        assert!(html.contains("<th scope=\"row\">Pawn × 2</th><td>0 → -3</td><td>0 → 7</td>"), "{html}");
        assert_eq!(html.matches(" → ").count(), 2);
        assert!(changes(&before, &after).contains("Pawn × 2"));
        assert!(changes(&before, &before).contains("No weight changed"));
    }

    #[test]
    fn lists_largest_changes_only() {
        let html = changes(&vec![[0.0; 2]; Weights::COUNT], &vec![[1.0; 2]; Weights::COUNT]);
        assert_eq!(html.matches("<tr>").count(), LISTED + 1);
    }
}
