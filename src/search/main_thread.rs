//! What the main thread does besides searching: it reports, probes for mates, and manages the time.

use super::info_reporter::{InfoReporter, Listener};
use super::mate_probe::MateProbe;
use super::time_factors::TimeFactors;
use crate::mate::solver::MateSolver;
use sabi_shogi::Score;

/// State of the main thread; helpers have none.
pub(super) struct MainThread<'a> {
    pub reporter: InfoReporter<'a>,
    pub probe: MateProbe<'a>,
    pub factors: TimeFactors,
    /// Factor of the optimum time after the last iteration.
    pub time_factor: f64,
}

impl<'a> MainThread<'a> {
    /// The state before the first iteration; `previous` is the score of the last move of the game.
    pub(super) fn new(listener: Listener<'a>, solver: &'a mut MateSolver, previous: Option<Score>) -> Self {
        Self {
            reporter: InfoReporter::new(listener),
            probe: MateProbe::new(solver),
            factors: TimeFactors::new(previous),
            time_factor: 1.0,
        }
    }
}
