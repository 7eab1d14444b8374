//! The table of weights, and visitors of its features.
//!
//! A term is a [`Block`] of the table, in one of the [`Group`]s; `layout!` lists all of them. A
//! feature of a position is an index into the table with a count. Terms report their features to a
//! [`FeatureVisitor`], so that sum and trace share one definition.

use sabi_shogi::{Color, HandKind, PieceKind};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// Groups of terms: lines of [`Trace`](super::Trace).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Group {
    Material,
    Hands,
    Squares,
    Mobility,
    King,
    Threats,
    Castles,
    Structure,
    Tempo,
}

impl Group {
    /// Number of groups.
    pub const COUNT: usize = 9;

    /// All groups in order.
    pub const ALL: [Self; Self::COUNT] = {
        use Group::*;
        [Material, Hands, Squares, Mobility, King, Threats, Castles, Structure, Tempo]
    };
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}").to_lowercase())
    }
}

/// A term: a matrix of weights in the table, row by row.
#[derive(Copy, Clone, Debug)]
pub struct Block {
    /// Name of the term.
    pub name: &'static str,
    /// Its group.
    pub group: Group,
    /// Index of the first weight.
    pub start: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

impl Block {
    /// Index of the weight in this row and column.
    #[inline(always)]
    pub const fn at(&self, row: usize, column: usize) -> usize {
        debug_assert!(row < self.rows && column < self.columns);
        self.start + row * self.columns + column
    }

    /// Index for a count; counts beyond the end share the last column.
    #[inline(always)]
    pub(super) const fn capped(&self, row: usize, count: u32) -> usize {
        let last = self.columns - 1;
        self.at(row, if (count as usize) < last { count as usize } else { last })
    }

    /// End index.
    pub const fn end(&self) -> usize {
        self.start + self.rows * self.columns
    }
}

macro_rules! layout {
    ($($(#[$doc:meta])* $block:ident $name:literal $group:ident $rows:expr, $columns:expr;)*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "numbers the blocks")]
        enum Number { $($block),* }

        /// All blocks in table order.
        pub(super) const BLOCKS: [Block; [$(Number::$block as usize),*].len()] = {
            let mut blocks = [$(Block { name: $name, group: Group::$group, start: 0, rows: $rows, columns: $columns }),*];
            let mut at = 1;
            while at < blocks.len() {
                blocks[at].start = blocks[at - 1].end();
                at += 1;
            }
            blocks
        };

        $($(#[$doc])* pub(super) const $block: Block = BLOCKS[Number::$block as usize];)*
    };
}

/// Distances between two squares: 0 to 8 files, -8 to 8 ranks.
const DISTANCES: usize = 9 * 17;

layout! {
    /// A piece on the board.
    MATERIAL "material" Material 1, PieceKind::COUNT;
    /// A number of pieces of a kind in hand.
    HAND "hand" Hands HandKind::COUNT, 19;
    /// A piece on its square from its side's view, mirrored if its king is on the right wing.
    SQUARE "square" Squares PieceKind::COUNT, 81;
    /// A piece by distance to its own king.
    OWN_KING "own_king" Squares PieceKind::COUNT, DISTANCES;
    /// A piece by distance to the enemy king.
    ENEMY_KING "enemy_king" Squares PieceKind::COUNT, DISTANCES;
    /// Mobility of long-range pieces. Rows: lance, bishop, rook, horse, dragon.
    MOBILITY "mobility" Mobility 5, 21;
    /// Squares attacked in the own camp, the middle ranks and the enemy camp.
    CONTROL "control" Mobility 1, 3;
    /// A rook or dragon on a file without own pawn.
    OPEN_FILE "open_file" Mobility 1, 1;
    /// A lance with an own rook or dragon ahead on its way.
    LANCE_BEHIND_ROOK "lance_behind_rook" Mobility 1, 1;
    /// An undefended square in the enemy camp where a bishop or rook can promote. Rows: bishop,
    /// rook. Columns: whether on move.
    INVASION "invasion" Mobility 2, 2;
    /// A piece that attacks the enemy king zone.
    KING_ATTACKER "king_attacker" King 1, PieceKind::COUNT;
    /// Rows: attackers of the king zone. Columns: neighbours of the king attacked and defended by
    /// the king only.
    KING_DANGER "king_danger" King 8, 8;
    /// Flight squares of the king.
    KING_ESCAPES "king_escapes" King 1, 9;
    /// Golds and silvers within two steps of their king.
    KING_GUARDS "king_guards" King 1, 7;
    /// Supported squares next to the king where an enemy piece in hand can be dropped with check.
    KING_DROPS "king_drops" King HandKind::COUNT, 5;
    /// Empty squares on open lines to the king while the enemy holds a piece for them. Rows:
    /// bishop, rook.
    KING_LINES "king_lines" King 2, 9;
    /// An attack on a piece by a pawn. Rows of all threats: whether the attacker is on move.
    PAWN_THREAT "pawn_threat" Threats 2, PieceKind::COUNT;
    /// An attack by a lance, knight or silver.
    MINOR_THREAT "minor_threat" Threats 2, PieceKind::COUNT;
    /// An attack by a gold-like piece.
    GOLD_THREAT "gold_threat" Threats 2, PieceKind::COUNT;
    /// An attack on an undefended piece.
    HANGING "hanging" Threats 2, PieceKind::COUNT;
    /// A piece attacked twice and defended once.
    PRESSED "pressed" Threats 2, PieceKind::COUNT;
    /// A known castle.
    CASTLE "castle" Castles 1, 22;
    /// Files where a pawn in hand can be dropped.
    PAWN_FILES "pawn_files" Structure 1, 10;
    /// A piece that the enemy can attack by a pawn drop. Columns: knight, silver, bishop, rook.
    HEAD_DROP "head_drop" Structure 1, 4;
    /// A pawn that can promote safely. Column: whether on move.
    TOKIN_THREAT "tokin_threat" Structure 1, 2;
    /// Side to move.
    TEMPO "tempo" Tempo 1, 1;
}

/// Number of weights.
pub(super) const COUNT: usize = BLOCKS[BLOCKS.len() - 1].end();

/// The block of a weight.
fn block_of(index: usize) -> Option<&'static Block> {
    const { &BLOCKS }.iter().find(|block| (block.start..block.end()).contains(&index))
}

/// A weight: centipawns in the opening and in the endgame.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[repr(align(4))]
pub struct Weight {
    /// In the opening.
    pub mg: i16,
    /// In the endgame.
    pub eg: i16,
}

const _: () = assert!(size_of::<Weight>() == 4);

impl Weight {
    /// The weight with these two values.
    pub const fn new(mg: i16, eg: i16) -> Self {
        Self { mg, eg }
    }
}

/// A sum of weights.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// In the opening.
    pub mg: i32,
    /// In the endgame.
    pub eg: i32,
}

impl Pair {
    /// Nothing.
    pub const ZERO: Self = Self { mg: 0, eg: 0 };

    /// `count * weight`.
    #[inline(always)]
    pub const fn times(weight: Weight, count: i32) -> Self {
        Self { mg: weight.mg as i32 * count, eg: weight.eg as i32 * count }
    }
}

impl Add for Pair {
    type Output = Self;

    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        Self { mg: self.mg + rhs.mg, eg: self.eg + rhs.eg }
    }
}

impl AddAssign for Pair {
    #[inline(always)]
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}

impl Sub for Pair {
    type Output = Self;

    #[inline(always)]
    fn sub(self, rhs: Self) -> Self {
        Self { mg: self.mg - rhs.mg, eg: self.eg - rhs.eg }
    }
}

/// All weights of the evaluation, in one named table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    pub(super) table: [Weight; COUNT],
}

impl Weights {
    /// Number of weights.
    pub const COUNT: usize = COUNT;

