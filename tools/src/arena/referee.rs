//! The rules of a game as they are kept between two engines.

use sabi::movegen::has_legal_move;
use sabi::position::{EnteringKingRule, Position, Repetition};
use sabi::record::{EndReason, GameResult, IllegalReason};
use sabi::types::{Color, Move};
use std::fmt;
use std::time::Duration;

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// `bestmove resign`.
    Resignation,
    /// The side to move has no legal move.
    Checkmate,
    /// The same position for the fourth time.
    Repetition,
    /// The same, and one side gave check all the way.
    PerpetualCheck,
    /// `bestmove win`, rightly.
    Declaration,
    /// The longest game allowed.
    MaxMoves,
    /// What both sides thought of the position for a while.
    Adjudication,
    /// An answer that is no legal move: what it was, and why.
    IllegalMove(String),
    /// `bestmove win`, wrongly.
    FalseDeclaration,
    /// An answer after the time: what it took.
    Late(Duration),
    /// No answer, and nothing else either.
    Silent,
    /// No answer, but other lines.
    MissingBestmove,
    /// The process is gone, or speaks no longer; what is known of it.
    Died(String),
}

impl Cause {
    /// The word that records have for it.
    pub const fn reason(&self) -> EndReason {
        match self {
            Self::Resignation => EndReason::Resign,
            Self::Checkmate => EndReason::Checkmate,
            Self::Repetition | Self::PerpetualCheck => EndReason::Repetition,
            Self::Declaration => EndReason::Declaration,
            Self::MaxMoves => EndReason::MaxMoves,
            Self::Adjudication => EndReason::Adjudication,
            Self::IllegalMove(_) | Self::FalseDeclaration => EndReason::Illegal,
            Self::Late(_) | Self::Silent | Self::MissingBestmove => EndReason::Timeout,
            Self::Died(_) => EndReason::Aborted,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resignation => f.write_str("resignation"),
            Self::Checkmate => f.write_str("checkmate"),
            Self::Repetition => f.write_str("repetition"),
            Self::PerpetualCheck => f.write_str("perpetual check"),
            Self::Declaration => f.write_str("declaration"),
            Self::MaxMoves => f.write_str("the longest game allowed"),
            Self::Adjudication => f.write_str("adjudication"),
            Self::IllegalMove(what) => write!(f, "illegal move: {what}"),
            Self::FalseDeclaration => f.write_str("false declaration"),
            Self::Late(time) => write!(f, "time: {} ms", time.as_millis()),
            Self::Silent => f.write_str("time: no answer, not a word"),
            Self::MissingBestmove => f.write_str("time: no answer, only other lines"),
            Self::Died(what) => write!(f, "engine failure: {what}"),
        }
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub cause: Cause,
}

impl End {
    /// `color` loses.
    pub const fn lost_by(color: Color, cause: Cause) -> Self {
        Self { result: GameResult::won_by(color.opponent()), cause }
    }

    /// `color` wins.
    pub const fn won_by(color: Color, cause: Cause) -> Self {
        Self { result: GameResult::won_by(color), cause }
    }

    /// Neither side wins.
    pub const fn draw(cause: Cause) -> Self {
        Self { result: GameResult::Draw, cause }
    }
}

/// Watches one game.
#[derive(Clone, Debug)]
pub struct Referee {
    position: Position,
    rule: EnteringKingRule,
    /// Moves after which the game is a draw.
    max_moves: usize,
}

impl Referee {
    /// Begins after the moves that led to `position`, which count among the `max_moves`.
    pub const fn new(position: Position, rule: EnteringKingRule, max_moves: usize) -> Self {
        Self { position, rule, max_moves }
    }

    /// The position to be played.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The end of the game before the side to move has said anything. A mate counts before everything else.
    pub fn verdict(&self) -> Option<End> {
        let mover = self.position.side_to_move();
        if !has_legal_move(&self.position) {
            return Some(End::lost_by(mover, Cause::Checkmate));
        }
        match self.position.repetition() {
            Some(Repetition::Win) => Some(End::won_by(mover, Cause::PerpetualCheck)),
            Some(Repetition::Loss) => Some(End::lost_by(mover, Cause::PerpetualCheck)),
            Some(_) => Some(End::draw(Cause::Repetition)),
            None => (self.position.plies_played() >= self.max_moves).then(|| End::draw(Cause::MaxMoves)),
        }
    }

