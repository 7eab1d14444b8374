//! Untuned weights: compact formulas spread over the table, where the tuner changes each entry.

use super::king::CASTLES;
use super::weights::{self as w, Block, COUNT, Weight, Weights};
use PieceKind as K;
use sabi_shogi::{HandKind, PieceKind};

type Table = [Weight; COUNT];

/// A piece on the board.
const MATERIAL: [(i16, i16); PieceKind::COUNT] = [
    (80, 95),
    (245, 260),
    (265, 270),
    (390, 425),
    (620, 660),
    (720, 780),
    (465, 505),
    (0, 0),
    (450, 450),
    (410, 440),
    (420, 440),
    (440, 470),
    (870, 880),
    (990, 1040),
];

/// The first piece of a kind in hand, and the decrease for each further one.
const HAND: [((i16, i16), i16); HandKind::COUNT] = [
    ((92, 112), 6),
    ((285, 290), 15),
    ((330, 325), 20),
    ((485, 515), 15),
    ((765, 755), 10),
    ((845, 880), 10),
    ((570, 610), 10),
];

impl Weights {
    /// The untuned weights, the starting point of tuning.
    pub fn untuned() -> Self {
        let mut weights = Self::zero();
        let table = &mut weights.table;
        material(table);
        squares(table);
        distances(table);
        mobility(table);
        king(table);
        threats(table);
        structure(table);
        set(table, w::TEMPO, |_, _| (51, 94));
        weights
    }
}

/// Sets a whole block by row and column.
fn set(table: &mut Table, block: Block, value: impl Fn(usize, usize) -> (i32, i32)) {
    for row in 0..block.rows {
        for column in 0..block.columns {
            let (mg, eg) = value(row, column);
            table[block.at(row, column)] = Weight::new(mg as i16, eg as i16);
        }
    }
}

fn material(table: &mut Table) {
    set(table, w::MATERIAL, |_, kind| (MATERIAL[kind].0.into(), MATERIAL[kind].1.into()));
    set(table, w::HAND, |kind, count| {
        let ((mg, eg), loss) = HAND[kind];
        let held = (0..count as i32).map(|before| {
            // At least half of the first pawn: there is always a file for it.
            let loss = (before * i32::from(loss)).min(i32::from(mg) / 2);
            (i32::from(mg) - loss, i32::from(eg) - loss)
        });
        held.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    });
}

/// Ranks from the side's view, far rank first.
const RANKS: [(K, [i32; 9]); 8] = [
    (K::Pawn, [0, 85, 68, 58, 27, 17, 0, 0, 0]),
    (K::Lance, [0, -51, -34, -34, -26, -17, -8, 0, 8]),
    (K::Knight, [0, 0, -8, -8, 0, -13, 8, -8, 0]),
    (K::Silver, [-26, 13, 42, 55, 51, 44, 21, 0, -21]),
    (K::Gold, [-68, -34, -8, -8, -17, -8, 7, 13, -7]),
    (K::Bishop, [-17, 0, 0, 8, 17, 17, 8, 0, -17]),
    (K::Rook, [0, 26, 21, 0, -17, -17, 0, 0, 0]),
    (K::King, [136, 102, 51, -102, -153, -136, -85, 0, 8]),
];

/// The king by its distance from the middle file, castled on its wing.
const KING_WING: [i32; 5] = [-42, -26, 8, 34, 26];

fn squares(table: &mut Table) {
    set(table, w::SQUARE, |kind, square| {
        let (file, rank) = (square / 9, square % 9);
        let Some((kind, ranks)) = RANKS.iter().find(|(row, _)| row.index() == kind) else { return (0, 0) };
        let value = ranks[rank];
        match kind {
            // A king that advances is in danger until few pieces are left.
            K::King => (value + if rank >= 6 { KING_WING[file.abs_diff(4)] } else { 0 }, value / 2),
            // Silvers and golds are poor on the edge.
            K::Silver | K::Gold if file == 0 || file == 8 => (value - 26, value - 17),
            _ => (value, value),
        }
    });
}

/// Bonus for the distance to the own king, from adjacent to five steps away.
const GUARD: [(K, [i32; 5]); 10] = [
    (K::Pawn, [47, 24, 0, 0, 0]),
    (K::Lance, [17, 8, 0, 0, 0]),
    (K::Knight, [34, 17, 0, 0, 0]),
    (K::Silver, [75, 51, 17, 0, -17]),
    (K::Gold, [136, 98, 38, -13, -55]),
    (K::ProPawn, [34, 17, 0, 0, 0]),
    (K::ProSilver, [34, 17, 0, 0, 0]),
    (K::Bishop, [0, 13, 7, 0, 0]),
    (K::Rook, [-143, -89, -41, 0, 17]),
    (K::Horse, [170, 136, 85, 38, 10]),
];

/// Bonus for the distance to the enemy king, from adjacent to six steps away.
const ATTACK: [(K, [i32; 6]); 13] = [
    (K::Pawn, [75, 64, 34, 10, 0, 0]),
    (K::Lance, [13, 13, 7, 4, 0, 0]),
    (K::Knight, [41, 78, 51, 17, 0, 0]),
    (K::Silver, [178, 143, 78, 27, 0, -13]),
    (K::Gold, [128, 102, 51, 13, 0, 0]),
    (K::Bishop, [17, 13, 7, 4, 0, 0]),
    (K::Rook, [24, 17, 10, 4, 0, 0]),
    (K::ProPawn, [221, 180, 92, 21, -76, -153]),
    (K::ProLance, [136, 109, 51, 7, -51, -102]),
    (K::ProKnight, [136, 109, 51, 7, -51, -102]),
    (K::ProSilver, [136, 109, 51, 7, -51, -102]),
    (K::Horse, [178, 149, 92, 44, 13, 0]),
    (K::Dragon, [162, 136, 92, 44, 17, 0]),
];

