//! A game with the analysis of its positions.

use super::class::{Class, centipawn_loss, win_rate_loss};
use super::classification::MoveClassification;
use super::player::PlayerSummary;
use super::position::{AnalysisScore, PositionAnalysis};
use super::scope::{Scope, mover};
use sabi_books::{
    OpenBook,
    formats::{PlyRule, ReadReport},
};
use sabi_records::Game;
use sabi_shogi::{Color, DeclarationProgress, EnteringKingRule, Move, Position};

/// Where a game left the book.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct BookEnd {
    /// Number of book moves in the game.
    pub moves: usize,
    /// Games in the book with the last of these moves, if the book has counts.
    pub games: Option<u32>,
}

/// An analysed game.
#[derive(Clone, Debug)]
pub struct AnalyzedGame {
    /// The game.
    pub game: Game,
    /// The analysis of each position, by number of moves before it; `None` if not searched.
    pub positions: Vec<Option<PositionAnalysis>>,
    /// The classification of each move; `None` if outside the scope.
    pub classifications: Vec<Option<MoveClassification>>,
    /// By colour; `None` without classified moves.
    pub players: [Option<PlayerSummary>; 2],
    /// The moves from the book.
    pub book: BookEnd,
    /// Progress of both sides towards a declaration in each position, Black first; `None` while no
    /// king is near the enemy camp.
    pub declaration_progress: Vec<Option<[DeclarationProgress; 2]>>,
}

impl AnalyzedGame {
    /// Classifies the moves of a game. `positions` has those of [`Scope::positions`], the others
    /// are `None`.
    pub fn new(
        game: Game,
        mut positions: Vec<Option<PositionAnalysis>>,
        scope: &Scope,
        book: Option<&OpenBook>,
        rule: EnteringKingRule,
    ) -> Self {
        carry_mates(&game, &mut positions);
        let classify = |at: usize| {
            let (before, after) = (positions[at].as_ref()?, positions[at + 1].as_ref()?);
            scope.has(&game, at).then(|| classification(game.moves[at], before, after))
        };
        let classifications: Vec<_> = (0..game.moves.len()).map(classify).collect();
        let players = Color::ALL.map(|color| {
            let own = classifications.iter().enumerate().filter(|(at, _)| mover(&game, *at) == color);
            PlayerSummary::of(own.filter_map(|(_, classification)| classification.as_ref()))
        });
        let book = book.map_or_else(BookEnd::default, |book| book_end(&game, book));
        let declaration_progress = replay(&game).map(|position| position.declaration_progress_of_both(rule)).collect();
        Self { positions, classifications, players, book, declaration_progress, game }
    }

    /// Index of every turning point.
    pub fn turning_points(&self) -> impl Iterator<Item = usize> {
        let moves = self.classifications.iter().enumerate();
        moves.filter(|(_, one)| one.is_some_and(|one| one.turning_point)).map(|(at, _)| at)
    }

    /// The side that plays the move with this index.
    pub fn mover(&self, at: usize) -> Color {
        mover(&self.game, at)
    }

    /// Score for Black after `ply` moves, if searched.
    pub fn for_black(&self, ply: usize) -> Option<AnalysisScore> {
        Some(self.positions[ply].as_ref()?.for_black(self.mover(ply)))
    }
}

/// The positions of a game from the first to the last, each with its history.
pub(super) fn replay(game: &Game) -> impl Iterator<Item = Position> {
    let mut position = game.start.clone();
    let first = position.clone();
    let later = game.moves.iter().map(move |&mv| {
        position.play(mv);
        position.clone()
    });
    std::iter::once(first).chain(later)
}

/// A mate proved before a move still holds after its first move, even if the search of the next
/// position does not find it.
fn carry_mates(game: &Game, positions: &mut [Option<PositionAnalysis>]) {
    for (at, played) in game.moves.iter().enumerate() {
        let [Some(before), Some(after)] = &mut positions[at..at + 2] else { continue };
        let mate = before.lines.first().filter(|_| before.mates);
        let Some((plies, [first, rest @ ..])) =
            mate.and_then(|line| Some((line.score.mate_plies()?.unsigned_abs(), line.moves.as_slice())))
        else {
            continue;
        };
        if first == played && !rest.is_empty() && !after.proved {
            after.prove_loss(plies - 1, rest);
        }
    }
}

fn classification(played: Move, before: &PositionAnalysis, after: &PositionAnalysis) -> MoveClassification {
    let (expected, actual) = (before.evaluation(), after.evaluation().reversed());
    let is_best = before.best() == Some(played);
    // Two searches of the same line differ by noise.
    let loss = if is_best { 0.0 } else { win_rate_loss(expected.score, actual.score) };
    let centipawn_loss = if is_best { 0 } else { centipawn_loss(expected.score, actual.score) };
    let class = Class::of(loss);
    let still_mates = is_best || before.keeps_mate || actual.mate().is_some_and(|plies| plies > 0);
    MoveClassification {
        before: expected,
        after: actual,
        best: before.best(),
        loss,
        centipawn_loss,
        class,
        missed_mate: before.mates && !still_mates,
        allowed_mate: after.mates && expected.mate().is_none_or(|plies| plies > 0),
        turning_point: class >= Class::Mistake
            && expected.score.expected_score() >= 0.5
            && actual.score.expected_score() < 0.5,
    }
}

/// Where a game leaves a book.
fn book_end(game: &Game, book: &OpenBook) -> BookEnd {
    let mut end = BookEnd::default();
    for (position, &mv) in replay(game).zip(&game.moves) {
        // A damaged part of a book counts as empty.
        let moves = book.lookup_either_way(&position, PlyRule::Any, &mut ReadReport::default()).unwrap_or_default();
        let Some(found) = moves.iter().find(|found| found.mv == mv) else { break };
        end = BookEnd { moves: end.moves + 1, games: found.games };
    }
    end
}
