//! The weights set by hand: compact formulas spread over the table, where the tuner can change each entry alone.

use super::layout::{self as l, Block, COUNT};
use super::pair::Weight;
use crate::types::{HandKind, PieceKind};
use PieceKind as K;

type Table = [Weight; COUNT];

/// A piece on the board.
const MATERIAL: [(i16, i16); PieceKind::COUNT] = [
    (90, 95),
    (250, 255),
    (270, 275),
    (390, 420),
    (620, 660),
    (730, 790),
    (450, 490),
    (0, 0),
    (430, 480),
    (420, 460),
    (430, 470),
    (440, 480),
    (860, 900),
    (1000, 1060),
];

/// The first piece of a kind in hand, and what each further one loses.
const HAND: [((i16, i16), i16); HandKind::COUNT] =
    [((95, 105), 5), ((255, 265), 15), ((275, 290), 20), ((420, 465), 15), ((660, 700), 10), ((790, 850), 10), ((490, 550), 10)];

/// Fills the table.
pub(super) fn fill(table: &mut Table) {
    material(table);
    squares(table);
    distances(table);
    mobility(table);
    king(table);
    threats(table);
    structure(table);
    set(table, l::TEMPO, |_, _| (22, 30));
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
    (K::Pawn, [0, 30, 25, 22, 10, 6, 0, 0, 0]),
    (K::Lance, [0, -40, -30, -25, -20, -15, -10, -5, 5]),
    (K::Knight, [0, 0, -10, -15, -10, -20, 5, -10, 0]),
    (K::Silver, [-10, 5, 15, 20, 18, 16, 8, 0, -8]),
    (K::Gold, [-40, -20, -5, -5, -10, -5, 4, 8, -4]),
    (K::Bishop, [-10, 0, 0, 5, 10, 10, 5, 0, -10]),
    (K::Rook, [0, 15, 15, 5, -10, -10, -5, 10, 0]),
    (K::King, [80, 60, 30, -60, -90, -80, -50, 0, 5]),
];

/// The king by its distance from the middle file, castled on its wing.
const KING_WING: [i32; 5] = [-25, -15, 5, 20, 15];

fn squares(table: &mut Table) {
    set(table, l::SQUARE, |kind, square| {
        let (file, rank) = (square / 9, square % 9);
        let Some((kind, ranks)) = RANKS.iter().find(|(row, _)| row.index() == kind) else { return (0, 0) };
        let value = ranks[rank];
        match kind {
            // A king that walks forward is in danger until few pieces are left.
            K::King => (value + if rank >= 6 { KING_WING[file.abs_diff(4)] } else { 0 }, value / 2),
            // The edge is a poor place for silvers and golds.
            K::Silver | K::Gold if file == 0 || file == 8 => (value - 15, value - 10),
            _ => (value, value),
        }
    });
}

/// How much a piece helps its king, from touching it to five steps away.
const GUARD: [(K, [i32; 5]); 10] = [
    (K::Pawn, [8, 4, 0, 0, 0]),
    (K::Lance, [6, 3, 0, 0, 0]),
    (K::Knight, [8, 4, 0, 0, 0]),
    (K::Silver, [28, 18, 6, 0, -6]),
    (K::Gold, [38, 26, 8, -4, -14]),
    (K::ProPawn, [20, 10, 0, 0, 0]),
    (K::ProSilver, [20, 10, 0, 0, 0]),
    (K::Bishop, [0, 4, 0, 0, 0]),
    (K::Rook, [-30, -18, -8, 0, 4]),
    (K::Horse, [50, 40, 25, 12, 4]),
];

