//! The engine of a client.

use super::event::{EngineOutput, Event};
use crate::engine::{Answer, Engine, InfoMessage, Listener, Options, Outcome};
use crate::position::Position;
use crate::search::{Limits, PonderHit, Report, TimeControl};
use crate::types::{Bound, Move, Score};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Instant;

/// Forwards the engine's output as events.
struct EngineListener(SyncSender<Event>);

impl EngineListener {
    fn send(&self, output: EngineOutput) {
        // Fails after the client has ended.
        let _ = self.0.send(Event::EngineOutput(output));
    }
}

impl Listener for EngineListener {
    fn report(&self, report: &Report) {
        if report.multi_pv == 1 && report.bound == Bound::Exact {
            self.send(EngineOutput::Line(report.score, report.pv.clone()));
        }
    }

    fn note(&self, note: &InfoMessage) {
        self.send(EngineOutput::Note(note.to_string()));
    }

    fn finished(&self, answer: &Answer) {
        self.send(EngineOutput::Finished(answer.clone()));
    }
}

/// The engine, and the number of obsolete answers.
pub(super) struct ClientEngine {
    engine: Engine,
    /// Pending answers to abandoned searches.
    abandoned: u32,
    searching: bool,
    /// Last PV of the current search.
    line: Option<(Score, Vec<Move>)>,
}

impl ClientEngine {
    pub(super) fn new(events: SyncSender<Event>, options: Options) -> io::Result<Self> {
        let mut engine = Engine::new(Arc::new(EngineListener(events)))?;
        engine.set_options(options);
        Ok(Self { engine, abandoned: 0, searching: false, line: None })
    }

    /// Sets up the engine with these options, cleared for a new game.
    pub(super) fn prepare(&mut self, options: Options, new_game: bool) {
        self.abandon();
        self.engine.set_options(options);
        if new_game {
            self.engine.new_game();
        }
        self.engine.prepare();
    }

    /// Whether pondering is enabled.
    pub(super) fn ponders(&self) -> bool {
        self.engine.options().ponder
    }

    /// Searches a position; with `ponder` until the ponder hit.
    pub(super) fn search(&mut self, position: Position, start: Instant, time: TimeControl, ponder: bool) {
        self.abandon();
        self.engine.set_position(position);
        self.engine.search(Limits { time, ponder, ..Limits::unlimited(start) });
        self.searching = true;
    }

    /// Ponder hit.
    pub(super) fn hit(&mut self, at: Instant, time: TimeControl) {
        // A ponder search is known to run here.
        let _ = self.engine.ponder_hit(PonderHit { at, time: Some(time) });
    }

    /// Stops the search; its answer is ignored.
    pub(super) fn abandon(&mut self) {
        if std::mem::take(&mut self.searching) {
            self.engine.stop();
            self.abandoned += 1;
        }
        self.line = None;
    }

    /// Ends the game at this position.
    pub(super) fn game_over(&mut self, position: Position, outcome: Option<Outcome>) {
        self.abandon();
        self.engine.set_position(position);
        self.engine.game_over(outcome);
    }

    /// The last PV of the current search, if it begins with this move.
    pub(super) fn line_of(&self, best: Move) -> Option<&(Score, Vec<Move>)> {
        self.line.as_ref().filter(|(_, line)| line.first() == Some(&best))
    }

    /// Filters the engine's output: [`Answer::Ready`], and the answer to the last search.
    pub(super) fn handle(&mut self, output: EngineOutput) -> Option<Answer> {
        match output {
            EngineOutput::Line(score, line) => {
                if self.abandoned == 0 {
                    self.line = Some((score, line));
                }
                None
            }
            EngineOutput::Finished(Answer::Ready) => Some(Answer::Ready),
            EngineOutput::Finished(answer @ (Answer::Best { .. } | Answer::Resign | Answer::Declare)) => {
                if self.abandoned > 0 {
                    self.abandoned -= 1;
                    return None;
                }
                self.searching = false;
                Some(answer)
            }
            EngineOutput::Note(_) | EngineOutput::Finished(_) => None,
        }
    }

    /// Shuts down the engine.
    pub(super) fn shut_down(self) {
        self.engine.shut_down();
    }
}
