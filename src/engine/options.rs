//! The options of this engine: the values, and the table of rows they are declared, checked, set and explained by.

use super::option::{self, OptionError};
use super::{Level, machine};
use crate::book::{Criteria, Selection};
use crate::eval::EvalType;
use crate::movegen::Promotions;
use crate::position::EnteringKingRule;
use crate::search::{Resources, Settings};
use crate::table::Policy;
use crate::types::MAX_PLY;
use crate::util::{MATE_HASH_MB, MOST_THREADS};

/// How users of other engines say that they want no book.
pub(super) const NO_BOOK: &str = "no_book";

/// What the user has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Tables and threads.
    pub resources: Resources,
    /// How often the user has asked for everything learnt to be forgotten.
    pub clearings: u32,
    /// Whether the GUI lets the engine think on the opponent's time.
    pub ponder: bool,
    /// Whether it then thinks about the opponent's move instead of the answer to the expected one.
    pub stochastic_ponder: bool,
    /// The level to play at; full strength when `None`.
    pub level: Option<Level>,
    /// At this many centipawns behind, give up; `None` for never.
    pub resign: Option<i32>,
    /// Deepest search.
    pub depth_limit: Option<u32>,
    /// Longest search.
    pub nodes_limit: Option<u64>,
    /// How mates are looked for.
    pub mate: MateOptions,
    /// Where input and output are recorded; nowhere when empty.
    pub debug_log: String,
    /// The evaluation.
    pub eval: EvalOptions,
    /// The opening book.
    pub book: BookOptions,
    /// What the search itself obeys.
    pub search: Settings,
}

/// Which evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvalOptions {
    /// Which one where no file is named.
    pub which: EvalType,
    /// Its name; empty for `nn.bin` in the folder, and without a folder for the one that comes with the engine.
    pub file: String,
    /// The folder it is in.
    pub folder: String,
    /// What the output of a network is divided by; `None` for what the file beside it says, or else the usual number.
    pub scale: Option<i32>,
}

/// Which opening book, and how it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookOptions {
    /// Whether it is used at all.
    pub own_book: bool,
    /// Its name; empty for the one that comes with the engine.
    pub file: String,
    /// The folder it is in.
    pub folder: String,
    /// Whether a sorted text book is searched where it lies instead of being read.
    pub in_place: bool,
    /// Whether a position may stand in it with another number of moves.
    pub ignore_ply: bool,
    /// Whether a position counts as known when the book has it with the sides exchanged.
    pub flipped: bool,
    /// Whether games in which it was used are noted beside it.
    pub learning: bool,
    /// What its moves must be like.
    pub criteria: Criteria,
    /// Whether a choice by weight is one, and not one of any move.
    pub by_weight: bool,
    /// Percentage of positions in which it is not used.
    pub ignored: u32,
    /// Whether its lines near the root go into the transposition table before a search.
    pub prefill: bool,
    /// The longest line shown behind one of its moves.
    pub line_plies: usize,
    /// Of the random choice; from the system when `None`.
    pub seed: Option<u64>,
}

impl BookOptions {
    /// How to choose among several moves.
    pub(super) fn selection(&self) -> Selection {
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
            in_place: false,
            ignore_ply: true,
            flipped: true,
            learning: false,
            criteria: Criteria {
                selection,
                last_ply: 60,
                worst_loss: 30,
                least_score: [0, -140],
                least_depth: 0,
                least_games: 1,
                narrow: true,
            },
            by_weight: true,
            ignored: 0,
            prefill: false,
            line_plies: 8,
            seed: None,
        }
    }
}

/// How `go mate` looks for mates.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct MateOptions {
    /// What the number behind it counts.
    pub unit: MateUnit,
    /// Whether to look on for the shortest mate after any was found.
    pub shortest: bool,
    /// MB of the solver's memory.
    pub hash_mb: usize,
}

/// What the number behind `go mate` counts.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum MateUnit {
    /// Time, as the protocol says.
    #[default]
    Milliseconds,
    /// The length of the mate, as some clients mean it.
    Plies,
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            resources: Resources::new(1, 1),
            clearings: 0,
            ponder: false,
            stochastic_ponder: false,
            level: None,
            resign: None,
            depth_limit: None,
            nodes_limit: None,
            mate: MateOptions::default(),
            debug_log: String::new(),
            eval: EvalOptions::default(),
            book: BookOptions::default(),
            search: Settings::default(),
        };
        OPTIONS.iter().for_each(|row| row.reset(&mut options));
        options
    }
}

