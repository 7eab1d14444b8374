//! Parsing of commands. A line becomes a [`Command`], checked as a whole before anything is done;
//! `go` is read word by word into the limits of its task.

use crate::engine::{GameOutcome, Task};
use crate::search::{GameClock, Limits, PonderHit, TimeControl};
use sabi_shogi::{Move, Position, PositionError, excerpt};
use std::fmt::Display;
use std::iter::Peekable;
use std::str::SplitAsciiWhitespace;
use std::time::Instant;

/// A parsed command.
#[derive(Debug)]
pub enum Command<'a> {
    /// Identify and list the options.
    Usi,
    /// Set up and answer `readyok`.
    IsReady,
    /// New game.
    NewGame,
    /// Set an option.
    SetOption {
        /// Its name.
        name: &'a str,
        /// Its value; `None` for a button.
        value: Option<&'a str>,
    },
    /// Set the position.
    Position(Box<Position>),
    /// `go` in all its forms: a search, a search for a mate, or perft.
    Go(Task),
    /// The ponder move was played.
    PonderHit(PonderHit),
    /// Stop the current job.
    Stop,
    /// Game over, with the outcome if it is a word of the protocol.
    GameOver(Option<GameOutcome>),
    /// Leave.
    Quit,
    /// Show the position.
    Show,
    /// Explain the evaluation of the position.
    Eval,
    /// Search the fixed positions of `sabi bench`.
    Bench,
    /// List the commands.
    Help,
}

/// Why a line is rejected: a message for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CommandError(String);

impl CommandError {
    pub(super) fn new(message: impl Display) -> Self {
        Self(message.to_string())
    }

    fn unknown_word(word: &str) -> Self {
        Self(format!("unknown word '{}'", excerpt(word)))
    }

    fn missing(keyword: &str) -> Self {
        Self(format!("missing value after {keyword}"))
    }
}

/// Commands with descriptions.
pub(super) const HELP: &[(&str, &str)] = &[
    ("usi", "name and options of the engine"),
    ("isready", "set up; answered by readyok"),
    ("usinewgame", "start a new game"),
    ("setoption name NAME value VALUE", "see usi_options.md"),
    ("position startpos|sfen SFEN [moves MOVE...]", "set the position"),
    ("go [btime MS wtime MS] [byoyomi MS] [binc MS winc MS]", "search by the game clocks"),
    ("go movetime MS | rtime MS | depth N | nodes N | infinite", "search with a fixed limit"),
    ("go ... ponder | searchmoves MOVE...", "ponder; search only these moves"),
    ("go mate [infinite|N] [movetime MS] [nodes N] [depth N]", "search for a mate"),
    ("go perft N, perft N", "count the leaves of the game tree"),
    ("ponderhit [btime MS wtime MS ...]", "the ponder move was played"),
    ("stop", "stop and answer"),
    ("gameover win|lose|draw", "the game is over"),
    ("d", "show the position"),
    ("eval", "explain the evaluation of the position"),
    ("bench", "search 20 fixed positions: the signature of the search and its speed"),
    ("quit", "exit"),
];

impl<'a> Command<'a> {
    /// Parses a line received at this time; `None` when it is blank. At a position, the limits of
    /// `go` are checked and completed: `searchmoves` must be legal, and `rtime` depends on it.
    ///
    /// # Errors
    /// When the command is invalid.
    pub fn parse(line: &'a str, at: Instant, position: Option<&Position>) -> Result<Option<Self>, CommandError> {
        let line = line.trim_ascii();
        let (word, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let command = match word {
            "" => return Ok(None),
            "usi" => Ok(Self::Usi),
            "isready" => Ok(Self::IsReady),
            "usinewgame" => Ok(Self::NewGame),
            "setoption" => set_option(rest).map(|(name, value)| Self::SetOption { name, value }),
            "position" => parse_position(rest).map(|position| Self::Position(Box::new(position))),
            "go" => go(tokens(rest), at, position).map(Self::Go),
            "perft" => go(tokens(line), at, position).map(Self::Go),
            "ponderhit" => ponder_hit(tokens(rest), at).map(Self::PonderHit),
            "stop" => Ok(Self::Stop),
            // The game is over even if the result is an unknown word.
            "gameover" => Ok(Self::GameOver(outcome(rest))),
            "quit" => Ok(Self::Quit),
            "d" => Ok(Self::Show),
            "eval" => Ok(Self::Eval),
            "bench" => match tokens(rest).next() {
                None => Ok(Self::Bench),
                Some(word) => {
                    let word = excerpt(word);
                    Err(CommandError::new(format_args!("no arguments here, not '{word}'; see 'sabi bench --help'")))
                }
            },
            "help" => Ok(Self::Help),
            other => return Err(CommandError(format!("unknown command '{}', try 'help'", excerpt(other)))),
        };
        let name = if word == "perft" { "go" } else { word };
        command.map(Some).map_err(|error| CommandError(format!("{name}: {error}")))
    }
}

/// The words of a line.
type Tokens<'a> = Peekable<SplitAsciiWhitespace<'a>>;

fn tokens(text: &str) -> Tokens<'_> {
    text.split_ascii_whitespace().peekable()
}

