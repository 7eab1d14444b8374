//! Options of the opening book.

use super::{OptionKind, OptionRow, count, size, spin, unsigned};
use sabi_books::{Criteria, Selection};
use sabi_shogi::MAX_PLY;

/// `BookFile` of users of other engines who want no book.
pub(in crate::engine) const NO_BOOK: &str = "no_book";

/// Options of the opening book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookOptions {
    /// Whether the book is used.
    pub own_book: bool,
    /// File name; empty: the embedded book.
    pub file: String,
    /// Folder of the file.
    pub folder: String,
    /// Whether a sorted text book is searched on disk instead of loaded.
    pub on_the_fly: bool,
    /// Whether book positions match with any move number.
    pub ignore_ply: bool,
    /// Whether rotated positions with the sides exchanged match.
    pub flipped: bool,
    /// Whether games are appended to the learning file.
    pub learning: bool,
    /// Requirements for book moves.
    pub criteria: Criteria,
    /// Whether `weighted` is by weight; otherwise uniform.
    pub by_weight: bool,
    /// Percentage of book positions that are searched instead.
    pub ignore_rate: u32,
    /// Whether book lines near the root are stored in the transposition table before a search.
    pub prefill: bool,
    /// Maximum length of the line shown for a book move.
    pub line_plies: usize,
    /// Random seed; `None`: from the system.
    pub seed: Option<u64>,
}

impl BookOptions {
    /// How to choose among the candidates.
    pub(in crate::engine) fn selection(&self) -> Selection {
        match self.criteria.selection {
            Selection::Weighted if !self.by_weight => Selection::Uniform,
            selection => selection,
        }
    }
}

impl Default for BookOptions {
    fn default() -> Self {
        let selection = Selection::default();
        Self {
            own_book: true,
            file: String::new(),
            folder: String::new(),
            on_the_fly: false,
            ignore_ply: true,
            flipped: true,
            learning: false,
            criteria: Criteria {
                selection,
                last_ply: 60,
                max_loss: 30,
                min_score: [0, -140],
                min_depth: 0,
                min_games: 1,
                narrow: true,
            },
            by_weight: true,
            ignore_rate: 0,
            prefill: false,
            line_plies: 8,
            seed: None,
        }
    }
}

pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "USI_OwnBook",
        kind: OptionKind::Check { default: true, set: |o, yes| o.book.own_book = yes },
        help: "Play book moves.",
    },
    OptionRow {
        name: "BookFile",
        kind: OptionKind::Filename { default: "", set: |o, name| o.book.file = name.to_owned() },
        help: "Opening book: SHOB, YaneuraOu `.db` or `.ybb`, Apery `.bin`, `.sbk`, or JSON, recognised by content. A \
               relative name is looked up in the engine's folder, then in the working folder. Empty: the embedded \
               book. `no_book`: none. A book in use may be replaced by another file, but not modified in place; \
               `isready` opens the new one.",
    },
    OptionRow {
        name: "BookDir",
        kind: OptionKind::Text { default: "", set: |o, name| o.book.folder = name.to_owned() },
        help: "Folder of a relative `BookFile`.",
    },
    OptionRow {
        name: "BookMoves",
        kind: spin(60, 0..=10_000, |o, n| o.book.criteria.last_ply = unsigned(n)),
        help: "Last ply of the game played from the book.",
    },
    OptionRow {
        name: "BookSelection",
        kind: combo!("weighted", Selection {
            "best" => Best,
            "weighted" => Weighted,
            "uniform" => Uniform,
        }, |o, value| o.book.criteria.selection = value),
        help: "Choice among book moves: highest expected score, random by weight, or uniformly random. The expected \
               score is the search score, or the win rate with 30 draws added, or the mean of both.",
    },
    OptionRow {
        name: "ConsiderBookMoveCount",
        kind: OptionKind::Check { default: true, set: |o, yes| o.book.by_weight = yes },
        help: "As in other engines: if false, `BookSelection` `weighted` means `uniform`.",
    },
    OptionRow {
        name: "BookIgnoreRate",
        kind: spin(0, 0..=100, |o, percent| o.book.ignore_rate = unsigned(percent)),
        help: "Percentage of book positions, chosen at random, that are searched instead.",
    },
    OptionRow {
        name: "BookEvalDiff",
        kind: spin(30, 0..=99_999, |o, cp| o.book.criteria.max_loss = cp as i32),
        help: "Maximum loss in centipawns of a book move against the best one that the other limits allow, where the \
               book has scores.",
    },
    OptionRow {
        name: "BookEvalBlackLimit",
        kind: spin(0, -99_999..=99_999, |o, cp| o.book.criteria.min_score[0] = cp as i32),
        help: "Minimum score in centipawns of a book move for Black, where the book has scores.",
    },
    OptionRow {
        name: "BookEvalWhiteLimit",
        kind: spin(-140, -99_999..=99_999, |o, cp| o.book.criteria.min_score[1] = cp as i32),
        help: "Minimum score in centipawns of a book move for White, where the book has scores.",
    },
    OptionRow {
        name: "BookDepthLimit",
        kind: spin(0, 0..=1000, |o, plies| o.book.criteria.min_depth = plies as u16),
        help: "Minimum search depth of a book move's score, where the book has depths. 0: no limit.",
    },
    OptionRow {
        name: "BookMinGames",
        kind: spin(1, 0..=1_000_000, |o, n| o.book.criteria.min_games = unsigned(n)),
        help: "Minimum number of games of a book move, where the book has numbers of games; counts of `.db` and Apery \
               books are weights.",
    },
    OptionRow {
        name: "NarrowBook",
        kind: OptionKind::Check { default: true, set: |o, yes| o.book.criteria.narrow = yes },
        help: "Skip book moves with less than a tenth of the largest weight.",
    },
    OptionRow {
        name: "IgnoreBookPly",
        kind: OptionKind::Check { default: true, set: |o, yes| o.book.ignore_ply = yes },
        help: "Match book positions with any move number. Only a `.db` searched on disk has move numbers.",
    },
    OptionRow {
        name: "FlippedBook",
        kind: OptionKind::Check { default: true, set: |o, yes| o.book.flipped = yes },
        help: "Also look up the rotated position with the sides exchanged.",
    },
    OptionRow {
        name: "BookOnTheFly",
        kind: OptionKind::Check { default: false, set: |o, yes| o.book.on_the_fly = yes },
        help: "Search a sorted `.db` on disk instead of loading it, for books of gigabytes.",
    },
    OptionRow {
        name: "BookLearning",
        kind: OptionKind::Check { default: false, set: |o, yes| o.book.learning = yes },
        help: "At `gameover`, append the game up to its last book move, with the result, to the learning file next to \
               the book (`.learn` added to its name), for `book_tools learn`.",
    },
    OptionRow {
        name: "BookPvMoves",
        kind: spin(8, 1..=MAX_PLY as i64, |o, plies| o.book.line_plies = size(plies)),
        help: "Maximum PV length of a book move.",
    },
    OptionRow {
        name: "BookPrefill",
        kind: OptionKind::Check { default: false, set: |o, yes| o.book.prefill = yes },
        help: "Before a search, store book lines near the position in the transposition table, as move ordering hints; not \
               limited by `BookMoves`.",
    },
];

pub(super) const SEED: OptionRow = OptionRow {
    name: "BookSeed",
    kind: spin(0, 0..=1_000_000_000, |o, n| o.book.seed = Some(count(n)).filter(|&n| n > 0)),
    help: "Random seed of the book choice and of `Level`, from the start of the engine or a change of this option on, for \
           reproducible games. 0: another seed at each start.",
};
