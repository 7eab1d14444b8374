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
    /// Show the value of an option; with an empty name, of all.
    GetOption(&'a str),
    /// Whether to output more for developers.
    Debug(bool),
    /// Set the position.
    Position(Box<Position>),
    /// `go` in all its forms: a search, a search for a mate, or perft.
    Go(Task, LeftOut),
    /// The ponder move was played.
    PonderHit(PonderHit, LeftOut),
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

/// Why words were left out, if any were: a message for the user.
pub type LeftOut = Option<CommandError>;

/// Why a line is rejected: a message for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CommandError(String);

impl CommandError {
    pub(super) fn new(message: impl Display) -> Self {
        Self(message.to_string())
    }

    fn missing(keyword: &str) -> Self {
        Self(format!("missing value after {keyword}"))
    }

    fn not_a_number(keyword: &str, value: &str) -> Self {
        Self(format!("{keyword} takes a number, not '{}'", excerpt(value)))
    }
}

/// Commands with descriptions.
pub(super) const HELP: &[(&str, &str)] = &[
    ("usi", "name and options of the engine"),
    ("isready", "set up; answered by readyok"),
    ("usinewgame", "start a new game"),
    ("setoption name NAME value VALUE", "see usi_options.md"),
    ("getoption [NAME]", "show the value of an option, or of all"),
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
    ("debug on|off", "output more for developers: all candidates of a book move"),
    ("bench", "search 20 fixed positions: the signature of the search and its speed"),
    ("quit", "exit"),
];

impl<'a> Command<'a> {
    /// Parses a line received at this time; `None` when it is blank. At a position, the limits of
    /// `go` are checked and completed: `searchmoves` must be legal, and `rtime` depends on it. What
    /// `go` and `ponderhit` cannot use is left out.
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
            "getoption" => Ok(Self::GetOption(rest.trim_ascii())),
            "debug" => match tokens(rest).collect::<Vec<_>>()[..] {
                ["on"] => Ok(Self::Debug(true)),
                ["off"] => Ok(Self::Debug(false)),
                _ => Err(CommandError::new("expected 'debug on' or 'debug off'")),
            },
            "position" => parse_position(rest).map(|position| Self::Position(Box::new(position))),
            "go" => go(tokens(rest), at, position).map(|(task, left_out)| Self::Go(task, left_out)),
            "perft" => go(tokens(line), at, position).map(|(task, left_out)| Self::Go(task, left_out)),
            "ponderhit" => {
                let (hit, left_out) = ponder_hit(tokens(rest), at);
                Ok(Self::PonderHit(hit, left_out))
            }
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

/// Time of a search that has no limit besides words that were left out, in milliseconds.
const SHORT_SEARCH: u64 = 1000;

/// Maximum length of the faults that are named.
const MAX_FAULTS: usize = 250;

/// The words that `go` reads.
const GO_WORDS: &str =
    "btime wtime binc winc byoyomi movetime rtime depth nodes infinite ponder mate perft searchmoves";

fn is_go_word(word: &str) -> bool {
    GO_WORDS.split(' ').any(|known| known == word)
}

/// The words after `go` or `ponderhit`. A client that waits for a move must get one, so whatever
/// cannot be used is left out.
struct GoWords<'a> {
    rest: Tokens<'a>,
    /// The faults of what was left out.
    faults: String,
}

impl<'a> GoWords<'a> {
    fn leave_out(&mut self, fault: impl Display) {
        let fault = fault.to_string();
        if self.faults.len() < MAX_FAULTS && !self.faults.contains(&fault) {
            self.faults += if self.faults.is_empty() { "left out: " } else { "; " };
            self.faults += &fault;
        }
    }

    /// Leaves out a word, with the number after it.
    fn leave_out_unknown(&mut self, word: &str) {
        let number = self.rest.next_if(|next| number(next).is_some());
        let words = [word, number.unwrap_or_default()].join(" ");
        self.leave_out(format_args!("unknown word '{}'", excerpt(&words)));
    }

    /// The number after `keyword`, or else what it was before.
    fn number(&mut self, keyword: &str, before: Option<u64>) -> Option<u64> {
        let Some(value) = self.rest.next_if(|next| !is_go_word(next)) else {
            self.leave_out(CommandError::missing(keyword));
            return before;
        };
        let number = number(value);
        if number.is_none() {
            self.leave_out(CommandError::not_a_number(keyword, value));
        }
        number.or(before)
    }

    /// Reads the number after a word of the clock into `time`, where `movetime` takes precedence.
    /// Returns whether it is such a word.
    fn clock(&mut self, keyword: &str, time: &mut TimeControl) -> bool {
        let mut clock = if let TimeControl::Clock(clock) = *time { clock } else { GameClock::default() };
        let value = match keyword {
            "btime" => &mut clock.remaining[0],
            "wtime" => &mut clock.remaining[1],
            "binc" => &mut clock.increment[0],
            "winc" => &mut clock.increment[1],
            "byoyomi" => &mut clock.byoyomi,
            "movetime" => {
                *time = self.number(keyword, None).map_or(*time, TimeControl::MoveTime);
                return true;
            }
            _ => return false,
        };
        if let Some(number) = self.number(keyword, None) {
            *value = number;
            if !matches!(time, TimeControl::MoveTime(_)) {
                *time = TimeControl::Clock(clock);
            }
        }
        true
    }

    /// Reads the words of `searchmoves` up to the next that `go` knows.
    fn search_moves(&mut self, position: Option<&Position>) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut empty = true;
        while let Some(word) = self.rest.next_if(|next| !is_go_word(next)) {
            empty = false;
            match word.parse::<Move>() {
                Ok(mv) if position.is_some_and(|position| !position.is_legal(mv)) => {
                    self.leave_out(format_args!("{mv} is illegal here"));
                }
                Ok(mv) if !moves.contains(&mv) => moves.push(mv),
                Ok(_) => {}
                Err(_) => self.leave_out_unknown(word),
            }
        }
        if empty {
            self.leave_out(CommandError::missing("searchmoves"));
        }
        moves
    }

    /// The time of a search that `is_endless` because its limits were left out.
    fn short_time(&mut self, is_endless: bool) -> Option<TimeControl> {
        let is_short = is_endless && !self.faults.is_empty();
        is_short.then(|| {
            self.faults += &format!("; without a limit this takes {SHORT_SEARCH} ms");
            TimeControl::MoveTime(SHORT_SEARCH)
        })
    }

    /// The fault, if anything was left out.
    fn left_out(self, command: &str) -> LeftOut {
        let faults = self.faults;
        (!faults.is_empty()).then(|| CommandError(format!("{command}: {faults}")))
    }
}

