//! One row of the option table: the declaration of an option, the check of its value, its line on the
//! options page.

use super::Options;
use sabi_shogi::excerpt;
use std::ops::RangeInclusive;

/// One option.
#[derive(Debug)]
pub struct OptionRow {
    /// Name; one word, because clients cut names at blanks.
    pub name: &'static str,
    /// Type, with default, limits and setter.
    pub kind: OptionKind,
    /// Description for the options page, in English.
    pub english: &'static str,
    /// The same in Japanese.
    pub japanese: &'static str,
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
    /// An integer with a machine-dependent default; `rule` describes it on the options page, in English
    /// and Japanese.
    MachineSpin { default: fn() -> i64, rule: [&'static str; 2], min: i64, max: i64, set: fn(&mut Options, i64) },
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

pub(super) const fn row(
    name: &'static str,
    kind: OptionKind,
    english: &'static str,
    japanese: &'static str,
) -> OptionRow {
    OptionRow { name, kind, english, japanese }
}

pub(super) const fn text(set: fn(&mut Options, &str)) -> OptionKind {
    OptionKind::Text { set }
}

pub(super) const fn filename(set: fn(&mut Options, &str)) -> OptionKind {
    OptionKind::Filename { set }
}

pub(super) const fn check(default: bool, set: fn(&mut Options, bool)) -> OptionKind {
    OptionKind::Check { default, set }
}

pub(super) const fn spin(default: i64, range: RangeInclusive<i64>, set: fn(&mut Options, i64)) -> OptionKind {
    OptionKind::Spin { default, min: *range.start(), max: *range.end(), set }
}

pub(super) const fn machine_spin(
    default: fn() -> i64,
    rule: [&'static str; 2],
    range: RangeInclusive<i64>,
    set: fn(&mut Options, i64),
) -> OptionKind {
    OptionKind::MachineSpin { default, rule, min: *range.start(), max: *range.end(), set }
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

/// Empty string in the protocol.
const EMPTY: &str = "<empty>";

impl OptionRow {
    /// Checks `value` and sets it; nothing is set when it is invalid.
    pub(super) fn apply(&self, options: &mut Options, value: Option<&str>) -> Result<(), OptionError> {
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

    /// A valid value in its usual form.
    pub fn value_text(&self, value: &str) -> String {
        match self.kind {
            OptionKind::Check { .. } => value.to_ascii_lowercase(),
            OptionKind::Spin { .. } | OptionKind::MachineSpin { .. } => {
                integer(value).map_or_else(String::new, |number| number.to_string())
            }
            OptionKind::Combo { .. } => {
                self.kind.choice_names().find(|name| name.eq_ignore_ascii_case(value)).unwrap_or_default().to_owned()
            }
            _ if value == EMPTY => String::new(),
            _ => value.to_owned(),
        }
    }

    /// The row of the options page.
    pub(super) fn page_line(&self, japanese: bool) -> String {
        let values = match &self.kind {
            kind @ OptionKind::Combo { .. } => {
                kind.choice_names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
            }
            kind if japanese => kind.valid_values_in_japanese(),
            kind => kind.valid_values(),
        };
        let default = match &self.kind {
            // The page is the same on every machine.
            OptionKind::MachineSpin { rule, .. } => rule[usize::from(japanese)].to_owned(),
            kind => kind.default_text().map(|text| format!("`{text}`")).unwrap_or_default(),
        };
        let help = if japanese { self.japanese } else { self.english };
        format!("| `{}` | {} | {default} | {values} | {help} |\n", self.name, self.kind.name())
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

    fn valid_values_in_japanese(&self) -> String {
        match self {
            Self::Check { .. } => "true または false".to_owned(),
            Self::Spin { min, max, .. } | Self::MachineSpin { min, max, .. } => format!("{min}〜{max}"),
            Self::Text { .. } => "文字列".to_owned(),
            Self::Filename { .. } => "ファイル名".to_owned(),
            _ => String::new(),
        }
    }
}

/// Digits with an optional minus sign, nothing else.
fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spin_accepts_integers_only() {
        assert_eq!((integer("-12"), integer("007")), (Some(-12), Some(7)));
        for bad in ["", "-", "+1", "1.5", "1e3", "0x10", " 1", "1 2", "１", "99999999999999999999"] {
            assert_eq!(integer(bad), None, "{bad}");
        }
    }
}
