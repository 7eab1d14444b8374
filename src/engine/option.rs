//! Rows of the option table. `O` is the type of the values they set.

use sabi_shogi::excerpt;

/// One option.
#[derive(Debug)]
pub struct OptionRow<O: 'static> {
    /// Name; one word, because clients cut names at blanks.
    pub name: &'static str,
    /// Type, with default, limits and setter.
    pub kind: OptionKind<O>,
    /// Description for the options page.
    pub help: &'static str,
}

/// A name of a combo option, and its setter.
pub(super) type ComboVar<O> = (&'static str, fn(&mut O));

/// Types of USI options. Setters get checked values only.
#[derive(Debug)]
pub enum OptionKind<O: 'static> {
    /// True or false.
    Check { default: bool, set: fn(&mut O, bool) },
    /// An integer.
    Spin { default: i64, min: i64, max: i64, set: fn(&mut O, i64) },
    /// An integer with a machine-dependent default; `rule` describes it on the options page.
    MachineSpin { default: fn() -> i64, rule: &'static str, min: i64, max: i64, set: fn(&mut O, i64) },
    /// One of several names, each with its setter.
    Combo { default: &'static str, choices: &'static [ComboVar<O>] },
    /// Any text.
    Text { default: &'static str, set: fn(&mut O, &str) },
    /// A file name.
    Filename { default: &'static str, set: fn(&mut O, &str) },
    /// An action.
    Button { press: fn(&mut O) },
    /// A search parameter, set for the whole process.
    #[cfg(feature = "tune")]
    Tune(&'static crate::search::Tunable),
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
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

impl<O> OptionRow<O> {
    /// Checks `value` and sets it.
    ///
    /// # Errors
    /// When the value is invalid; nothing is set then.
    pub fn apply(&self, options: &mut O, value: Option<&str>) -> Result<(), OptionError> {
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
            OptionKind::Text { set, .. } | OptionKind::Filename { set, .. } => {
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

    /// Sets the default.
    pub(super) fn reset(&self, options: &mut O) {
        match self.kind {
            OptionKind::Check { default, set } => set(options, default),
            OptionKind::Spin { default, set, .. } => set(options, default),
            OptionKind::MachineSpin { default, set, .. } => set(options, default()),
            OptionKind::Combo { default, choices } => {
                choices.iter().filter(|&&(name, _)| name == default).for_each(|(_, set)| set(options));
            }
            OptionKind::Text { default, set } | OptionKind::Filename { default, set } => set(options, default),
            OptionKind::Button { .. } => {}
            #[cfg(feature = "tune")]
            OptionKind::Tune(_) => {}
        }
    }
}

impl<O> OptionKind<O> {
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
        match *self {
            Self::Check { default, .. } => Some(default.to_string()),
            Self::Spin { default, .. } => Some(default.to_string()),
            Self::MachineSpin { default, .. } => Some(default().to_string()),
            Self::Combo { default, .. } => Some(default.to_owned()),
            Self::Text { default, .. } | Self::Filename { default, .. } => {
                Some(if default.is_empty() { EMPTY } else { default }.to_owned())
            }
            Self::Button { .. } => None,
            #[cfg(feature = "tune")]
            Self::Tune(tunable) => Some(tunable.default.to_string()),
        }
    }

    /// The names of a combo; empty for other types.
    pub fn choice_names(&self) -> impl Iterator<Item = &'static str> {
        let choices: &[ComboVar<O>] = if let Self::Combo { choices, .. } = self { choices } else { &[] };
        choices.iter().map(|&(name, _)| name)
    }

    /// Description of the valid values.
    pub(super) fn valid_values(&self) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Options {
        presses: u32,
        text: String,
    }

    #[test]
    fn spin_accepts_integers_only() {
        assert_eq!((integer("-12"), integer("007")), (Some(-12), Some(7)));
        for bad in ["", "-", "+1", "1.5", "1e3", "0x10", " 1", "1 2", "１", "99999999999999999999"] {
            assert_eq!(integer(bad), None, "{bad}");
        }
    }

    #[test]
    fn parses_buttons_and_strings() {
        let button =
            OptionRow { name: "Press", kind: OptionKind::Button { press: |o: &mut Options| o.presses += 1 }, help: "" };
        let mut options = Options::default();
        assert_eq!(button.apply(&mut options, None), Ok(()));
        assert_eq!(options.presses, 1);
        assert_eq!(button.apply(&mut options, Some("")), Ok(()));
        assert_eq!(options.presses, 2);
        let rejected = OptionError::ButtonValue { name: "Press", value: "x".to_owned() };
        assert_eq!(button.apply(&mut options, Some("x")), Err(rejected));
        let text = OptionKind::Text { default: "", set: |o: &mut Options, value| o.text = value.to_owned() };
        assert_eq!(text.default_text().as_deref(), Some("<empty>"));
        let text = OptionRow { name: "Text", kind: text, help: "" };
        assert_eq!(text.apply(&mut options, Some("a  b")), Ok(()));
        assert_eq!(options.text, "a  b");
        assert_eq!(text.apply(&mut options, Some("<empty>")), Ok(()));
        assert_eq!(options.text, "");
        let rejected = OptionError::NoValue { name: "Text", valid: "a text".to_owned() };
        assert_eq!(text.apply(&mut options, None), Err(rejected));
    }
}