    /// What the side to move answers: the word behind `bestmove`. A legal move is played and given back; everything else
    /// ends the game.
    ///
    /// # Errors
    /// The end of the game.
    pub fn hear(&mut self, answer: &str) -> Result<Move, End> {
        let mover = self.position.side_to_move();
        match answer {
            "resign" => return Err(End::lost_by(mover, Cause::Resignation)),
            "win" if self.position.declaration(self.rule).is_some() => {
                return Err(End::won_by(mover, Cause::Declaration));
            }
            "win" => return Err(End::lost_by(mover, Cause::FalseDeclaration)),
            _ => {}
        }
        let illegal = |why: &dyn fmt::Display| {
            let shown: String = answer.chars().take(24).map(|c| if c.is_control() { '?' } else { c }).collect();
            End::lost_by(mover, Cause::IllegalMove(format!("'{shown}': {why}")))
        };
        let mv: Move = answer.parse().map_err(|_| illegal(&"this is no move"))?;
        if let Some(reason) = IllegalReason::of(&self.position, mv) {
            return Err(illegal(&reason));
        }
        self.position.play(mv);
        Ok(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn referee(sfen: &str, moves: &str) -> Referee {
        let start = if sfen.is_empty() { Position::startpos() } else { Position::from_sfen(sfen).unwrap() };
        Referee::new(start.with_moves(moves.split_whitespace()).unwrap(), EnteringKingRule::default(), 512)
    }

    fn result(end: Option<End>) -> Option<(GameResult, EndReason)> {
        end.map(|end| (end.result, end.cause.reason()))
    }

    #[test]
    fn a_game_goes_on_with_a_legal_move() {
        let mut referee = referee("", "");
        assert_eq!(referee.verdict(), None);
        assert_eq!(referee.hear("7g7f").unwrap().to_string(), "7g7f");
        assert_eq!(referee.position().side_to_move(), Color::White);
        assert_eq!(referee.verdict(), None);
    }

    #[test]
    fn who_resigns_loses() {
        assert_eq!(
            referee("", "7g7f").hear("resign"),
            Err(End { result: GameResult::BlackWins, cause: Cause::Resignation })
        );
    }

    #[test]
    fn no_move_is_a_loss() {
        let mated = referee("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b");
        assert_eq!(result(mated.verdict()), Some((GameResult::BlackWins, EndReason::Checkmate)));
        let stalemate = referee("k8/2G6/1G7/9/9/9/9/9/4K4 w - 1", "");
        assert!(!stalemate.position().in_check());
        assert_eq!(result(stalemate.verdict()), Some((GameResult::BlackWins, EndReason::Checkmate)));
    }

    #[test]
    fn what_is_not_legal_loses_and_is_told() {
        for (moves, answer, why) in [
            ("", "7g7e", "does not move like that"),
            ("", "7c7d", "no piece of the side to move"),
            ("", "P*5e", "not in hand"),
            ("", "7g7f+", "cannot promote"),
            ("", "", "no move"),
            ("", "none", "no move"),
            ("", "7g7f\u{7}", "no move"),
            ("7g7f 3c3d 8h2b+ 3a2b", "B*5a", "taken"),
        ] {
            let end = referee("", moves).hear(answer).unwrap_err();
            assert_eq!(result(Some(end.clone())), Some((GameResult::WhiteWins, EndReason::Illegal)), "{answer}");
            let text = end.cause.to_string();
            assert!(text.contains(why) && !text.contains('\u{7}'), "{text}");
        }
    }

    #[test]
    fn the_fourth_time_is_a_draw() {
        let cycle = "2h3h 8b7b 3h2h 7b8b ";
        assert_eq!(referee("", &cycle.repeat(2)).verdict(), None);
        let end = referee("", &cycle.repeat(3)).verdict();
        assert_eq!(end, Some(End { result: GameResult::Draw, cause: Cause::Repetition }));
    }

    #[test]
    fn perpetual_check_loses_for_either_side_to_move() {
        // Black checks with the rook, White's king steps aside.
        let sfen = "4k4/9/9/9/9/9/9/9/K3R4 w - 1";
        let cycle = "5a4a 5i4i 4a5a 4i5i ";
        let end = referee(sfen, &cycle.repeat(3)).verdict();
        assert_eq!(end, Some(End { result: GameResult::WhiteWins, cause: Cause::PerpetualCheck }));
        let end = referee(sfen, &(cycle.repeat(3) + "5a4a")).verdict();
        assert_eq!(end, Some(End { result: GameResult::WhiteWins, cause: Cause::PerpetualCheck }));
    }

    #[test]
    fn a_declaration_is_checked() {
        let won = "1K7/1+R+RGGGGSS/PPPPPPPP1/9/9/9/9/9/4k4 b 2B 1";
        let mut good = referee(won, "");
        assert!(good.position().declaration(EnteringKingRule::Points27).is_some());
        assert_eq!(good.hear("win"), Err(End { result: GameResult::BlackWins, cause: Cause::Declaration }));
        assert_eq!(
            referee("", "").hear("win"),
            Err(End { result: GameResult::WhiteWins, cause: Cause::FalseDeclaration })
        );
    }

    #[test]
    fn the_longest_game_is_a_draw_unless_the_last_move_mates() {
        let start = Position::startpos().with_moves(["7g7f", "3c3d"]).unwrap();
        let mut referee = Referee::new(start, EnteringKingRule::default(), 3);
        assert_eq!(referee.verdict(), None);
        referee.hear("2g2f").unwrap();
        assert_eq!(referee.verdict(), Some(End { result: GameResult::Draw, cause: Cause::MaxMoves }));
        let mate = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap().with_moves(["G*5b"]).unwrap();
        let verdict = Referee::new(mate, EnteringKingRule::default(), 1).verdict();
        assert_eq!(result(verdict), Some((GameResult::BlackWins, EndReason::Checkmate)));
    }
}
