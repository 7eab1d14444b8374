//! Clock arguments, shared by `go` and `ponderhit`.

use super::go_error::GoError;
use super::tokens::{Tokens, milliseconds};
use crate::search::{GameClock, TimeControl};

/// Parsed clock arguments, all optional.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ClockArguments {
    clock: Option<GameClock>,
    move_time: Option<u64>,
}

impl ClockArguments {
    /// Parses `word` and its number, if it is a clock word; returns whether it was.
    pub(super) fn take(&mut self, word: &str, rest: &mut Tokens<'_>) -> Result<bool, GoError> {
        let known = ["btime", "wtime", "binc", "winc", "byoyomi", "movetime"];
        let Some(&keyword) = known.iter().find(|&&known| known == word) else {
            return Ok(false);
        };
        let value = rest.next().ok_or(GoError::Missing(keyword))?;
        let value = milliseconds(value).ok_or_else(|| GoError::number(keyword, value))?;
        if keyword == "movetime" {
            self.move_time = Some(value);
            return Ok(true);
        }
        let clock = self.clock.get_or_insert_default();
        let [black, white] = &mut clock.remaining;
        let [black_increment, white_increment] = &mut clock.increment;
        *match keyword {
            "btime" => black,
            "wtime" => white,
            "binc" => black_increment,
            "winc" => white_increment,
            _ => &mut clock.byoyomi,
        } = value;
        Ok(true)
    }

    /// The time control; `None` without clock arguments.
    pub(super) fn time(&self) -> Option<TimeControl> {
        self.move_time.map(TimeControl::MoveTime).or(self.clock.map(TimeControl::Clock))
    }
}
