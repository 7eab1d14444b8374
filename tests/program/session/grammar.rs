//! Line grammar of the strictest client (ShogiHome), checked in every test.

use super::info::Info;

/// The fault of an engine line, if any.
pub fn fault(line: &str) -> Option<String> {
    if line.is_empty() {
        return None; // a blank line keeps the connection alive and means nothing
    }
    if line.chars().any(char::is_control) {
        return Some("control character".into());
    }
    // `getoption`: an empty value, as YaneuraOu shows it.
    let is_option_value = line.starts_with("Options[") && line.contains("= ");
    if line.trim() != line && !line.starts_with("info string ") && !is_option_value {
        return Some("blank at an end: clients compare whole lines".into());
    }
    match line.split_once(' ') {
        None if line == "usiok" || line == "readyok" => None,
        Some(("id", rest)) => id(rest),
        Some(("option", rest)) => OptionLine::parse(rest).err(),
        Some(("info", rest)) => Info::parse(rest).err(),
        Some(("bestmove", rest)) => bestmove(rest),
        Some(("checkmate", rest)) => checkmate(rest),
        _ if is_count(line) => None, // `go perft`
        _ if is_bench(line) || is_option_value => None,
        _ => Some("not a word of the protocol".into()),
    }
}

/// `7g7f`, `2d2c+`, `P*5e`: syntax only.
pub fn is_move(word: &str) -> bool {
    let square = |s: &[u8]| s.len() == 2 && (b'1'..=b'9').contains(&s[0]) && (b'a'..=b'i').contains(&s[1]);
    let bytes = word.as_bytes();
    match bytes {
        [piece, b'*', to @ ..] => b"PLNSGBR".contains(piece) && square(to),
        [from @ .., b'+'] if from.len() == 4 => square(&from[..2]) && square(&from[2..]),
        _ => bytes.len() == 4 && square(&bytes[..2]) && square(&bytes[2..]),
    }
}

fn id(rest: &str) -> Option<String> {
    let known = rest.starts_with("name ") || rest.starts_with("author ");
    // cshogi decodes these lines as ASCII.
    (!known || !rest.is_ascii()).then(|| "id must be an ASCII name or author".into())
}

fn bestmove(rest: &str) -> Option<String> {
    let words: Vec<_> = rest.split(' ').collect();
    let fine = match words[..] {
        ["resign" | "win"] => true,
        [best] => is_move(best),
        [best, "ponder", reply] => is_move(best) && is_move(reply),
        _ => false,
    };
    (!fine).then(|| "a client resigns for an engine that says this".into())
}

fn checkmate(rest: &str) -> Option<String> {
    let fine = matches!(rest, "nomate" | "timeout" | "notimplemented") || rest.split(' ').all(is_move);
    (!fine).then(|| "no such answer to go mate".into())
}

/// `7g7f: 30`, `Nodes searched: 900`.
fn is_count(line: &str) -> bool {
    line.split_once(": ")
        .is_some_and(|(name, count)| (is_move(name) || name == "Nodes searched") && count.parse::<u64>().is_ok())
}

/// `nodes 900`, `time 20 ms`, `nps 45000`, `Bench: 900`.
fn is_bench(line: &str) -> bool {
    let words: Vec<_> = line.split(' ').collect();
    matches!(words[..], ["nodes" | "nps" | "Bench:", n] | ["time", n, "ms"] if n.parse::<u64>().is_ok())
}

/// An `option` line, split at single spaces as in ShogiHome.
#[derive(Debug, Clone)]
pub struct OptionLine {
    pub name: String,
    pub kind: Kind,
    pub default: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    Check,
    Spin { min: i64, max: i64 },
    Combo(Vec<String>),
    Button,
    Text,
    Filename,
}

impl OptionLine {
    /// Parses the text after `option`.
    pub fn parse(rest: &str) -> Result<Self, String> {
        let words: Vec<_> = rest.split(' ').collect();
        let ["name", name, "type", kind, fields @ ..] = words.as_slice() else {
            return Err("an option is `name <one word> type <type> ...`".into());
        };
        let (pairs, []) = fields.as_chunks::<2>() else {
            return Err("a field without its value, or a blank too many".into());
        };
        let field = |key: &str| pairs.iter().find(|pair| pair[0] == key).map(|pair| pair[1]);
        let number = |key: &str| {
            let text = field(key).ok_or(format!("no {key}"))?;
            text.parse::<i64>().map_err(|_| format!("{key} is not a number"))
        };
        if let Some(pair) = pairs.iter().find(|pair| !["default", "min", "max", "var"].contains(&pair[0])) {
            return Err(format!("unknown field {}", pair[0]));
        }
        let kind = match *kind {
            "check" => Kind::Check,
            "spin" => Kind::Spin { min: number("min")?, max: number("max")? },
            "combo" => {
                let vars = pairs.iter().filter(|pair| pair[0] == "var");
                Kind::Combo(vars.map(|pair| pair[1].to_owned()).collect())
            }
            "button" => Kind::Button,
            "string" => Kind::Text,
            "filename" => Kind::Filename,
            other => return Err(format!("unknown type {other}")),
        };
        let default = match (&kind, field("default")) {
            (Kind::Button, None) => "",
            (Kind::Button, Some(_)) => return Err("a button has no default".into()),
            (_, None) => return Err("no default".into()),
            (_, Some(value)) => value,
        };
        Self { name: (*name).to_owned(), kind, default: default.to_owned() }.sensible()
    }

    fn sensible(self) -> Result<Self, String> {
        let fine = match &self.kind {
            Kind::Check => ["true", "false"].contains(&self.default.as_str()),
            Kind::Spin { min, max } => self.default.parse().is_ok_and(|n: i64| (*min..=*max).contains(&n)),
            Kind::Combo(vars) => vars.contains(&self.default),
            Kind::Button | Kind::Text | Kind::Filename => true,
        };
        if fine { Ok(self) } else { Err("the default is not among the values".into()) }
    }
}
