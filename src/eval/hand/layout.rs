//! Where each weight stands in the one flat table.

use crate::types::{HandKind, PieceKind};
use std::fmt;

/// What terms are about: a line of [`Trace`](super::Trace).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the groups")]
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
    /// How many there are.
    pub const COUNT: usize = 9;

    /// All groups in order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Material,
        Self::Hands,
        Self::Squares,
        Self::Mobility,
        Self::King,
        Self::Threats,
        Self::Castles,
        Self::Structure,
        Self::Tempo,
    ];
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Material => "material",
            Self::Hands => "hands",
            Self::Squares => "squares",
            Self::Mobility => "mobility",
            Self::King => "king",
            Self::Threats => "threats",
            Self::Castles => "castles",
            Self::Structure => "structure",
            Self::Tempo => "tempo",
        })
    }
}

/// A rectangle of weights in the table, row by row: one term, one-hot or counted by row and column.
#[derive(Copy, Clone, Debug)]
pub struct Block {
    /// The name of the term.
    pub name: &'static str,
    /// What it is about.
    pub group: Group,
    /// The index of its first weight.
    pub start: usize,
    /// How many rows it has.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
}

impl Block {
    /// The index of the weight in this row and column.
    #[inline(always)]
    pub const fn at(&self, row: usize, column: usize) -> usize {
        debug_assert!(row < self.rows && column < self.columns);
        self.start + row * self.columns + column
    }

    /// The entry for a count, where counts past the end share the last column.
    #[inline(always)]
    pub(super) const fn capped(&self, row: usize, count: u32) -> usize {
        let last = self.columns - 1;
        self.at(row, if (count as usize) < last { count as usize } else { last })
    }

    /// The index behind its last weight.
    pub const fn end(&self) -> usize {
        self.start + self.rows * self.columns
    }

    /// The name of the weight at `index`, which is one of this block.
    pub(super) fn name_of(&self, index: usize) -> String {
        let within = index - self.start;
        format!("{}.{}.{}", self.name, within / self.columns, within % self.columns)
    }
}

macro_rules! layout {
    ($($(#[$doc:meta])* $block:ident $name:literal $group:ident $rows:expr, $columns:expr;)*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "numbers the blocks")]
        enum Number { $($block),* }

        /// All blocks in the order of the table.
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
pub(super) const DISTANCES: usize = 9 * 17;

layout! {
    /// A piece on the board.
    MATERIAL "material" Material 1, PieceKind::COUNT;
    /// A number of pieces of a kind in hand.
    HAND "hand" Hands HandKind::COUNT, 19;
    /// A piece on its square, seen by its side, in the mirror if its king stands on the right wing.
    SQUARE "square" Squares PieceKind::COUNT, 81;
    /// A piece so far from its own king.
    OWN_KING "own_king" Squares PieceKind::COUNT, DISTANCES;
    /// A piece so far from the enemy's king.
    ENEMY_KING "enemy_king" Squares PieceKind::COUNT, DISTANCES;
    /// Squares a long-range piece may go to. Rows: lance, bishop, rook, horse, dragon.
    MOBILITY "mobility" Mobility 5, 21;
    /// Squares attacked in the three own ranks, the middle ones and the enemy's camp.
    CONTROL "control" Mobility 1, 3;
    /// A rook or dragon on a file without own pawn.
    OPEN_FILE "open_file" Mobility 1, 1;
    /// A lance with an own rook or dragon ahead on its way.
    LANCE_BEHIND_ROOK "lance_behind_rook" Mobility 1, 1;
    /// An undefended square in the enemy's camp that a bishop or a rook can promote on. Rows: bishop, rook. Columns: whether on move.
    INVASION "invasion" Mobility 2, 2;
    /// A piece that attacks the surroundings of the enemy's king.
    KING_ATTACKER "king_attacker" King 1, PieceKind::COUNT;
    /// Rows: attackers of the king's surroundings. Columns: squares beside the king that are attacked and that only the king defends.
    KING_DANGER "king_danger" King 8, 8;
    /// Squares the king may flee to.
    KING_ESCAPES "king_escapes" King 1, 9;
    /// Golds and silvers within two steps of their king.
    KING_GUARDS "king_guards" King 1, 7;
    /// Supported squares beside the king where a piece in the enemy's hand can be dropped with check.
    KING_DROPS "king_drops" King HandKind::COUNT, 5;
    /// Empty squares on lines to the king while the enemy holds a piece for them. Rows: bishop, rook.
    KING_LINES "king_lines" King 2, 9;
    /// An attack on a piece by a pawn. Rows of all threats: whether the attacker is on move.
    PAWN_THREAT "pawn_threat" Threats 2, PieceKind::COUNT;
    /// An attack by a lance, knight or silver.
    MINOR_THREAT "minor_threat" Threats 2, PieceKind::COUNT;
    /// An attack by a gold, or what moves like one.
    GOLD_THREAT "gold_threat" Threats 2, PieceKind::COUNT;
    /// An attack on a piece that nothing defends.
    HANGING "hanging" Threats 2, PieceKind::COUNT;
    /// A piece attacked by two and defended by one.
    PRESSED "pressed" Threats 2, PieceKind::COUNT;
    /// A known castle.
    CASTLE "castle" Castles 1, super::castles::COUNT;
    /// Files where a pawn in hand can be dropped.
    PAWN_FILES "pawn_files" Structure 1, 10;
    /// A piece on whose head the enemy can drop a pawn. Columns: knight, silver, bishop, rook.
    HEAD_DROP "head_drop" Structure 1, 4;
    /// A pawn that can promote where nothing takes it. Column: whether on move.
    TOKIN_THREAT "tokin_threat" Structure 1, 2;
    /// The right to move.
    TEMPO "tempo" Tempo 1, 1;
}

/// How many weights there are.
pub(super) const COUNT: usize = BLOCKS[BLOCKS.len() - 1].end();

/// The block of a weight.
pub(super) fn block_of(index: usize) -> Option<&'static Block> {
    const { &BLOCKS }.iter().find(|block| (block.start..block.end()).contains(&index))
}
