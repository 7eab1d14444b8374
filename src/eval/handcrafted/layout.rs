//! Layout of the weight table.

use sabi_shogi::{HandKind, PieceKind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Groups of terms: lines of [`Trace`](super::Trace).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Number of groups.
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

    /// Name of the weight at `index`, which must be in this block.
    pub(super) fn name_of(&self, index: usize) -> String {
        let within = index - self.start;
        format!("{}.{}.{}", self.name, within / self.columns, within % self.columns)
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
    CASTLE "castle" Castles 1, super::castle_table::COUNT;
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
pub(super) fn block_of(index: usize) -> Option<&'static Block> {
    const { &BLOCKS }.iter().find(|block| (block.start..block.end()).contains(&index))
}
