//! What a client needs of an engine.

use sabi_records::GameResult;
use sabi_shogi::{Color, Move, Position, Score};
use std::sync::Arc;
use std::time::Instant;

/// An engine that plays for a client. No call waits for a search; what the engine finds goes to the
/// [`EngineOutputs`] that it was made with.
pub trait Engine {
    /// Sets up for a game, with everything cleared if it is a new one; answered by
    /// [`EngineOutput::Ready`].
    fn prepare(&mut self, rules: GameRules, new_game: bool);

    /// Whether it may think on the opponent's time.
    fn ponders(&self) -> bool;

    /// Searches a position whose turn began at `start`; with `ponder` until the ponder hit or stop.
    /// Answered by [`EngineOutput::Answer`], also after a stop.
    fn search(&mut self, position: Position, start: Instant, time: TurnTime, ponder: bool);

    /// The move pondered on was played at this moment: the search goes on by the clock.
    fn ponder_hit(&mut self, at: Instant, time: TurnTime);

    /// Stops the search.
    fn stop(&mut self);

    /// The game that it played as `us` is over at this position.
    fn game_over(&mut self, position: Position, us: Color, result: GameResult);

    /// Stops everything.
    fn shut_down(self: Box<Self>);
}

/// Rules of one game that the engine should know.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct GameRules {
    /// Whether fractions of a second are not counted.
    pub drops_fractions: bool,
    /// The game ends as a draw after this many moves.
    pub max_moves: Option<u32>,
}

/// Time for a move, in milliseconds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TurnTime {
    /// This much, in a game without a clock.
    Fixed(u64),
    /// By the clocks.
    Clock {
        /// Main time left, Black first, without the increment of this move.
        remaining: [u64; 2],
        /// Increment per move, Black first.
        increment: [u64; 2],
        /// Byoyomi of the engine's side.
        byoyomi: u64,
    },
}

/// The engine's decision.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum EngineAnswer {
    /// Play a move.
    Move {
        /// The move.
        best: Move,
        /// The expected reply.
        ponder: Option<Move>,
    },
    /// Resign.
    Resign,
    /// Declare the win by entering king.
    Declare,
}

/// Output of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineOutput {
    /// It is set up.
    Ready,
    /// A PV and its score for the side to move.
    Line(Score, Vec<Move>),
    /// A message for the log.
    Note(String),
    /// The end of a search.
    Answer(EngineAnswer),
}

/// Where an engine's output goes, from any of its threads; dropped if the client has ended.
pub type EngineOutputs = Arc<dyn Fn(EngineOutput) + Send + Sync>;

/// The engine of a client, and the number of obsolete answers.
pub(super) struct ClientEngine {
    pub engine: Box<dyn Engine>,
    /// Pending answers to abandoned searches.
    abandoned: u32,
    searching: bool,
    /// Last PV of the current search.
    line: Option<(Score, Vec<Move>)>,
}

impl ClientEngine {
    pub(super) fn new(engine: Box<dyn Engine>) -> Self {
        Self { engine, abandoned: 0, searching: false, line: None }
    }

    pub(super) fn prepare(&mut self, rules: GameRules, new_game: bool) {
        self.abandon();
        self.engine.prepare(rules, new_game);
    }

    /// Searches a position; with `ponder` until the ponder hit.
    pub(super) fn search(&mut self, position: Position, start: Instant, time: TurnTime, ponder: bool) {
        self.abandon();
        self.engine.search(position, start, time, ponder);
        self.searching = true;
    }

    /// Stops the search; its answer is ignored.
    pub(super) fn abandon(&mut self) {
        if std::mem::take(&mut self.searching) {
            self.engine.stop();
            self.abandoned += 1;
        }
        self.line = None;
    }

    pub(super) fn game_over(&mut self, position: Position, us: Color, result: GameResult) {
        self.abandon();
        self.engine.game_over(position, us, result);
    }

    /// The last PV of the current search, if it begins with this move.
    pub(super) fn line_of(&self, best: Move) -> Option<&(Score, Vec<Move>)> {
        self.line.as_ref().filter(|(_, line)| line.first() == Some(&best))
    }

    /// The answer to the last search, if this is it.
    pub(super) fn answer(&mut self, output: EngineOutput) -> Option<EngineAnswer> {
        match output {
            EngineOutput::Line(score, line) if self.abandoned == 0 => self.line = Some((score, line)),
            EngineOutput::Answer(_) if self.abandoned > 0 => self.abandoned -= 1,
            EngineOutput::Answer(answer) => {
                self.searching = false;
                return Some(answer);
            }
            EngineOutput::Ready | EngineOutput::Line(..) | EngineOutput::Note(_) => {}
        }
        None
    }
}
