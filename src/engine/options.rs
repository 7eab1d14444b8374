//! The option table: every option is declared here, checked, set and documented by its row.

use super::Level;
use super::option_values::{HASH_RULE, THREADS_RULE, default_hash_mb, default_threads};
use super::{BookOptions, EvalOptions, MateOptions, MateUnit, Options};
use crate::eval::EvalType;
use crate::machine::{MATE_HASH_MB, MAX_THREADS};
use crate::search::{Resources, Settings};
use crate::table::Policy;
use sabi_books::Selection;
use sabi_shogi::{EnteringKingRule, MAX_PLY, NonPromotions, excerpt};
use std::fmt::Write;
use std::ops::RangeInclusive;

/// One option.
#[derive(Debug)]
pub struct OptionRow {
    /// Name; one word, because clients cut names at blanks.
    pub name: &'static str,
    /// Type, with default, limits and setter.
    pub kind: OptionKind,
    /// Description for the options page.
    pub help: &'static str,
}

/// A name of a combo option, and its setter.
type ComboVar = (&'static str, fn(&mut Options));

/// Types of USI options. Setters get checked values only.
#[derive(Debug)]
pub enum OptionKind {
    /// True or false.
    Check { default: bool, set: fn(&mut Options, bool) },
    /// An integer.
    Spin { default: i64, min: i64, max: i64, set: fn(&mut Options, i64) },
    /// An integer with a machine-dependent default; `rule` describes it on the options page.
    MachineSpin { default: fn() -> i64, rule: &'static str, min: i64, max: i64, set: fn(&mut Options, i64) },
    /// One of several names, each with its setter.
    Combo { default: &'static str, choices: &'static [ComboVar] },
    /// Any text; empty by default.
    Text { set: fn(&mut Options, &str) },
    /// A file name; empty by default.
    Filename { set: fn(&mut Options, &str) },
    /// An action.
    Button { press: fn(&mut Options) },
    /// A search parameter, set for the whole process.
    #[cfg(feature = "tune")]
    Tune(&'static crate::search::Tunable),
}

const fn row(name: &'static str, kind: OptionKind, help: &'static str) -> OptionRow {
    OptionRow { name, kind, help }
}

const fn text(set: fn(&mut Options, &str)) -> OptionKind {
    OptionKind::Text { set }
}

const fn filename(set: fn(&mut Options, &str)) -> OptionKind {
    OptionKind::Filename { set }
}

const fn check(default: bool, set: fn(&mut Options, bool)) -> OptionKind {
    OptionKind::Check { default, set }
}

const fn spin(default: i64, range: RangeInclusive<i64>, set: fn(&mut Options, i64)) -> OptionKind {
    OptionKind::Spin { default, min: *range.start(), max: *range.end(), set }
}

const fn machine_spin(
    default: fn() -> i64,
    rule: &'static str,
    range: RangeInclusive<i64>,
    set: fn(&mut Options, i64),
) -> OptionKind {
    OptionKind::MachineSpin { default, rule, min: *range.start(), max: *range.end(), set }
}

/// A combo option: the default, the names of an enum's values, and the setter.
macro_rules! combo {
    ($default:literal, $enum:ident { $($name:literal => $value:ident),+ $(,)? }, $set:expr) => {
        OptionKind::Combo {
            default: $default,
            choices: &[$(($name, |options| {
                let set: fn(&mut Options, $enum) = $set;
                set(options, $enum::$value)
            })),+],
        }
    };
}

/// The options shown to users. Those for experiments come last, after those that users of a GUI
/// look for.
const ROWS: &[OptionRow] = &[
    row(
        "USI_Hash",
        machine_spin(default_hash_mb, HASH_RULE, 1..=1 << 20, |o, mb| o.resources.hash_mb = size(mb)),
        "Size of the transposition table in MB; on Linux up to 2 MB more, for huge pages. Applied by the next \
         `isready` or `go`; if the allocation fails, the old table is kept, or at the start a smaller one used.",
    ),
    row(
        "Clear_Hash",
        OptionKind::Button { press: |o| o.clear_hash_count = o.clear_hash_count.wrapping_add(1) },
        "Clear tables and histories, at once or after the running search.",
    ),
    row(
        "USI_Ponder",
        check(false, |o, yes| o.ponder = yes),
        "Whether the engine may ponder. The GUI starts pondering with `go ponder`.",
    ),
    row(
        "Stochastic_Ponder",
        check(false, |o, yes| o.stochastic_ponder = yes),
        "Ponder on all moves of the opponent instead of the reply to the expected one. The GUI sends the same \
         commands.",
    ),
    row(
        "Threads",
        machine_spin(default_threads, THREADS_RULE, 1..=MAX_THREADS, |o, n| o.resources.threads = size(n)),
        "Search threads, usefully up to the number of processor cores. With one thread the search is deterministic.",
    ),
    row(
        "MultiPV",
        spin(1, 1..=600, |o, n| o.search.multi_pv = size(n)),
        "Number of best lines to search and show. More than one weakens play. Book candidates are all shown.",
    ),
    row(
        "Level",
        spin(0, 0..=Level::HIGHEST as i64, set_level),
        "Playing strength from 1 (beginner) to 20: a short search, and a random choice among moves not much worse than \
         the best. Each level scores about two thirds against the one below. `go infinite` is not affected. 0: full \
         strength.",
    ),
    row(
        "NetworkDelay",
        spin(120, 0..=60_000, |o, ms| o.search.time.network_delay = count(ms)),
        "Milliseconds reserved per move for network latency: before the end of the time and, at most 500 of them, \
         before the end of a full second.",
    ),
    row(
        "NetworkDelay2",
        spin(1120, 0..=60_000, |o, ms| o.search.time.network_delay2 = count(ms)),
        "Maximum milliseconds reserved where being late loses the game: at most a tenth of the time left for the move, \
         and at least `NetworkDelay`, up to a quarter of it.",
    ),
    row(
        "MinimumThinkingTime",
        spin(2000, 0..=100_000, |o, ms| o.search.time.minimum = count(ms)),
        "Minimum milliseconds per move, `NetworkDelay` included, where the clock allows it; not for a book move or a \
         mate, nor, without `RoundUpToFullSecond`, for a single legal move, nor with a limit of depth or nodes, or a \
         `Level`.",
    ),
    row(
        "SlowMover",
        spin(100, 1..=1000, |o, percent| o.search.time.slow_mover = count(percent)),
        "Percentage of the usual time per move to use.",
    ),
    row(
        "RoundUpToFullSecond",
        check(false, |o, yes| o.search.time.round_up = yes),
        "Round thinking time up to the full second. For clocks that drop fractions of a second, such as those of \
         floodgate and other CSA servers; elsewhere it wastes time.",
    ),
    row(
        "MaxMovesToDraw",
        spin(0, 0..=100_000, |o, n| o.search.max_moves = limit(n)),
        "The game is a draw after this many moves; the last of them may still mate. 0: no limit.",
    ),
    row(
        "ResignValue",
        spin(NEVER_RESIGN, 1..=NEVER_RESIGN, set_resign),
        "Resign when behind by this many centipawns. 99999: only when mated.",
    ),
    row(
        "DrawValueBlack",
        spin(-2, -10_000..=10_000, |o, cp| o.search.draw_value[0] = cp as i32),
        "Value of a draw in centipawns when the engine plays Black.",
    ),
    row(
        "DrawValueWhite",
        spin(-2, -10_000..=10_000, |o, cp| o.search.draw_value[1] = cp as i32),
        "Value of a draw in centipawns when the engine plays White.",
    ),
    row(
        "EnteringKingRule",
        combo!("CSARule27", EnteringKingRule {
            "NoEnteringKing" => None,
            "CSARule24" => Points24,
            "CSARule24H" => Points24Handicap,
            "CSARule27" => Points27,
            "CSARule27H" => Points27Handicap,
            "TryRule" => Try,
        }, |o, value| o.search.entering_king = value),
        "How an entering king wins: by declaration under the 24 or 27 point rule (H: pieces missing in a handicap game \
         count for the giver), or by reaching the enemy king's start square.",
    ),
    row(
        "GenerateAllLegalMoves",
        check(false, set_non_promotions),
        "Also search non-promotions, which are rarely better. For mate problems; costs strength.",
    ),
    row(
        "PvInterval",
        spin(300, 0..=100_000, |o, ms| o.search.report_interval = count(ms)),
        "Minimum milliseconds between two PV outputs. 0: output everything.",
    ),
    row(
        "OutputFailLHPV",
        check(true, |o, yes| o.search.report_bounds = yes.then_some(Settings::BOUNDS_AFTER)),
        "Output the PV on fail high and fail low (`lowerbound`, `upperbound`), from three seconds on and with \
         `MultiPV` 1.",
    ),
    row(
        "ConsiderationMode",
        check(false, |o, yes| o.search.consideration = yes),
        "For analysis: extend the PV from the transposition table, and output no bounds.",
    ),
    row(
        "DepthLimit",
        spin(0, 0..=MAX_PLY as i64, |o, plies| o.depth_limit = limit(plies)),
        "Maximum search depth. 0: no limit.",
    ),
    row(
        "NodesLimit",
        spin(0, 0..=1_000_000_000_000, |o, n| o.nodes_limit = Some(count(n)).filter(|&n| n > 0)),
        "Maximum number of nodes, as in `go nodes`: the first iteration is finished, within 10,000 nodes. 0: no limit.",
    ),
    row(
        "MateLimitUnit",
        combo!("milliseconds", MateUnit { "milliseconds" => Milliseconds, "plies" => Plies }, |o, value| o.mate.unit = value),
        "Unit of the number in `go mate N`: time, as in the protocol, or the mate length, as sent by some clients.",
    ),
    row(
        "MateShortest",
        check(true, |o, yes| o.mate.shortest = yes),
        "`go mate` searches for the shortest mate. Otherwise it returns the first mate found.",
    ),
    row(
        "MateHash",
        spin(MATE_HASH_MB, 1..=1 << 20, |o, mb| o.mate.hash_mb = size(mb)),
        "Memory of `go mate` in MB, allocated by the next `go mate`.",
    ),
    row(
        "EvalType",
        combo!("network", EvalType { "network" => Network, "hand" => HandCrafted }, |o, value| o.eval.which = value),
        "Embedded evaluation, if no file is given: the network, or the weaker hand-crafted one with readable terms \
         (`eval`).",
    ),
    row(
        "EvalFile",
        filename(|o, name| o.eval.file = name.to_owned()),
        "Evaluation file: a network (`nn.bin`: HalfKP, HalfKA, K+P, SFNN and others) or weights in JSON, recognised by \
         content. A relative name is looked up in the engine's folder, then in the working folder. Loaded by \
         `isready`, and by `go` after a change; a new evaluation clears tables and histories. On error the current \
         evaluation is kept. Empty: `nn.bin` in `EvalDir`, else the embedded one (`EvalType`).",
    ),
    row(
        "EvalDir",
        text(|o, name| o.eval.folder = name.to_owned()),
        "Folder of a relative `EvalFile`; without `EvalFile` its `nn.bin` is used.",
    ),
    row(
        "FV_SCALE",
        spin(0, 0..=128, |o, n| o.eval.scale = i32::try_from(n).ok().filter(|&n| n > 0)),
        "Divisor of the output of the network `EvalFile`: larger values give smaller scores. 0: the value in \
         `eval_options.txt` next to the network, such as `FV_SCALE=24`, else measured, so that the search margins fit \
         networks with any output size.",
    ),
    row("USI_OwnBook", check(true, |o, yes| o.book.own_book = yes), "Play book moves."),
    row(
        "BookFile",
        filename(|o, name| o.book.file = name.to_owned()),
        "Opening book: SHOB, YaneuraOu `.db` or `.ybb`, Apery `.bin`, `.sbk`, or JSON, recognised by content. A \
         relative name is looked up in the engine's folder, then in the working folder. Empty: the embedded book. \
         `no_book`: none. A book in use may be replaced by another file, but not modified in place; `isready` opens \
         the new one.",
    ),
    row("BookDir", text(|o, name| o.book.folder = name.to_owned()), "Folder of a relative `BookFile`."),
    row(
        "BookMoves",
        spin(60, 0..=10_000, |o, n| o.book.criteria.last_ply = unsigned(n)),
        "Last ply of the game played from the book.",
    ),
    row(
        "BookSelection",
        combo!("weighted", Selection {
            "best" => Best,
            "weighted" => Weighted,
            "uniform" => Uniform,
        }, |o, value| o.book.criteria.selection = value),
        "Choice among book moves: highest expected score, random by weight, or uniformly random. The expected score is \
         the search score, or the win rate with 30 draws added, or the mean of both.",
    ),
    row(
        "ConsiderBookMoveCount",
        check(true, |o, yes| o.book.by_weight = yes),
        "As in other engines: if false, `BookSelection` `weighted` means `uniform`.",
    ),
    row(
        "BookIgnoreRate",
        spin(0, 0..=100, |o, percent| o.book.ignore_rate = unsigned(percent)),
        "Percentage of book positions, chosen at random, that are searched instead.",
    ),
    row(
        "BookEvalDiff",
        spin(30, 0..=99_999, |o, cp| o.book.criteria.max_loss = cp as i32),
        "Maximum loss in centipawns of a book move against the best one that the other limits allow, where the book \
         has scores.",
    ),
    row(
        "BookEvalBlackLimit",
        spin(0, -99_999..=99_999, |o, cp| o.book.criteria.min_score[0] = cp as i32),
        "Minimum score in centipawns of a book move for Black, where the book has scores.",
    ),
    row(
        "BookEvalWhiteLimit",
        spin(-140, -99_999..=99_999, |o, cp| o.book.criteria.min_score[1] = cp as i32),
        "Minimum score in centipawns of a book move for White, where the book has scores.",
    ),
    row(
        "BookDepthLimit",
        spin(0, 0..=1000, |o, plies| o.book.criteria.min_depth = plies as u16),
        "Minimum search depth of a book move's score, where the book has depths. 0: no limit.",
    ),
    row(
        "BookMinGames",
        spin(1, 0..=1_000_000, |o, n| o.book.criteria.min_games = unsigned(n)),
        "Minimum number of games of a book move, where the book has numbers of games; counts of `.db` and Apery books \
         are weights.",
    ),
    row(
        "NarrowBook",
        check(true, |o, yes| o.book.criteria.narrow = yes),
        "Skip book moves with less than a tenth of the largest weight.",
    ),
    row(
        "IgnoreBookPly",
        check(true, |o, yes| o.book.ignore_ply = yes),
        "Match book positions with any move number. Only a `.db` searched on disk has move numbers.",
    ),
    row(
        "FlippedBook",
        check(true, |o, yes| o.book.flipped = yes),
        "Also look up the rotated position with the sides exchanged.",
    ),
    row(
        "BookOnTheFly",
        check(false, |o, yes| o.book.on_the_fly = yes),
        "Search a sorted `.db` on disk instead of loading it, for books of gigabytes.",
    ),
    row(
        "BookLearning",
        check(false, |o, yes| o.book.learning = yes),
        "At `gameover`, append the game up to its last book move, with the result, to the learning file next to the \
         book (`.learn` added to its name), for `book_tools learn`.",
    ),
    row(
        "BookPvMoves",
        spin(8, 1..=MAX_PLY as i64, |o, plies| o.book.line_plies = size(plies)),
        "Maximum PV length of a book move.",
    ),
    row(
        "BookPrefill",
        check(false, |o, yes| o.book.prefill = yes),
        "Before a search, store book lines near the position in the transposition table, as move ordering hints; not \
         limited by `BookMoves`.",
    ),
    row(
        "DebugLogFile",
        filename(|o, name| o.debug_log = name.to_owned()),
        "Log file to which all input, output and internal messages are appended, with timestamps. A relative name is \
         looked up in the engine's folder, then in the working folder. Only an empty file or an older log is \
         continued. Empty: no log.",
    ),
    row(
        "HashPolicy",
        combo!("depth-and-age", Policy {
            "always" => Always,
            "depth-preferred" => DepthPreferred,
            "age-based" => AgeBased,
            "depth-and-age" => DepthAndAge,
            "exact-preferred" => ExactPreferred,
        }, |o, value| o.resources.hash_policy = value),
        "Replacement policy of the transposition table: any entry, the shallowest, the oldest, by depth and age, or \
         that with exact scores preferred. A change keeps the entries.",
    ),
    row(
        "HashLevel2",
        spin(0, 0..=1 << 20, |o, mb| o.resources.second_mb = size(mb)),
        "Size in MB of a second table level for replaced entries in compact form. 0: none.",
    ),
    row(
        "EvalHash",
        spin(0, 0..=1 << 20, |o, mb| o.resources.eval_mb = size(mb)),
        "Size in MB of the evaluation cache. It affects only the speed; docs/hash.md says when it helps. 0: none.",
    ),
    row(
        "EvalHashPolicy",
        combo!("depth-preferred", Policy {
            "always" => Always,
            "depth-preferred" => DepthPreferred,
            "aging" => AgeBased,
            "two-tier" => TwoTier,
        }, |o, value| o.resources.eval_policy = value),
        "Replacement policy of the evaluation cache: any entry, that of the shallowest node, the oldest, or two-tier: \
         some slots by depth, the others always.",
    ),
    row(
        "TableStats",
        check(false, |o, yes| o.search.statistics = yes),
        "Collect table statistics, output as `info string` after each search.",
    ),
    row(
        "BookSeed",
        spin(0, 0..=1_000_000_000, |o, n| o.book.seed = Some(count(n)).filter(|&n| n > 0)),
        "Random seed of the book choice and of `Level`, from the start of the engine or a change of this option on, \
         for reproducible games. 0: another seed at each start.",
    ),
];

/// Below every score.
const NEVER_RESIGN: i64 = 99_999;

fn set_level(options: &mut Options, number: i64) {
    options.level = u8::try_from(number).ok().and_then(Level::new);
}

fn set_resign(options: &mut Options, cp: i64) {
    options.resign = if cp < NEVER_RESIGN { i32::try_from(cp).ok() } else { None };
}

fn set_non_promotions(options: &mut Options, all: bool) {
    options.search.non_promotions = if all { NonPromotions::All } else { NonPromotions::Sensible };
}

fn count(number: i64) -> u64 {
    number.max(0).unsigned_abs()
}

fn size(number: i64) -> usize {
    usize::try_from(number).unwrap_or_default()
}

fn unsigned(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

/// A limit where 0 means none.
fn limit(number: i64) -> Option<u32> {
    Some(unsigned(number)).filter(|&number| number > 0)
}

/// The options shown to users, in order of declaration.
pub fn options() -> impl Iterator<Item = &'static OptionRow> {
    ROWS.iter()
}

/// All options of this build: with the feature `tune` also the search parameters.
pub fn rows() -> impl Iterator<Item = &'static OptionRow> {
    #[cfg(not(feature = "tune"))]
    let tunables = std::iter::empty();
    #[cfg(feature = "tune")]
    let tunables = {
        static ROWS: std::sync::LazyLock<Vec<OptionRow>> = std::sync::LazyLock::new(|| {
            crate::search::TUNABLES.iter().map(|tunable| row(tunable.name, OptionKind::Tune(tunable), "")).collect()
        });
        ROWS.iter()
    };
    options().chain(tunables)
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("there is no option '{0}'")]
    Unknown(String),
    #[error("{name} needs a value: {valid}")]
    NoValue { name: &'static str, valid: String },
    #[error("{name} takes no value, not '{value}'")]
    ButtonValue { name: &'static str, value: String },
    #[error("{name} takes {valid}, not '{value}'")]
    Value { name: &'static str, valid: String, value: String },
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            resources: Resources::new(1, 1),
            clear_hash_count: 0,
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
        // A test sets every default: they are valid.
        for row in self::options().filter(|row| !matches!(row.kind, OptionKind::Button { .. })) {
            let _ = row.apply(&mut options, row.kind.default_text().as_deref());
        }
        options
    }
}

impl Options {
    /// These options with one of them set. Names are case-insensitive.
    ///
    /// # Errors
    /// When the option does not exist or the value is invalid.
    pub fn with(&self, name: &str, value: Option<&str>) -> Result<Self, OptionError> {
        let row = rows().find(|row| row.name.eq_ignore_ascii_case(name));
        let row = row.ok_or_else(|| OptionError::Unknown(excerpt(name)))?;
        let mut next = self.clone();
        row.apply(&mut next, value)?;
        Ok(next)
    }
}

/// Empty string in the protocol.
const EMPTY: &str = "<empty>";

impl OptionRow {
    /// Checks `value` and sets it; nothing is set when it is invalid.
    fn apply(&self, options: &mut Options, value: Option<&str>) -> Result<(), OptionError> {
        let value = match (&self.kind, value) {
            // Some clients send a button with an empty value.
            (OptionKind::Button { press }, None | Some("")) => {
                press(options);
                return Ok(());
            }
            (OptionKind::Button { .. }, Some(value)) => {
                return Err(OptionError::ButtonValue { name: self.name, value: excerpt(value) });
            }
            (_, None) => return Err(OptionError::NoValue { name: self.name, valid: self.kind.valid_values() }),
            (_, Some(value)) => value,
        };
        let error = || OptionError::Value { name: self.name, valid: self.kind.valid_values(), value: excerpt(value) };
        match self.kind {
            OptionKind::Check { set, .. } => set(options, value.to_ascii_lowercase().parse().map_err(|_| error())?),
            OptionKind::Spin { min, max, set, .. } | OptionKind::MachineSpin { min, max, set, .. } => {
                let number = integer(value).filter(|number| (min..=max).contains(number));
                set(options, number.ok_or_else(error)?);
            }
            OptionKind::Combo { choices, .. } => {
                let choice = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(value));
                choice.ok_or_else(error)?.1(options);
            }
            OptionKind::Text { set } | OptionKind::Filename { set } => {
                set(options, if value == EMPTY { "" } else { value })
            }
            OptionKind::Button { .. } => {}
            #[cfg(feature = "tune")]
            OptionKind::Tune(tunable) => {
                let number = integer(value).and_then(|number| i32::try_from(number).ok());
                number.filter(|&number| tunable.set(number)).ok_or_else(error)?;
            }
        }
        Ok(())
    }
}

impl OptionKind {
    /// Name of the type in the protocol.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Check { .. } => "check",
            Self::Spin { .. } | Self::MachineSpin { .. } => "spin",
            #[cfg(feature = "tune")]
            Self::Tune(_) => "spin",
            Self::Combo { .. } => "combo",
            Self::Text { .. } => "string",
            Self::Filename { .. } => "filename",
            Self::Button { .. } => "button",
        }
    }

    /// Default value in the protocol; `None` for a button.
    pub fn default_text(&self) -> Option<String> {
        Some(match *self {
            Self::Check { default, .. } => default.to_string(),
            Self::Spin { default, .. } => default.to_string(),
            Self::MachineSpin { default, .. } => default().to_string(),
            Self::Combo { default, .. } => default.to_owned(),
            Self::Text { .. } | Self::Filename { .. } => EMPTY.to_owned(),
            Self::Button { .. } => return None,
            #[cfg(feature = "tune")]
            Self::Tune(tunable) => tunable.default.to_string(),
        })
    }

    /// The names of a combo; empty for other types.
    pub fn choice_names(&self) -> impl Iterator<Item = &'static str> {
        let choices: &[ComboVar] = if let Self::Combo { choices, .. } = self { choices } else { &[] };
        choices.iter().map(|&(name, _)| name)
    }

    /// Description of the valid values.
    fn valid_values(&self) -> String {
        match self {
            Self::Check { .. } => "true or false".to_owned(),
            Self::Spin { min, max, .. } | Self::MachineSpin { min, max, .. } => format!("{min} to {max}"),
            Self::Combo { .. } => self.choice_names().collect::<Vec<_>>().join(", "),
            Self::Text { .. } => "a text".to_owned(),
            Self::Filename { .. } => "a file name".to_owned(),
            Self::Button { .. } => String::new(),
            #[cfg(feature = "tune")]
            Self::Tune(tunable) => format!("{} to {}", tunable.min, tunable.max),
        }
    }
}