fn outcome(text: &str) -> Option<GameOutcome> {
    match tokens(text).next()? {
        "win" => Some(GameOutcome::Win),
        "lose" => Some(GameOutcome::Lose),
        "draw" => Some(GameOutcome::Draw),
        _ => None,
    }
}

/// Parses the text after `position`, all or nothing.
///
/// # Errors
/// When it is not a position, or a move is illegal.
pub fn parse_position(text: &str) -> Result<Position, CommandError> {
    let mut rest = tokens(text);
    let root = match rest.next() {
        Some("startpos") => match rest.next() {
            None | Some("moves") => Ok(Position::startpos()),
            Some(other) => return Err(CommandError(format!("expected 'moves', not '{}'", excerpt(other)))),
        },
        Some("sfen") => sfen("", &mut rest),
        // Some clients omit `sfen`.
        Some(board) if board.contains('/') => sfen(board, &mut rest),
        other => {
            let other = excerpt(other.unwrap_or_default());
            return Err(CommandError(format!("expected 'startpos' or 'sfen', not '{other}'")));
        }
    };
    root.and_then(|root| root.with_moves(rest)).map_err(CommandError::new)
}

/// Parses an SFEN that begins with `first`, up to the moves.
fn sfen(first: &str, rest: &mut Tokens<'_>) -> Result<Position, PositionError> {
    let mut sfen = String::from(first);
    for word in rest.take_while(|&word| word != "moves") {
        sfen.push(' ');
        sfen.push_str(word);
    }
    Ok(Position::from_sfen(&sfen)?)
}

/// Parses the text after `setoption` into name and value: the name may contain blanks as far as the
/// grammar allows, the value anything.
fn set_option(text: &str) -> Result<(&str, Option<&str>), CommandError> {
    let (keyword, rest) = split_word(text);
    let (name, value) = find_word(rest, "value").map_or((rest, None), |(name, value)| (name, Some(value)));
    if keyword == "name" && !name.is_empty() {
        Ok((name, value))
    } else {
        Err(CommandError::new("expected 'setoption name NAME value VALUE'"))
    }
}

/// The first word and the rest.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii();
    match text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((word, rest)) => (word, rest.trim_ascii()),
        None => (text, ""),
    }
}

/// The text before and after the first separate `word`.
fn find_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let is_edge = |c: Option<char>| c.is_none_or(|c| c.is_ascii_whitespace());
    text.match_indices(word).find_map(|(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        let after = rest.get(word.len()..)?;
        let alone = is_edge(before.chars().next_back()) && is_edge(after.chars().next());
        alone.then(|| (before.trim_ascii(), after.trim_ascii()))
    })
}

/// Deeper perft counts overflow.
const MAX_PERFT_DEPTH: u64 = 12;

