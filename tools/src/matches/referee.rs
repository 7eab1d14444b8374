//! The rules and the clocks of a game between two engines, without I/O and without measuring time.

use sabi_records::{Clock, EndReason, GameResult, IllegalReason};
use sabi_shogi::{Color, EnteringKingRule, Move, Position, Repetition, excerpt, has_legal_move};
use std::fmt;
use std::time::Duration;

/// End reason of a game, with details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndDetail {
    /// `bestmove resign`.
    Resignation,
    /// No legal move.
    Checkmate,
    /// Fourfold repetition.
    Repetition,
    /// Fourfold repetition with perpetual check.
    PerpetualCheck,
    /// Valid `bestmove win`.
    Declaration,
    /// Maximum number of moves.
    MaxMoves,
    /// Adjudication by scores.
    Adjudication,
    /// Self-play: enough positions of this game.
    SearchedPliesReached,
    /// Illegal move: its text and the reason.
    IllegalMove(String),
    /// Invalid `bestmove win`.
    InvalidDeclaration,
    /// Answer after the time; time used.
    TimeForfeit(Duration),
    /// Timeout without any line.
    NoOutput,
    /// Timeout with other lines.
    MissingBestmove,
    /// Engine exited; details.
    Exited(String),
}

impl EndDetail {
    /// End reason in records.
    pub const fn reason(&self) -> EndReason {
        match self {
            Self::Resignation => EndReason::Resign,
            Self::Checkmate => EndReason::Checkmate,
            Self::Repetition | Self::PerpetualCheck => EndReason::Repetition,
            Self::Declaration => EndReason::Declaration,
            Self::MaxMoves => EndReason::MaxMoves,
            Self::Adjudication => EndReason::Adjudication,
            Self::IllegalMove(_) | Self::InvalidDeclaration => EndReason::Illegal,
            Self::TimeForfeit(_) | Self::NoOutput | Self::MissingBestmove => EndReason::Timeout,
            Self::SearchedPliesReached | Self::Exited(_) => EndReason::Aborted,
        }
    }
}

impl fmt::Display for EndDetail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resignation => f.write_str("resignation"),
            Self::Checkmate => f.write_str("checkmate"),
            Self::Repetition => f.write_str("repetition"),
            Self::PerpetualCheck => f.write_str("perpetual check"),
            Self::Declaration => f.write_str("declaration"),
            Self::MaxMoves => f.write_str("maximum moves"),
            Self::Adjudication => f.write_str("adjudication"),
            Self::SearchedPliesReached => f.write_str("enough positions"),
            Self::IllegalMove(what) => write!(f, "illegal move: {what}"),
            Self::InvalidDeclaration => f.write_str("invalid declaration"),
            Self::TimeForfeit(time) => write!(f, "time: {} ms", time.as_millis()),
            Self::NoOutput => f.write_str("time: no answer, no output"),
            Self::MissingBestmove => f.write_str("time: no answer, only other lines"),
            Self::Exited(what) => write!(f, "engine failure: {what}"),
        }
    }
}

/// Result and end reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// Result.
    pub result: GameResult,
    /// End reason.
    pub detail: EndDetail,
}

impl GameEnd {
    /// Loss of `color`.
    pub const fn lost_by(color: Color, detail: EndDetail) -> Self {
        Self { result: GameResult::won_by(color.opponent()), detail }
    }

    /// Win of `color`.
    pub const fn won_by(color: Color, detail: EndDetail) -> Self {
        Self { result: GameResult::won_by(color), detail }
    }

    /// Draw.
    pub const fn draw(detail: EndDetail) -> Self {
        Self { result: GameResult::Draw, detail }
    }
}

/// Checks the answers of one game.
#[derive(Clone, Debug)]
pub struct Referee {
    position: Position,
    rule: EnteringKingRule,
    /// Maximum moves, then a draw.
    max_moves: usize,
}

impl Referee {
    /// Starts after the moves of `position`, which count towards `max_moves`.
    pub const fn new(position: Position, rule: EnteringKingRule, max_moves: usize) -> Self {
        Self { position, rule, max_moves }
    }

    /// Current position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// End of the game before the next answer. Mate takes precedence.
    pub fn end(&self) -> Option<GameEnd> {
        let mover = self.position.side_to_move();
        if !has_legal_move(&self.position) {
            return Some(GameEnd::lost_by(mover, EndDetail::Checkmate));
        }
        match self.position.repetition() {
            Some(Repetition::Win) => Some(GameEnd::won_by(mover, EndDetail::PerpetualCheck)),
            Some(Repetition::Loss) => Some(GameEnd::lost_by(mover, EndDetail::PerpetualCheck)),
            Some(_) => Some(GameEnd::draw(EndDetail::Repetition)),
            None => (self.position.plies_played() >= self.max_moves).then(|| GameEnd::draw(EndDetail::MaxMoves)),
        }
    }