impl Options {
    /// These options with one of them set. Names are matched without case.
    ///
    /// # Errors
    /// When there is no such option or the value is not one it takes.
    pub fn with(&self, name: &str, value: Option<&str>) -> Result<Self, OptionError> {
        let row = rows().find(|row| row.name.eq_ignore_ascii_case(name));
        let row = row.ok_or_else(|| OptionError::Unknown(name.chars().take(24).collect()))?;
        let mut next = self.clone();
        row.apply(&mut next, value)?;
        Ok(next)
    }

    /// Whether something is to be read from a file or written to one.
    pub fn names_files(&self) -> bool {
        let book = Some(&self.book.file).filter(|name| *name != NO_BOOK);
        let others = [&self.book.folder, &self.eval.file, &self.eval.folder, &self.debug_log];
        book.into_iter().chain(others).any(|name| !name.is_empty())
    }
}

/// Worse than any score.
const NEVER_RESIGN: i64 = 99_999;

const RULE_NAMES: [&str; 6] = ["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"];
const RULES: [EnteringKingRule; RULE_NAMES.len()] = EnteringKingRule::ALL;

const HASH_POLICY_NAMES: [&str; 5] = ["always", "depth-preferred", "age-based", "depth-and-age", "exact-preferred"];
const HASH_POLICIES: [Policy; HASH_POLICY_NAMES.len()] =
    [Policy::Always, Policy::DepthPreferred, Policy::AgeBased, Policy::DepthAndAge, Policy::ExactPreferred];

const EVAL_POLICY_NAMES: [&str; 4] = ["always", "depth-preferred", "aging", "two-tier"];
const EVAL_POLICIES: [Policy; EVAL_POLICY_NAMES.len()] =
    [Policy::Always, Policy::DepthPreferred, Policy::AgeBased, Policy::TwoTier];

/// A row that sets one of the [`Options`].
pub type OptionRow = option::OptionRow<Options>;
/// The type of one of the [`Options`].
pub type Kind = option::Kind<Options>;

/// Every option of this build: the table, and with the feature `tune` the numbers of the search.
pub fn rows() -> impl Iterator<Item = &'static OptionRow> {
    #[cfg(not(feature = "tune"))]
    let numbers = std::iter::empty();
    #[cfg(feature = "tune")]
    let numbers = {
        static NUMBERS: std::sync::LazyLock<Vec<OptionRow>> = std::sync::LazyLock::new(|| {
            let row = |tunable: &'static crate::search::Tunable| OptionRow {
                name: tunable.name,
                kind: Kind::Tune(tunable),
                help: "",
            };
            crate::search::TUNABLES.iter().map(row).collect()
        });
        NUMBERS.iter()
    };
    OPTIONS.iter().chain(numbers)
}

