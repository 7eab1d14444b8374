//! The weights set by hand: compact formulas spread over the table, where the tuner can change each entry alone.

use super::castles;
use super::layout::{self as l, Block, COUNT};
use super::pair::Weight;
use crate::types::{HandKind, PieceKind};
use PieceKind as K;

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

/// The first piece of a kind in hand, and what each further one loses.
const HAND: [((i16, i16), i16); HandKind::COUNT] =
    [((92, 112), 6), ((285, 290), 15), ((330, 325), 20), ((485, 515), 15), ((765, 755), 10), ((845, 880), 10), ((570, 610), 10)];

/// Fills the table.
pub(super) fn fill(table: &mut Table) {
    material(table);
    squares(table);
    distances(table);
    mobility(table);
    king(table);
    threats(table);
    structure(table);
    set(table, l::TEMPO, |_, _| (39, 72));
}

/// Sets a whole block by row and column.
fn set(table: &mut Table, block: Block, value: impl Fn(usize, usize) -> (i32, i32)) {
    for row in 0..block.rows {
        for column in 0..block.columns {
            let (middle, end) = value(row, column);
            table[block.at(row, column)] = Weight::new(middle as i16, end as i16);
        }
    }
}

fn material(table: &mut Table) {
    set(table, l::MATERIAL, |_, kind| (MATERIAL[kind].0.into(), MATERIAL[kind].1.into()));
    set(table, l::HAND, |kind, count| {
        let ((middle, end), loss) = HAND[kind];
        let held = (0..count as i32).map(|before| {
            // No pawn is worth less than half of the first: there is always a file for it.
            let loss = (before * i32::from(loss)).min(i32::from(middle) / 2);
            (i32::from(middle) - loss, i32::from(end) - loss)
        });
        held.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    });
}

/// Ranks as the side sees them, far rank first.
const RANKS: [(K, [i32; 9]); 8] = [
    (K::Pawn, [0, 65, 52, 44, 21, 13, 0, 0, 0]),
    (K::Lance, [0, -39, -26, -26, -20, -13, -6, 0, 6]),
    (K::Knight, [0, 0, -6, -6, 0, -10, 6, -6, 0]),
    (K::Silver, [-20, 10, 32, 42, 39, 34, 16, 0, -16]),
    (K::Gold, [-52, -26, -6, -6, -13, -6, 5, 10, -5]),
    (K::Bishop, [-13, 0, 0, 6, 13, 13, 6, 0, -13]),
    (K::Rook, [0, 20, 16, 0, -13, -13, 0, 0, 0]),
    (K::King, [104, 78, 39, -78, -117, -104, -65, 0, 6]),
];

/// The king by its distance from the middle file, castled on its wing.
const KING_WING: [i32; 5] = [-32, -20, 6, 26, 20];

fn squares(table: &mut Table) {
    set(table, l::SQUARE, |kind, square| {
        let (file, rank) = (square / 9, square % 9);
        let Some((kind, ranks)) = RANKS.iter().find(|(row, _)| row.index() == kind) else { return (0, 0) };
        let value = ranks[rank];
        match kind {
            // A king that walks forward is in danger until few pieces are left.
            K::King => (value + if rank >= 6 { KING_WING[file.abs_diff(4)] } else { 0 }, value / 2),
            // The edge is a poor place for silvers and golds.
            K::Silver | K::Gold if file == 0 || file == 8 => (value - 20, value - 13),
            _ => (value, value),
        }
    });
}

/// How much a piece helps its king, from touching it to five steps away.
const GUARD: [(K, [i32; 5]); 10] = [
    (K::Pawn, [36, 18, 0, 0, 0]),
    (K::Lance, [13, 6, 0, 0, 0]),
    (K::Knight, [26, 13, 0, 0, 0]),
    (K::Silver, [57, 39, 13, 0, -13]),
    (K::Gold, [104, 75, 29, -10, -42]),
    (K::ProPawn, [26, 13, 0, 0, 0]),
    (K::ProSilver, [26, 13, 0, 0, 0]),
    (K::Bishop, [0, 10, 5, 0, 0]),
    (K::Rook, [-109, -68, -31, 0, 13]),
    (K::Horse, [130, 104, 65, 29, 8]),
];

/// How much a piece threatens the enemy's king, from touching it to six steps away.
const ATTACK: [(K, [i32; 6]); 13] = [
    (K::Pawn, [57, 49, 26, 8, 0, 0]),
    (K::Lance, [10, 10, 5, 3, 0, 0]),
    (K::Knight, [31, 60, 39, 13, 0, 0]),
    (K::Silver, [136, 109, 60, 21, 0, -10]),
    (K::Gold, [98, 78, 39, 10, 0, 0]),
    (K::Bishop, [13, 10, 5, 3, 0, 0]),
    (K::Rook, [18, 13, 8, 3, 0, 0]),
    (K::ProPawn, [169, 138, 70, 16, -58, -117]),
    (K::ProLance, [104, 83, 39, 5, -39, -78]),
    (K::ProKnight, [104, 83, 39, 5, -39, -78]),
    (K::ProSilver, [104, 83, 39, 5, -39, -78]),
    (K::Horse, [136, 114, 70, 34, 10, 0]),
    (K::Dragon, [124, 104, 70, 34, 13, 0]),
];

