//! Game records, packed training data, mate problems.

use super::{accepted, assert_clear};
use sabi_records::{
    Fault, Game, Notation, PackError, PackedFormat, Positions, read_bytes, read_problem_bytes,
    sabg::{Block, Writer},
};
use sabi_shogi::Position;
use std::io::Cursor;

/// For longer games only the moves are checked.
const MAX_GAME: usize = 60;
/// Maximum games checked of an input.
const MAX_GAMES: usize = 16;
/// Maximum records checked of an input.
const MAX_RECORDS: usize = 6;

/// Every game of a file is legal and round-trips.
pub fn check(name: &str, bytes: &[u8]) {
    for game in read_bytes(name, bytes.to_vec()).take(MAX_GAMES).filter_map(accepted) {
        check_game(&game);
    }
}

/// A game in the lines of a CSA server is legal, and its record round-trips.
pub fn csa_server(bytes: &[u8]) {
    if let Some(game) = accepted(sabi_csa::game_of_lines(&String::from_utf8_lossy(bytes))) {
        check_game(&game);
    }
}

fn check_game(game: &Game) {
    let mut position = game.start.clone();
    for &mv in &game.moves {
        assert!(position.is_legal(mv), "{mv}");
        position.play(mv);
    }
    assert_eq!((game.moves.len(), game.moves.len()), (game.times.len(), game.scores.len()));
    if game.moves.len() > MAX_GAME {
        return;
    }
    for format in [Some(Notation::Csa), Some(Notation::Kif), Some(Notation::UsiList), None] {
        let Some(once) = round_trip(format, game) else { continue };
        assert_eq!((placed(&once.start), &once.moves), (placed(&game.start), &game.moves), "{format:?}: {game:?}");
        assert!(format.is_some() || once.scores == game.scores, "{game:?}");
        // A result that contradicts the end of the game need not be preserved.
        let twice = round_trip(format, &once).expect("the same format");
        assert_eq!((twice.result, twice.end), (once.result, once.end), "{format:?}: {once:?}");
        assert_eq!((placed(&twice.start), &twice.moves), (placed(&once.start), &once.moves), "{format:?}: {once:?}");
        let comments =
            |game: &Game| (0..=game.moves.len()).map(|ply| game.comments_at(ply).to_vec()).collect::<Vec<_>>();
        assert_eq!((comments(&twice), &twice.scores), (comments(&once), &once.scores), "{format:?}: {once:?}");
        assert!(once.warnings.is_empty(), "{format:?}: {}", once.warnings);
    }
}

/// The game as text, or as a compact game where possible.
fn round_trip(format: Option<Notation>, game: &Game) -> Option<Game> {
    let (name, bytes) = match format {
        Some(notation) => {
            let name = match notation {
                Notation::Csa => "a.csa",
                Notation::Kif => "a.kif",
                Notation::UsiList => "a.usi",
            };
            (name, (notation.write(game) + "\n").into_bytes())
        }
        None => {
            let mut writer = Writer::new(Vec::new(), "").expect("memory");
            if let Err(error) = writer.push(7, game) {
                assert!(!matches!(error, PackError::Io(_)), "{error}");
                assert_clear(&error);
                return None;
            }
            ("a.sabg", writer.finish().expect("memory"))
        }
    };
    let mut games = read_bytes(name, bytes.clone());
    let text = || String::from_utf8_lossy(&bytes).into_owned();
    let read = games.next().expect("a game").unwrap_or_else(|error| panic!("{error}:\n{}", text()));
    assert!(games.next().is_none(), "{}", text());
    Some(read)
}

/// The position without the move number, which CSA and KIF do not store.
fn placed(position: &Position) -> String {
    position.sfen().rsplit_once(' ').expect("a number").0.to_owned()
}

/// Training positions are legal and round-trip; games made of them are valid.
pub fn psv(bytes: &[u8]) {
    packed("a.psv", PackedFormat::Psv, bytes);
}

/// The same for hcpe.
pub fn hcpe(bytes: &[u8]) {
    packed("a.hcpe", PackedFormat::Hcpe, bytes);
}

fn packed(name: &str, format: PackedFormat, bytes: &[u8]) {
    let bytes = &bytes[..bytes.len().min(MAX_RECORDS * format.record_bytes())];
    for read in Positions::new(name, format, Cursor::new(bytes.to_vec())).filter_map(accepted) {
        assert!(read.position.is_legal(read.mv));
        let mut written = Vec::new();
        match format.write(&mut written, &read) {
            Ok(()) => {
                let mut again = Positions::new(name, format, Cursor::new(written));
                let again = again.next().expect("a position").expect("what is written is read");
                assert_eq!(again.position.sfen(), read.position.sfen());
                assert_eq!((again.mv, again.score, again.result), (read.mv, read.score, read.result));
            }
            Err(PackError::Io(error)) => panic!("{error}"),
            Err(error) => assert_clear(&error),
        }
    }
    check(name, bytes);
}

/// A block of compact games, uncompressed: number of games, then columns.
pub fn block(bytes: &[u8]) {
    let Some((&games, raw)) = bytes.split_first() else { return };
    let Some(block) = accepted(Block::decode(raw, games.into()).map_err(Fault::from)) else { return };
    let again = Block::decode(&block.encode(), block.len()).expect("what is written is read");
    assert!(block.games().eq(again.games()));
    for stored in block.games() {
        let Some(game) = accepted(stored.game()) else { continue };
        check_game(&game);
        assert_eq!(stored.replay(|_, _, _| {}).expect("a legal game").sfen(), game.last_position().sfen());
    }
}

/// Mate problems in all formats.
pub fn problems(bytes: &[u8]) {
    for name in ["a.csa", "a.kif", "a.json", "a.tsv"] {
        assert!(accepted(read_problem_bytes(name, bytes.to_vec())).is_none_or(|problems| !problems.is_empty()));
    }
}