/// Parses the words after `go`. Only `perft` can be rejected, which counts and gives no move.
fn go(mut rest: Tokens<'_>, at: Instant, position: Option<&Position>) -> Result<(Task, LeftOut), CommandError> {
    if rest.next_if_eq(&"perft").is_some() {
        return Ok((Task::Perft(perft(rest)?), None));
    }
    let mut words = GoWords { rest, faults: String::new() };
    let mut limits = Limits::unlimited(at);
    let (mut random_time, mut mate) = (None, None);
    while let Some(word) = words.rest.next() {
        match word {
            "depth" => {
                let depth = words.number(word, None).map(|depth| u32::try_from(depth).unwrap_or(u32::MAX).max(1));
                limits.depth = depth.or(limits.depth);
            }
            "nodes" => limits.nodes = words.number(word, limits.nodes).map(|nodes| nodes.max(1)),
            "rtime" => random_time = words.number(word, random_time),
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "mate" => mate = Some(mate_limit(&mut words)),
            "perft" => {
                words.rest.next_if(|next| number(next).is_some());
                words.leave_out("perft takes its depth and nothing else");
            }
            "searchmoves" => limits.search_moves = words.search_moves(position),
            _ if words.clock(word, &mut limits.time) => {}
            _ => words.leave_out_unknown(word),
        }
    }
    if let Some(limit) = mate {
        let others = [
            ("rtime", random_time.is_some()),
            ("infinite", limits.infinite),
            ("ponder", limits.ponder),
            ("searchmoves", !limits.search_moves.is_empty()),
        ];
        for (word, _) in others.into_iter().filter(|&(_, given)| given) {
            words.leave_out(format_args!("{word} cannot be combined with mate"));
        }
        if matches!(limits.time, TimeControl::Clock(_)) {
            words.leave_out("mate takes a limit, infinite, movetime, nodes or depth, but no clock");
            limits.time = TimeControl::Unlimited;
        }
        let is_endless = limits.is_endless() && !limits.infinite && limit == MateLimit::None;
        let time = words.short_time(is_endless).unwrap_or(limits.time);
        let number = if let MateLimit::Number(number) = limit { Some(number) } else { None };
        let limits = Limits { time, depth: limits.depth, nodes: limits.nodes, ..Limits::unlimited(at) };
        return Ok((Task::Mate { limits, number }, words.left_out("go")));
    }
    if limits.infinite {
        limits.time = TimeControl::Unlimited;
    } else if let (TimeControl::Unlimited, Some(least)) = (limits.time, random_time) {
        // A time from this to three times this: pseudo-random but reproducible.
        let spread = least.saturating_mul(2).saturating_add(1);
        let random = position.map_or(0, |position| position.key() % spread);
        limits.time = TimeControl::MoveTime(least.saturating_add(random));
    } else {
        limits.time = words.short_time(limits.is_endless()).unwrap_or(limits.time);
    }
    Ok((Task::Search(limits), words.left_out("go")))
}

