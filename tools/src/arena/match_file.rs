//! Game file of a match, from which the match can be resumed.

use super::schedule::Pairing;
use sabi_files::{WriteLock, read_regular, replace_with_bytes};
use sabi_records::{Game, Notation, RecordError, read_bytes, read_file};
use sabi_shogi::Color;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// A game file cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum MatchFileError {
    #[error("games are written as .csa, .kif or .usi, not as '{}'", .0.display())]
    Notation(PathBuf),
    #[error("cannot use '{}'", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("'{}' holds games that are not of a match; use another file", .0.display())]
    WrongFormat(PathBuf),
    #[error("'{}' is damaged: more than the end of its last game is missing", .0.display())]
    Damaged(PathBuf),
    #[error(
        "'{}' holds games of another match, with other engines, options, time control, openings or rules; use another file",
        .0.display()
    )]
    OtherMatch(PathBuf),
}

/// A game file. The event header of each game holds the match key and the game number.
#[derive(Debug)]
pub struct MatchFile {
    path: PathBuf,
    notation: Notation,
    /// Key of the match.
    key: String,
    /// Separator before the next game.
    separator: &'static str,
    lock: WriteLock,
}

/// Games of a match.
#[derive(Debug, Default)]
pub struct SavedGames {
    /// The games with their numbers, in the order in which they ended.
    pub games: Vec<(usize, Game)>,
    /// Their numbers.
    pub numbers: BTreeSet<usize>,
    /// Number of games with a repeated number, which are ignored: two processes wrote the file.
    pub repeated: usize,
}

impl SavedGames {
    fn add(&mut self, number: usize, game: Game) {
        if self.numbers.insert(number) {
            self.games.push((number, game));
        } else {
            self.repeated += 1;
        }
    }
}

impl MatchFile {
    /// Opens and locks the file of the match with this key, and returns its games. A truncated
    /// last game is removed.
    ///
    /// # Errors
    /// When the file holds other data than games of this match, or another process has locked it.
    /// It is then unchanged.
    pub fn open(path: &Path, key: &str) -> Result<(Self, SavedGames), MatchFileError> {
        let notation = Notation::of_path(path).ok_or_else(|| MatchFileError::Notation(path.to_owned()))?;
        let error = |source| MatchFileError::Io { path: path.to_owned(), source };
        let lock = WriteLock::of(path).map_err(error)?;
        let mut match_file = Self { path: path.to_owned(), notation, key: key.to_owned(), separator: "", lock };
        let bytes = match read_regular(path) {
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => {
                return Ok((match_file, SavedGames::default()));
            }
            bytes => bytes.map_err(error)?,
        };
        let damaged = || MatchFileError::Damaged(path.to_owned());
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            // Truncation may split a UTF-8 character.
            Err(error) if error.error_len().is_none() => {
                std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => return Err(damaged()),
        };
        let whole = notation.complete_len(text);
        let saved = match_file.games(&bytes[..whole])?;
        if whole < bytes.len() {
            match text[whole..].matches(&match_file.event_start()).count() {
                0 if saved.games.is_empty() => return Err(MatchFileError::WrongFormat(path.to_owned())),
                0 | 1 => {}
                _ => return Err(damaged()),
            }
            replace_with_bytes(path, &bytes[..whole]).map_err(error)?;
            match_file.lock.renew().map_err(error)?;
        }
        let separator = notation.separator();
        let is_separated = whole == 0 || (!separator.is_empty() && text[..whole].ends_with(&format!("\n{separator}")));
        match_file.separator = if is_separated { "" } else { separator };
        Ok((match_file, saved))
    }

    fn games(&self, bytes: &[u8]) -> Result<SavedGames, MatchFileError> {
        let mut saved = SavedGames::default();
        if bytes.is_empty() {
            return Ok(saved);
        }
        for game in read_bytes(&self.path, bytes.to_vec()) {
            let game = game?;
            let number = self.number(game.headers.event.as_deref().unwrap_or_default())?;
            saved.add(number, game);
        }
        Ok(saved)
    }

    /// The game number in an event header.
    fn number(&self, event: &str) -> Result<usize, MatchFileError> {
        let (key, number) = key_and_number(event).ok_or_else(|| MatchFileError::WrongFormat(self.path.clone()))?;
        if key == self.key { Ok(number) } else { Err(MatchFileError::OtherMatch(self.path.clone())) }
    }

    fn event_start(&self) -> String {
        format!("match {} game ", self.key)
    }