    /// Processes the word after `bestmove`. A legal move is played and returned; everything else
    /// ends the game.
    ///
    /// # Errors
    /// The end of the game.
    pub fn answer(&mut self, answer: &str) -> Result<Move, GameEnd> {
        let mover = self.position.side_to_move();
        match answer {
            "resign" => return Err(GameEnd::lost_by(mover, EndDetail::Resignation)),
            "win" if self.position.declaration(self.rule).is_some() => {
                return Err(GameEnd::won_by(mover, EndDetail::Declaration));
            }
            "win" => return Err(GameEnd::lost_by(mover, EndDetail::InvalidDeclaration)),
            _ => {}
        }
        let illegal = |why: &dyn fmt::Display| {
            GameEnd::lost_by(mover, EndDetail::IllegalMove(format!("'{}': {why}", excerpt(answer))))
        };
        let mv: Move = answer.parse().map_err(|_| illegal(&"not a move"))?;
        if let Some(reason) = IllegalReason::of(&self.position, mv) {
            return Err(illegal(&reason));
        }
        self.position.play(mv);
        Ok(mv)
    }
}

/// Limit of the searches of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum SearchLimit {
    /// Main time, increment and byoyomi. The increment is added before each move.
    Clock(Clock),
    /// Time for each move.
    MoveTime(Duration),
    /// Nodes for each move.
    Nodes(u64),
    /// Depth for each move.
    Depth(u32),
}

/// Clocks of a game.
#[derive(Clone, Debug)]
pub struct MatchClock {
    limit: SearchLimit,
    /// Remaining main time by colour, without the next increment.
    left: [Duration; 2],
}

impl MatchClock {
    /// The clocks before the first move.
    pub const fn new(limit: SearchLimit) -> Self {
        let main = match limit {
            SearchLimit::Clock(clock) => clock.main,
            _ => Duration::ZERO,
        };
        Self { limit, left: [main; 2] }
    }

    /// The `go` line.
    pub fn go(&self) -> String {
        let [black, white] = self.left.map(|left| left.as_millis());
        match self.limit {
            SearchLimit::Clock(Clock { increment, .. }) if !increment.is_zero() => {
                let increment = increment.as_millis();
                format!("go btime {black} wtime {white} binc {increment} winc {increment}")
            }
            SearchLimit::Clock(Clock { byoyomi, .. }) => {
                format!("go btime {black} wtime {white} byoyomi {}", byoyomi.as_millis())
            }
            SearchLimit::MoveTime(time) => format!("go movetime {}", time.as_millis()),
            SearchLimit::Nodes(nodes) => format!("go nodes {nodes}"),
            SearchLimit::Depth(depth) => format!("go depth {depth}"),
        }
    }

    /// Maximum time for the next move of `color`; `None` without a clock.
    pub fn allowed(&self, color: Color) -> Option<Duration> {
        match self.limit {
            SearchLimit::Clock(Clock { increment, byoyomi, .. }) => Some(self.left[color] + increment + byoyomi),
            SearchLimit::MoveTime(time) => Some(time),
            SearchLimit::Nodes(_) | SearchLimit::Depth(_) => None,
        }
    }