    /// All weights zero.
    pub fn zero() -> Self {
        Self { table: [Weight::default(); COUNT] }
    }

    /// The weight at `index`, if there is one.
    pub fn get(&self, index: usize) -> Option<Weight> {
        self.table.get(index).copied()
    }

    /// Mutable access to the weight at `index`.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Weight> {
        self.table.get_mut(index)
    }

    /// All weights in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Weight> {
        self.table.iter().copied()
    }

    /// The name of the weight at `index`: term, row and column, as in `hand.3.2`.
    pub fn name(index: usize) -> Option<String> {
        let block = block_of(index)?;
        let within = index - block.start;
        Some(format!("{}.{}.{}", block.name, within / block.columns, within % block.columns))
    }

    /// The index of the weight with this name.
    pub fn index_of(name: &str) -> Option<usize> {
        let mut parts = name.split('.');
        let term = parts.next()?;
        let row: usize = parts.next()?.parse().ok()?;
        let column: usize = parts.next()?.parse().ok()?;
        let block = BLOCKS.iter().find(|block| block.name == term)?;
        (parts.next().is_none() && row < block.rows && column < block.columns).then(|| block.at(row, column))
    }

    /// The group of the weight at `index`.
    pub fn group(index: usize) -> Option<Group> {
        block_of(index).map(|block| block.group)
    }

    /// All terms in table order.
    pub fn blocks() -> &'static [Block] {
        const { &BLOCKS }
    }
}

/// Receives every feature of a position.
pub(super) trait FeatureVisitor {
    /// Adds `count` times the weight at `index` for `color`.
    fn add(&mut self, color: Color, index: usize, count: i32);
}

/// Sum of weights for Black.
pub(super) struct Sum<'w> {
    table: &'w [Weight; COUNT],
    total: Pair,
}

impl<'w> Sum<'w> {
    #[inline(always)]
    pub fn new(weights: &'w Weights, start: Pair) -> Self {
        Self { table: &weights.table, total: start }
    }

    #[inline(always)]
    pub fn total(&self) -> Pair {
        self.total
    }
}

impl FeatureVisitor for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, color: Color, index: usize, count: i32) {
        self.total += Pair::times(self.table[index], color.sign() * count);
    }
}
