//! Log events: one line of JSON each.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// Seconds since 1970.
    pub time: u64,
    /// Working seconds so far, without pauses and time between runs.
    #[serde(rename = "worked")]
    pub active_seconds: u64,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

/// Steps of a generation, in order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Self-play of the best network.
    Selfplay,
    /// Search-tree positions of these games, with static evals of that network.
    SearchTree,
    /// Training.
    Fit,
    /// Match against the best network.
    Match,
}

impl Step {
    /// Name in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Selfplay => "selfplay",
            Self::SearchTree => "search_tree",
            Self::Fit => "fit",
            Self::Match => "match",
        }
    }
}

/// Event kinds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The first network (generation 0) was copied.
    First {
        /// CRC-32 of its file.
        network: String,
    },
    /// The program was started.
    Started {
        /// Its version.
        version: String,
        /// Processor cores in use.
        threads: usize,
    },
    /// A generation was begun.
    Generation(GenerationConfig),
    /// A step was started.
    Begun {
        /// The generation.
        generation: u32,
        /// The step.
        step: Step,
        /// Program and arguments, relative to the folder of the log, without the number of threads.
        command: Vec<String>,
    },
    /// Self-play finished.
    Played(Played),
    /// Search-tree positions drawn.
    Drawn {
        /// The generation.
        generation: u32,
        /// Number of positions.
        positions: u64,
    },
    /// Training finished.
    Trained(Trained),
    /// Match finished.
    Matched(Matched),
    /// The network becomes the best one.
    Adopted {
        /// The generation.
        generation: u32,
    },
    /// The network was rejected.
    Rejected {
        /// The generation.
        generation: u32,
    },
    /// Old games were removed.
    Removed {
        /// Game files.
        files: Vec<String>,
    },
    /// A game file or engine folder was rejected.
    InputRejected {
        /// The file.
        file: String,
        /// Reason.
        reason: String,
    },
    /// Paused.
    Paused,
    /// Resumed.
    Resumed,
    /// The process of a step was killed, and is restarted.
    Restarted {
        /// The step.
        step: Step,
        /// Exit status.
        status: String,
    },
    /// The program ends because of an error.
    Failed {
        /// The step, unless something else failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<Step>,
        /// Error message.
        reason: String,
    },
}

/// What a generation is made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationConfig {
    /// Generation, from 1.
    pub generation: u32,
    /// Generation of the best network, which plays the games.
    pub best: u32,
    /// Seed range of the games: first, end (exclusive).
    pub seeds: [u64; 2],
    /// External game files.
    pub data: Vec<String>,
    /// Last line of `sabi bench` with the best network: identifies the engine.
    pub signature: String,
    /// CRC-32 of every input file: programs and openings.
    pub inputs: BTreeMap<String, String>,
}

/// Self-play results of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The generation.
    pub generation: u32,
    /// Games, external ones included.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
    /// Size of the files in bytes.
    pub bytes: u64,
}

/// Training results of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// The generation.
    pub generation: u32,
    /// Training positions.
    pub positions: u64,
    /// Losses by epoch: training and validation.
    pub losses: Vec<[f64; 2]>,
    /// CRC-32 of the network.
    pub network: String,
}

/// Match results of a generation against the best network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Matched {
    /// The generation.
    pub generation: u32,
    /// Wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
    /// Elo difference and its 95 % interval; `None` for infinite.
    pub elo: Option<f64>,
    /// Lower bound.
    pub low: Option<f64>,
    /// Upper bound.
    pub high: Option<f64>,
    /// Log-likelihood ratio of the SPRT.
    pub llr: f64,
    /// Accepted hypothesis, `H0` or `H1`; `None` when the game limit was reached first.
    pub accepted: Option<String>,
}

impl Matched {
    /// Elo differences are drawn up to this.
    const MAX_ELO: f64 = 800.0;

    /// Elo difference, clamped where infinite.
    pub fn points(&self) -> f64 {
        let sign = if self.wins > self.losses { 1.0 } else { -1.0 };
        self.elo.unwrap_or(sign * Self::MAX_ELO).clamp(-Self::MAX_ELO, Self::MAX_ELO)
    }
}