fn distances(table: &mut Table) {
    let steps = |column: usize| (column / 17, column as i32 % 17 - 8);
    set(table, w::OWN_KING, |kind, column| {
        let (files, ranks) = steps(column);
        let distance = files.max(ranks.unsigned_abs() as usize);
        let Some((_, values)) = GUARD.iter().find(|(row, _)| row.index() == kind) else { return (0, 0) };
        let value = if distance == 0 { 0 } else { values[distance.min(values.len()) - 1] };
        // A piece guards better in front of its king than behind it.
        let value = if ranks > 0 && value > 0 { value * 2 / 3 } else { value };
        (value, value)
    });
    set(table, w::ENEMY_KING, |kind, column| {
        let (files, ranks) = steps(column);
        let distance = files.max(ranks.unsigned_abs() as usize);
        let Some((_, values)) = ATTACK.iter().find(|(row, _)| row.index() == kind) else { return (0, 0) };
        let value = if distance == 0 { 0 } else { values[distance.min(values.len()) - 1] };
        // Behind the king only dragons and horses are at their best.
        let long = kind >= K::Horse.index();
        let value = if ranks < 0 && value > 0 && !long { value / 2 } else { value };
        (value * 3 / 4, value * 5 / 4)
    });
}

fn mobility(table: &mut Table) {
    // The first squares count most: concave.
    set(table, w::MOBILITY, |row, count| {
        let count = count as f32;
        let (scale, end, zero) =
            [(34.0, 21.0, 1.5), (71.0, 42.0, 2.2), (61.0, 58.0, 2.5), (27.0, 27.0, 3.0), (31.0, 37.0, 3.0)][row];
        let value = |scale: f32| (scale * (count.sqrt() - zero)) as i32;
        (value(scale), value(end))
    });
    set(table, w::CONTROL, |_, region| [(21, 5), (21, 5), (26, 13)][region]);
    set(table, w::OPEN_FILE, |_, _| (110, 44));
    set(table, w::LANCE_BEHIND_ROOK, |_, _| (17, 8));
    set(table, w::INVASION, |row, on_move| [[(30, 24), (68, 68)], [(41, 30), (94, 85)]][row][on_move]);
}

fn king(table: &mut Table) {
    set(table, w::KING_ATTACKER, |_, kind| {
        let units = [38, 34, 81, 61, 34, 81, 61, 0, 0, 0, 0, 0, 51, 55][kind];
        (units, units * 3 / 2)
    });
    set(table, w::KING_DANGER, |attackers, weak| {
        let (attackers, weak) = (attackers as i32, weak as i32);
        let danger = attackers * attackers * 7 / 2 + weak * (17 + 17 * attackers.min(5));
        (-danger * 3 / 5, -danger)
    });
    set(table, w::KING_ESCAPES, |_, escapes| {
        [(-34, -187), (0, -110), (7, -42), (0, 13), (-7, 24), (-10, 38), (-7, 51), (-7, 51), (-7, 51)][escapes]
    });
    set(table, w::KING_GUARDS, |_, guards| {
        [(-85, -123), (-38, -72), (0, -10), (10, 42), (21, 64), (27, 68), (34, 68)][guards]
    });
    set(table, w::KING_DROPS, |kind, squares| {
        let each = [0, 24, 44, 68, 34, 47, 85][kind];
        let count = squares as i32;
        // The second square adds less than the first.
        let danger = if count == 0 { 0 } else { each * (count + 2) / 2 };
        (-danger * 3 / 5, -danger)
    });
    set(table, w::KING_LINES, |row, open| {
        let each = [5, 8][row];
        (-each * open as i32, -each * open as i32)
    });
}

fn threats(table: &mut Table) {
    let value = |kind: usize| i32::from(MATERIAL[kind].0) + i32::from(MATERIAL[kind].1);
    // Share of the piece value in 256ths of the doubled mean, off move and on move.
    for (block, waiting, on_move) in [
        (w::PAWN_THREAT, 17, 44),
        (w::MINOR_THREAT, 15, 30),
        (w::GOLD_THREAT, 10, 27),
        (w::HANGING, 12, 51),
        (w::PRESSED, 5, 17),
    ] {
        set(table, block, |row, kind| {
            let value = value(kind) * [waiting, on_move][row] / 256;
            (value, value)
        });
    }
}

fn structure(table: &mut Table) {
    set(table, w::CASTLE, |_, number| (CASTLES[number].untuned.into(), 17));
    set(table, w::PAWN_FILES, |_, files| {
        let files = files as i32;
        (-27 + 17 * files.min(5), -27 + 19 * files.min(5))
    });
    set(table, w::HEAD_DROP, |_, column| [(-102, -51), (0, -7), (-72, -38), (0, 0)][column]);
    set(table, w::TOKIN_THREAT, |_, on_move| [(60, 72), (128, 153)][on_move]);
}