/// Every option that a user sees, in the order in which they are declared: those for experiments last.
pub const OPTIONS: &[OptionRow] = &[
    OptionRow {
        name: "USI_Hash",
        kind: Kind::MachineSpin {
            default: machine::hash_mb,
            rule: machine::HASH_RULE,
            min: 1,
            max: 1 << 20,
            set: |o, mb| o.resources.hash_mb = size(mb),
        },
        help: "Size of the transposition table in MB, never exceeded. Taken over at the next `isready` or `go`; a size beyond \
               the free memory is refused and the old table kept.",
    },
    OptionRow {
        name: "Clear_Hash",
        kind: Kind::Button { press: |o| o.clearings = o.clearings.wrapping_add(1) },
        help: "Forget everything learnt, in the tables and in the histories of moves, at once or when the running search is over.",
    },
    OptionRow {
        name: "USI_Ponder",
        kind: Kind::Check { default: false, set: |o, yes| o.ponder = yes },
        help: "Tells the GUI whether the engine may think on the opponent's time. It is the GUI that starts it.",
    },
    OptionRow {
        name: "Stochastic_Ponder",
        kind: Kind::Check { default: false, set: |o, yes| o.stochastic_ponder = yes },
        help: "On the opponent's time, think about all moves of the opponent instead of the answer to the expected one. The \
               GUI sends what it always sends.",
    },
    OptionRow {
        name: "Threads",
        kind: Kind::MachineSpin {
            default: machine::threads,
            rule: machine::THREADS_RULE,
            min: 1,
            max: MOST_THREADS,
            set: |o, n| o.resources.threads = size(n),
        },
        help: "Threads that search. The number of processor cores is the most that helps. With one thread, the same nodes \
               are searched every time.",
    },
    OptionRow {
        name: "MultiPV",
        kind: Kind::Spin { default: 1, min: 1, max: 600, set: |o, n| o.search.multi_pv = size(n) },
        help: "How many best lines to find and show. More than one weakens play. Of an opening book all candidates are shown.",
    },
    OptionRow {
        name: "Level",
        kind: Kind::Spin { default: 0, min: 0, max: Level::HIGHEST as i64, set: set_level },
        help: "Play like a weaker player, from 1, a beginner, to 20: a short search, and a choice among moves that are not much worse \
               than the best. Each level scores about two points of three against the one below. Analysis is not weakened. 0: full \
               strength.",
    },
    OptionRow {
        name: "NetworkDelay",
        kind: Kind::Spin { default: 120, min: 0, max: 60_000, set: |o, ms| o.search.time.network_delay = count(ms) },
        help: "Milliseconds held back for the way to the server and back, of whole seconds and of the last of the time.",
    },
    OptionRow {
        name: "NetworkDelay2",
        kind: Kind::Spin { default: 1120, min: 0, max: 60_000, set: |o, ms| o.search.time.network_delay2 = count(ms) },
        help: "The same where being late loses the game: milliseconds kept in reserve when the last of the time is used.",
    },
    OptionRow {
        name: "MinimumThinkingTime",
        kind: Kind::Spin { default: 2000, min: 0, max: 100_000, set: |o, ms| o.search.time.minimum = count(ms) },
        help: "Milliseconds to think at least, where the clock allows it.",
    },
    OptionRow {
        name: "SlowMover",
        kind: Kind::Spin {
            default: 100,
            min: 1,
            max: 1000,
            set: |o, percent| o.search.time.slow_mover = count(percent),
        },
        help: "How much of the usual time to use early in the game, in percent.",
    },
    OptionRow {
        name: "RoundUpToFullSecond",
        kind: Kind::Check { default: false, set: |o, yes| o.search.time.round_up = yes },
        help: "Use up started seconds. Switch it on only where the clock counts whole seconds and drops the rest, as floodgate \
               and other servers with the CSA protocol do; elsewhere it wastes time.",
    },
    OptionRow {
        name: "MaxMovesToDraw",
        kind: Kind::Spin { default: 0, min: 0, max: 100_000, set: |o, n| o.search.max_moves = limit(n) },
        help: "A game that goes on after this many moves is a draw; the move with this number may still mate. 0: no such rule.",
    },
    OptionRow {
        name: "ResignValue",
        kind: Kind::Spin { default: NEVER_RESIGN, min: 1, max: NEVER_RESIGN, set: set_resign },
        help: "Give up when behind by this many centipawns. 99999: never before mate.",
    },
    OptionRow {
        name: "DrawValueBlack",
        kind: Kind::Spin { default: -2, min: -10_000, max: 10_000, set: |o, cp| o.search.draw_value[0] = cp as i32 },
        help: "What a draw is worth to the engine when it plays Black, in centipawns.",
    },
    OptionRow {
        name: "DrawValueWhite",
        kind: Kind::Spin { default: -2, min: -10_000, max: 10_000, set: |o, cp| o.search.draw_value[1] = cp as i32 },
        help: "What a draw is worth to the engine when it plays White, in centipawns.",
    },
    OptionRow {
        name: "EnteringKingRule",
        kind: Kind::Combo { default: 3, vars: &RULE_NAMES, set: set_rule },
        help: "How a king in the enemy camp wins: by a declaration with 24 or 27 points (H: the giver of a handicap counts the \
               missing pieces), or by reaching the enemy king's first square.",
    },
    OptionRow {
        name: "GenerateAllLegalMoves",
        kind: Kind::Check { default: false, set: set_promotions },
        help: "Search moves without promotion too where promotion is hardly ever worse. For mate problems; costs strength.",
    },
    OptionRow {
        name: "PvInterval",
        kind: Kind::Spin { default: 300, min: 0, max: 100_000, set: |o, ms| o.search.report_interval = count(ms) },
        help: "Milliseconds between two reports, so that a slow link is not flooded. 0: report everything.",
    },
    OptionRow {
        name: "OutputFailLHPV",
        kind: Kind::Check { default: true, set: |o, yes| o.search.report_bounds = yes },
        help: "Report the best line also while all that is known of its score is a bound (`lowerbound`, `upperbound`).",
    },
    OptionRow {
        name: "ConsiderationMode",
        kind: Kind::Check { default: false, set: |o, yes| o.search.consideration = yes },
        help: "For looking at games: lines are shown as far as the transposition table knows them, and bounds are not reported.",
    },
    OptionRow {
        name: "DepthLimit",
        kind: Kind::Spin { default: 0, min: 0, max: MAX_PLY as i64, set: |o, plies| o.depth_limit = limit(plies) },
        help: "Never search deeper than this. 0: no limit.",
    },
    OptionRow {
        name: "NodesLimit",
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: 1_000_000_000_000,
            set: |o, n| o.nodes_limit = Some(count(n)).filter(|&n| n > 0),
        },
        help: "Never search more positions than this. 0: no limit.",
    },
    OptionRow {
        name: "MateLimitUnit",
        kind: Kind::Combo { default: 0, vars: &["milliseconds", "plies"], set: set_mate_unit },
        help: "What the number in `go mate N` means: the time, as the protocol has it, or the length of the mate, as some \
               clients have it.",
    },
    OptionRow {
        name: "MateShortest",
        kind: Kind::Check { default: true, set: |o, yes| o.mate.shortest = yes },
        help: "After `go mate` has found a mate, look on for a shorter one until there is none or time is up. Otherwise the first \
               that is found is told.",
    },
    OptionRow {
        name: "MateHash",
        kind: Kind::Spin { default: MATE_HASH_MB, min: 1, max: 1 << 20, set: |o, mb| o.mate.hash_mb = size(mb) },
        help: "Size in MB of the memory of `go mate`. It is taken when the first such order comes.",
    },
    OptionRow {
        name: "EvalType",
        kind: Kind::Combo { default: 0, vars: &["network", "hand"], set: set_eval_type },
        help: "The evaluation that comes with the engine, where no file is named: its network, or the hand-crafted one, weaker \
               and in terms that people can read (`eval`).",
    },
    OptionRow {
        name: "EvalFile",
        kind: Kind::Filename { default: "", set: |o, name| o.eval.file = name.to_owned() },
        help: "The evaluation: a network (`nn.bin`: HalfKP, HalfKA, K+P, SFNN and others) or weights as JSON, told by its content. A relative name is \
               sought in the engine's folder first, then in the working folder. It is read by `isready`, and by the next `go` \
               after another was named; another evaluation makes the engine forget everything learnt. A file that cannot be used \
               leaves the evaluation as it is. Empty: the one `EvalDir` has, or else the one `EvalType` names.",
    },
    OptionRow {
        name: "EvalDir",
        kind: Kind::Text { default: "", set: |o, name| o.eval.folder = name.to_owned() },
        help: "The folder in which a relative `EvalFile` is sought; its `nn.bin` is used where no `EvalFile` is named.",
    },
    OptionRow {
        name: "FV_SCALE",
        kind: Kind::Spin { default: 0, min: 0, max: 128, set: |o, n| o.eval.scale = scale(n) },
        help: "What the output of a network that is named is divided by: a greater number makes smaller scores. 0: what a line `FV_SCALE=24` of \
               the file `eval_options.txt` beside it says, or else what is measured: networks differ in the size of their outputs, and the \
               search takes them all to be of one size.",
    },
    OptionRow {
        name: "USI_OwnBook",
        kind: Kind::Check { default: true, set: |o, yes| o.book.own_book = yes },
        help: "Play moves of the opening book, where there is one.",
    },
    OptionRow {
        name: "BookFile",
        kind: Kind::Filename { default: "", set: |o, name| o.book.file = name.to_owned() },
        help: "The opening book: SHOB, a YaneuraOu `.db` or `.ybb`, an Apery `.bin`, an `.sbk`, or JSON, told by its content. A \
               relative name is sought in the engine's folder first, then in the working folder. Empty: the book that comes with the engine. `no_book`: none. A book may be replaced while it is used, \
               but not be changed in place; `isready` takes the new one.",
    },
    OptionRow {
        name: "BookDir",
        kind: Kind::Text { default: "", set: |o, name| o.book.folder = name.to_owned() },
        help: "The folder in which a relative `BookFile` is sought.",
    },
    OptionRow {
        name: "BookMoves",
        kind: Kind::Spin { default: 60, min: 0, max: 10_000, set: |o, n| o.book.criteria.last_ply = ply(n) },
        help: "The last move of a game that may come from the book.",
    },
    OptionRow {
        name: "BookSelection",
        kind: Kind::Combo { default: 1, vars: &["best", "weighted", "uniform"], set: set_selection },
        help: "Which of several moves to play: the one that is worth most, any in proportion to its weight, or any. What a move is \
               worth is its score, or its win rate with 30 draws added, or the mean of both.",
    },
    OptionRow {
        name: "ConsiderBookMoveCount",
        kind: Kind::Check { default: true, set: |o, yes| o.book.by_weight = yes },
        help: "As in other engines: false makes `BookSelection` `weighted` mean `uniform`.",
    },
    OptionRow {
        name: "BookIgnoreRate",
        kind: Kind::Spin { default: 0, min: 0, max: 100, set: |o, percent| o.book.ignored = ply(percent) },
        help: "Percentage of book positions, chosen at random, in which the engine searches instead.",
    },
    OptionRow {
        name: "BookEvalDiff",
        kind: Kind::Spin { default: 30, min: 0, max: 99_999, set: |o, cp| o.book.criteria.worst_loss = cp as i32 },
        help: "Centipawns by which a move of the book may be worse than the best one, where the book has scores.",
    },
    OptionRow {
        name: "BookEvalBlackLimit",
        kind: Kind::Spin {
            default: 0,
            min: -99_999,
            max: 99_999,
            set: |o, cp| o.book.criteria.least_score[0] = cp as i32,
        },
        help: "As Black, play no move of the book with a score below this many centipawns, where the book has scores.",
    },
    OptionRow {
        name: "BookEvalWhiteLimit",
        kind: Kind::Spin {
            default: -140,
            min: -99_999,
            max: 99_999,
            set: |o, cp| o.book.criteria.least_score[1] = cp as i32,
        },
        help: "The same as White.",
    },
    OptionRow {
        name: "BookDepthLimit",
        kind: Kind::Spin { default: 0, min: 0, max: 1000, set: |o, plies| o.book.criteria.least_depth = plies as u16 },
        help: "Play no move of the book whose score was searched less deep, where the book has depths. 0: any.",
    },
    OptionRow {
        name: "BookMinGames",
        kind: Kind::Spin { default: 1, min: 0, max: 1_000_000, set: |o, n| o.book.criteria.least_games = ply(n) },
        help: "The least number of games of a move of the book, where the book has counts.",
    },
    OptionRow {
        name: "NarrowBook",
        kind: Kind::Check { default: true, set: |o, yes| o.book.criteria.narrow = yes },
        help: "Leave out moves of the book with less than a tenth of the weight of the weightiest.",
    },
    OptionRow {
        name: "IgnoreBookPly",
        kind: Kind::Check { default: true, set: |o, yes| o.book.ignore_ply = yes },
        help: "Use a position of the book whatever its number of moves. Only a `.db` searched in place knows such numbers.",
    },
    OptionRow {
        name: "FlippedBook",
        kind: Kind::Check { default: true, set: |o, yes| o.book.flipped = yes },
        help: "Use a position of the book also with the board turned and the sides exchanged.",
    },
    OptionRow {
        name: "BookOnTheFly",
        kind: Kind::Check { default: false, set: |o, yes| o.book.in_place = yes },
        help: "Search a `.db` where it lies instead of reading it, for books of gigabytes. It must be sorted.",
    },
    OptionRow {
        name: "BookLearning",
        kind: Kind::Check { default: false, set: |o, yes| o.book.learning = yes },
        help: "After `gameover`, note the game up to its last move from the book, with the result, in a file beside the book: its name \
               with `.learn` added. `book_tools learn` folds it in.",
    },
    OptionRow {
        name: "BookPvMoves",
        kind: Kind::Spin { default: 8, min: 1, max: MAX_PLY as i64, set: |o, plies| o.book.line_plies = size(plies) },
        help: "How many moves of the line behind a move of the book are shown.",
    },
    OptionRow {
        name: "BookPrefill",
        kind: Kind::Check { default: false, set: |o, yes| o.book.prefill = yes },
        help: "Before a search, put the lines of the book near the position into the transposition table, as hints of which move to try \
               first; `BookMoves` does not end them.",
    },
    OptionRow {
        name: "DebugLogFile",
        kind: Kind::Filename { default: "", set: |o, name| o.debug_log = name.to_owned() },
        help: "File to which everything that is read and written is added, with its time, and what the engine remarks to itself. A relative name is sought in the \
               engine's folder first, then in the working folder. Empty: no log.",
    },
    // For experiments, behind what a user of a graphical program looks for.
    OptionRow {
        name: "HashPolicy",
        kind: Kind::Combo { default: 3, vars: &HASH_POLICY_NAMES, set: set_hash_policy },
        help: "Which entry of the full table makes room for a new one: any, the shallowest, the oldest, the one that is shallow \
               for its age, or that too but exact scores last. May be changed without losing what the table holds.",
    },
    OptionRow {
        name: "HashLevel2",
        kind: Kind::Spin { default: 0, min: 0, max: 1 << 20, set: |o, mb| o.resources.second_mb = size(mb) },
        help: "Size in MB of a second level of the table, which keeps in short form what the first has no room for. 0: none.",
    },
    OptionRow {
        name: "EvalHash",
        kind: Kind::Spin { default: 0, min: 0, max: 1 << 20, set: |o, mb| o.resources.eval_mb = size(mb) },
        help: "Size in MB of a cache for evaluations. It changes no result, only the speed; see the README on when it pays. \
               0: none.",
    },
    OptionRow {
        name: "EvalHashPolicy",
        kind: Kind::Combo { default: 1, vars: &EVAL_POLICY_NAMES, set: set_eval_policy },
        help: "Which evaluation of the full cache makes room for a new one: any, that of the shallowest node, the oldest, or one \
               of two kinds of slots, some for deep nodes and some for whatever came last.",
    },
    OptionRow {
        name: "TableStats",
        kind: Kind::Check { default: false, set: |o, yes| o.search.statistics = yes },
        help: "Count what happens in the tables and tell it as `info string` after each search.",
    },
    OptionRow {
        name: "BookSeed",
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: 1_000_000_000,
            set: |o, n| o.book.seed = Some(count(n)).filter(|&n| n > 0),
        },
        help: "Where random choice begins, so that it can be repeated. 0: somewhere else every time.",
    },
];

