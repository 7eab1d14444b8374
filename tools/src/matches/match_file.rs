//! The games of a match by number, and the game file from which it can be resumed and extended.

use anyhow::{Context, bail, ensure};
use sabi_files::{WriteLock, read_regular, replace_with_bytes};
use sabi_records::{Game, Notation, RecordError, read_bytes, read_file};
use sabi_shogi::Color;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// A game of engine A against one of its opponents.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Game number, from 0. Games 0 and 1 are the first pair.
    pub number: usize,
    /// Opponent number, from 0.
    pub opponent: usize,
    /// Opening number, from 0. Every opponent plays every opening with both colours.
    pub opening: usize,
    /// Colour of engine A.
    pub color: Color,
}

impl Pairing {
    /// The pairing of a game number. Pairs of games cycle through the opponents.
    ///
    /// # Panics
    /// Without opponents.
    pub const fn new(number: usize, opponents: usize) -> Self {
        let pair = number / 2;
        let color = if number.is_multiple_of(2) { Color::Black } else { Color::White };
        Self { number, opponent: pair % opponents, opening: pair / opponents, color }
    }

    /// Number of the other game of the pair.
    pub const fn partner(&self) -> usize {
        self.number ^ 1
    }
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
    /// Games of any match, or of the one with this key.
    fn read(
        path: &Path,
        games: impl Iterator<Item = Result<Game, RecordError>>,
        key: Option<&str>,
    ) -> anyhow::Result<Self> {
        let mut saved = Self::default();
        for game in games {
            let game = game?;
            let words: Vec<&str> = game.headers.event.as_deref().unwrap_or_default().split(' ').collect();
            let ["match", its_key, "game", number, _sides] = words[..] else { bail!(not_of_a_match(path)) };
            let number = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let number = number.with_context(|| not_of_a_match(path))?;
            ensure!(
                key.is_none_or(|key| key == its_key),
                "'{}' holds games of another match, with other engines, options, time control, openings or rules; use another file",
                path.display()
            );
            if saved.numbers.insert(number) {
                saved.games.push((number, game));
            } else {
                saved.repeated += 1;
            }
        }
        Ok(saved)
    }
}

/// Games of a finished match with their numbers, in the order in which they ended, without
/// repetitions.
///
/// # Errors
/// When the file cannot be read, or holds other data.
pub fn saved_games(path: &Path) -> anyhow::Result<Vec<(usize, Game)>> {
    Ok(SavedGames::read(path, read_file(path), None)?.games)
}

fn not_of_a_match(path: &Path) -> String {
    format!("'{}' holds games that are not of a match; use another file", path.display())
}

/// A game file. The event header of each game holds the match key and the game number.
#[derive(Debug)]
pub struct MatchFile {
    path: PathBuf,
    notation: Notation,
    /// Event header of the games, up to the game number.
    event_start: String,
    /// Separator before the next game.
    separator: &'static str,
    lock: WriteLock,
}

impl MatchFile {
    /// Opens and locks the file of the match with this key, and returns its games. A truncated
    /// last game is removed.
    ///
    /// # Errors
    /// When the file holds other data than games of this match, or another process has locked it.
    /// It is then unchanged.
    pub fn open(path: &Path, key: &str) -> anyhow::Result<(Self, SavedGames)> {
        let name = path.display();
        let notation = Notation::of_path(path)
            .with_context(|| format!("games are written as .csa, .kif or .usi, not as '{name}'"))?;
        let cannot_use = || format!("cannot use '{name}'");
        let lock = WriteLock::of(path).with_context(cannot_use)?;
        let event_start = format!("match {key} game ");
        let mut match_file = Self { path: path.to_owned(), notation, event_start, separator: "", lock };
        let bytes = match read_regular(path) {
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => {
                return Ok((match_file, SavedGames::default()));
            }
            bytes => bytes.with_context(cannot_use)?,
        };
        let damaged = || format!("'{name}' is damaged: more than the end of its last game is missing");
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            // Truncation may split a UTF-8 character.
            Err(error) if error.error_len().is_none() => {
                std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => bail!(damaged()),
        };
        let whole = notation.complete_len(text);
        let games = (whole > 0).then(|| read_bytes(path, bytes[..whole].to_vec()));
        let saved = SavedGames::read(path, games.into_iter().flatten(), Some(key))?;
        if whole < bytes.len() {
            match text[whole..].matches(&match_file.event_start).count() {
                0 if saved.games.is_empty() => bail!(not_of_a_match(path)),
                0 | 1 => {}
                _ => bail!(damaged()),
            }
            replace_with_bytes(path, &bytes[..whole]).with_context(cannot_use)?;
            match_file.lock.renew().with_context(cannot_use)?;
        }
        let separator = notation.separator();
        let is_separated = whole == 0 || (!separator.is_empty() && text[..whole].ends_with(&format!("\n{separator}")));
        match_file.separator = if is_separated { "" } else { separator };
        Ok((match_file, saved))
    }

    /// Appends a game with the names of engine A and its opponent, and syncs the file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn add(&mut self, pairing: &Pairing, mut game: Game, names: [&str; 2]) -> anyhow::Result<()> {
        let (number, opponent) = (pairing.number + 1, pairing.opponent + 1);
        let (sides, [black, white]) = match pairing.color {
            Color::Black => (format!("A-B{opponent}"), names),
            Color::White => (format!("B{opponent}-A"), [names[1], names[0]]),
        };
        game.headers.event = Some(format!("{}{number} {sides}", self.event_start));
        game.headers.names = [black, white].map(|name| Some(name.to_owned()));
        let line = format!("{}{}", self.separator, self.notation.write(&game));
        self.lock.append_line(&line).with_context(|| format!("cannot save a game in '{}'", self.path.display()))?;
        self.separator = self.notation.separator();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_shogi::Position;
    use std::collections::HashSet;

    #[test]
    fn every_opening_with_both_colours() {
        for opponents in 1..=4 {
            let games: Vec<Pairing> = (0..opponents * 10).map(|number| Pairing::new(number, opponents)).collect();
            let all: HashSet<_> =
                games.iter().map(|game| (game.opponent, game.opening, game.color == Color::Black)).collect();
            assert_eq!(all.len(), games.len());
            assert!(games.iter().all(|game| game.opponent < opponents && game.opening < 5));
            for game in &games {
                let partner = Pairing::new(game.partner(), opponents);
                assert_eq!(
                    (partner.opponent, partner.opening, partner.partner()),
                    (game.opponent, game.opening, game.number)
                );
                assert_ne!(partner.color, game.color);
            }
        }
    }

    #[track_caller]
    fn assert_damaged(path: &Path) {
        let error = MatchFile::open(path, "key").expect_err("it is damaged");
        assert!(error.to_string().contains("is damaged"), "{error}");
    }

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
            assert_damaged(&path);
            assert_eq!(std::fs::read(&path).unwrap(), bad);
        }
        let path = folder.path().join("games.kif");
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).replace('\u{fffd}', "x");
        let line_ends = text.replace('\n', "\r\n");
        std::fs::write(&path, &line_ends).unwrap();
        assert_damaged(&path);
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
            let error = MatchFile::open(&link, "key").err();
            error.is_some_and(|error| error.downcast::<io::Error>().unwrap().kind() == io::ErrorKind::ResourceBusy)
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