/// Digits with an optional minus sign, nothing else.
fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

const HEAD: &str = "\
# Options

Set an option with `setoption name NAME value VALUE`; names are matched without case. An option may be set at any time, also
during a search: it takes effect at the next `go` (`DebugLogFile`: at once; `Clear_Hash`: at once or after the running search). This page is rendered from the engine's own table by `sabi options`.

| Name | Type | Default | Values | What it does |
|---|---|---|---|---|
";

/// `usi_options.md`.
pub fn options_page() -> String {
    let mut page = HEAD.to_owned();
    for row in options() {
        let values = match &row.kind {
            kind @ OptionKind::Combo { .. } => {
                kind.choice_names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
            }
            kind => kind.valid_values(),
        };
        let default = match &row.kind {
            // The page is the same on every machine.
            OptionKind::MachineSpin { rule, .. } => (*rule).to_owned(),
            kind => kind.default_text().map(|text| format!("`{text}`")).unwrap_or_default(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(page, "| `{}` | {} | {default} | {values} | {} |", row.name, row.kind.name(), row.help);
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn spin_accepts_integers_only() {
        assert_eq!((integer("-12"), integer("007")), (Some(-12), Some(7)));
        for bad in ["", "-", "+1", "1.5", "1e3", "0x10", " 1", "1 2", "１", "99999999999999999999"] {
            assert_eq!(integer(bad), None, "{bad}");
        }
    }

    #[test]
    fn parses_buttons_and_strings() {
        let options = Options::default();
        for (value, presses) in [(None, 1), (Some(""), 1)] {
            let pressed = options.with("Clear_Hash", value).unwrap();
            assert_eq!(pressed.clear_hash_count, options.clear_hash_count + presses);
        }
        let rejected = OptionError::ButtonValue { name: "Clear_Hash", value: "x".to_owned() };
        assert_eq!(options.with("Clear_Hash", Some("x")), Err(rejected));
        let options = options.with("BookDir", Some("a  b")).unwrap();
        assert_eq!(options.book.folder, "a  b");
        assert_eq!(options.with("BookDir", Some("<empty>")).unwrap().book.folder, "");
        let rejected = OptionError::NoValue { name: "BookDir", valid: "a text".to_owned() };
        assert_eq!(options.with("BookDir", None), Err(rejected));
    }

    #[test]
    fn option_rows_are_valid() {
        let mut names = HashSet::new();
        for row in options() {
            assert!(names.insert(row.name.to_lowercase()), "{} twice", row.name);
            assert!(!row.name.contains(' ') && row.name.is_ascii());
            assert!(row.help.ends_with('.'), "{}", row.name);
            match row.kind {
                OptionKind::Spin { default, min, max, .. } => assert!((min..=max).contains(&default), "{}", row.name),
                OptionKind::MachineSpin { default, min, max, .. } => {
                    assert!((min..=max).contains(&default()), "{}", row.name);
                }
                OptionKind::Combo { default, choices } => {
                    assert!(choices.iter().any(|&(name, _)| name == default), "{}", row.name);
                    assert!(choices.iter().all(|(name, _)| !name.contains(' ')), "{}", row.name);
                }
                _ => {}
            }
        }
    }

    #[test]
    fn defaults_equal_search_defaults() {
        assert_eq!(Options::default().search, Settings::default());
        let default = Options::default().resources;
        assert_eq!(default, Resources::new(default.hash_mb, default.threads));
    }

    #[test]
    fn every_option_has_effect_and_default() {
        let default = Options::default();
        for row in options() {
            let other = match row.kind {
                OptionKind::Check { default, .. } => (!default).to_string(),
                OptionKind::Spin { default, min, max, .. } => {
                    if default == max { min } else { default + 1 }.to_string()
                }
                OptionKind::MachineSpin { default, .. } => (default() + 1).to_string(),
                OptionKind::Combo { default, choices } => {
                    choices.iter().find(|&&(name, _)| name != default).expect("a choice").0.to_owned()
                }
                OptionKind::Text { .. } | OptionKind::Filename { .. } => "a b".to_owned(),
                OptionKind::Button { .. } => continue,
                #[cfg(feature = "tune")]
                OptionKind::Tune(_) => continue,
            };
            let changed = default.with(&row.name.to_uppercase(), Some(&other)).unwrap();
            assert_ne!(changed, default, "{} does nothing", row.name);
            assert_eq!(changed.with(row.name, row.kind.default_text().as_deref()), Ok(default.clone()), "{}", row.name);
        }
    }

    #[test]
    fn experimental_options_are_last() {
        let names: Vec<_> = options().map(|row| row.name).collect();
        let last = &names[names.len() - 6..];
        assert_eq!(last, ["HashPolicy", "HashLevel2", "EvalHash", "EvalHashPolicy", "TableStats", "BookSeed"]);
    }

    #[test]
    fn rejects_invalid_values() {
        let options = Options::default();
        assert_eq!(options.with("NoSuch", Some("1")), Err(OptionError::Unknown("NoSuch".to_owned())));
        for (name, value) in
            [("Threads", "0"), ("Threads", "513"), ("Threads", ""), ("USI_Ponder", "maybe"), ("EnteringKingRule", "28")]
        {
            assert!(matches!(options.with(name, Some(value)), Err(OptionError::Value { .. })), "{name} {value}");
        }
        assert_eq!(
            options.with("MultiPV", None),
            Err(OptionError::NoValue { name: "MultiPV", valid: "1 to 600".to_owned() })
        );
        let message = |value| options.with("Clear_Hash", value).map_err(|error| error.to_string());
        assert_eq!(message(Some("now")), Err("Clear_Hash takes no value, not 'now'".to_owned()));
    }

    #[test]
    fn special_numbers_mean_none() {
        let options = Options::default();
        assert_eq!(
            (options.resign, options.depth_limit, options.nodes_limit, options.search.max_moves),
            (None, None, None, None)
        );
        let options = options.with("ResignValue", Some("1500")).unwrap().with("MaxMovesToDraw", Some("256")).unwrap();
        assert_eq!((options.resign, options.search.max_moves), (Some(1500), Some(256)));
    }
}
