//! Joins positions into games: consecutive records where the move leads to the next position.

use super::{Records, TrainingPosition};
use crate::builder::{Builder, Outcome};
use crate::error::Located;
use crate::game::{EndReason, Game, GameResult};
use sabi_shogi::Color;

/// The games of a stream of records. A missing or bad record ends a game, and the next begins in
/// the middle.
pub(crate) struct Chain {
    records: Records,
    /// The current game and its result.
    open: Option<(Builder, GameResult)>,
    /// Move number of its last record.
    last: Option<u16>,
    /// Fault of the record that ended the last game.
    fault: Option<Located>,
}

impl Chain {
    pub(crate) const fn new(records: Records) -> Self {
        Self { records, open: None, last: None, fault: None }
    }

    /// Adds a record; returns the game that it ends.
    fn add(&mut self, sample: &TrainingPosition) -> Option<Game> {
        let ended = if self.belongs(sample) { None } else { self.close() };
        self.last = self.records.move_number;
        let number = self.records.number;
        let (builder, _) =
            self.open.get_or_insert_with(|| (Builder::new(sample.position.clone(), number), sample.result));
        let text = sample.mv.to_string();
        let played = builder.expect_move(&text, number).and_then(|()| builder.play(sample.mv, &text, number));
        if let Err(located) = played {
            self.fault = Some(located);
            return ended.or_else(|| self.close());
        }
        if let Some(score) = sample.score {
            let black = sample.position.side_to_move() == Color::Black;
            builder.set_score(if black { score } else { -score });
        }
        ended
    }

    fn belongs(&self, sample: &TrainingPosition) -> bool {
        self.open.as_ref().is_some_and(|(builder, result)| {
            let (here, next) = (builder.position(), &sample.position);
            let numbered = self.records.move_number == self.last.map(|last| last.saturating_add(1));
            here.key() == next.key() && *result == sample.result && numbered
        })
    }

    /// Ends the current game.
    fn close(&mut self) -> Option<Game> {
        let (mut builder, result) = self.open.take()?;
        let outcome = result.winner().map_or(Outcome::Draw, Outcome::Wins);
        builder.end((EndReason::Unknown, outcome));
        Some(builder.finish())
    }
}

impl Iterator for Chain {
    type Item = Result<Game, Located>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(fault) = self.fault.take() {
                return Some(Err(fault));
            }
            let game = match self.records.next() {
                None => return self.close().map(Ok),
                Some(Ok(sample)) => self.add(&sample).map(Ok),
                Some(Err(fault)) => {
                    self.fault = Some(fault);
                    self.close().map(Ok)
                }
            };
            if game.is_some() {
                return game;
            }
        }
    }
}
