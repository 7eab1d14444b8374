//! Output of the engine.

use crate::mate::solver::MateProgress;
use crate::search::{Report, Resource, Statistics};
use sabi_books::{BookMove, RejectReason};
use sabi_shogi::{DeclarationProgress, EnteringKingRule, Move, Position};
use std::any::Any;
use std::time::Duration;

/// Receives the engine's output. Called from the search thread, so it should return quickly.
pub trait EngineListener: Send + Sync {
    /// A PV line of the search.
    fn report(&self, report: &Report);

    /// Progress of a mate search.
    fn mate_report(&self, _report: &MateReport<'_>) {}

    /// Leaves of one root move of perft.
    fn perft_move(&self, _mv: Move, _leaves: u64) {}

    /// One position of a bench.
    fn bench_position(&self, _sfen: &str, _result: BenchResult) {}

    /// Table statistics of a search, if enabled. Comes before the answer.
    fn statistics(&self, _statistics: &Statistics) {}

    /// A message for the user.
    fn note(&self, note: &InfoMessage);

    /// The answer of a job.
    fn finished(&self, answer: &Answer);
}

/// Progress of a mate search.
#[derive(Copy, Clone, Debug)]
pub struct MateReport<'a> {
    /// Nodes, table fill and best mate so far.
    pub progress: MateProgress<'a>,
    /// Time since `go` was received.
    pub time: Duration,
}

/// Nodes and time of one position or of all.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        let nanoseconds = self.time.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanoseconds).unwrap_or(u64::MAX)
    }
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Ready for a search.
    Ready,
    /// Everything is cleared.
    Cleared,
    /// The game is over, and book learning is done or failed.
    GameOver,
    /// `bestmove` with the ponder move.
    Best {
        /// The move to play.
        best: Move,
        /// The ponder move, legal after it.
        ponder: Option<Move>,
    },
    /// Resign.
    Resign,
    /// Declare the win by entering king.
    Declare,
    /// Mate by this line.
    Mate(Vec<Move>),
    /// No mate by checks.
    NoMate,
    /// No result before a limit or stop.
    MateUnknown,
    /// Perft leaves; `None` when stopped.
    Perft(Option<u64>),
    /// Bench total; `None` when stopped.
    Bench(Option<BenchResult>),
}

/// A message that is neither report nor answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InfoMessage {
    #[error("{resource}: {reason}; kept at {kept}")]
    OutOfMemory {
        resource: Resource,
        reason: String,
        /// The amount kept, in MiB or threads.
        kept: usize,
    },
    #[error(
        "USI_Hash is {mb} MB by default, not {}: {free_mb} MB of memory were free at the start",
        super::option_values::MAX_DEFAULT_HASH_MB
    )]
    ReducedHash { mb: usize, free_mb: u64 },
    #[error("bench: {0}")]
    BenchFailed(String),
    #[error("MateHash: {reason}; used {used}")]
    MateOutOfMemory {
        reason: String,
        /// The size used instead, in MB.
        used: usize,
    },
    #[error("{0}; keeping the current one")]
    EvaluationError(String),
    /// The book cannot be opened, is empty, or is damaged at this position; the engine plays
    /// without it.
    #[error("the book {name} cannot be used: {reason}")]
    BookUnusable { name: String, reason: String },
    #[error("the book {name} is used, dropped: {losses}")]
    BookEntriesDropped {
        name: String,
        /// Summary of what was dropped or changed.
        losses: String,
    },
    #[error("all book moves of this position are rejected: {}", reject_reasons(.0))]
    BookMovesRejected(Vec<(Move, RejectReason)>),
    #[error("BookIgnoreRate: book move skipped")]
    BookIgnored,
    /// Book positions stored in the table (`BookPrefill`).
    #[error("book positions stored in the transposition table: {0}")]
    BookPrefilled(usize),
    /// The move was chosen at this level.
    #[error("level {0}")]
    Level(u8),
    /// The book move that is played.
    #[error("book {} from {book}", book_move_text(entry, Some(*total)))]
    BookMove {
        entry: BookMove,
        /// The weights of all candidates.
        total: u64,
        /// File name of the book.
        book: String,
    },
    /// A book move that may be played.
    #[error("book candidate {}", book_move_text(.0, None))]
    BookCandidate(BookMove),
    /// A king is near the enemy camp: progress of both sides towards a declaration.
    #[error("entering king: Black {}; White {}", points_of(black), points_of(white))]
    EnteringKing { black: DeclarationProgress, white: DeclarationProgress },
    #[error("book learning: cannot append to {name}: {reason}")]
    LearningFailed { name: String, reason: String },
    /// A job panicked; it gives a fallback answer, and the search starts from scratch.
    #[error("internal error, please report it: {0}")]
    Crashed(String),
}

impl InfoMessage {
    /// The message of a panic.
    pub fn crashed(cause: &(dyn Any + Send)) -> Self {
        let text = cause.downcast_ref::<&str>().copied();
        let text = text.or_else(|| cause.downcast_ref::<String>().map(String::as_str));
        Self::Crashed(text.unwrap_or("unknown cause").to_owned())
    }

    /// Entering king note; `None` while both kings are far from the enemy camp or without a point
    /// rule.
    pub(super) fn entering_king(position: &Position, rule: EnteringKingRule) -> Option<Self> {
        let [black, white] = position.declaration_progress_of_both(rule)?;
        Some(Self::EnteringKing { black, white })
    }
}

fn points_of(progress: &DeclarationProgress) -> String {
    let DeclarationProgress { points, points_needed, pieces_in_camp, king_in_camp } = progress;
    let (needed, king) = (DeclarationProgress::PIECES_NEEDED, if *king_in_camp { "in" } else { "not in" });
    format!("{points} of {points_needed} points, {pieces_in_camp} of {needed} pieces in camp, king {king} camp")
}

fn reject_reasons(rejected: &[(Move, RejectReason)]) -> String {
    let words: Vec<String> = rejected.iter().map(|(mv, reason)| format!("{mv} {reason}")).collect();
    words.join(", ")
}

/// The known values of a book move. `total`: what its weight is a part of; 0 where weights mean
/// nothing.
fn book_move_text(entry: &BookMove, total: Option<u64>) -> String {
    let mut words = entry.mv.to_string();
    if total != Some(0) {
        words += &format!(" weight {}", entry.weight);
    }
    if let Some(total) = total.filter(|&total| total > 0) {
        words += &format!(" of {total}");
    }
    if let Some(games) = entry.games {
        words += &format!(" games {games}");
    }
    if let Some(win_rate) = entry.win_rate {
        words += &format!(" wins {:.1}%", f64::from(win_rate) / 100.0);
    }
    if let Some(score) = entry.score {
        words += &format!(" score {}", score.get());
    }
    if let Some(depth) = entry.depth {
        words += &format!(" depth {depth}");
    }
    if let Some(name) = &entry.name {
        words += &format!(" {name}");
    }
    words
}
