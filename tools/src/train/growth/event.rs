//! What happens to networks that grow: one event, one line of JSON.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Seconds since 1970.
    pub time: u64,
    /// Seconds of work up to here; pauses and the time between two runs of the program are none.
    pub worked: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// The work on a generation, in this order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Games of the best network with itself.
    Selfplay,
    /// Training.
    Fit,
    /// The test against the best network.
    Match,
}

impl Step {
    /// Its name, as it stands in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Selfplay => "selfplay",
            Self::Fit => "fit",
            Self::Match => "match",
        }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The network of generation 0 is there.
    First {
        /// CRC-32 of its file.
        network: String,
    },
    /// The program was started, for the first time or again.
    Started {
        /// Its version.
        version: String,
        /// Processor cores that it uses.
        threads: usize,
    },
    /// A generation is planned.
    Generation(Plan),
    /// A step is begun.
    Begun {
        /// The generation.
        generation: u32,
        /// The step.
        step: Step,
        /// The program with its arguments, run in the folder of the log; the number of threads is left out.
        command: Vec<String>,
    },
    /// The games of a generation are there.
    Played(Played),
    /// Its network is trained.
    Trained(Trained),
    /// Its match is over.
    Matched(Matched),
    /// Its network is the best from now on.
    Adopted {
        /// The generation.
        generation: u32,
    },
    /// Its network is not.
    Rejected {
        /// The generation.
        generation: u32,
    },
    /// Games give way to newer ones.
    Removed {
        /// Their files.
        files: Vec<String>,
    },
    /// A file of games, or a folder of programs, is not used.
    Refused {
        /// The file.
        file: String,
        /// Why.
        reason: String,
    },
    /// The work rests.
    Paused,
    /// It goes on.
    Resumed,
    /// The program of a step was killed, and is started again.
    Restarted {
        /// The step.
        step: Step,
        /// How it ended.
        status: String,
    },
    /// The program ends, because a step failed.
    Failed {
        /// Why.
        reason: String,
    },
}

/// What is decided before a generation begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The generation, from 1.
    pub generation: u32,
    /// That of the best network, which plays the games.
    pub best: u32,
    /// The first seed of the games, and the one behind the last.
    pub seeds: [u64; 2],
    /// Files of games from elsewhere.
    pub data: Vec<String>,
    /// The last line of `sabi bench` with the best network, which tells the engine from others.
    pub signature: String,
    /// CRC-32 of every file that is used: programs and openings.
    pub inputs: BTreeMap<String, String>,
}

/// The games of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The generation.
    pub generation: u32,
    /// Games, those from elsewhere included.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
    /// Size of the files.
    pub bytes: u64,
}

/// The training of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// The generation.
    pub generation: u32,
    /// Positions of the training set.
    pub positions: u64,
    /// Losses by epoch, of the training set and of the validation set.
    pub losses: Vec<[f64; 2]>,
    /// CRC-32 of the network.
    pub network: String,
}

/// The match of a generation against the best one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Matched {
    /// The generation.
    pub generation: u32,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The difference in Elo points, and the ends of its 95 % interval; `None` where it is infinite.
    pub elo: Option<f64>,
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Log-likelihood ratio of the sequential test.
    pub llr: f64,
    /// The hypothesis that the test accepted, `H0` or `H1`; `None` when the games were used up before.
    pub accepted: Option<String>,
}

impl Matched {
    /// Most points that a match is drawn with.
    const MOST: f64 = 800.0;

    /// Elo points, a large number where they are infinite.
    pub fn points(&self) -> f64 {
        let sign = if self.wins > self.losses { 1.0 } else { -1.0 };
        self.elo.unwrap_or(sign * Self::MOST).clamp(-Self::MOST, Self::MOST)
    }
}
