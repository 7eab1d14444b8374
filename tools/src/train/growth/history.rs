//! State derived from the log: progress of each generation.

use super::event::{Event, GenerationConfig, LogEntry, Matched, Played, Step, Trained};
use std::collections::{BTreeMap, BTreeSet};

/// State of a generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// What it is made from.
    pub config: GenerationConfig,
    /// Commands of the steps started.
    pub commands: BTreeMap<Step, Vec<String>>,
    /// Commands of the steps that failed with a message, until they are started again.
    pub failed: BTreeMap<Step, Vec<String>>,
    /// Self-play results, when finished.
    pub played: Option<Played>,
    /// Number of search-tree positions, when drawn.
    pub drawn: Option<u64>,
    /// Training results, when finished.
    pub trained: Option<Trained>,
    /// Match results, when finished.
    pub matched: Option<Matched>,
    /// Whether the network was adopted, when decided.
    pub adopted: Option<bool>,
    /// Working seconds at the last event.
    pub active_seconds: u64,
}

/// State of the whole run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// CRC-32 of the first network.
    pub first: Option<String>,
    /// All generations, from 1.
    pub generations: Vec<Generation>,
    /// Removed game files.
    pub removed: BTreeSet<String>,
    /// Working seconds.
    pub active_seconds: u64,
    /// Whether the run is paused.
    pub paused: bool,
    /// Error with which the program ended.
    pub failure: Option<String>,
}

impl History {
    /// Adds the next event.
    ///
    /// # Errors
    /// When it is inconsistent with the previous events.
    pub fn add(&mut self, entry: &LogEntry) -> Result<(), &'static str> {
        self.active_seconds = self.active_seconds.max(entry.active_seconds);
        match &entry.event {
            Event::First { network } if self.first.is_none() => self.first = Some(network.clone()),
            Event::First { .. } => return Err("the first network is already there"),
            Event::Started { .. } => (self.paused, self.failure) = (false, None),
            Event::Generation(config) => self.begin(config)?,
            Event::Begun { generation, step, command } => {
                let current = self.current(*generation)?;
                current.failed.remove(step);
                current.commands.insert(*step, command.clone());
            }
            Event::Played(played) => self.current(played.generation)?.played = Some(played.clone()),
            Event::Drawn { generation, positions } => self.current(*generation)?.drawn = Some(*positions),
            Event::Trained(trained) => self.current(trained.generation)?.trained = Some(trained.clone()),
            Event::Matched(matched) => self.current(matched.generation)?.matched = Some(matched.clone()),
            Event::Adopted { generation } => self.current(*generation)?.adopted = Some(true),
            Event::Rejected { generation } => self.current(*generation)?.adopted = Some(false),
            Event::Removed { files } => self.removed.extend(files.iter().cloned()),
            Event::Paused => self.paused = true,
            Event::Resumed => self.paused = false,
            Event::Failed { step, reason } => {
                self.failure = Some(reason.clone());
                if let (Some(step), Some(current)) = (step, self.generations.last_mut())
                    && let Some(command) = current.commands.remove(step)
                {
                    current.failed.insert(*step, command);
                }
            }
            Event::InputRejected { .. } | Event::Restarted { .. } => {}
        }
        if let Some(last) = self.generations.last_mut() {
            last.active_seconds = entry.active_seconds;
        }
        Ok(())
    }

    fn begin(&mut self, config: &GenerationConfig) -> Result<(), &'static str> {
        if self.first.is_none()
            || self.unfinished().is_some()
            || config.generation as usize != self.generations.len() + 1
        {
            return Err("a generation starts after the end of the previous one");
        }
        if config.best != self.best() {
            return Err("games are played by the best network");
        }
        self.generations.push(Generation {
            config: config.clone(),
            commands: BTreeMap::new(),
            failed: BTreeMap::new(),
            played: None,
            drawn: None,
            trained: None,
            matched: None,
            adopted: None,
            active_seconds: 0,
        });
        Ok(())
    }

    fn current(&mut self, number: u32) -> Result<&mut Generation, &'static str> {
        let current = self.generations.last_mut().filter(|last| last.adopted.is_none());
        current.filter(|current| current.config.generation == number).ok_or("this generation is not in progress")
    }

    /// The generation in progress.
    pub fn unfinished(&self) -> Option<&Generation> {
        self.generations.last().filter(|last| last.adopted.is_none())
    }

    /// Generation of the best network; 0 is the first network.
    pub fn best(&self) -> u32 {
        let adopted = self.generations.iter().rev().find(|generation| generation.adopted == Some(true));
        adopted.map_or(0, |generation| generation.config.generation)
    }

    /// First unused seed; `first` before any games.
    pub fn next_seed(&self, first: u64) -> u64 {
        self.generations.iter().map(|generation| generation.config.seeds[1]).fold(first, u64::max)
    }

    /// Elo of a generation's network over the first one: sum of the matches on its path.
    pub fn elo(&self, number: u32) -> f64 {
        let generation = number.checked_sub(1).and_then(|at| self.generations.get(at as usize));
        generation.map_or(0.0, |generation| {
            self.elo(generation.config.best) + generation.matched.as_ref().map_or(0.0, Matched::points)
        })
    }

    /// Generations with games of the last `networks` networks, the current best included. A network
    /// whose successors were rejected has played in several generations.
    pub fn window(&self, networks: usize) -> &[Generation] {
        let players: BTreeSet<u32> = self.generations.iter().map(|generation| generation.config.best).collect();
        let oldest = players.iter().rev().nth(networks - 1).copied().unwrap_or(0);
        let from = self.generations.iter().position(|generation| generation.config.best >= oldest);
        &self.generations[from.unwrap_or(self.generations.len())..]
    }
}
