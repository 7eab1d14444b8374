//! The games to be analysed, each with a name for its file.

use crate::cli::input::{game_files, games_of, is_standard_input};
use anyhow::ensure;
use sabi_records::{Game, RecordError};
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The games read.
#[derive(Default)]
pub struct Input {
    pub games: Vec<Game>,
    /// A unique name for each game.
    pub names: Vec<String>,
    used_names: HashSet<String>,
    /// Number of games that could not be read, each reported on stderr.
    pub bad: usize,
}

/// Reads all games. A bad game is reported in one message.
pub fn read(paths: &[PathBuf]) -> anyhow::Result<Input> {
    let mut input = Input::default();
    for file in game_files(paths, |error| input.bad(error))? {
        let path = if is_standard_input(&file) { Path::new("game") } else { &file };
        input.file(path, games_of(&file));
    }
    ensure!(!input.games.is_empty(), "there is no game to analyse");
    Ok(input)
}

impl Input {
    fn file(&mut self, path: &Path, games: impl Iterator<Item = Result<Game, RecordError>>) {
        let first = self.games.len();
        for game in games {
            match game {
                Ok(game) => self.games.push(game),
                Err(error) => self.bad(&error),
            }
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let count = self.games.len() - first;
        for number in 1..=count {
            let name = if count == 1 { stem.clone() } else { format!("{stem}-{number}") };
            let name = self.free_name(name);
            self.names.push(name);
        }
    }

    /// Files of several folders may have the same name, and some file systems ignore case.
    fn free_name(&mut self, name: String) -> String {
        let mut free = name.clone();
        // The index page has this name.
        let is_index = |name: &str| name.eq_ignore_ascii_case("index");
        for number in 2.. {
            if !is_index(&free) && self.used_names.insert(free.to_lowercase()) {
                break;
            }
            free = format!("{name}-{number}");
        }
        free
    }

    fn bad(&mut self, error: &RecordError) {
        self.bad += 1;
        // If stderr is closed, the count at the end is enough.
        let _ = writeln!(io::stderr(), "{error}");
    }
}
