//! Parsing of `info` lines.

use super::grammar::is_move;

#[derive(Debug, Clone, Default)]
pub struct Info {
    pub depth: Option<u64>,
    pub seldepth: Option<u64>,
    pub time: Option<u64>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    pub hashfull: Option<u64>,
    pub multipv: Option<u64>,
    pub score: Option<Score>,
    /// Lower or upper bound.
    pub bound: bool,
    pub pv: Vec<String>,
    pub string: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    Cp(i64),
    /// Mate distance in plies, if given.
    Winning(Option<u64>),
    Losing(Option<u64>),
}

impl Score {
    /// Comparable score for the side to move.
    pub fn value(self) -> i64 {
        match self {
            Self::Cp(cp) => cp,
            Self::Winning(_) => 1_000_000,
            Self::Losing(_) => -1_000_000,
        }
    }

    fn mate(word: &str) -> Result<Self, String> {
        let fault = || format!("mate {word}");
        let plies = |digits: &str| match digits {
            "" => Ok(None),
            // ShogiHome shows zero as a win, even to the mated side.
            digits => digits.parse().ok().filter(|&n| n > 0).map(Some).ok_or_else(fault),
        };
        match word.strip_prefix('-') {
            Some(rest) => Ok(Self::Losing(plies(rest)?)),
            None if word.is_empty() => Err(fault()),
            None => Ok(Self::Winning(plies(word.strip_prefix('+').unwrap_or(word))?)),
        }
    }
}

impl Info {
    /// Parses the text after `info`; the error names what a client would reject.
    pub fn parse(rest: &str) -> Result<Self, String> {
        let mut info = Self::default();
        if let Some(text) = rest.strip_prefix("string ") {
            info.string = Some(text.to_owned());
            return Ok(info);
        }
        let mut words = rest.split(' ');
        while let Some(key) = words.next() {
            let mut number = || {
                let word = words.next().ok_or(format!("{key} says nothing"))?;
                word.parse::<u64>().map_err(|_| format!("{key} {word} is not a count"))
            };
            match key {
                "depth" => info.depth = Some(number()?),
                "seldepth" => info.seldepth = Some(number()?),
                "time" => info.time = Some(number()?),
                "nodes" => info.nodes = Some(number()?),
                "nps" => info.nps = Some(number()?),
                "hashfull" => info.hashfull = Some(number()?),
                "multipv" => info.multipv = Some(number()?),
                "lowerbound" | "upperbound" => info.bound = true,
                "currmove" => match words.next() {
                    Some(word) if is_move(word) => {}
                    word => return Err(format!("currmove {word:?}")),
                },
                "score" => info.score = Some(score(&mut words)?),
                // Extends to the end of the line, so it must be last.
                "pv" => {
                    info.pv = words.by_ref().map(str::to_owned).collect();
                    if let Some(word) = info.pv.iter().find(|word| !is_move(word)) {
                        return Err(format!("{word:?} in a pv"));
                    }
                }
                other => return Err(format!("no client reads {other:?}")),
            }
        }
        if info.hashfull.is_some_and(|full| full > 1000) {
            return Err("hashfull is per mille".into());
        }
        Ok(info)
    }
}

fn score<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Score, String> {
    match (words.next(), words.next()) {
        (Some("cp"), Some(word)) => word.parse().map(Score::Cp).map_err(|_| format!("cp {word}")),
        (Some("mate"), Some(word)) => Score::mate(word),
        other => Err(format!("score {other:?}")),
    }
}

#[test]
fn a_mate_score_is_never_zero() {
    assert_eq!(Score::mate("3"), Ok(Score::Winning(Some(3))));
    assert_eq!(Score::mate("+"), Ok(Score::Winning(None)));
    assert_eq!(Score::mate("-1"), Ok(Score::Losing(Some(1))));
    assert_eq!(Score::mate("-"), Ok(Score::Losing(None)));
    for bad in ["0", "+0", "-0", "", "--1", "x"] {
        assert!(Score::mate(bad).is_err(), "{bad:?}");
    }
}
