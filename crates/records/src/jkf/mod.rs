//! JKF, the JSON Kifu Format of na2hiro (<https://github.com/na2hiro/Kifu-for-JS>): headers as in
//! KIF, words as in CSA. The main line is read, branches (`forks`) are left out.

mod form;

use super::builder::Builder;
use super::error::{Fault, Located};
use super::game::Game;
use super::{csa, kakinoki};
use form::{Entry, File, Initial, Moved, Place};
use sabi_files::JsonError;
use sabi_shogi::{Position, Square};

/// Whether a text looks like JKF, for files of unknown format.
pub(super) fn detect(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"moves\"")
}

/// Reads the game of a file.
pub(super) fn read(text: &str) -> Result<Game, Located> {
    let file: File = serde_json::from_str(text).map_err(|error| {
        let error = JsonError::from(error);
        let line = error.line;
        Fault::Json(error).at(line)
    })?;
    let nowhere = |fault: Fault| fault.at(0);
    let start = file.initial.as_ref().map_or_else(|| Ok(Position::startpos()), Initial::position);
    let mut builder = Builder::new(start.map_err(nowhere)?, 1);
    for entry in &file.moves {
        read_entry(entry, &mut builder)?;
    }
    let headers = file.header.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)));
    builder.game().headers = kakinoki::read_headers(headers).map_err(nowhere)?;
    Ok(builder.finish())
}

fn read_entry(entry: &Entry, builder: &mut Builder) -> Result<(), Located> {
    if let Some(moved) = &entry.moved {
        let color = moved.color.map_or(builder.position().side_to_move(), Into::into);
        let text = csa_text(moved, builder);
        builder.expect_move(&text, 0)?;
        let mv = csa::resolve_move(builder, color, &text).map_err(|fault| fault.at(0))?;
        builder.play(mv, &text, 0)?;
        builder.set_time(entry.time.as_ref().map(|time| time.now.duration()));
    }
    if let Some(word) = &entry.special {
        builder.end(csa::ending(word));
    }
    entry.comments.iter().flatten().flat_map(|comment| comment.lines()).for_each(|line| builder.comment(line));
    Ok(())
}

/// A move in CSA, which names the piece after the move.
fn csa_text(moved: &Moved, builder: &Builder) -> String {
    let square = |place: Option<Place>| place.map_or_else(|| "00".to_owned(), |Place { x, y }| format!("{x}{y}"));
    let last = builder.last_target().filter(|_| moved.same == Some(true));
    let to = moved.to.or(last.map(|square| Place { x: square.file() + 1, y: square.rank() + 1 }));
    let from = moved.from.and_then(|Place { x, y }| Square::at(x.checked_sub(1)?, y.checked_sub(1)?));
    let standing = from.and_then(|from| builder.position().piece_at(from)).map(|piece| csa::name(piece.kind()));
    let piece = moved.piece.as_deref().or(standing).unwrap_or_default();
    let promoted = csa::kind(piece).filter(|_| moved.promote == Some(true)).map(|kind| csa::name(kind.promoted()));
    format!(" {}{}{}", square(moved.from), square(to), promoted.unwrap_or(piece))
}
