//! Book statistics.

use sabi_books::BookMove;
use sabi_shogi::Position;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// Plies in one row of the histogram.
const BAND: u32 = 10;

/// Statistics of a book. Positions are added one by one.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Positions.
    pub positions: u64,
    /// Moves of all positions.
    pub moves: u64,
    /// The most moves in one position.
    pub most_moves: usize,
    /// Moves with a number of games, win rate, score, and answer.
    pub known: [u64; 4],
    /// Bytes of the file; 0 without a file.
    pub file_bytes: u64,
    /// Bytes of the same book as .shob without compression.
    pub plain_bytes: u64,
    /// Games of the most popular position (its weight where no games are known), and the position.
    popular: Option<(u64, String)>,
    bands: BTreeMap<u32, u64>,
    names: HashSet<Arc<str>>,
    without_position: bool,
}

impl Stats {
    /// Adds a position; `None` for a position known by its key only.
    pub fn add(&mut self, position: Option<&Position>, moves: &[BookMove]) {
        self.positions += 1;
        self.moves += moves.len() as u64;
        self.most_moves = self.most_moves.max(moves.len());
        for entry in moves {
            let known =
                [entry.games.is_some(), entry.win_rate.is_some(), entry.score.is_some(), entry.answer.is_some()];
            known.into_iter().zip(&mut self.known).for_each(|(known, count)| *count += u64::from(known));
            if let Some(name) = &entry.name
                && !self.names.contains(name)
            {
                self.names.insert(Arc::clone(name));
            }
        }
        let Some(position) = position else {
            self.without_position = true;
            return;
        };
        *self.bands.entry(position.ply().saturating_sub(1) / BAND).or_default() += 1;
        let popularity = moves.iter().map(|entry| u64::from(entry.games.unwrap_or(entry.weight))).sum();
        if self.popular.as_ref().is_none_or(|(most, _)| popularity > *most) {
            self.popular = Some((popularity, position.sfen()));
        }
    }

    /// Sets the sizes after the last position.
    pub fn finish(&mut self, file_bytes: u64) {
        self.file_bytes = file_bytes;
        let position = if self.without_position { 0 } else { 36 };
        let names: u64 = self.names.iter().map(|name| name.len() as u64 + 4).sum();
        let names = if self.names.is_empty() { 0 } else { names + 4 };
        self.plain_bytes = 64 + self.positions * (8 + 4 + position) + 4 + 24 * self.moves + names;
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "positions           {}", self.positions)?;
        writeln!(f, "moves               {}", self.moves)?;
        writeln!(f, "moves a position    {:.2}, at most {}", ratio(self.moves, self.positions), self.most_moves)?;
        let [games, rates, scores, answers] = self.known;
        writeln!(f, "known of the moves  games {games}, win rate {rates}, score {scores}, answer {answers}")?;
        writeln!(f, "names               {}", self.names.len())?;
        if self.file_bytes > 0 {
            let each = ratio(self.file_bytes, self.positions);
            writeln!(f, "size                {} bytes, {each:.1} a position", self.file_bytes)?;
        }
        writeln!(f, "plain SHOB          {} bytes", self.plain_bytes)?;
        if self.file_bytes > 0 {
            let percent = 100.0 * ratio(self.file_bytes, self.plain_bytes);
            writeln!(f, "compression ratio   {percent:.1} % of plain SHOB")?;
        }
        if let Some((popularity, sfen)) = &self.popular {
            writeln!(f, "most popular        {popularity} games or weight: {sfen}")?;
        }
        let most = self.bands.values().max().copied().unwrap_or(0);
        for (&band, &count) in &self.bands {
            let bar = "#".repeat((40.0 * ratio(count, most)).ceil() as usize);
            writeln!(f, "ply {:>4}–{:<4} {count:>9} {bar}", band * BAND + 1, (band + 1) * BAND)?;
        }
        Ok(())
    }
}
