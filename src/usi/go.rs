//! Parsing of `go`.

use super::clock::ClockArguments;
use super::go_error::{GoError, MAX_PERFT_DEPTH};
use super::tokens::{Tokens, number, tokens};
use crate::search::TimeControl;
use sabi_shogi::{Move, excerpt};

/// A parsed `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Go {
    /// Search for the best move.
    Search(SearchArguments),
    /// Search for a mate.
    Mate {
        /// The number after `mate`.
        limit: Option<u64>,
        /// Node limit.
        nodes: Option<u64>,
        /// Maximum mate length.
        plies: Option<u32>,
        /// `movetime`.
        ms: Option<u64>,
    },
    /// Perft.
    Perft(u32),
}

/// The arguments of a search, not yet checked against the position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchArguments {
    /// `btime` etc., and `movetime`.
    pub time: Option<TimeControl>,
    /// `rtime`: a random time from this to three times this.
    pub random_time: Option<u64>,
    /// `depth`.
    pub depth: Option<u32>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `infinite`.
    pub infinite: bool,
    /// `ponder`.
    pub ponder: bool,
    /// `searchmoves`; all when empty.
    pub search_moves: Vec<Move>,
}

/// The number after `mate`.
type MateLimit = Option<u64>;

/// Parses the text after `go`.
pub(super) fn parse(text: &str) -> Result<Go, GoError> {
    let mut rest = tokens(text);
    let mut search = SearchArguments::default();
    let mut clock = ClockArguments::default();
    let mut mate: Option<MateLimit> = None;
    let mut perft = None;
    while let Some(word) = rest.next() {
        if clock.take(word, &mut rest)? {
            continue;
        }
        match word {
            "depth" => search.depth = Some(small_number("depth", &mut rest)?.max(1)),
            "nodes" => search.nodes = Some(next_number("nodes", &mut rest)?.max(1)),
            "rtime" => search.random_time = Some(next_number("rtime", &mut rest)?),
            "infinite" => search.infinite = true,
            "ponder" => search.ponder = true,
            "mate" => mate = Some(mate_limit(&mut rest)?),
            "perft" => perft = Some(perft_depth(&mut rest)?),
            "searchmoves" => search.search_moves = search_moves(&mut rest)?,
            other => return Err(GoError::Unknown(excerpt(other))),
        }
    }
    search.time = clock.time();
    match (perft, mate) {
        (None, None) => Ok(Go::Search(search)),
        (None, Some(limit)) => search_for_mate(limit, search),
        (Some(depth), None) if search == SearchArguments::default() => Ok(Go::Perft(depth)),
        (Some(_), _) => Err(GoError::PerftWithMore),
    }
}

/// A search for a mate. What only another search takes is rejected.
fn search_for_mate(limit: MateLimit, arguments: SearchArguments) -> Result<Go, GoError> {
    let SearchArguments { time, random_time, depth: plies, nodes, infinite, ponder, search_moves } = arguments;
    let others = [
        ("rtime", random_time.is_some()),
        ("infinite", infinite),
        ("ponder", ponder),
        ("searchmoves", !search_moves.is_empty()),
    ];
    if let Some((word, _)) = others.into_iter().find(|&(_, given)| given) {
        return Err(GoError::NotForMate(word));
    }
    let ms = match time {
        None => None,
        Some(TimeControl::MoveTime(ms)) => Some(ms),
        Some(_) => return Err(GoError::MateByClock),
    };
    Ok(Go::Mate { limit, nodes, plies, ms })
}

/// Parses the text after `ponderhit`.
pub(super) fn parse_ponder_hit(text: &str) -> Result<Option<TimeControl>, GoError> {
    let mut rest = tokens(text);
    let mut clock = ClockArguments::default();
    while let Some(word) = rest.next() {
        if !clock.take(word, &mut rest)? {
            return Err(GoError::Unknown(excerpt(word)));
        }
    }
    Ok(clock.time())
}

/// Parses the next word as the depth of a perft.
fn perft_depth(rest: &mut Tokens<'_>) -> Result<u32, GoError> {
    let depth = next_number("perft", rest)?;
    if depth > MAX_PERFT_DEPTH {
        return Err(GoError::PerftTooDeep);
    }
    Ok(depth as u32)
}

fn next_number(keyword: &'static str, rest: &mut Tokens<'_>) -> Result<u64, GoError> {
    let value = rest.next().ok_or(GoError::Missing(keyword))?;
    number(value).ok_or_else(|| GoError::number(keyword, value))
}

/// A number capped at 32 bits.
fn small_number(keyword: &'static str, rest: &mut Tokens<'_>) -> Result<u32, GoError> {
    Ok(u32::try_from(next_number(keyword, rest)?).unwrap_or(u32::MAX))
}

