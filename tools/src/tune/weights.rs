//! Weight tables: readable names, differences between two, and a table as Rust source.

use super::loss::{Table, indices_of};
use sabi::eval::{Group, Weights, castle_name};
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

/// Differences of one weight group.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct GroupChange {
    /// The group.
    pub group: Group,
    /// Number of weights.
    pub weights: usize,
    /// Number of changed weights.
    pub changed: usize,
    /// Mean difference over both values of all its weights, in centipawns.
    pub mean: f64,
    /// The largest difference, in centipawns.
    pub largest: f64,
}

/// Differences by group, in the order of [`Group::ALL`]. Both tables hold all weights.
pub fn group_changes(before: &Table, after: &Table) -> [GroupChange; Group::COUNT] {
    Group::ALL.map(|group| {
        let indices = indices_of(&[group]);
        let steps: f64 = indices.iter().flat_map(|&index| differences(before, after, index)).sum();
        GroupChange {
            group,
            weights: indices.len(),
            changed: indices.iter().filter(|&&index| before[index] != after[index]).count(),
            mean: steps / (2 * indices.len()).max(1) as f64,
            largest: indices.iter().map(|&index| largest(before, after, index)).fold(0.0, f64::max),
        }
    })
}

/// Indices of the most changed weights, at most `count`, largest change first.
pub fn largest_changes(before: &Table, after: &Table, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..Weights::COUNT).filter(|&index| before[index] != after[index]).collect();
    let change = |index: usize| largest(before, after, index);
    order.sort_by(|&x, &y| change(y).total_cmp(&change(x)).then(x.cmp(&y)));
    order.truncate(count);
    order
}

fn differences(before: &Table, after: &Table, index: usize) -> [f64; 2] {
    [0, 1].map(|part| (before[index][part] - after[index][part]).abs())
}

fn largest(before: &Table, after: &Table, index: usize) -> f64 {
    let [mg, eg] = differences(before, after, index);
    mg.max(eg)
}

/// First line of weights as Rust source.
const RUST_HEAD: &str = "//! Weights of the evaluation in centipawns: pairs for the opening and the endgame.\n";

/// Whether a file that starts like this is weights as Rust source.
pub fn is_rust_source(head: &[u8]) -> bool {
    head.starts_with(RUST_HEAD.as_bytes())
}

/// Weights as Rust source: for each term a named constant, an array of rows of (opening, endgame)
/// pairs. `origin`: how the weights were made.
///
/// The text is a complete module without dependencies.
pub fn rust_source(weights: &Weights, origin: &str) -> String {
    let mut text = RUST_HEAD.to_owned();
    for line in origin.split(['\n', '\r']).filter(|line| !line.trim().is_empty()) {
        text += &format!("//!\n//! {}\n", line.trim());
    }
    for block in Weights::blocks() {
        let pair = |index| weights.get(index).map(|weight| format!("({}, {})", weight.mg, weight.eg));
        let rows = (0..block.rows).map(|row| {
            let pairs: Vec<_> = (0..block.columns).filter_map(|column| pair(block.at(row, column))).collect();
            format!("    [{}],\n", pairs.join(", "))
        });
        let (name, rows_of) = (block.name.to_uppercase(), rows.collect::<String>());
        text += &format!(
            "\n/// Of the group {}.\n#[rustfmt::skip]\npub const {name}: [[(i16, i16); {}]; {}] = [\n{rows_of}];\n",
            block.group, block.columns, block.rows
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi::eval::{Block, Weight};
    use std::collections::HashSet;
    use std::fs;
    use std::process::Command;

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
        for index in 0..Weights::COUNT {
            let label = weight_label(index);
            assert!(!label.contains('.') && labels.insert(label.clone()), "{index}: {label}");
        }
    }

    fn index(name: &str) -> usize {
        Weights::index_of(name).unwrap()
    }

    #[test]
    fn group_changes_are_counted() {
        let before = vec![[10.0, 20.0]; Weights::COUNT];
        let mut after = before.clone();
        after[index("material.0.3")] = [14.0, 20.0];
        after[index("material.0.5")] = [10.0, 10.0];
        after[index("tempo.0.0")] = [11.0, 19.0];
        let changes = group_changes(&before, &after);
        let material = GroupChange { group: Group::Material, weights: 14, changed: 2, mean: 0.5, largest: 10.0 };
        assert_eq!(changes[0], material);
        assert_eq!(changes[8], GroupChange { group: Group::Tempo, weights: 1, changed: 1, mean: 1.0, largest: 1.0 });
        assert!(changes[1..8].iter().all(|change| change.changed == 0 && change.mean == 0.0 && change.largest == 0.0));
        assert_eq!(changes.iter().map(|change| change.weights).sum::<usize>(), Weights::COUNT);
    }

    #[test]
    fn largest_changes_order() {
        let before = vec![[0.0; 2]; Weights::COUNT];
        let mut after = before.clone();
        for (at, change) in [(7, [1.0, -5.0]), (3, [5.0, 0.0]), (900, [0.0, 6.0]), (1, [-1.0, 1.0])] {
            after[at] = change;
        }
        assert_eq!(largest_changes(&before, &after, 10), [900, 3, 7, 1]);
        assert_eq!(largest_changes(&before, &after, 2), [900, 3]);
        assert!(largest_changes(&before, &before, 2).is_empty());
    }

    /// Depends on every weight of a term and on its index.
    fn mixed(weights: &Weights, block: &Block) -> u64 {
        (block.start..block.end()).map(|index| weights.get(index).unwrap()).fold(0, |sum, weight| {
            let pair = u64::from(weight.mg as u16) << 16 | u64::from(weight.eg as u16);
            (sum ^ pair).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
        })
    }

    /// The same for constants in Rust source.
    const MIXED: &str = "
    const fn mixed<const C: usize, const R: usize>(rows: &[[(i16, i16); C]; R]) -> u64 {
        let (mut sum, mut at) = (0u64, 0);
        while at < R * C {
            let (middle, end) = rows[at / C][at % C];
            let pair = (middle as u16 as u64) << 16 | end as u16 as u64;
            sum = (sum ^ pair).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
            at += 1;
        }
        sum
    }
    ";

    /// Compares in the compiler.
    fn compiles(source: &str) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.rs");
        fs::write(&path, source).unwrap();
        let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(compiler);
        command.args([
            "--edition=2024",
            "--crate-type=lib",
            "--emit=metadata",
            "-Dwarnings",
            "-Along-running-const-eval",
            "--out-dir",
        ]);
        let output = command.arg(folder.path()).arg(&path).output().expect("the compiler that made this test");
        if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
    }

    #[test]
    fn rust_source_compiles_to_the_same_weights() {
        let mut weights = Weights::untuned();
        *weights.get_mut(0).unwrap() = Weight::new(i16::MIN, i16::MAX);
        let mut source = rust_source(&weights, "Two lines\r\n\n  of */ \"origin\" {}.");
        source += MIXED;
        for block in Weights::blocks() {
            source += &format!(
                "const _: () = assert!(mixed(&{}) == {});\n",
                block.name.to_uppercase(),
                mixed(&weights, block)
            );
        }
        compiles(&source).unwrap();
        // The check must be able to fail.
        let fault = compiles(&source.replacen("(51, 94)", "(51, 95)", 1)).unwrap_err();
        assert!(fault.contains("mixed(&TEMPO)"), "{fault}");
    }
}