/// Parses the words after `perft`.
fn perft(mut rest: Tokens<'_>) -> Result<u32, CommandError> {
    let depth = rest.next().ok_or_else(|| CommandError::missing("perft"))?;
    if rest.next().is_some() {
        return Err(CommandError::new("perft takes its depth and nothing else"));
    }
    match depth.parse() {
        Ok(depth @ 0..=MAX_PERFT_DEPTH) => Ok(depth as u32),
        Ok(_) => Err(CommandError(format!("the maximum perft depth is {MAX_PERFT_DEPTH}"))),
        Err(_) => Err(CommandError::not_a_number("perft", depth)),
    }
}

/// Parses the words after `ponderhit`: new clocks, if given.
fn ponder_hit(rest: Tokens<'_>, at: Instant) -> (PonderHit, LeftOut) {
    let mut time = TimeControl::Unlimited;
    let mut words = GoWords { rest, faults: String::new() };
    while let Some(word) = words.rest.next() {
        if !words.clock(word, &mut time) {
            words.leave_out_unknown(word);
        }
    }
    (PonderHit { at, time: Some(time).filter(|&time| time != TimeControl::Unlimited) }, words.left_out("ponderhit"))
}

/// What stands after `mate`.
#[derive(Copy, Clone, PartialEq, Eq)]
enum MateLimit {
    None,
    Infinite,
    Number(u64),
}

fn mate_limit(words: &mut GoWords<'_>) -> MateLimit {
    if words.rest.next_if_eq(&"infinite").is_some() {
        MateLimit::Infinite
    } else if words.rest.peek().is_some_and(|next| !is_go_word(next)) {
        words.number("mate", None).map_or(MateLimit::None, MateLimit::Number)
    } else {
        MateLimit::None
    }
}