/// Parses the words after `go`.
fn go(mut rest: Tokens<'_>, at: Instant, position: Option<&Position>) -> Result<Task, CommandError> {
    let mut limits = Limits::unlimited(at);
    let (mut random_time, mut mate, mut perft) = (None, None, None);
    let mut given = Vec::new();
    while let Some(word) = rest.next() {
        match word {
            "depth" => limits.depth = Some(u32::try_from(next_number(word, &mut rest)?).unwrap_or(u32::MAX).max(1)),
            "nodes" => limits.nodes = Some(next_number(word, &mut rest)?.max(1)),
            "rtime" => random_time = Some(next_number(word, &mut rest)?),
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "mate" => mate = Some(mate_number(&mut rest)?),
            "perft" => match next_number(word, &mut rest)? {
                depth @ 0..=MAX_PERFT_DEPTH => perft = Some(depth as u32),
                _ => return Err(CommandError(format!("the maximum perft depth is {MAX_PERFT_DEPTH}"))),
            },
            "searchmoves" => limits.search_moves = search_moves(&mut rest)?,
            _ => read_clock(word, &mut rest, &mut limits.time)?,
        }
        given.push(word);
    }
    if let Some(depth) = perft {
        let alone = given.iter().all(|&word| word == "perft");
        return if alone {
            Ok(Task::Perft(depth))
        } else {
            Err(CommandError::new("perft takes its depth and nothing else"))
        };
    }
    if let Some(number) = mate {
        if let Some(word) = ["rtime", "infinite", "ponder", "searchmoves"].iter().find(|word| given.contains(word)) {
            return Err(CommandError(format!("{word} cannot be combined with mate")));
        }
        if matches!(limits.time, TimeControl::Clock(_)) {
            return Err(CommandError::new("mate takes a limit, infinite, movetime, nodes or depth, but no clock"));
        }
        return Ok(Task::Mate { limits, number });
    }
    if let Some(&mv) = limits.search_moves.iter().find(|&&mv| position.is_some_and(|position| !position.is_legal(mv))) {
        return Err(CommandError(format!("{mv} is illegal here")));
    }
    if limits.infinite {
        limits.time = TimeControl::Unlimited;
    } else if let (TimeControl::Unlimited, Some(least)) = (limits.time, random_time) {
        // A time from this to three times this: pseudo-random but reproducible.
        let spread = least.saturating_mul(2).saturating_add(1);
        let random = position.map_or(0, |position| position.key() % spread);
        limits.time = TimeControl::MoveTime(least.saturating_add(random));
    }
    Ok(Task::Search(limits))
}

/// Parses the words after `ponderhit`: new clocks, if given.
fn ponder_hit(mut rest: Tokens<'_>, at: Instant) -> Result<PonderHit, CommandError> {
    let mut time = TimeControl::Unlimited;
    while let Some(word) = rest.next() {
        read_clock(word, &mut rest, &mut time)?;
    }
    Ok(PonderHit { at, time: Some(time).filter(|&time| time != TimeControl::Unlimited) })
}

/// Reads the number after a word of the clock into `time`, where `movetime` takes precedence.
fn read_clock(keyword: &str, rest: &mut Tokens<'_>, time: &mut TimeControl) -> Result<(), CommandError> {
    let mut clock = if let TimeControl::Clock(clock) = *time { clock } else { GameClock::default() };
    let value = match keyword {
        "btime" => Some(&mut clock.remaining[0]),
        "wtime" => Some(&mut clock.remaining[1]),
        "binc" => Some(&mut clock.increment[0]),
        "winc" => Some(&mut clock.increment[1]),
        "byoyomi" => Some(&mut clock.byoyomi),
        "movetime" => None,
        _ => return Err(CommandError::unknown_word(keyword)),
    };
    let number = parse_next(keyword, rest, milliseconds)?;
    match value {
        None => *time = TimeControl::MoveTime(number),
        Some(value) => {
            *value = number;
            if !matches!(time, TimeControl::MoveTime(_)) {
                *time = TimeControl::Clock(clock);
            }
        }
    }
    Ok(())
}

/// `infinite`, a number, or nothing.
fn mate_number(rest: &mut Tokens<'_>) -> Result<Option<u64>, CommandError> {
    match rest.peek() {
        None | Some(&("nodes" | "depth" | "movetime" | "btime" | "wtime" | "binc" | "winc" | "byoyomi")) => Ok(None),
        Some(&"infinite") => {
            rest.next();
            Ok(None)
        }
        Some(_) => next_number("mate", rest).map(Some),
    }
}