    /// Appends a game with the names of engine A and its opponent, and syncs the file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn add(&mut self, pairing: &Pairing, mut game: Game, names: [&str; 2]) -> io::Result<()> {
        let number = pairing.number + 1;
        let opponent = format!("B{}", pairing.opponent + 1);
        let (sides, [black, white]) = match pairing.color {
            Color::Black => (format!("A-{opponent}"), names),
            Color::White => (format!("{opponent}-A"), [names[1], names[0]]),
        };
        game.headers.event = Some(format!("{}{number} {sides}", self.event_start()));
        game.headers.names = [Some(black.to_owned()), Some(white.to_owned())];
        self.lock.append_line(&format!("{}{}", self.separator, self.notation.write(&game)))?;
        self.separator = self.notation.separator();
        Ok(())
    }
}

/// Match key and game number in an event header.
fn key_and_number(event: &str) -> Option<(&str, usize)> {
    let words: Vec<&str> = event.split(' ').collect();
    let ["match", key, "game", number, _sides] = words[..] else { return None };
    Some((key, number.parse::<usize>().ok()?.checked_sub(1)?))
}

/// Games of a finished match with their numbers, in the order in which they ended, without
/// repetitions.
///
/// # Errors
/// When the file cannot be read, or holds other data.
pub fn saved_games(path: &Path) -> Result<Vec<(usize, Game)>, MatchFileError> {
    let mut saved = SavedGames::default();
    for game in read_file(path) {
        let game = game?;
        let (_, number) = game
            .headers
            .event
            .as_deref()
            .and_then(key_and_number)
            .ok_or(MatchFileError::WrongFormat(path.to_owned()))?;
        saved.add(number, game);
    }
    Ok(saved.games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_shogi::Position;

    #[test]
    fn saved_games_are_in_file_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.usi");
        let (mut match_file, _) = MatchFile::open(&path, "key").unwrap();
        for number in [3, 0, 2, 0, 1] {
            match_file.add(&Pairing::new(number, 1), Game::new(Position::startpos()), ["a", "b"]).unwrap();
        }
        drop(match_file);
        let (_, saved) = MatchFile::open(&path, "key").unwrap();
        assert_eq!(saved.games.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [3, 0, 2, 1]);
        assert_eq!(saved.repeated, 1);
    }

    /// Only what an interrupted write leaves is removed.
    #[test]
    fn damaged_file_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["games.usi", "games.kif", "games.csa"] {
            let path = folder.path().join(name);
            let (mut match_file, _) = MatchFile::open(&path, "key").unwrap();
            for number in 0..3 {
                match_file.add(&Pairing::new(number, 1), Game::new(Position::startpos()), ["a", "b"]).unwrap();
            }
            drop(match_file);
            let bytes = std::fs::read(&path).unwrap();
            let mut bad = bytes.clone();
            bad[bytes.len() / 2] = 0xff;
            std::fs::write(&path, &bad).unwrap();
            assert!(matches!(MatchFile::open(&path, "key"), Err(MatchFileError::Damaged(_))), "{name}");
            assert_eq!(std::fs::read(&path).unwrap(), bad);
        }
        let path = folder.path().join("games.kif");
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).replace('\u{fffd}', "x");
        let line_ends = text.replace('\n', "\r\n");
        std::fs::write(&path, &line_ends).unwrap();
        assert!(matches!(MatchFile::open(&path, "key"), Err(MatchFileError::Damaged(_))));
        assert_eq!(std::fs::read(&path).unwrap(), line_ends.as_bytes());
    }

    /// Also by another name, when the file was extended or its truncated end removed.
    #[cfg(unix)]
    #[test]
    fn one_match_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.usi");
        let is_busy = |name: &str| {
            let link = folder.path().join(name);
            std::fs::hard_link(&path, &link).unwrap();
            let Err(MatchFileError::Io { source, .. }) = MatchFile::open(&link, "key") else { return false };
            source.kind() == io::ErrorKind::ResourceBusy
        };
        let add = |match_file: &mut MatchFile, number| {
            match_file.add(&Pairing::new(number, 1), Game::new(Position::startpos()), ["a", "b"]).unwrap();
        };
        let (mut match_file, _) = MatchFile::open(&path, "key").unwrap();
        add(&mut match_file, 0);
        assert!(is_busy("new.usi"));
        add(&mut match_file, 1);
        drop(match_file);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
        let (mut match_file, saved) = MatchFile::open(&path, "key").unwrap();
        assert_eq!(saved.games.len(), 1);
        assert!(is_busy("cut.usi"));
        add(&mut match_file, 1);
        drop(match_file);
        let (_, saved) = MatchFile::open(&folder.path().join("cut.usi"), "key").unwrap();
        assert_eq!(saved.games.len(), 2);
    }
}
