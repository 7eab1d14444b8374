//! A game with the analysis of its positions: which moves are classified, and what follows for them.

use super::class::{MoveClassification, PlayerSummary};
use super::position::{AnalysisScore, PositionAnalysis};
use sabi_books::{
    OpenBook,
    formats::{PlyRule, ReadReport},
};
use sabi_records::{Formation, FormationKind, FormationTable, Game};
use sabi_shogi::{Color, DeclarationProgress, EnteringKingRule, Position};

/// The moves of a game to be classified.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The first move, from 1.
    pub from: usize,
    /// The last move; `None`: to the end.
    pub to: Option<usize>,
    /// Only moves of this side.
    pub side: Option<Color>,
}

impl Default for Scope {
    fn default() -> Self {
        Self { from: 1, to: None, side: None }
    }
}

impl Scope {
    /// Whether the move with this index is classified.
    pub fn has(&self, game: &Game, at: usize) -> bool {
        at < game.moves.len()
            && at + 1 >= self.from
            && self.to.is_none_or(|to| at < to)
            && self.side.is_none_or(|side| side == mover(game, at))
    }

    /// The positions to be searched, by number of moves before them: before and after each
    /// classified move. For a game without moves, its only position.
    pub fn positions(&self, game: &Game) -> Vec<usize> {
        let is_needed = |at: usize| self.has(game, at) || at > 0 && self.has(game, at - 1);
        if game.moves.is_empty() {
            return vec![0];
        }
        (0..=game.moves.len()).filter(|&at| is_needed(at)).collect()
    }
}

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
    /// Openings and castles of both players, Black first, by those of
    /// [`FormationTable::standard`]; another table may replace them.
    pub formations: [Vec<Formation>; 2],
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
            scope.has(&game, at).then(|| MoveClassification::new(game.moves[at], before, after))
        };
        let classifications: Vec<_> = (0..game.moves.len()).map(classify).collect();
        let players = Color::ALL.map(|color| {
            let own = classifications.iter().enumerate().filter(|(at, _)| mover(&game, *at) == color);
            PlayerSummary::of(own.filter_map(|(_, classification)| classification.as_ref()))
        });
        let book = book.map_or_else(BookEnd::default, |book| book_end(&game, book));
        let declaration_progress = replay(&game).map(|position| position.declaration_progress_of_both(rule)).collect();
        let formations = FormationTable::standard().formations(&game);
        Self { positions, classifications, players, book, declaration_progress, formations, game }
    }

    /// Index of every turning point.
    pub fn turning_points(&self) -> impl Iterator<Item = usize> {
        let moves = self.classifications.iter().enumerate();
        moves.filter(|(_, one)| one.is_some_and(|one| one.turning_point)).map(|(at, _)| at)
    }

    /// A text for each player, Black first; `none` without classified moves.
    pub fn of_players(&self, none: &str, text: impl Fn(&PlayerSummary) -> String) -> [String; 2] {
        self.players.map(|player| player.map_or_else(|| none.to_owned(), |player| text(&player)))
    }

    /// What first stands after `ply` moves, and is not replaced at once.
    pub fn formations_at(&self, ply: usize) -> impl Iterator<Item = (Color, &Formation)> {
        let both = Color::ALL.into_iter().flat_map(|color| self.formations[color].iter().map(move |one| (color, one)));
        both.filter(move |(_, one)| one.ply == ply && one.replaced != Some(ply))
    }

    /// The openings or castles of a player that nothing replaces.
    pub fn final_formations(&self, color: Color, kind: FormationKind) -> impl Iterator<Item = &Formation> {
        self.formations[color].iter().filter(move |one| one.kind == kind && one.replaced.is_none())
    }

    /// The side that plays the move with this index.
    fn mover(&self, at: usize) -> Color {
        mover(&self.game, at)
    }

    /// Score for Black after `ply` moves, if searched.
    pub fn for_black(&self, ply: usize) -> Option<AnalysisScore> {
        Some(self.positions[ply].as_ref()?.score.for_black(self.mover(ply)))
    }
}

/// The side that plays the move with this index.
fn mover(game: &Game, at: usize) -> Color {
    let first = game.start.side_to_move();
    if at.is_multiple_of(2) { first } else { !first }
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
            mate.and_then(|line| Some((line.score.mate()?.unsigned_abs(), line.moves.as_slice())))
        else {
            continue;
        };
        if first == played && !rest.is_empty() && !after.score.proved {
            after.prove_loss(plies - 1, rest);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> Game {
        Game::before(&Position::startpos().with_moves(moves.split_whitespace()).unwrap())
    }

    #[test]
    fn range_includes_positions_around_it() {
        let game = game("7g7f 3c3d 2g2f 8c8d");
        let positions = |scope: Scope| scope.positions(&game);
        let all = Scope::default();
        assert_eq!(positions(all), [0, 1, 2, 3, 4]);
        assert_eq!(positions(Scope { from: 3, to: Some(3), ..all }), [2, 3]);
        assert_eq!(positions(Scope { from: 4, to: Some(99), ..all }), [3, 4]);
        assert!(positions(Scope { from: 2, to: Some(1), ..all }).is_empty());
        assert_eq!(positions(Scope { side: Some(Color::White), to: Some(2), ..all }), [1, 2]);
        assert!(!Scope { side: Some(Color::White), ..all }.has(&game, 0) && !all.has(&game, 4));
    }

    #[test]
    fn position_without_moves_is_searched() {
        assert_eq!(Scope::default().positions(&game("")), [0]);
    }
}
