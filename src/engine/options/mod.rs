//! The options: their values, and the table by which they are declared, checked, set and
//! documented.

use super::Level;
use super::option::{self, OptionError};
use crate::search::{Limits, Resources, Settings};
use sabi_shogi::excerpt;
use std::ops::RangeInclusive;

/// A combo option: the default, the names of an enum's values, and the setter.
macro_rules! combo {
    ($default:literal, $enum:ident { $($name:literal => $value:ident),+ $(,)? }, $set:expr) => {
        OptionKind::Combo {
            default: $default,
            choices: &[$(($name, |options| {
                let set: fn(&mut $crate::engine::Options, $enum) = $set;
                set(options, $enum::$value)
            })),+],
        }
    };
}

mod book;
mod debug;
mod eval;
mod mate;
mod search;

pub use book::BookOptions;
pub(super) use book::NO_BOOK;
pub use eval::EvalOptions;
pub use mate::{MateOptions, MateUnit};

/// The options of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Tables and threads.
    pub resources: Resources,
    /// How often Clear_Hash was pressed.
    pub clear_hash_count: u32,
    /// Whether the engine may ponder.
    pub ponder: bool,
    /// Whether it ponders on all moves of the opponent.
    pub stochastic_ponder: bool,
    /// Playing level; `None`: full strength.
    pub level: Option<Level>,
    /// Resign at this many centipawns behind; `None`: never.
    pub resign: Option<i32>,
    /// Maximum depth.
    pub depth_limit: Option<u32>,
    /// Maximum nodes.
    pub nodes_limit: Option<u64>,
    /// `go mate`.
    pub mate: MateOptions,
    /// Log file; empty: no log.
    pub debug_log: String,
    /// The evaluation.
    pub eval: EvalOptions,
    /// The opening book.
    pub book: BookOptions,
    /// Settings of the search.
    pub search: Settings,
}

impl Default for Options {
    fn default() -> Self {
        let mut values = Self {
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
        options().for_each(|row| row.reset(&mut values));
        values
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

    /// These limits, and those of the options.
    pub fn limit(&self, mut limits: Limits) -> Limits {
        limits.depth = least(limits.depth, self.depth_limit);
        limits.nodes = least(limits.nodes, self.nodes_limit);
        limits
    }

    /// Whether any option names a file or folder.
    pub fn names_files(&self) -> bool {
        let book = Some(&self.book.file).filter(|name| *name != NO_BOOK);
        let others = [&self.book.folder, &self.eval.file, &self.eval.folder, &self.debug_log];
        book.into_iter().chain(others).any(|name| !name.is_empty())
    }
}

/// The minimum of two optional limits.
pub(super) fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// A row that sets one of the [`Options`].
pub type OptionRow = option::OptionRow<Options>;
/// The type of one of the [`Options`].
pub type OptionKind = option::OptionKind<Options>;

/// The options shown to users, in order of declaration.
pub fn options() -> impl Iterator<Item = &'static OptionRow> {
    [search::ROWS, mate::ROWS, eval::ROWS, book::ROWS, debug::ROWS].into_iter().flatten()
}

/// All options of this build: with the feature `tune` also the search parameters.
pub fn rows() -> impl Iterator<Item = &'static OptionRow> {
    #[cfg(not(feature = "tune"))]
    let tunables = std::iter::empty();
    #[cfg(feature = "tune")]
    let tunables = {
        static ROWS: std::sync::LazyLock<Vec<OptionRow>> = std::sync::LazyLock::new(|| {
            let row = |tunable: &'static crate::search::Tunable| OptionRow {
                name: tunable.name,
                kind: OptionKind::Tune(tunable),
                help: "",
            };
            crate::search::TUNABLES.iter().copied().map(row).collect()
        });
        ROWS.iter()
    };
    options().chain(tunables)
}

/// Below every score.
const NEVER_RESIGN: i64 = 99_999;

/// An integer option.
const fn spin(default: i64, range: RangeInclusive<i64>, set: fn(&mut Options, i64)) -> OptionKind {
    OptionKind::Spin { default, min: *range.start(), max: *range.end(), set }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

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
        assert_eq!(Options::default().book, BookOptions::default());
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
