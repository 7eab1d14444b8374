//! Readable names of weights.

use sabi::eval::{Group, Weights};
use sabi::types::{PieceKind, Square};

/// Readable name of a piece kind.
pub const fn kind_name(kind: PieceKind) -> &'static str {
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

/// Description of a weight by piece names and squares, for Black with the king on the left wing;
/// the plain name for other weights.
pub fn weight_label(index: usize) -> String {
    let name = Weights::name(index).unwrap_or_default();
    label(index, &name).unwrap_or(name)
}

fn label(index: usize, name: &str) -> Option<String> {
    let mut parts = name.split('.');
    let (term, row, column) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let kind = |number: usize| PieceKind::ALL.get(number).map(|&kind| kind_name(kind));
    Some(match Weights::group(index)? {
        Group::Material => kind(column)?.to_owned(),
        Group::Hands => format!("{} × {column}", kind(row)?),
        Group::Threats => {
            format!("{}: {}{}", term.replace('_', " "), kind(column)?, if row == 1 { ", on move" } else { "" })
        }
        Group::Squares if term == "square" => format!("{} on {}", kind(row)?, Square::all().nth(column)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weight_labels() {
        for (name, expected) in [
            ("material.0.9", "Promoted lance"),
            ("hand.6.3", "Gold × 3"),
            ("pawn_threat.0.13", "pawn threat: Dragon"),
            ("hanging.1.2", "hanging: Knight, on move"),
            ("square.3.0", "Silver on 1a"),
            ("tempo.0.0", "tempo.0.0"),
        ] {
            assert_eq!(weight_label(Weights::index_of(name).unwrap()), expected);
        }
    }
}