/// All words up to the first that is not a move.
fn search_moves(rest: &mut Tokens<'_>) -> Result<Vec<Move>, CommandError> {
    let mut moves = Vec::new();
    while let Some(mv) = rest.peek().and_then(|word| word.parse::<Move>().ok()) {
        rest.next();
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    if moves.is_empty() { Err(CommandError::missing("searchmoves")) } else { Ok(moves) }
}

fn next_number(keyword: &str, rest: &mut Tokens<'_>) -> Result<u64, CommandError> {
    parse_next(keyword, rest, number)
}

fn parse_next(keyword: &str, rest: &mut Tokens<'_>, parse: fn(&str) -> Option<u64>) -> Result<u64, CommandError> {
    let value = rest.next().ok_or_else(|| CommandError::missing(keyword))?;
    parse(value).ok_or_else(|| CommandError(format!("{keyword} takes a number, not '{}'", excerpt(value))))
}

/// Parses a number of digits only.
fn number(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// Clock time in milliseconds; negative values count as 0.
fn milliseconds(text: &str) -> Option<u64> {
    match text.strip_prefix('-') {
        Some(digits) => number(digits).map(|_| 0),
        None => number(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_go(text: &str) -> Result<Task, String> {
        go(tokens(text), Instant::now(), None).map_err(|error| error.to_string())
    }

    fn rejected(text: &str) -> String {
        parse_go(text).expect_err(text)
    }

    fn search(text: &str) -> Limits {
        match parse_go(text) {
            Ok(Task::Search(limits)) => limits,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn clocks() {
        let clock = |remaining, increment, byoyomi| TimeControl::Clock(GameClock { remaining, increment, byoyomi });
        assert_eq!(search("btime 1000 wtime 2000 byoyomi 3000").time, clock([1000, 2000], [0, 0], 3000));
        assert_eq!(search("btime 1 wtime 2 binc 3 winc 4").time, clock([1, 2], [3, 4], 0));
        assert_eq!(search("btime -500 wtime -1 byoyomi 0").time, clock([0, 0], [0, 0], 0));
        assert_eq!(search("byoyomi 200").time, clock([0, 0], [0, 0], 200));
        assert_eq!(search("movetime 100 btime 5").time, TimeControl::MoveTime(100));
        assert_eq!(search("btime 5 movetime 100 wtime 5").time, TimeControl::MoveTime(100));
        assert_eq!(search("").time, TimeControl::Unlimited);
        let hit = |text: &str| ponder_hit(tokens(text), Instant::now()).map(|hit| hit.time);
        assert_eq!(hit(""), Ok(None));
        assert_eq!(hit("btime 5 wtime 6 byoyomi 7"), Ok(Some(clock([5, 6], [0, 0], 7))));
        assert_eq!(hit("now"), Err(CommandError::new("unknown word 'now'")));
    }

    #[test]
    fn limits() {
        let limits = search("ponder depth 3 nodes 400 searchmoves 7g7f P*5e 7g7f infinite");
        assert!(limits.ponder && limits.infinite);
        assert_eq!((limits.depth, limits.nodes), (Some(3), Some(400)));
        assert_eq!(limits.search_moves.len(), 2);
        assert_eq!(search("depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(search("rtime 100").time, TimeControl::MoveTime(100));
        assert_eq!(search("rtime 100 btime 5").time, search("btime 5").time);
        assert_eq!(search("rtime 100 infinite").time, TimeControl::Unlimited);
        assert!(matches!(parse_go("perft 3"), Ok(Task::Perft(3))));
        assert_eq!(rejected("perft 1000000"), "the maximum perft depth is 12");
    }

    #[test]
    fn parses_go_mate() {
        for (text, number, nodes, plies, time) in [
            ("mate", None, None, None, TimeControl::Unlimited),
            ("mate infinite", None, None, None, TimeControl::Unlimited),
            ("mate 5000", Some(5000), None, None, TimeControl::Unlimited),
            ("mate nodes 10", None, Some(10), None, TimeControl::Unlimited),
            ("nodes 10 mate infinite", None, Some(10), None, TimeControl::Unlimited),
            ("mate depth 7", None, None, Some(7), TimeControl::Unlimited),
            ("mate movetime 900", None, None, None, TimeControl::MoveTime(900)),
        ] {
            let Ok(Task::Mate { limits, number: found }) = parse_go(text) else { panic!("{text}") };
            assert_eq!((found, limits.nodes, limits.depth, limits.time), (number, nodes, plies, time), "{text}");
        }
        assert_eq!(rejected("mate x"), "mate takes a number, not 'x'");
        let no_clock = "mate takes a limit, infinite, movetime, nodes or depth, but no clock";
        assert_eq!(rejected("mate btime 0 wtime 0 byoyomi 5000"), no_clock);
        for (text, word) in [
            ("ponder mate 1000", "ponder"),
            ("searchmoves 7g7f mate", "searchmoves"),
            ("rtime 100 mate", "rtime"),
            ("mate 1000 infinite", "infinite"),
        ] {
            assert_eq!(rejected(text), format!("{word} cannot be combined with mate"));
        }
    }

    #[test]
    fn perft_is_alone() {
        for bad in ["perft 3 nodes 5", "ponder perft 3", "perft 3 mate", "perft 3 byoyomi 100"] {
            assert_eq!(rejected(bad), "perft takes its depth and nothing else", "{bad}");
        }
    }

    #[test]
    fn parses_perft_without_go() {
        let parse = |line| Command::parse(line, Instant::now(), None);
        assert!(matches!(parse("perft 2"), Ok(Some(Command::Go(Task::Perft(2))))));
        let error = parse("perft 2 nodes 5").unwrap_err();
        assert_eq!(error, CommandError::new("go: perft takes its depth and nothing else"));
    }

    #[test]
    fn errors_of_go_name_the_fault() {
        for (text, message) in [
            ("depth", "missing value after depth"),
            ("depth -1", "depth takes a number, not '-1'"),
            ("btime x wtime 1", "btime takes a number, not 'x'"),
            ("depth 3 fast", "unknown word 'fast'"),
            ("searchmoves", "missing value after searchmoves"),
            ("searchmoves 7g7f resign", "unknown word 'resign'"),
        ] {
            assert_eq!(rejected(text), message);
        }
    }

    #[test]
    fn random_times_are_in_range() {
        let mut seen = Vec::new();
        for line in [&["7g7f"][..], &["2g2f"], &["2g2f", "8c8d"]] {
            let position = Position::startpos().with_moves(line.iter().copied()).unwrap();
            let task = go(tokens("rtime 1000"), Instant::now(), Some(&position));
            let Ok(Task::Search(Limits { time: TimeControl::MoveTime(time), .. })) = task else { panic!("a time") };
            assert!((1000..=3000).contains(&time));
            seen.push(time);
        }
        seen.dedup();
        assert!(seen.len() > 1);
    }

    #[test]
    fn rejects_illegal_searchmoves() {
        let rejected = go(tokens("searchmoves 7g7e"), Instant::now(), Some(&Position::startpos()));
        assert_eq!(rejected.unwrap_err(), CommandError::new("7g7e is illegal here"));
    }

    #[test]
    fn errors_of_position_name_the_fault() {
        let rejected = |text| parse_position(text).unwrap_err().to_string();
        assert_eq!(rejected(""), "expected 'startpos' or 'sfen', not ''");
        assert_eq!(rejected("startpos 7g7f"), "expected 'moves', not '7g7f'");
        for (bad, message) in [
            ("sfen", "the board is missing"),
            ("sfen moves 7g7f", "the board is missing"),
            ("startpos moves 7g7f 7g7f", "move 2 '7g7f' is illegal here"),
            ("startpos moves x", "move 1 'x' is not a move"),
        ] {
            assert_eq!(rejected(bad), message, "{bad}");
        }
    }

    #[test]
    fn parses_names_and_values() {
        for (text, name, value) in [
            (" name MultiPV value 3 ", "MultiPV", Some("3")),
            (" name  Skill Level\tvalue 3", "Skill Level", Some("3")),
            (" name File value /a  b/評価 value.txt", "File", Some("/a  b/評価 value.txt")),
            (" name File value ", "File", Some("")),
            (" name File value", "File", Some("")),
            (" name valued value 1", "valued", Some("1")),
            (" name Clear_Hash", "Clear_Hash", None),
        ] {
            assert_eq!(set_option(text).unwrap(), (name, value), "{text}");
        }
        for bad in ["", " name", " MultiPV 3", " value 3", " name value 3"] {
            assert!(set_option(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_are_digits() {
        assert_eq!((number("0"), number("18446744073709551615")), (Some(0), Some(u64::MAX)));
        for bad in ["", "-1", "+1", "1.5", "1e5", "abc", "３", "18446744073709551616"] {
            assert_eq!(number(bad), None, "{bad}");
        }
        assert_eq!((milliseconds("-500"), milliseconds("500")), (Some(0), Some(500)));
        assert_eq!((milliseconds("-"), milliseconds("--1"), milliseconds("")), (None, None, None));
    }
}
