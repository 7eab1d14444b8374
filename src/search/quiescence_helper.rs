//! Stand-alone quiescence search.

use super::limits::Limits;
use super::node::Pv;
use super::resources::{OutOfMemory, Resource};
use super::settings::Settings;
use super::signals::Signals;
use super::thread_data::ThreadData;
use super::worker::{Shared, Worker};
use crate::eval::Evaluation;
use crate::table::TranspositionTable;
use sabi_shogi::{EnteringKingRule, Position, Score};
use std::time::Instant;

/// Calls `work` with a quiescence search that keeps no state between positions: from position to
/// score of the side to move.
///
/// # Errors
/// When out of memory.
pub fn with_quiescence<R>(
    evaluation: &Evaluation,
    work: impl FnOnce(&mut dyn FnMut(&Position) -> Score) -> R,
) -> Result<R, OutOfMemory> {
    let mut table = TranspositionTable::new(0, 0).map_err(Resource::Table.out_of_memory())?;
    let mut data = ThreadData::new(false).map_err(Resource::Threads.out_of_memory())?;
    // Only the evaluation itself, without the entering king bonus.
    let settings = Settings { entering_king: EnteringKingRule::None, ..Settings::default() };
    let signals = Signals::default();
    Ok(work(&mut |position| {
        // Even the single bucket could make a score depend on earlier positions.
        table.clear();
        let limits = Limits::unlimited(Instant::now());
        let shared = Shared::new((&table, None), evaluation, &settings, &limits, &signals, 1);
        let mut worker = Worker::new(&shared, 0, &mut data, position, Vec::new());
        worker.quiescence::<Pv>(-Score::INFINITE, Score::INFINITE, 0)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::EvalType;

    #[test]
    fn quiescence_resolves_captures() {
        let sfens = [
            // No capture; a hanging rook; the same for its owner; a mate in one.
            ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", true),
            ("4k4/9/9/4r4/9/4R4/9/9/4K4 b - 1", false),
            ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", false),
        ];
        let evaluation = Evaluation::embedded(EvalType::HandCrafted);
        let told = with_quiescence(&evaluation, |quiescence| {
            sfens.map(|(sfen, _)| {
                let position = Position::from_sfen(sfen).unwrap();
                let scores = [quiescence(&position), quiescence(&position)];
                assert_eq!(scores[0], scores[1], "it remembers nothing");
                scores[0].get() - evaluation.evaluate(&position)
            })
        });
        for ((sfen, calm), difference) in sfens.iter().zip(told.unwrap()) {
            assert_eq!(difference.abs() < 50, *calm, "{sfen}: {difference}");
        }
    }
}