/// How much a piece threatens the enemy's king, from touching it to six steps away.
const ATTACK: [(K, [i32; 6]); 13] = [
    (K::Pawn, [14, 12, 6, 2, 0, 0]),
    (K::Lance, [6, 6, 4, 2, 0, 0]),
    (K::Knight, [10, 18, 12, 4, 0, 0]),
    (K::Silver, [36, 28, 14, 4, 0, 0]),
    (K::Gold, [42, 34, 16, 4, 0, 0]),
    (K::Bishop, [10, 8, 4, 2, 0, 0]),
    (K::Rook, [14, 10, 6, 2, 0, 0]),
    (K::ProPawn, [44, 36, 16, 0, -24, -50]),
    (K::ProLance, [44, 36, 16, 0, -24, -40]),
    (K::ProKnight, [44, 36, 16, 0, -24, -40]),
    (K::ProSilver, [44, 36, 16, 0, -24, -40]),
    (K::Horse, [60, 50, 30, 14, 4, 0]),
    (K::Dragon, [60, 50, 34, 16, 6, 0]),
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
        (value, value * 3 / 4)
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
            [(9.0, 8.0, 1.5), (24.0, 22.0, 2.2), (18.0, 26.0, 2.4), (14.0, 14.0, 3.0), (16.0, 20.0, 3.0)][row];
        let value = |scale: f32| (scale * (count.sqrt() - zero)) as i32;
        (value(scale), value(end))
    });
    set(table, l::CONTROL, |_, region| [(2, 1), (2, 2), (3, 4)][region]);
    set(table, l::OPEN_FILE, |_, _| (12, 10));
    set(table, l::LANCE_BEHIND_ROOK, |_, _| (10, 5));
    set(table, l::INVASION, |row, on_move| [[(18, 14), (40, 40)], [(24, 18), (55, 50)]][row][on_move]);
}

fn king(table: &mut Table) {
    set(table, l::KING_ATTACKER, |_, kind| {
        let units = [5, 4, 6, 10, 10, 12, 10, 0, 0, 0, 0, 0, 16, 18][kind];
        (units, units * 2)
    });
    set(table, l::KING_DANGER, |attackers, weak| {
        let (attackers, weak) = (attackers as i32, weak as i32);
        let danger = attackers * attackers * 2 + weak * (8 + 8 * attackers.min(5));
        (-danger * 3 / 5, -danger)
    });
    set(table, l::KING_ESCAPES, |_, escapes| {
        [(-40, -110), (-20, -60), (-8, -25), (0, 0), (6, 12), (8, 20), (6, 26), (0, 28), (0, 28)][escapes]
    });
    set(table, l::KING_GUARDS, |_, guards| [(-60, -50), (-30, -25), (-5, -5), (12, 12), (22, 20), (26, 26), (26, 28)][guards]);
    set(table, l::KING_DROPS, |kind, squares| {
        let each = [0, 12, 16, 34, 14, 24, 44][kind];
        let count = squares as i32;
        // The second square adds less than the first.
        let danger = if count == 0 { 0 } else { each * (count + 2) / 2 };
        (-danger * 3 / 5, -danger)
    });
    set(table, l::KING_LINES, |row, open| {
        let each = [3, 5][row];
        (-each * open as i32, -each * open as i32)
    });
}

fn threats(table: &mut Table) {
    let value = |kind: usize| i32::from(MATERIAL[kind].0) + i32::from(MATERIAL[kind].1);
    // Shares of the piece's value in 256ths of the doubled mean, waiting and on move.
    for (block, waiting, on_move) in
        [(l::PAWN_THREAT, 8, 26), (l::MINOR_THREAT, 6, 18), (l::GOLD_THREAT, 6, 16), (l::HANGING, 7, 30), (l::PRESSED, 3, 10)]
    {
        set(table, block, |row, kind| {
            let value = value(kind) * [waiting, on_move][row] / 256;
            (value, value)
        });
    }
}

fn structure(table: &mut Table) {
    set(table, l::CASTLE, |_, _| (25, 10));
    set(table, l::PAWN_FILES, |_, files| {
        let files = files as i32;
        (-10 + 7 * files.min(5), -14 + 10 * files.min(5))
    });
    set(table, l::HEAD_DROP, |_, column| [(-28, -24), (-8, -6), (-20, -16), (-4, -4)][column]);
    set(table, l::TOKIN_THREAT, |_, on_move| [(35, 45), (75, 90)][on_move]);
}
