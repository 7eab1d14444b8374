//! Engine options stored by GUIs.

use super::problem::Problem;
use crate::engine::Options;
use crate::usi::Command;
use anyhow::{Context, ensure};
use sabi_files::read_regular;
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::path::Path;

/// The options read.
#[derive(Serialize)]
pub struct Gui {
    file: String,
    kind: &'static str,
    accepted: usize,
    rejected: usize,
}

impl fmt::Display for Gui {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, kind, accepted, rejected } = self;
        write!(f, "{file}: {kind}, accepted {accepted}, rejected {rejected}")
    }
}

/// An option and its value; a button has none.
type Setting = (String, Option<String>);

impl Gui {
    /// Reads a file and applies its options.
    ///
    /// # Errors
    /// When it cannot be read, or its format is unknown.
    pub fn read(path: &Path, options: &mut Options, problems: &mut Vec<Problem>) -> anyhow::Result<Self> {
        let context = || format!("cannot read options from '{}'", path.display());
        let bytes = read_regular(path).with_context(context)?;
        let text = String::from_utf8(bytes).context("it is not UTF-8").with_context(context)?;
        let text = text.trim_start_matches('\u{feff}');
        let (kind, settings) = match text.trim_start().chars().next() {
            Some('{') => ("ShogiHome", shogihome(text)),
            Some('<') => ("", Err(anyhow::anyhow!("XML is not read; write the options as lines of NAME=VALUE"))),
            _ => ("list", lines(text)),
        };
        let settings = settings.with_context(context)?;
        let (mut accepted, mut rejected) = (0, 0);
        for (name, value) in settings {
            match options.with(&name, value.as_deref()) {
                Ok(next) => {
                    *options = next;
                    accepted += 1;
                }
                Err(error) => {
                    rejected += 1;
                    let advice = "correct it in the GUI; sabi options lists all options";
                    problems.push(Problem::new(format!("an option is rejected: {error}"), advice));
                }
            }
        }
        Ok(Self { file: path.display().to_string(), kind, accepted, rejected })
    }
}

/// The options of the engines whose name or path is ours.
fn shogihome(text: &str) -> anyhow::Result<Vec<Setting>> {
    let settings: Value = serde_json::from_str(text)?;
    let engines = settings["engines"].as_object().context("there is no key 'engines' in it")?;
    let is_ours = |engine: &&Value| {
        let names = ["name", "defaultName", "path"].map(|key| engine[key].as_str().unwrap_or_default());
        names.iter().any(|name| name.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase().starts_with("sabi"))
    };
    let ours: Vec<&Value> = engines.values().filter(is_ours).collect();
    ensure!(!ours.is_empty(), "there is no engine called Sabi in it");
    let options = ours.iter().filter_map(|engine| engine["options"].as_object()).flatten();
    // Buttons are not settings; without a value, the default applies.
    let set = options.filter(|(_, option)| option["type"] != "button").filter_map(|(name, option)| {
        let value = match &option["value"] {
            Value::String(text) => text.clone(),
            Value::Null => return None,
            other => other.to_string(),
        };
        Some((name.clone(), Some(value)))
    });
    Ok(set.collect())
}

/// `NAME=VALUE`, or `setoption name NAME value VALUE`; comments begin with `#` or `//`.
fn lines(text: &str) -> anyhow::Result<Vec<Setting>> {
    let mut settings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        let setting = match Command::parse(line) {
            Ok(Some(Command::SetOption { name, value })) => Some((name, value)),
            _ => line.split_once('=').map(|(name, value)| (name.trim(), Some(value.trim()))),
        };
        let (name, value) = setting.with_context(|| format!("line {number} is not NAME=VALUE"))?;
        settings.push((name.to_owned(), value.map(str::to_owned)));
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(name: &str, value: Option<&str>) -> Setting {
        (name.to_owned(), value.map(str::to_owned))
    }

    #[test]
    fn reads_name_value_and_setoption_lines() {
        let text = "# remark\n\nThreads=4\n EvalFile = /a b/評価.bin \nsetoption name USI_Hash value 64\nsetoption name BookFile value\n\
                    setoption\tname  Skill Level\tvalue 3\nsetoption name Clear_Hash\n";
        let expected = [
            setting("Threads", Some("4")),
            setting("EvalFile", Some("/a b/評価.bin")),
            setting("USI_Hash", Some("64")),
            setting("BookFile", Some("")),
            setting("Skill Level", Some("3")),
            setting("Clear_Hash", None),
        ];
        assert_eq!(lines(text).unwrap(), expected);
        assert!(lines("Threads=4\nnonsense\n").unwrap_err().to_string().contains("line 2"));
    }

    #[test]
    fn reads_shogihome_engines() {
        let text = r#"{"engines": {
            "es://1": {"name": "Other", "path": "/x/other", "options": {"Threads": {"type": "spin", "value": 9}}},
            "es://2": {"name": "my engine", "path": "C:\\x\\sabi.exe", "options": {
                "Threads": {"type": "spin", "default": 1, "value": 4},
                "USI_Hash": {"type": "spin", "default": 256},
                "USI_OwnBook": {"type": "check", "value": "false"},
                "Clear_Hash": {"type": "button"}}}}}"#;
        let mut settings = shogihome(text).unwrap();
        settings.sort();
        assert_eq!(settings, [setting("Threads", Some("4")), setting("USI_OwnBook", Some("false"))]);
        for (text, message) in
            [("{}", "no key 'engines'"), (r#"{"engines": {}}"#, "no engine called Sabi"), ("{", "EOF")]
        {
            assert!(shogihome(text).unwrap_err().to_string().contains(message), "{text}");
        }
    }
}