/// Reads a number, without its fraction, and as 0 if it is negative: some clients compute with
/// floating point. `None` if it is none, or beyond the range.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().or_else(|| {
        let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        let value: f64 = text.parse().ok().filter(|_| is_decimal)?;
        (value < (1_u128 << 64) as f64).then_some(value as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_go(text: &str) -> Result<(Task, String), String> {
        let parsed = go(tokens(text), Instant::now(), Some(&Position::startpos()));
        let left_out = |left_out: LeftOut| left_out.map(|left_out| left_out.to_string()).unwrap_or_default();
        parsed.map(|(task, faults)| (task, left_out(faults))).map_err(|error| error.to_string())
    }

    fn rejected(text: &str) -> String {
        parse_go(text).expect_err(text)
    }

    /// The limits of a search, and what was left out.
    fn search_without(text: &str) -> (Limits, String) {
        match parse_go(text) {
            Ok((Task::Search(limits), left_out)) => (limits, left_out),
            other => panic!("{text}: {other:?}"),
        }
    }

    fn search(text: &str) -> Limits {
        let (limits, left_out) = search_without(text);
        assert_eq!(left_out, "", "{text}");
        limits
    }

    fn clock(remaining: [u64; 2], increment: [u64; 2], byoyomi: u64) -> TimeControl {
        TimeControl::Clock(GameClock { remaining, increment, byoyomi })
    }

    #[test]
    fn clocks() {
        assert_eq!(search("btime 1000 wtime 2000 byoyomi 3000").time, clock([1000, 2000], [0, 0], 3000));
        assert_eq!(search("btime 1 wtime 2 binc 3 winc 4").time, clock([1, 2], [3, 4], 0));
        assert_eq!(search("btime -500 wtime -1 byoyomi 0").time, clock([0, 0], [0, 0], 0));
        assert_eq!(search("byoyomi 200").time, clock([0, 0], [0, 0], 200));
        assert_eq!(search("movetime 100 btime 5").time, TimeControl::MoveTime(100));
        assert_eq!(search("btime 5 movetime 100 wtime 5").time, TimeControl::MoveTime(100));
        assert_eq!(search("").time, TimeControl::Unlimited);
        let hit = |text: &str| {
            let (hit, left_out) = ponder_hit(tokens(text), Instant::now());
            (hit.time, left_out.map(|left_out| left_out.to_string()).unwrap_or_default())
        };
        let whole = |time| (time, String::new());
        assert_eq!(hit(""), whole(None));
        assert_eq!(hit("btime 5 wtime 6 byoyomi 7"), whole(Some(clock([5, 6], [0, 0], 7))));
        assert_eq!(hit("btime 5.5 wtime -6 byoyomi 7"), whole(Some(clock([5, 0], [0, 0], 7))));
        assert_eq!(hit("now"), (None, "ponderhit: left out: unknown word 'now'".to_owned()));
        let (time, left_out) = hit("btime 5 depth 3 wtime x byoyomi");
        assert_eq!(time, Some(clock([5, 0], [0, 0], 0)));
        let faults = "unknown word 'depth 3'; wtime takes a number, not 'x'; missing value after byoyomi";
        assert_eq!(left_out, format!("ponderhit: left out: {faults}"));
    }

    #[test]
    fn limits() {
        let limits = search("ponder depth 3 nodes 400 searchmoves 7g7f 2g2f 7g7f infinite");
        assert!(limits.ponder && limits.infinite);
        assert_eq!((limits.depth, limits.nodes), (Some(3), Some(400)));
        assert_eq!(limits.search_moves.len(), 2);
        assert_eq!(search("depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(search("rtime 0").time, TimeControl::MoveTime(0));
        assert_eq!(search("rtime 100 btime 5").time, search("btime 5").time);
        assert_eq!(search("rtime 100 infinite").time, TimeControl::Unlimited);
        assert!(matches!(parse_go("perft 3"), Ok((Task::Perft(3), _))));
        assert_eq!(rejected("perft 1000000"), "the maximum perft depth is 12");
        assert_eq!(rejected("perft x"), "perft takes a number, not 'x'");
        assert_eq!(rejected("perft"), "missing value after perft");
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
            let Ok((Task::Mate { limits, number: found }, left_out)) = parse_go(text) else { panic!("{text}") };
            assert_eq!((found, limits.nodes, limits.depth, limits.time), (number, nodes, plies, time), "{text}");
            assert_eq!(left_out, "", "{text}");
        }
    }

    /// Each is answered by one `checkmate`.
    #[test]
    fn go_mate_leaves_out_the_rest() {
        let short = "; without a limit this takes 1000 ms";
        let with = |word: &str| format!("{word} cannot be combined with mate");
        let no_clock = "mate takes a limit, infinite, movetime, nodes or depth, but no clock";
        for (text, number, time, faults) in [
            ("mate x", None, 1000, format!("mate takes a number, not 'x'{short}")),
            ("mate btime 0 wtime 0 byoyomi 5000", None, 1000, format!("{no_clock}{short}")),
            ("mate 500 btime 0 wtime 0", Some(500), 0, no_clock.to_owned()),
            ("ponder mate 800", Some(800), 0, with("ponder")),
            ("searchmoves 7g7f mate", None, 1000, with("searchmoves") + short),
            ("rtime 100 mate movetime 70.5", None, 70, with("rtime")),
            ("mate 800 infinite", Some(800), 0, with("infinite")),
            ("infinite mate", None, 0, with("infinite")),
            ("mate infinite fast", None, 0, "unknown word 'fast'".to_owned()),
            ("mate -3.5 perft 3", Some(0), 0, "perft takes its depth and nothing else".to_owned()),
        ] {
            let Ok((Task::Mate { limits, number: found }, left_out)) = parse_go(text) else { panic!("{text}") };
            let time = if time == 0 { TimeControl::Unlimited } else { TimeControl::MoveTime(time) };
            assert_eq!((found, limits.time), (number, time), "{text}");
            assert_eq!(left_out, format!("go: left out: {faults}"), "{text}");
            assert!(limits.search_moves.is_empty() && !limits.ponder && !limits.infinite, "{text}");
        }
    }

    #[test]
    fn perft_is_alone() {
        for bad in ["perft 3 nodes 5", "perft 3 mate", "perft 3 byoyomi 100"] {
            assert_eq!(rejected(bad), "perft takes its depth and nothing else", "{bad}");
        }
        let (limits, left_out) = search_without("ponder perft 3 depth 2");
        assert_eq!((limits.ponder, limits.depth), (true, Some(2)));
        assert_eq!(left_out, "go: left out: perft takes its depth and nothing else");
    }

    #[test]
    fn parses_perft_without_go() {
        let parse = |line| Command::parse(line, Instant::now(), None);
        assert!(matches!(parse("perft 2"), Ok(Some(Command::Go(Task::Perft(2), None)))));
        let error = parse("perft 2 nodes 5").unwrap_err();
        assert_eq!(error, CommandError::new("go: perft takes its depth and nothing else"));
    }

    /// What remains decides; if nothing does, the search is short.
    #[test]
    fn go_leaves_out_what_it_cannot_use() {
        let short = TimeControl::MoveTime(1000);
        for (text, time, depth, faults) in [
            ("depth", short, None, "missing value after depth"),
            ("depth x nodes", short, None, "depth takes a number, not 'x'; missing value after nodes"),
            ("btime x wtime 1", clock([0, 1], [0; 2], 0), None, "btime takes a number, not 'x'"),
            ("btime wtime 9", clock([0, 9], [0; 2], 0), None, "missing value after btime"),
            ("btime None byoyomi 7", clock([0; 2], [0; 2], 7), None, "btime takes a number, not 'None'"),
            ("byoyomi 500 periods 1", clock([0; 2], [0; 2], 500), None, "unknown word 'periods 1'"),
            ("movestogo 40 btime 5 wtime 6", clock([5, 6], [0; 2], 0), None, "unknown word 'movestogo 40'"),
            ("btime 5 movetime abc", clock([5, 0], [0; 2], 0), None, "movetime takes a number, not 'abc'"),
            ("movetime 30 movetime abc", TimeControl::MoveTime(30), None, "movetime takes a number, not 'abc'"),
            (
                "depth 3 depth 1e30 fast",
                TimeControl::Unlimited,
                Some(3),
                "depth takes a number, not '1e30'; \
              unknown word 'fast'",
            ),
            ("infinite nodes ３", TimeControl::Unlimited, None, "nodes takes a number, not '３'"),
            ("searchmoves", short, None, "missing value after searchmoves"),
            ("x x x", short, None, "unknown word 'x'"),
        ] {
            let (limits, left_out) = search_without(text);
            assert_eq!((limits.time, limits.depth), (time, depth), "{text}");
            let short = if time == short { "; without a limit this takes 1000 ms" } else { "" };
            assert_eq!(left_out, format!("go: left out: {faults}{short}"));
        }
        let (limits, _) = search_without("ponder btime None wtime None");
        assert_eq!((limits.ponder, limits.time), (true, short), "a second after the ponder hit");
        let (_, left_out) = search_without(&format!("depth {}", "x ".repeat(1000) + "fly " + &"y".repeat(1000)));
        assert!(left_out.contains("'fly'") && left_out.chars().count() < 400, "{left_out}");
    }

    #[test]
    fn searchmoves_are_the_legal_ones() {
        let (limits, left_out) = search_without("searchmoves 7g7e foo 7g7f resign 5e5d 7g7f 2g2f depth 3 fast");
        assert_eq!(limits.search_moves, ["7g7f", "2g2f"].map(|mv| mv.parse::<Move>().unwrap()));
        assert_eq!((limits.depth, limits.time), (Some(3), TimeControl::Unlimited));
        let words = "unknown word 'foo'; unknown word 'resign'; 5e5d is illegal here; unknown word 'fast'";
        assert_eq!(left_out, format!("go: left out: 7g7e is illegal here; {words}"));
        let (limits, left_out) = search_without("searchmoves 7g7e");
        assert!(limits.search_moves.is_empty() && limits.time == TimeControl::MoveTime(1000));
        assert_eq!(left_out, "go: left out: 7g7e is illegal here; without a limit this takes 1000 ms");
        // Without a position nothing can be checked.
        let unchecked = go(tokens("searchmoves 7g7e"), Instant::now(), None);
        assert!(matches!(unchecked, Ok((Task::Search(limits), None)) if limits.search_moves.len() == 1));
    }

    #[test]
    fn random_times_are_in_range() {
        let mut seen = Vec::new();
        for line in [&["7g7f"][..], &["2g2f"], &["2g2f", "8c8d"]] {
            let position = Position::startpos().with_moves(line.iter().copied()).unwrap();
            let task = go(tokens("rtime 1000"), Instant::now(), Some(&position));
            let Ok((Task::Search(Limits { time: TimeControl::MoveTime(time), .. }), None)) = task else {
                panic!("a time")
            };
            assert!((1000..=3000).contains(&time));
            seen.push(time);
        }
        seen.dedup();
        assert!(seen.len() > 1);
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
    fn numbers_are_read_as_far_as_they_make_sense() {
        for (text, value) in [
            ("0", 0),
            ("18446744073709551615", u64::MAX),
            ("+5", 5),
            ("-500", 0),
            ("-0.5", 0),
            ("0.9", 0),
            ("60000.0", 60_000),
            ("1999.999", 1999),
            (".5", 0),
            ("7.", 7),
            ("1e5", 100_000),
            ("2.5E3", 2500),
            ("-1e999", 0),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for bad in [
            "",
            "-",
            "--1",
            "+",
            ".",
            "e5",
            "1e",
            "1.2.3",
            "1_000",
            "1,5",
            "0x10",
            "abc",
            "nan",
            "inf",
            "-inf",
            "infinity",
            "None",
            "３",
            "10ms",
            "18446744073709551616",
            "1e999",
        ] {
            assert_eq!(number(bad), None, "{bad}");
        }
    }
}
