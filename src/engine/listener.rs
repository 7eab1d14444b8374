//! What the engine has to say, and who hears it.

use super::BenchResult;
use crate::book::{BookMove, RejectReason};
use crate::mate::solver::MateProgress;
use crate::position::{EnteringKingRule, Position, Standing};
use crate::search::{Report, Resource, Statistics};
use crate::types::{Color, Move};
use std::any::Any;
use std::time::Duration;

/// Hears the engine. Called from the thread that searches, so it should be quick.
pub trait Listener: Send + Sync {
    /// A line of thought.
    fn report(&self, report: &Report);

    /// How far the search for a mate is.
    fn mate_news(&self, news: &MateNews<'_>);

    /// One move of a perft and the leaves behind it.
    fn counted(&self, mv: Move, leaves: u64);

    /// One position of a bench.
    fn benched(&self, sfen: &str, result: BenchResult);

    /// What happened in the tables during a search, where that is counted. Comes before the answer.
    fn statistics(&self, statistics: &Statistics);

    /// Something the user should know.
    fn note(&self, note: &Note);

    /// The one answer to what was asked for.
    fn finished(&self, answer: &Answer);
}

/// How far a search for a mate is.
#[derive(Copy, Clone, Debug)]
pub struct MateNews<'a> {
    /// Positions looked at, how full the memory is, and the best mate so far.
    pub progress: MateProgress<'a>,
    /// Time since the order was received.
    pub time: Duration,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Everything is ready for a search.
    Ready,
    /// Everything learnt is forgotten.
    Forgotten,
    /// The game is over, and what there is to learn from it was noted, or could not be.
    GameOver,
    /// Play `best`; the opponent is expected to play `ponder`.
    Best {
        /// The move to play.
        best: Move,
        /// The expected answer, legal after it.
        ponder: Option<Move>,
    },
    /// Give up.
    Resign,
    /// Declare the win by entering king.
    Declare,
    /// The side to move mates by this line.
    Mate(Vec<Move>),
    /// It has no mate by checks.
    NoMate,
    /// No mate was found before a limit or a stop.
    MateUnknown,
    /// The leaves of a perft; `None` when it was stopped.
    Leaves(Option<u64>),
    /// The total of a bench; `None` when it was stopped.
    Bench(Option<BenchResult>),
}

/// What goes wrong without ending anything, and what is worth a word besides thoughts and answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Note {
    /// There is not enough memory for what was asked for.
    #[error("{resource}: {reason}; kept at {kept}")]
    Refused {
        /// For what.
        resource: Resource,
        /// Why.
        reason: String,
        /// How much there is instead, in MiB or threads.
        kept: usize,
    },
    /// The default size of the table is smaller than usual.
    #[error(
        "USI_Hash is {mb} MB by default, not {}: {free_mb} MB of memory were free at the start",
        super::machine::USUAL_HASH_MB
    )]
    ModestHash {
        /// The default in MB.
        mb: usize,
        /// The memory that was free.
        free_mb: u64,
    },
    /// There can be no bench.
    #[error("bench: {0}")]
    NoBench(String),
    /// There is not enough memory for the mate solver.
    #[error("MateHash: {reason}; used {used}")]
    MateHashRefused {
        /// Why.
        reason: String,
        /// How many MB there are instead.
        used: usize,
    },
    /// The evaluation cannot be read; the engine goes on with the one it has.
    #[error("the evaluation {name} cannot be used: {reason}; it stays as it is")]
    EvaluationUnusable {
        /// The name of the file.
        name: String,
        /// Why.
        reason: String,
    },
    /// The book cannot be opened, or is damaged where it was asked; the engine plays on without it.
    #[error("the book {name} cannot be used: {reason}")]
    BookUnusable {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// The book is used, but some of it cannot be.
    #[error("the book {name} is used without {losses}")]
    BookLosses {
        /// Its name.
        name: String,
        /// What was dropped or changed.
        losses: String,
    },
    /// The book knows the position, but none of its moves is played.
    #[error("the book knows this position but gives no move: {}", reject_reasons(.0))]
    BookRefused(Vec<(Move, RejectReason)>),
    /// The book has moves, but `BookIgnoreRate` has it that they are not played.
    #[error("the book is ignored here, as BookIgnoreRate asks")]
    BookIgnored,
    /// Lines of the book were put into the table, as `BookPrefill` asks.
    #[error("positions of the book put into the transposition table: {0}")]
    BookPrefilled(usize),
    /// The move was chosen at a level below full strength.
    #[error("level {0}")]
    Level(u8),
    /// A move that the book has here.
    #[error("book {}", told(.0))]
    BookMove(BookMove),
    /// A king is near the enemy camp: how far both sides have come on their way to a declaration.
    #[error("entering king: Black {}; White {}", points_of(black), points_of(white))]
    EnteringKing {
        /// Of Black.
        black: Standing,
        /// Of White.
        white: Standing,
    },
    /// A game cannot be noted beside the book; the engine plays on without.
    #[error("the game cannot be noted in {name}: {reason}")]
    NotLearnt {
        /// The file.
        name: String,
        /// Why.
        reason: String,
    },
    /// The search failed for a reason that is a mistake in the engine; it answers as well as it can and starts afresh.
    #[error("internal error, please report it: {0}")]
    Crashed(String),
}

impl Note {
    /// The words of a panic.
    pub fn crashed(cause: &(dyn Any + Send)) -> Self {
        let text = cause.downcast_ref::<&str>().copied();
        let text = text.or_else(|| cause.downcast_ref::<String>().map(String::as_str));
        Self::Crashed(text.unwrap_or("unknown cause").to_owned())
    }

    /// What there is to tell of entering kings: nothing while both are far from the enemy camp, or where points do not matter.
    pub(super) fn entering_king(position: &Position, rule: EnteringKingRule) -> Option<Self> {
        let is_near = [Color::Black, Color::White].into_iter().any(|color| position.king_nears_camp(color));
        let standing = |color| position.standing(color, rule).filter(|_| is_near);
        Some(Self::EnteringKing { black: standing(Color::Black)?, white: standing(Color::White)? })
    }
}

fn points_of(standing: &Standing) -> String {
    let Standing { points, points_needed, pieces_in_camp, king_in_camp } = standing;
    let (needed, king) = (Standing::PIECES_NEEDED, if *king_in_camp { "in" } else { "not in" });
    format!("{points} of {points_needed} points, {pieces_in_camp} of {needed} pieces in camp, king {king} camp")
}

fn reject_reasons(refused: &[(Move, RejectReason)]) -> String {
    let words: Vec<String> = refused.iter().map(|(mv, reject_reason)| format!("{mv} {reject_reason}")).collect();
    words.join(", ")
}

fn told(found: &BookMove) -> String {
    let mut words = format!("{} weight {}", found.mv, found.weight);
    if let Some(games) = found.games {
        words += &format!(" games {games}");
    }
    if let Some(win_rate) = found.win_rate {
        words += &format!(" wins {:.1}%", f64::from(win_rate) / 100.0);
    }
    if let Some(score) = found.score {
        words += &format!(" score {}", score.get());
    }
    if let Some(depth) = found.depth {
        words += &format!(" depth {depth}");
    }
    if let Some(name) = &found.name {
        words += &format!(" {name}");
    }
    words
}