/// `infinite`, a number, or nothing.
fn mate_limit(rest: &mut Tokens<'_>) -> Result<MateLimit, GoError> {
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
fn search_moves(rest: &mut Tokens<'_>) -> Result<Vec<Move>, GoError> {
    let mut moves = Vec::new();
    while let Some(mv) = rest.peek().and_then(|word| word.parse::<Move>().ok()) {
        rest.next();
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    if moves.is_empty() { Err(GoError::Missing("searchmoves")) } else { Ok(moves) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::GameClock;

    fn search(text: &str) -> SearchArguments {
        match parse(text) {
            Ok(Go::Search(search)) => search,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn clocks() {
        let clock =
            |remaining, increment, byoyomi| Some(TimeControl::Clock(GameClock { remaining, increment, byoyomi }));
        assert_eq!(search("btime 1000 wtime 2000 byoyomi 3000").time, clock([1000, 2000], [0, 0], 3000));
        assert_eq!(search("btime 1 wtime 2 binc 3 winc 4").time, clock([1, 2], [3, 4], 0));
        assert_eq!(search("btime -500 wtime -1 byoyomi 0").time, clock([0, 0], [0, 0], 0));
        assert_eq!(search("byoyomi 200").time, clock([0, 0], [0, 0], 200));
        assert_eq!(search("movetime 100 btime 5").time, Some(TimeControl::MoveTime(100)));
        assert_eq!(search("").time, None);
        assert_eq!(parse_ponder_hit(""), Ok(None));
        assert_eq!(parse_ponder_hit("btime 5 wtime 6 byoyomi 7"), Ok(clock([5, 6], [0, 0], 7)));
        assert_eq!(parse_ponder_hit("now"), Err(GoError::Unknown("now".to_owned())));
    }

    #[test]
    fn limits() {
        let arguments = search("ponder depth 3 nodes 400 searchmoves 7g7f P*5e 7g7f infinite");
        assert!(arguments.ponder && arguments.infinite);
        assert_eq!((arguments.depth, arguments.nodes), (Some(3), Some(400)));
        assert_eq!(arguments.search_moves.len(), 2);
        assert_eq!(search("depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(search("rtime 100").random_time, Some(100));
        assert_eq!(parse("perft 3"), Ok(Go::Perft(3)));
        assert_eq!(parse("perft 1000000"), Err(GoError::PerftTooDeep));
    }

    #[test]
    fn parses_go_mate() {
        let mate = |limit, nodes, plies| Ok(Go::Mate { limit, nodes, plies, ms: None });
        assert_eq!(parse("mate"), mate(None, None, None));
        assert_eq!(parse("mate infinite"), mate(None, None, None));
        assert_eq!(parse("mate 5000"), mate(Some(5000), None, None));
        assert_eq!(parse("mate nodes 10"), mate(None, Some(10), None));
        assert_eq!(parse("nodes 10 mate infinite"), mate(None, Some(10), None));
        assert_eq!(parse("mate depth 7"), mate(None, None, Some(7)));
        assert_eq!(parse("mate x"), Err(GoError::number("mate", "x")));
        let limited = Go::Mate { limit: None, nodes: None, plies: None, ms: Some(900) };
        assert_eq!(parse("mate movetime 900"), Ok(limited));
        assert_eq!(parse("mate btime 0 wtime 0 byoyomi 5000"), Err(GoError::MateByClock));
        for (text, word) in [
            ("ponder mate 1000", "ponder"),
            ("searchmoves 7g7f mate", "searchmoves"),
            ("rtime 100 mate", "rtime"),
            ("mate 1000 infinite", "infinite"),
        ] {
            assert_eq!(parse(text), Err(GoError::NotForMate(word)), "{text}");
        }
    }

    #[test]
    fn perft_is_alone() {
        for bad in ["perft 3 nodes 5", "ponder perft 3", "perft 3 mate", "perft 3 byoyomi 100"] {
            assert_eq!(parse(bad), Err(GoError::PerftWithMore), "{bad}");
        }
    }

    #[test]
    fn errors_name_the_fault() {
        assert_eq!(parse("depth"), Err(GoError::Missing("depth")));
        assert_eq!(parse("depth -1"), Err(GoError::number("depth", "-1")));
        assert_eq!(parse("btime x wtime 1"), Err(GoError::number("btime", "x")));
        assert_eq!(parse("depth 3 fast"), Err(GoError::Unknown("fast".to_owned())));
        assert_eq!(parse("searchmoves"), Err(GoError::Missing("searchmoves")));
        assert_eq!(parse("searchmoves 7g7f resign"), Err(GoError::Unknown("resign".to_owned())));
    }
}