fn distances(table: &mut Table) {
    let steps = |column: usize| (column / 17, column as i32 % 17 - 8);
    set(table, l::OWN_KING, |kind, column| {
        let (files, ranks) = steps(column);
        let distance = files.max(ranks.unsigned_abs() as usize);
        let Some((_, values)) = GUARD.iter().find(|(row, _)| row.index() == kind) else { return (0, 0) };
        let value = if distance == 0 { 0 } else { values[distance.min(values.len()) - 1] };
        // In front of its king a piece guards better than behind it.
        let value = if ranks > 0 && value > 0 { value * 2 / 3 } else { value };
        (value, value)
    });
    set(table, l::ENEMY_KING, |kind, column| {
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
    // First squares are worth the most: what matters is not to be shut in.
    set(table, l::MOBILITY, |row, count| {
        let count = count as f32;
        let (scale, end, zero) =
            [(26.0, 16.0, 1.5), (55.0, 32.0, 2.2), (47.0, 44.0, 2.5), (21.0, 21.0, 3.0), (23.0, 28.0, 3.0)][row];
        let value = |scale: f32| (scale * (count.sqrt() - zero)) as i32;
        (value(scale), value(end))
    });
    set(table, l::CONTROL, |_, region| [(16, 4), (16, 4), (20, 10)][region]);
    set(table, l::OPEN_FILE, |_, _| (84, 34));
    set(table, l::LANCE_BEHIND_ROOK, |_, _| (13, 6));
    set(table, l::INVASION, |row, on_move| [[(23, 18), (52, 52)], [(31, 23), (72, 65)]][row][on_move]);
}

fn king(table: &mut Table) {
    set(table, l::KING_ATTACKER, |_, kind| {
        let units = [29, 26, 62, 47, 26, 62, 47, 0, 0, 0, 0, 0, 39, 42][kind];
        (units, units * 3 / 2)
    });
    set(table, l::KING_DANGER, |attackers, weak| {
        let (attackers, weak) = (attackers as i32, weak as i32);
        let danger = attackers * attackers * 5 / 2 + weak * (13 + 13 * attackers.min(5));
        (-danger * 3 / 5, -danger)
    });
    set(table, l::KING_ESCAPES, |_, escapes| {
        [(-26, -143), (0, -84), (5, -32), (0, 10), (-5, 18), (-8, 29), (-5, 39), (-5, 39), (-5, 39)][escapes]
    });
    set(table, l::KING_GUARDS, |_, guards| [(-65, -94), (-29, -55), (0, -8), (8, 32), (16, 49), (21, 52), (26, 52)][guards]);
    set(table, l::KING_DROPS, |kind, squares| {
        let each = [0, 18, 34, 52, 26, 36, 65][kind];
        let count = squares as i32;
        // The second square adds less than the first.
        let danger = if count == 0 { 0 } else { each * (count + 2) / 2 };
        (-danger * 3 / 5, -danger)
    });
    set(table, l::KING_LINES, |row, open| {
        let each = [4, 6][row];
        (-each * open as i32, -each * open as i32)
    });
}

fn threats(table: &mut Table) {
    let value = |kind: usize| i32::from(MATERIAL[kind].0) + i32::from(MATERIAL[kind].1);
    // Shares of the piece's value in 256ths of the doubled mean, waiting and on move.
    for (block, waiting, on_move) in
        [(l::PAWN_THREAT, 13, 34), (l::MINOR_THREAT, 12, 23), (l::GOLD_THREAT, 8, 21), (l::HANGING, 9, 39), (l::PRESSED, 4, 13)]
    {
        set(table, block, |row, kind| {
            let value = value(kind) * [waiting, on_move][row] / 256;
            (value, value)
        });
    }
}

fn structure(table: &mut Table) {
    set(table, l::CASTLE, |_, number| (i32::from(castles::worth(number)), 13));
    set(table, l::PAWN_FILES, |_, files| {
        let files = files as i32;
        (-21 + 13 * files.min(5), -21 + 14 * files.min(5))
    });
    set(table, l::HEAD_DROP, |_, column| [(-78, -39), (0, -5), (-55, -29), (0, 0)][column]);
    set(table, l::TOKIN_THREAT, |_, on_move| [(46, 55), (98, 117)][on_move]);
}
