//! Weights before and after, in tables.

use super::super::changes::{group_changes, largest_changes};
use super::super::loss::Table;
use crate::page::{folded, table};
use sabi::eval::{Group, Weights};
use sabi::types::PieceKind;

/// The largest changes that are listed.
const LISTED: usize = 40;

/// The groups small enough to be listed as a whole.
const SMALL: [Group; 4] = [Group::Material, Group::Hands, Group::Threats, Group::Tempo];

/// What readers call a kind.
pub(super) const fn kind_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "Pawn",
        PieceKind::Lance => "Lance",
        PieceKind::Knight => "Knight",
        PieceKind::Silver => "Silver",
        PieceKind::Bishop => "Bishop",
        PieceKind::Rook => "Rook",
        PieceKind::Gold => "Gold",
        PieceKind::King => "King",
        PieceKind::ProPawn => "Promoted pawn",
        PieceKind::ProLance => "Promoted lance",
        PieceKind::ProKnight => "Promoted knight",
        PieceKind::ProSilver => "Promoted silver",
        PieceKind::Horse => "Horse",
        PieceKind::Dragon => "Dragon",
    }
}

/// The changes by group.
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
    listed(&order, before, after, |index| Weights::name(index).unwrap_or_default())
}

/// All weights of the small groups, but those that were and are zero.
pub(super) fn small_groups(before: &Table, after: &Table) -> String {
    let of_group = |group: Group| {
        let is_shown = |&index: &usize| {
            Weights::group(index) == Some(group) && (before[index] != [0.0; 2] || after[index] != [0.0; 2])
        };
        let indices: Vec<usize> = (0..Weights::COUNT).filter(is_shown).collect();
        let title = format!("All weights of {group} that are not zero: {}", indices.len());
        folded(&title, &listed(&indices, before, after, |index| label(index).unwrap_or_default()))
    };
    SMALL.into_iter().map(of_group).collect()
}

/// Weights with both values before and after.
fn listed(indices: &[usize], before: &Table, after: &Table, name: fn(usize) -> String) -> String {
    let rows = indices.iter().map(|&index| {
        let phase = |part: usize| format!("{} → {}", before[index][part], after[index][part]);
        vec![name(index), phase(0), phase(1)]
    });
    table(&["weight", "middle game", "end game"], rows)
}

/// What a weight of a small group is about, in words.
fn label(index: usize) -> Option<String> {
    let name = Weights::name(index)?;
    let mut parts = name.split('.');
    let (term, row, column) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let kind = |number: usize| PieceKind::ALL.get(number).map(|&kind| kind_name(kind));
    Some(match Weights::group(index)? {
        Group::Material => kind(column)?.to_owned(),
        Group::Hands => format!("{} × {column}", kind(row)?),
        Group::Threats => {
            format!("{}: {}{}", term.replace('_', " "), kind(column)?, if row == 1 { ", on move" } else { "" })
        }
        _ => name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_say_what_a_weight_is_about() {
        for (name, expected) in [
            ("material.0.9", "Promoted lance"),
            ("hand.6.3", "Gold × 3"),
            ("pawn_threat.0.13", "pawn threat: Dragon"),
            ("hanging.1.2", "hanging: Knight, on move"),
            ("tempo.0.0", "tempo.0.0"),
        ] {
            assert_eq!(label(Weights::index_of(name).unwrap()).as_deref(), Some(expected));
        }
        assert_eq!(label(Weights::COUNT), None);
    }

    #[test]
    fn values_are_listed_before_and_after() {
        let before = vec![[0.0; 2]; Weights::COUNT];
        let mut after = before.clone();
        after[Weights::index_of("hand.0.2").unwrap()] = [-3.0, 7.0];
        let html = small_groups(&before, &after);
        assert!(html.contains("<th scope=\"row\">Pawn × 2</th><td>0 → -3</td><td>0 → 7</td>"), "{html}");
        assert_eq!(html.matches(" → ").count(), 2);
        assert!(changes(&before, &after).contains("hand.0.2"));
        assert!(changes(&before, &before).contains("No weight changed"));
    }

    #[test]
    fn no_more_than_the_largest_changes_are_listed() {
        let html = changes(&vec![[0.0; 2]; Weights::COUNT], &vec![[1.0; 2]; Weights::COUNT]);
        assert_eq!(html.matches("<tr>").count(), LISTED + 1);
    }
}