/// A number that was checked not to be negative.
fn count(number: i64) -> u64 {
    number.max(0).unsigned_abs()
}

/// The same as an amount of memory or of things.
fn size(number: i64) -> usize {
    usize::try_from(number).unwrap_or_default()
}

/// A small number of which 0 means none.
fn limit(number: i64) -> Option<u32> {
    u32::try_from(number).ok().filter(|&number| number > 0)
}

/// What to divide by, of which 0 means what the file says.
fn scale(number: i64) -> Option<i32> {
    i32::try_from(number).ok().filter(|&number| number > 0)
}

fn set_level(options: &mut Options, number: i64) {
    options.level = u8::try_from(number).ok().and_then(Level::new);
}

fn set_resign(options: &mut Options, cp: i64) {
    options.resign = if cp < NEVER_RESIGN { i32::try_from(cp).ok() } else { None };
}

fn set_rule(options: &mut Options, place: usize) {
    options.search.entering_king = RULES.get(place).copied().unwrap_or_default();
}

/// A small number that was checked not to be negative.
fn ply(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

fn set_selection(options: &mut Options, place: usize) {
    const SELECTIONS: [Selection; 3] = [Selection::Best, Selection::Weighted, Selection::Uniform];
    options.book.criteria.selection = SELECTIONS.get(place).copied().unwrap_or_default();
}

fn set_hash_policy(options: &mut Options, place: usize) {
    options.resources.hash_policy = HASH_POLICIES.get(place).copied().unwrap_or_default();
}

fn set_eval_policy(options: &mut Options, place: usize) {
    options.resources.eval_policy = EVAL_POLICIES.get(place).copied().unwrap_or_default();
}

fn set_eval_type(options: &mut Options, place: usize) {
    options.eval.which = if place == 0 { EvalType::Network } else { EvalType::Hand };
}

fn set_promotions(options: &mut Options, all: bool) {
    options.search.promotions = if all { Promotions::All } else { Promotions::Sensible };
}

fn set_mate_unit(options: &mut Options, place: usize) {
    options.mate.unit = if place == 0 { MateUnit::Milliseconds } else { MateUnit::Plies };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn rows_are_sound() {
        let mut names = HashSet::new();
        for row in OPTIONS {
            assert!(names.insert(row.name.to_lowercase()), "{} twice", row.name);
            assert!(!row.name.contains(' ') && row.name.is_ascii());
            assert!(row.help.ends_with('.'), "{}", row.name);
            match row.kind {
                Kind::Spin { default, min, max, .. } => assert!((min..=max).contains(&default), "{}", row.name),
                Kind::MachineSpin { default, min, max, .. } => {
                    assert!((min..=max).contains(&default()), "{}", row.name);
                }
                Kind::Combo { default, vars, .. } => {
                    assert!(default < vars.len() && vars.iter().all(|var| !var.contains(' ')), "{}", row.name);
                }
                _ => {}
            }
        }
    }

    #[test]
    fn defaults_agree_with_those_of_the_search() {
        assert_eq!(Options::default().search, Settings::default());
        let default = Options::default().resources;
        assert_eq!(default, Resources::new(default.hash_mb, default.threads));
        assert_eq!(Options::default().book, BookOptions::default());
    }

    #[test]
    fn every_row_changes_something_and_takes_its_default_back() {
        let default = Options::default();
        for row in OPTIONS {
            let other = match row.kind {
                Kind::Check { default, .. } => (!default).to_string(),
                Kind::Spin { default, min, max, .. } => if default == max { min } else { default + 1 }.to_string(),
                Kind::MachineSpin { default, .. } => (default() + 1).to_string(),
                Kind::Combo { default, vars, .. } => vars[(default + 1) % vars.len()].to_string(),
                Kind::Text { .. } | Kind::Filename { .. } => "a b".to_owned(),
                Kind::Button { .. } => continue,
                #[cfg(feature = "tune")]
                Kind::Tune(_) => continue,
            };
            let changed = default.with(&row.name.to_uppercase(), Some(&other)).unwrap();
            assert_ne!(changed, default, "{} does nothing", row.name);
            assert_eq!(changed.with(row.name, row.kind.default_text().as_deref()), Ok(default.clone()), "{}", row.name);
        }
    }

    #[test]
    fn options_for_experiments_come_last() {
        let last: Vec<_> = OPTIONS[OPTIONS.len() - 6..].iter().map(|row| row.name).collect();
        assert_eq!(last, ["HashPolicy", "HashLevel2", "EvalHash", "EvalHashPolicy", "TableStats", "BookSeed"]);
    }

    #[test]
    fn wrong_values_are_refused() {
        let options = Options::default();
        assert_eq!(options.with("NoSuch", Some("1")), Err(OptionError::Unknown("NoSuch".to_owned())));
        for (name, value) in
            [("Threads", "0"), ("Threads", "513"), ("Threads", ""), ("USI_Ponder", "maybe"), ("EnteringKingRule", "28")]
        {
            assert!(matches!(options.with(name, Some(value)), Err(OptionError::Value { .. })), "{name} {value}");
        }
        assert_eq!(
            options.with("MultiPV", None),
            Err(OptionError::NoValue { name: "MultiPV", wanted: "1 to 600".to_owned() })
        );
        let told = |value| options.with("Clear_Hash", value).map_err(|error| error.to_string());
        assert_eq!(told(Some("now")), Err("Clear_Hash takes no value, not 'now'".to_owned()));
    }

    #[test]
    fn numbers_that_mean_none() {
        let options = Options::default();
        assert_eq!(
            (options.resign, options.depth_limit, options.nodes_limit, options.search.max_moves),
            (None, None, None, None)
        );
        let options = options.with("ResignValue", Some("1500")).unwrap().with("MaxMovesToDraw", Some("256")).unwrap();
        assert_eq!((options.resign, options.search.max_moves), (Some(1500), Some(256)));
    }
}
