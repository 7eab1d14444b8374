//! `data_tools check`.

use super::files::{BlockLocation, Inputs};
use anyhow::ensure;
use sabi_records::{
    BadGames, EndReason, GameResult,
    sabg::{Start, StoredGame},
};
use sabi_shogi::{Position, Repetition, has_legal_move};
use sabi_tools::cli::report_bad;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Maximum inconsistent games listed.
const EXAMPLES: u64 = 3;

/// Checks every game; faults are reported on stderr.
pub fn run(paths: &[PathBuf], out: &mut impl Write) -> anyhow::Result<()> {
    let start = Instant::now();
    let (mut counts, mut bad) = (CheckCounts::default(), BadGames::default());
    Inputs::open(paths)?.each_block(&mut bad, |place, block, bad| {
        for (at, game) in block.games().enumerate() {
            counts.check(place, at, &game, bad);
        }
        Ok(())
    })?;
    report_bad(&bad);
    let speed = counts.positions as f64 / start.elapsed().as_secs_f64().max(1e-9) / 1e6;
    writeln!(out, "{} games, {} positions, {speed:.1} million a second", counts.games, counts.positions)?;
    out.flush()?;
    let faults = bad.total() + counts.contradictions;
    ensure!(faults == 0, "{faults} faults");
    Ok(writeln!(out, "no faults")?)
}

#[derive(Default)]
struct CheckCounts {
    games: u64,
    positions: u64,
    /// Games whose end contradicts their result.
    contradictions: u64,
}

impl CheckCounts {
    fn check(&mut self, place: BlockLocation<'_>, at: usize, game: &StoredGame<'_>, bad: &mut BadGames) {
        self.games += 1;
        match game.replay(|_, _, _| self.positions += 1) {
            Err(fault) => bad.note(&place.error(at, fault)),
            Ok(last) if is_inconsistent(game, &last) => {
                self.contradictions += 1;
                if self.contradictions <= EXAMPLES {
                    let (result, end) = (game.result.name(), game.end.name());
                    let _ = writeln!(
                        io::stderr(),
                        "{place}: the final position contradicts {result} by {end}",
                        place = place.of(at)
                    );
                }
            }
            Ok(_) => {}
        }
    }
}

/// Whether the last position contradicts result and end reason.
fn is_inconsistent(game: &StoredGame<'_>, last: &Position) -> bool {
    let mover = last.side_to_move();
    let (wins, loses) = (GameResult::won_by(mover), GameResult::won_by(!mover));
    let expected = match game.end {
        EndReason::Resign => Some(loses),
        EndReason::Checkmate => Some(loses).filter(|_| !has_legal_move(last)),
        EndReason::Declaration => Some(wins),
        EndReason::Impasse | EndReason::MaxMoves => Some(GameResult::Draw),
        EndReason::Repetition => match last.repetition() {
            Some(Repetition::Win) => Some(wins),
            Some(Repetition::Loss) => Some(loses),
            Some(_) => Some(GameResult::Draw),
            // The positions may have occurred before the start.
            None => Some(game.result).filter(|_| game.start != Start::Even),
        },
        EndReason::Timeout | EndReason::Illegal | EndReason::Adjudication | EndReason::Aborted | EndReason::Unknown => {
            Some(game.result)
        }
    };
    expected != Some(game.result)
}
