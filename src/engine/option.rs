//! What an option is: a row of data with everything that can be said about it. `O` is what it sets.

/// One option.
#[derive(Debug)]
pub struct OptionRow<O: 'static> {
    /// Its name: one word, because clients cut names at blanks.
    pub name: &'static str,
    /// Its type, with default, limits and what happens when it is set.
    pub kind: Kind<O>,
    /// What it is for, in one or two sentences for the handbook.
    pub help: &'static str,
}

/// The types of USI options. Setters get checked values only.
#[derive(Debug)]
pub enum Kind<O: 'static> {
    /// True or false.
    Check { default: bool, set: fn(&mut O, bool) },
    /// A whole number.
    Spin { default: i64, min: i64, max: i64, set: fn(&mut O, i64) },
    /// A whole number whose default depends on the machine, by the rule that the handbook tells.
    MachineSpin { default: fn() -> i64, rule: &'static str, min: i64, max: i64, set: fn(&mut O, i64) },
    /// One of some words; the setter gets its place among them.
    Combo { default: usize, vars: &'static [&'static str], set: fn(&mut O, usize) },
    /// Any text.
    Text { default: &'static str, set: fn(&mut O, &str) },
    /// The name of a file.
    Filename { default: &'static str, set: fn(&mut O, &str) },
    /// Something to be done once.
    Button { press: fn(&mut O) },
    /// A number of the search, set for the whole process at once.
    #[cfg(feature = "tune")]
    Tune(&'static crate::search::Tunable),
}

/// Why an option cannot be set like this.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// It needs a value.
    #[error("{name} needs a value: {wanted}")]
    NoValue {
        /// The option.
        name: &'static str,
        /// What it takes.
        wanted: String,
    },
    /// It is a button.
    #[error("{name} takes no value, not '{value}'")]
    ButtonValue {
        /// The option.
        name: &'static str,
        /// What it got.
        value: String,
    },
    /// The value is not among those it takes.
    #[error("{name} takes {wanted}, not '{value}'")]
    Value {
        /// The option.
        name: &'static str,
        /// What it takes.
        wanted: String,
        /// What it got.
        value: String,
    },
}

/// How clients write an empty text.
const EMPTY: &str = "<empty>";

impl<O> OptionRow<O> {
    /// Checks `value` and sets it.
    ///
    /// # Errors
    /// When it is not a value of this option; nothing is set then.
    pub fn apply(&self, options: &mut O, value: Option<&str>) -> Result<(), OptionError> {
        let value = match (&self.kind, value) {
            // Some clients write every option with a value, be it empty.
            (Kind::Button { press }, None | Some("")) => {
                press(options);
                return Ok(());
            }
            (Kind::Button { .. }, Some(value)) => {
                return Err(OptionError::ButtonValue { name: self.name, value: excerpt(value) });
            }
            (_, None) => return Err(OptionError::NoValue { name: self.name, wanted: self.kind.wanted() }),
            (_, Some(value)) => value,
        };
        let error = || OptionError::Value { name: self.name, wanted: self.kind.wanted(), value: excerpt(value) };
        match self.kind {
            Kind::Check { set, .. } => set(options, truth(value).ok_or_else(error)?),
            Kind::Spin { min, max, set, .. } | Kind::MachineSpin { min, max, set, .. } => {
                let number = whole_number(value).filter(|number| (min..=max).contains(number));
                set(options, number.ok_or_else(error)?);
            }
            Kind::Combo { vars, set, .. } => {
                let place = vars.iter().position(|var| var.eq_ignore_ascii_case(value));
                set(options, place.ok_or_else(error)?);
            }
            Kind::Text { set, .. } | Kind::Filename { set, .. } => {
                set(options, if value == EMPTY { "" } else { value })
            }
            Kind::Button { .. } => {}
            #[cfg(feature = "tune")]
            Kind::Tune(tunable) => {
                let number = whole_number(value).and_then(|number| i32::try_from(number).ok());
                number.filter(|&number| tunable.set(number)).ok_or_else(error)?;
            }
        }
        Ok(())
    }

    /// Sets the default.
    pub(super) fn reset(&self, options: &mut O) {
        match self.kind {
            Kind::Check { default, set } => set(options, default),
            Kind::Spin { default, set, .. } => set(options, default),
            Kind::MachineSpin { default, set, .. } => set(options, default()),
            Kind::Combo { default, set, .. } => set(options, default),
            Kind::Text { default, set } | Kind::Filename { default, set } => set(options, default),
            Kind::Button { .. } => {}
            #[cfg(feature = "tune")]
            Kind::Tune(_) => {}
        }
    }
}

impl<O> Kind<O> {
    /// The word of the protocol for this type.
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

    /// The default as a client writes it; `None` for a button.
    pub fn default_text(&self) -> Option<String> {
        match *self {
            Self::Check { default, .. } => Some(default.to_string()),
            Self::Spin { default, .. } => Some(default.to_string()),
            Self::MachineSpin { default, .. } => Some(default().to_string()),
            Self::Combo { default, vars, .. } => vars.get(default).map(|var| (*var).to_owned()),
            Self::Text { default, .. } | Self::Filename { default, .. } => {
                Some(if default.is_empty() { EMPTY } else { default }.to_owned())
            }
            Self::Button { .. } => None,
            #[cfg(feature = "tune")]
            Self::Tune(tunable) => Some(tunable.default.to_string()),
        }
    }

    /// What values it takes, in words.
    pub(super) fn wanted(&self) -> String {
        match self {
            Self::Check { .. } => "true or false".to_owned(),
            Self::Spin { min, max, .. } | Self::MachineSpin { min, max, .. } => format!("{min} to {max}"),
            Self::Combo { vars, .. } => vars.join(", "),
            Self::Text { .. } => "a text".to_owned(),
            Self::Filename { .. } => "a file name".to_owned(),
            Self::Button { .. } => String::new(),
            #[cfg(feature = "tune")]
            Self::Tune(tunable) => format!("{} to {}", tunable.min, tunable.max),
        }
    }
}

fn truth(text: &str) -> Option<bool> {
    if text.eq_ignore_ascii_case("true") {
        Some(true)
    } else if text.eq_ignore_ascii_case("false") {
        Some(false)
    } else {
        None
    }
}

/// Digits, perhaps behind a minus sign, and nothing else.
fn whole_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// Enough of a foreign text to recognise it by.
fn excerpt(text: &str) -> String {
    text.chars().take(24).collect()
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
    fn only_whole_numbers_are_numbers() {
        assert_eq!((whole_number("-12"), whole_number("007")), (Some(-12), Some(7)));
        for bad in ["", "-", "+1", "1.5", "1e3", "0x10", " 1", "1 2", "１", "99999999999999999999"] {
            assert_eq!(whole_number(bad), None, "{bad}");
        }
    }

    #[test]
    fn buttons_and_texts() {
        let button =
            OptionRow { name: "Press", kind: Kind::Button { press: |o: &mut Options| o.presses += 1 }, help: "" };
        let mut options = Options::default();
        assert_eq!(button.apply(&mut options, None), Ok(()));
        assert_eq!(options.presses, 1);
        assert_eq!(button.apply(&mut options, Some("")), Ok(()));
        assert_eq!(options.presses, 2);
        let refused = OptionError::ButtonValue { name: "Press", value: "x".to_owned() };
        assert_eq!(button.apply(&mut options, Some("x")), Err(refused));
        let text = Kind::Text { default: "", set: |o: &mut Options, value| o.text = value.to_owned() };
        assert_eq!(text.default_text().as_deref(), Some("<empty>"));
        let text = OptionRow { name: "Text", kind: text, help: "" };
        assert_eq!(text.apply(&mut options, Some("a  b")), Ok(()));
        assert_eq!(options.text, "a  b");
        assert_eq!(text.apply(&mut options, Some("<empty>")), Ok(()));
        assert_eq!(options.text, "");
        let refused = OptionError::NoValue { name: "Text", wanted: "a text".to_owned() };
        assert_eq!(text.apply(&mut options, None), Err(refused));
    }
}
