//! Readable names of weights.

use sabi::eval::{Weights, castle_name};
use sabi_shogi::{PieceKind, Square};

/// Columns of a distance in files: ranks from -8 to 8.
const RANK_STEPS: usize = 17;

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

/// Describes a weight by the names of pieces, squares and castles, for Black with the king on the
/// left wing.
pub fn weight_label(index: usize) -> String {
    let name = Weights::name(index).unwrap_or_default();
    label(&name).unwrap_or(name)
}

/// The kinds of the rows of mobility, of lines to the king and of invasions.
const SLIDERS: [PieceKind; 5] =
    [PieceKind::Lance, PieceKind::Bishop, PieceKind::Rook, PieceKind::Horse, PieceKind::Dragon];
/// The kinds of the columns of `head_drop`.
const HEADS: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Silver, PieceKind::Bishop, PieceKind::Rook];

fn label(name: &str) -> Option<String> {
    let mut parts = name.split('.');
    let (term, row, column) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let words = term.replace('_', " ");
    let of = |kinds: &[PieceKind], number: usize| kinds.get(number).map(|&kind| kind_name(kind));
    let kind = |number| of(&PieceKind::ALL, number);
    let on_move = |number| if number == 1 { ", on move" } else { "" };
    Some(match term {
        "material" => kind(column)?.to_owned(),
        "hand" => format!("{} × {column}", kind(row)?),
        "square" => format!("{} on {}", kind(row)?, Square::all().nth(column)?),
        "own_king" | "enemy_king" => {
            let (files, ranks) = (column / RANK_STEPS, column as i32 % RANK_STEPS as i32 - 8);
            format!("{words}: {} at files {files}, ranks {ranks:+}", kind(row)?)
        }
        "mobility" => format!("{words}: {} with {column} squares", of(&SLIDERS, row)?),
        "control" => format!("{words}: {}", ["own camp", "middle", "enemy camp"].get(column)?),
        "invasion" => format!("{words}: {}{}", of(&SLIDERS[1..], row)?, on_move(column)),
        "king_attacker" => format!("{words}: {}", kind(column)?),
        "king_danger" => format!("{words}: {row} attackers, {column} squares"),
        "king_drops" => format!("{words}: {} on {column} squares", kind(row)?),
        "king_lines" => format!("{words}: {} on {column} squares", of(&SLIDERS[1..], row)?),
        "castle" => format!("{words}: {}", castle_name(column)?),
        "head_drop" => format!("{words}: {}", of(&HEADS, column)?),
        "tokin_threat" => format!("{words}{}", on_move(column)),
        "king_escapes" | "king_guards" | "pawn_files" => format!("{words}: {column}"),
        "pawn_threat" | "minor_threat" | "gold_threat" | "hanging" | "pressed" => {
            format!("{words}: {}{}", kind(column)?, on_move(row))
        }
        _ => words,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn weight_labels() {
        for (name, expected) in [
            ("material.0.9", "Promoted lance"),
            ("hand.6.3", "Gold × 3"),
            ("pawn_threat.0.13", "pawn threat: Dragon"),
            ("hanging.1.2", "hanging: Knight, on move"),
            ("square.3.0", "Silver on 1a"),
            ("tempo.0.0", "tempo"),
            ("own_king.6.27", "own king: Gold at files 1, ranks +2"),
            ("mobility.4.7", "mobility: Dragon with 7 squares"),
            ("invasion.1.1", "invasion: Rook, on move"),
            ("king_attacker.0.3", "king attacker: Silver"),
            ("king_danger.2.3", "king danger: 2 attackers, 3 squares"),
            ("king_lines.0.4", "king lines: Bishop on 4 squares"),
            ("castle.0.0", "castle: yagura"),
            ("head_drop.0.1", "head drop: Silver"),
            ("pawn_files.0.3", "pawn files: 3"),
        ] {
            assert_eq!(weight_label(Weights::index_of(name).unwrap()), expected);
        }
    }

    #[test]
    fn every_weight_has_words_of_its_own() {
        let mut labels = HashSet::new();
        for (index, name, _) in Weights::names() {
            let label = weight_label(index);
            assert!(!label.contains('.') && labels.insert(label.clone()), "{name}: {label}");
        }
    }
}
