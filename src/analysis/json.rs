//! An analysed game as JSON. `docs/analyze.md` documents the schema.

use super::analyzed::{AnalyzedGame, replay};
use super::class::{Class, MoveClassification, PlayerSummary};
use super::explain::Explanation;
use super::language::Language;
use super::position::{AnalysisScore, PvLine};
use sabi_records::{Formation, FormationKind, is_handicap};
use sabi_shogi::{Color, DeclarationProgress, Move, Position, usi_moves};
use serde_json::{Value, json};

/// Version of the schema; changes when something is removed or changes meaning.
pub const SCHEMA: u32 = 1;

/// The full analysis of a game. Moves are also given in `language`.
pub fn to_json(analyzed: &AnalyzedGame, language: Language) -> Value {
    let game = &analyzed.game;
    let player = |color: Color| {
        json!({
            "name": game.headers.names[color],
            "rating": game.headers.ratings[color],
            "summary": analyzed.players[color].as_ref().map(summary),
            "openings": formations(&analyzed.formations[color], FormationKind::Opening),
            "castles": formations(&analyzed.formations[color], FormationKind::Castle),
        })
    };
    let positions: Vec<Position> = replay(game).collect();
    let described: Vec<Value> =
        positions.iter().enumerate().map(|(ply, at)| position(analyzed, ply, at, language)).collect();
    let moves: Vec<Value> = (0..game.moves.len()).map(|at| played(analyzed, at, &positions[at], language)).collect();
    json!({
        "event": game.headers.event,
        "date": game.headers.date,
        "start": game.start.sfen(),
        "result": game.result.name(),
        "end": game.end.name(),
        "black": player(Color::Black),
        "white": player(Color::White),
        "book": { "moves": analyzed.book.moves, "games": analyzed.book.games },
        "turning_points": analyzed.turning_points().map(|at| at + 1).collect::<Vec<_>>(),
        "positions": described,
        "moves": moves,
    })
}

fn formations(all: &[Formation], kind: FormationKind) -> Vec<Value> {
    let described =
        |one: &Formation| json!({ "ja": one.japanese, "en": one.english, "ply": one.ply, "replaced": one.replaced });
    all.iter().filter(|one| one.kind == kind).map(described).collect()
}

/// Rounds a win rate for output.
fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

fn summary(player: &PlayerSummary) -> Value {
    let mut summary = json!({
        "moves": player.moves,
        "mean_loss": rounded(player.mean_loss),
        "mean_centipawn_loss": (player.mean_centipawn_loss * 10.0).round() / 10.0,
        "accuracy": rounded(player.accuracy),
        "missed_mates": player.missed_mates,
        "allowed_mates": player.allowed_mates,
    });
    for class in Class::ALL {
        summary[class.name()] = player.count(class).into();
    }
    summary
}

fn evaluation(evaluation: AnalysisScore) -> Value {
    let win_rate = rounded(evaluation.score.expected_score());
    match evaluation.mate() {
        Some(plies) => json!({ "mate": plies, "win_rate": win_rate }),
        None => json!({ "cp": evaluation.score.get(), "win_rate": win_rate }),
    }
}

fn position(analyzed: &AnalyzedGame, ply: usize, position: &Position, language: Language) -> Value {
    let analysis = analyzed.positions[ply].as_ref();
    let for_black = analyzed.for_black(ply);
    let handicap = is_handicap(&analyzed.game.start);
    let line = |line: &PvLine| {
        let for_black = line.score.for_black(position.side_to_move());
        json!({
            "evaluation": evaluation(for_black),
            "text": language.evaluation(for_black, handicap),
            "depth": line.depth,
            "moves": usi_moves(&line.moves),
            "texts": language.line(position, &line.moves),
        })
    };
    let progress = analyzed.declaration_progress[ply];
    json!({
        "ply": ply,
        "evaluation": for_black.map(evaluation),
        "text": for_black.map(|evaluation| language.evaluation(evaluation, handicap)),
        "nodes": analysis.map(|analysis| analysis.nodes),
        "mates": analysis.map(|analysis| analysis.mates),
        "lines": analysis.map_or_else(Vec::new, |analysis| analysis.lines.iter().map(line).collect()),
        "entering_king": progress.map(|[black, white]| json!({ "black": self::progress(black), "white": self::progress(white) })),
    })
}

fn progress(progress: DeclarationProgress) -> Value {
    json!({
        "points": progress.points,
        "points_needed": progress.points_needed,
        "pieces_in_camp": progress.pieces_in_camp,
        "king_in_camp": progress.king_in_camp,
    })
}

fn played(analyzed: &AnalyzedGame, at: usize, position: &Position, language: Language) -> Value {
    let game = &analyzed.game;
    let mv = game.moves[at];
    let classification = analyzed.classifications[at].as_ref().map(|classification| {
        let explanation = Explanation::new(analyzed, at, position);
        let mut judgement = self::classification(analyzed, at, classification);
        judgement["sentence"] = explanation.map(|explanation| explanation.sentence(position, language)).into();
        judgement
    });
    json!({
        "number": at + 1,
        "side": if position.side_to_move() == Color::Black { "black" } else { "white" },
        "move": mv.to_string(),
        "text": language.mv(position, mv),
        "seconds": game.times[at].map(|time| time.as_secs_f64()),
        "book": at < analyzed.book.moves,
        "judgement": classification,
    })
}

fn classification(analyzed: &AnalyzedGame, at: usize, classification: &MoveClassification) -> Value {
    // The first line of a position with a mate of the side to move.
    let mate = |ply: usize, is_there: bool| {
        let line = analyzed.positions[ply].as_ref().and_then(|analysis| analysis.lines.first());
        line.filter(|_| is_there).map(|line| usi_moves(&line.moves))
    };
    json!({
        "before": evaluation(classification.before),
        "after": evaluation(classification.after),
        "best": classification.best.as_ref().map(Move::to_string),
        "loss": rounded(classification.loss),
        "centipawn_loss": classification.centipawn_loss,
        "class": classification.class.name(),
        "missed_mate": mate(at, classification.missed_mate),
        "allowed_mate": mate(at + 1, classification.allowed_mate),
        "turning_point": classification.turning_point,
    })
}
