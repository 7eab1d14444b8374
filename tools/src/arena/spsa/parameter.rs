//! Tuned parameters.

use crate::arena::{DeclaredOption, Spin, UsiId};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::str::FromStr;

/// Default step: range / 20.
const STEPS_IN_RANGE: f64 = 20.0;
/// Minimum default step: with less, rounding would often make both sides equal.
const MIN_STEP: f64 = 0.5;

/// A tuned engine option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Option name.
    pub name: String,
    /// Start value: the engine's default.
    pub start: i64,
    /// Minimum.
    pub min: i64,
    /// Maximum, above the minimum.
    pub max: i64,
    /// Perturbation in the last iteration, above 0 and at most the range.
    pub step: f64,
}

/// Options to tune.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterSelection {
    /// Every spin option with a lower-case name: the convention for search parameters; user options
    /// have capitals.
    Numbers,
    /// Named options, with a step where given.
    Listed(Vec<(String, Option<f64>)>),
}

/// An option cannot be tuned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ParameterError {
    #[error("'{0}' is not a parameter: expected NAME or NAME:step=NUMBER, separated by commas, or all")]
    Text(String),
    #[error("'{0}' is given twice")]
    Twice(String),
    #[error("the engine declares no option '{0}'")]
    Unknown(String),
    #[error("the option '{name}' is of type '{kind}': only numbers, of type 'spin', can be tuned")]
    Type { name: String, kind: String },
    #[error("the engine declares the option '{0}' without a valid default, minimum and maximum")]
    Range(String),
    #[error("the option '{0}' has only one value")]
    Fixed(String),
    #[error("the step of '{name}' must be above 0 and no more than its range, {range}")]
    Step { name: String, range: i64 },
    #[error("the engine declares no spin option with a name in lower case")]
    Nothing,
}

impl FromStr for ParameterSelection {
    type Err = ParameterError;

    /// Reads `all`, or a list like `razor_base:step=60,aspiration_delta`.
    fn from_str(text: &str) -> Result<Self, ParameterError> {
        if text == "all" {
            return Ok(Self::Numbers);
        }
        let mut names = HashSet::new();
        let parameter = |part: &str| {
            let error = || ParameterError::Text(part.to_owned());
            let (name, step) = match part.rsplit_once(":step=") {
                Some((name, step)) => (name, Some(step.parse().map_err(|_| error())?)),
                None => (part, None),
            };
            if name.is_empty() {
                return Err(error());
            }
            if !names.insert(name.to_owned()) {
                return Err(ParameterError::Twice(name.to_owned()));
            }
            Ok((name.to_owned(), step))
        };
        text.split(',').map(parameter).collect::<Result<_, _>>().map(Self::Listed)
    }
}

impl ParameterSelection {
    /// Parameters from the options that an engine declares.
    ///
    /// # Errors
    /// When an option is missing, is not a spin option, or has no range; when a step does not fit
    /// its range.
    pub fn parameters(&self, usi_id: &UsiId) -> Result<Vec<Parameter>, ParameterError> {
        match self {
            Self::Numbers => {
                let is_number = |option: &&DeclaredOption| option.kind == "spin" && is_lower_case(&option.name);
                let parameters: Vec<_> = usi_id
                    .options
                    .iter()
                    .filter(is_number)
                    .map(|option| Parameter::of(option, None))
                    .collect::<Result<_, _>>()?;
                if parameters.is_empty() { Err(ParameterError::Nothing) } else { Ok(parameters) }
            }
            Self::Listed(list) => list
                .iter()
                .map(|(name, step)| {
                    let option = usi_id.option(name).ok_or_else(|| ParameterError::Unknown(name.clone()))?;
                    Parameter::of(option, *step)
                })
                .collect(),
        }
    }
}

fn is_lower_case(name: &str) -> bool {
    name.chars().any(char::is_lowercase) && !name.chars().any(char::is_uppercase)
}

impl Parameter {
    fn of(option: &DeclaredOption, step: Option<f64>) -> Result<Self, ParameterError> {
        let name = option.name.clone();
        if option.kind != "spin" {
            return Err(ParameterError::Type { name, kind: option.kind.clone() });
        }
        let Some(Spin { default, min, max }) = option.spin else {
            return Err(ParameterError::Range(name));
        };
        let range = max.checked_sub(min).ok_or_else(|| ParameterError::Range(name.clone()))?;
        if range == 0 {
            return Err(ParameterError::Fixed(name));
        }
        let step = step.unwrap_or_else(|| (range as f64 / STEPS_IN_RANGE).max(MIN_STEP));
        let parameter = Self { name, start: default, min, max, step };
        if parameter.is_valid() { Ok(parameter) } else { Err(ParameterError::Step { name: parameter.name, range }) }
    }

    /// Validates values read from a file.
    pub(super) fn is_valid(&self) -> bool {
        let range = self.max.checked_sub(self.min).unwrap_or(0) as f64;
        (self.min..=self.max).contains(&self.start) && self.step > 0.0 && self.step <= range
    }

    /// Clamps a value to the range.
    pub fn clamped(&self, value: f64) -> f64 {
        value.clamp(self.min as f64, self.max as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usi_id() -> UsiId {
        let mut usi_id = UsiId::default();
        for line in [
            "option name USI_Hash type spin default 256 min 1 max 1048576",
            "option name razor_base type spin default 320 min 50 max 1250",
            "option name null_move_base type spin default 4 min 2 max 7",
            "option name style type combo default a var a var b",
            "option name Torn type spin default 9 min 10 max 20",
            "option name Stuck type spin default 3 min 3 max 3",
        ] {
            usi_id.parse_line(line);
        }
        usi_id
    }

    fn chosen(text: &str) -> Result<Vec<(String, i64, f64)>, ParameterError> {
        let parameters = text.parse::<ParameterSelection>()?.parameters(&usi_id())?;
        Ok(parameters.into_iter().map(|parameter| (parameter.name, parameter.start, parameter.step)).collect())
    }

    #[test]
    fn parameters_from_declared_options() {
        let (razor, null) = (("razor_base".to_owned(), 320, 60.0), ("null_move_base".to_owned(), 4, 0.5));
        assert_eq!(chosen("all"), Ok(vec![razor.clone(), null.clone()]));
        assert_eq!(chosen("null_move_base,razor_base"), Ok(vec![null, razor]));
        assert_eq!(chosen("razor_base:step=7.5,USI_Hash").unwrap()[0].2, 7.5);
    }

    #[test]
    fn errors_name_the_option() {
        use ParameterError::*;
        for (text, error) in [
            ("", Text(String::new())),
            ("razor_base,", Text(String::new())),
            (":step=3", Text(":step=3".to_owned())),
            ("razor_base:step=x", Text("razor_base:step=x".to_owned())),
            ("razor_base,razor_base:step=3", Twice("razor_base".to_owned())),
            ("Razor_base", Unknown("Razor_base".to_owned())),
            ("style", Type { name: "style".to_owned(), kind: "combo".to_owned() }),
            ("Torn", Range("Torn".to_owned())),
            ("Stuck", Fixed("Stuck".to_owned())),
        ] {
            assert_eq!(chosen(text), Err(error), "{text}");
        }
        for step in ["0", "-1", "nan", "inf", "5.1"] {
            let error = Step { name: "null_move_base".to_owned(), range: 5 };
            assert_eq!(chosen(&format!("null_move_base:step={step}")), Err(error), "{step}");
        }
        assert_eq!(ParameterSelection::Numbers.parameters(&UsiId::default()), Err(Nothing));
    }
}