    /// Subtracts the time of a move of `color`, down to zero.
    pub fn spend(&mut self, color: Color, time: Duration) {
        if let SearchLimit::Clock(Clock { increment, .. }) = self.limit {
            self.left[color] = (self.left[color] + increment).saturating_sub(time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn referee(sfen: &str, moves: &str) -> Referee {
        let start = if sfen.is_empty() { Position::startpos() } else { Position::from_sfen(sfen).unwrap() };
        Referee::new(start.with_moves(moves.split_whitespace()).unwrap(), EnteringKingRule::default(), 512)
    }

    #[test]
    fn legal_move_continues() {
        let mut referee = referee("", "");
        assert_eq!(referee.end(), None);
        assert_eq!(referee.answer("7g7f").unwrap().to_string(), "7g7f");
        assert_eq!(referee.position().side_to_move(), Color::White);
        assert_eq!(referee.end(), None);
    }

    #[test]
    fn ends_before_an_answer() {
        use EndDetail::{Checkmate, MaxMoves, PerpetualCheck, Repetition};
        use GameResult::{BlackWins, Draw, WhiteWins};
        let (before_mate, stalemate) = ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "k8/2G6/1G7/9/9/9/9/9/4K4 w - 1");
        let cycle = "2h3h 8b7b 3h2h 7b8b ";
        // The rook checks, White's king moves aside.
        let (checked, checks) = ("4k4/9/9/9/9/9/9/9/K3R4 w - 1", "5a4a 5i4i 4a5a 4i5i ");
        for (sfen, moves, max_moves, end) in [
            (before_mate, "G*5b", 512, Some((BlackWins, Checkmate))),
            (stalemate, "", 512, Some((BlackWins, Checkmate))),
            ("", &cycle.repeat(2), 512, None),
            ("", &cycle.repeat(3), 512, Some((Draw, Repetition))),
            (checked, &checks.repeat(3), 512, Some((WhiteWins, PerpetualCheck))),
            (checked, &(checks.repeat(3) + "5a4a"), 512, Some((WhiteWins, PerpetualCheck))),
            ("", "7g7f 3c3d", 3, None),
            ("", "7g7f 3c3d 2g2f", 3, Some((Draw, MaxMoves))),
            (before_mate, "G*5b", 1, Some((BlackWins, Checkmate))),
        ] {
            let end = end.map(|(result, detail)| GameEnd { result, detail });
            assert_eq!(Referee { max_moves, ..referee(sfen, moves) }.end(), end, "{sfen} {moves}");
        }
    }

    #[test]
    fn answers_that_end_the_game() {
        use EndDetail::{Declaration, InvalidDeclaration, Resignation};
        let won = "1K7/1+R+RGGGGSS/PPPPPPPP1/9/9/9/9/9/4k4 b 2B 1";
        for (sfen, moves, answer, result, detail) in [
            ("", "7g7f", "resign", GameResult::BlackWins, Resignation),
            (won, "", "win", GameResult::BlackWins, Declaration),
            ("", "", "win", GameResult::WhiteWins, InvalidDeclaration),
        ] {
            assert_eq!(referee(sfen, moves).answer(answer), Err(GameEnd { result, detail }), "{sfen} {answer}");
        }
    }

    #[test]
    fn illegal_move_loses_with_reason() {
        for (moves, answer, why) in [
            ("", "7g7e", "does not move like that"),
            ("", "7c7d", "no piece of the side to move"),
            ("", "P*5e", "not in hand"),
            ("", "7g7f+", "cannot promote"),
            ("", "", "not a move"),
            ("", "none", "not a move"),
            ("", "7g7f\u{7}", "not a move"),
            ("7g7f 3c3d 8h2b+ 3a2b", "B*5a", "taken"),
        ] {
            let end = referee("", moves).answer(answer).unwrap_err();
            assert_eq!((end.result, end.detail.reason()), (GameResult::WhiteWins, EndReason::Illegal), "{answer}");
            let text = end.detail.to_string();
            assert!(text.contains(why) && !text.contains('\u{7}'), "{text}");
        }
    }

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    const fn clocks(main: u64, increment: u64, byoyomi: u64) -> MatchClock {
        MatchClock::new(SearchLimit::Clock(Clock { main: ms(main), increment: ms(increment), byoyomi: ms(byoyomi) }))
    }

    #[test]
    fn increment_is_added_before_the_move() {
        let mut clocks = clocks(1000, 100, 0);
        assert_eq!(clocks.go(), "go btime 1000 wtime 1000 binc 100 winc 100");
        assert_eq!(clocks.allowed(Color::Black), Some(ms(1100)));
        clocks.spend(Color::Black, ms(300));
        assert_eq!(clocks.go(), "go btime 800 wtime 1000 binc 100 winc 100");
        clocks.spend(Color::White, ms(50));
        assert_eq!(clocks.allowed(Color::White), Some(ms(1150)));
    }

    #[test]
    fn byoyomi_after_main_time() {
        let mut clocks = clocks(1000, 0, 500);
        clocks.spend(Color::White, ms(1300));
        assert_eq!(clocks.go(), "go btime 1000 wtime 0 byoyomi 500");
        assert_eq!(clocks.allowed(Color::White), Some(ms(500)));
        assert_eq!(clocks.allowed(Color::Black), Some(ms(1500)));
    }

    #[test]
    fn no_limit_without_clock() {
        for (limit, go, allowed) in [
            (SearchLimit::MoveTime(ms(100)), "go movetime 100", Some(ms(100))),
            (SearchLimit::Nodes(20_000), "go nodes 20000", None),
            (SearchLimit::Depth(6), "go depth 6", None),
        ] {
            let mut clocks = MatchClock::new(limit);
            clocks.spend(Color::Black, ms(60_000));
            assert_eq!((clocks.go().as_str(), clocks.allowed(Color::Black)), (go, allowed));
        }
    }
}
