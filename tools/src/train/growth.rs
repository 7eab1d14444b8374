//! Training loop: self-play, training, match, generation after generation.
//!
//! An [`Event`] is a line of the [`Log`], one of JSON; [`History`] is the state derived from it, the
//! progress of each generation; [`growth_page`] shows Elo curve, losses and matches as a
//! self-contained HTML page.

use crate::page::{curves, figure, key_values, page, section, table};
use anyhow::{Context, anyhow};
use sabi_files::{append_line, open_lines};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Seek};
use std::iter;
use std::path::{Path, PathBuf};

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
    /// The first network (generation 0) was copied; the CRC-32 of its file.
    First { network: String },
    /// The program was started: its version, and the processor cores in use.
    Started { version: String, threads: usize },
    /// A generation was begun.
    Generation(GenerationConfig),
    /// A step was started: program and arguments, relative to the folder of the log, without the
    /// number of threads.
    Begun { generation: u32, step: Step, command: Vec<String> },
    /// Self-play finished.
    Played(Played),
    /// Search-tree positions drawn.
    Drawn { generation: u32, positions: u64 },
    /// Training finished.
    Trained(Trained),
    /// Match finished.
    Matched(Matched),
    /// The network becomes the best one.
    Adopted { generation: u32 },
    /// The network was rejected.
    Rejected { generation: u32 },
    /// Old game files were removed.
    Removed { files: Vec<String> },
    /// A game file or engine folder was rejected.
    InputRejected { file: String, reason: String },
    /// Paused.
    Paused,
    /// Resumed.
    Resumed,
    /// The process of a step was killed, and is restarted.
    Restarted { step: Step, status: String },
    /// The program ends because of an error, of a step unless something else failed.
    Failed {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<Step>,
        reason: String,
    },
}

/// What a generation is made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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

/// State of a generation.
#[derive(Clone, Debug, Default, PartialEq)]
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
        self.generations.push(Generation { config: config.clone(), ..Generation::default() });
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

/// An append-only file of events, each written at once: a truncated last event is ignored.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    history: History,
}

impl Log {
    /// Opens or creates a log.
    ///
    /// # Errors
    /// When it cannot be read, or its events are inconsistent.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let cannot_read = || format!("cannot read '{}'", path.display());
        let mut file = open_lines(path, true).with_context(cannot_read)?;
        file.rewind().with_context(cannot_read)?;
        let mut history = History::default();
        for (at, line) in BufReader::new(file).split(b'\n').enumerate() {
            let line = line.with_context(cannot_read)?;
            // Before decoding: it may be truncated within a character.
            if line.ends_with(b"<cut>") {
                continue;
            }
            let added = serde_json::from_slice(&line).map_err(|error| error.to_string());
            let added = added.and_then(|entry: LogEntry| history.add(&entry).map_err(str::to_owned));
            added.map_err(|reason| anyhow!("'{}', line {}: {reason}", path.display(), at + 1))?;
        }
        Ok(Self { path: path.to_owned(), history })
    }

    /// State after all events.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Appends an event, syncs the file and returns the line.
    ///
    /// # Errors
    /// I/O errors, and events inconsistent with the previous ones.
    pub fn add(&mut self, time: u64, active_seconds: u64, event: Event) -> io::Result<String> {
        let entry = LogEntry { time, active_seconds, event };
        let mut history = self.history.clone();
        history.add(&entry).map_err(io::Error::other)?;
        let line = serde_json::to_string(&entry)?;
        append_line(&self.path, &line)?;
        self.history = history;
        Ok(line)
    }
}

const STRENGTH: &str = "Elo points over the first network, as the sum of matches: \
    <span class=\"after\">──</span> best network; <span class=\"before\">╌╌</span> each tested network";

/// Page of a history. Equal histories give equal bytes.
///
/// # Errors
/// When a chart cannot be drawn.
pub fn growth_page(history: &History) -> anyhow::Result<String> {
    let points = points(history);
    let strength = |x_name, x: usize| {
        let curve = |which: usize| -> Vec<(f64, f64)> {
            iter::once((0.0, 0.0)).chain(points.iter().map(|point| (point.at[x], point.elo[which]))).collect()
        };
        curves([x_name, "Elo"], &curve(0), &curve(1), None).map(|svg| figure(&svg, STRENGTH))
    };
    let body = [
        section("State", &state(history)),
        section("Strength by generation", &strength("generations", 0)?),
        section("Strength by positions", &strength("million positions", 1)?),
        section("Strength by time", &strength("hours", 2)?),
        section("Losses", &losses(history)?),
        section("Generations", &generations(history)),
    ];
    Ok(page("Growth of a network", "", &body.concat()))
}

/// A finished generation in the charts.
struct Point {
    /// Number, million positions and hours.
    at: [f64; 3],
    /// Elo of the best network and of the tested one.
    elo: [f64; 2],
}

fn points(history: &History) -> Vec<Point> {
    let (mut positions, mut best) = (0, 0.0);
    let point = |generation: &Generation| {
        positions += generation.played.as_ref().map_or(0, |played| played.positions);
        let number = generation.config.generation;
        let tested = history.elo(number);
        if generation.adopted? {
            best = tested;
        }
        let at = [number.into(), positions as f64 / 1e6, hours(generation.active_seconds)];
        Some(Point { at, elo: [best, tested] })
    };
    history.generations.iter().filter_map(point).collect()
}

fn hours(seconds: u64) -> f64 {
    seconds as f64 / 3600.0
}

fn state(history: &History) -> String {
    let count = |adopted| history.generations.iter().filter(|generation| generation.adopted == adopted).count();
    let positions: u64 =
        history.generations.iter().filter_map(|generation| Some(generation.played.as_ref()?.positions)).sum();
    let now = match (&history.failure, history.paused, history.unfinished()) {
        (Some(failure), ..) => format!("ended: {failure}"),
        (_, true, _) => "paused".to_owned(),
        (_, _, Some(generation)) => {
            let step = generation.commands.keys().next_back().map_or("planned", |step| step.name());
            format!("generation {}: {step}", generation.config.generation)
        }
        (_, _, None) => "between generations".to_owned(),
    };
    key_values(&[
        ("best network", format!("generation {}", history.best())),
        ("strength", format!("{:+.0} Elo over the first network", history.elo(history.best()))),
        ("generations", format!("{} adopted, {} rejected", count(Some(true)), count(Some(false)))),
        ("positions", positions.to_string()),
        ("hours", format!("{:.1}", hours(history.active_seconds))),
        ("now", now),
    ])
}

/// Losses of the last epoch.
fn losses(history: &History) -> anyhow::Result<String> {
    let curve = |which: usize| -> Vec<(f64, f64)> {
        let loss = |generation: &Generation| {
            let last = generation.trained.as_ref()?.losses.last()?;
            Some((f64::from(generation.config.generation), last[which]))
        };
        history.generations.iter().filter_map(loss).collect()
    };
    Ok(figure(
        &curves(["generations", "loss"], &curve(0), &curve(1), None)?,
        "Mean squared error in the last epoch: <span class=\"after\">──</span> training set; <span class=\"before\">╌╌</span> \
         validation set. Each generation has other positions, so that losses of two generations do not compare.",
    ))
}

fn generations(history: &History) -> String {
    let heads = [
        ["generation", "network", "played by", "games", "positions", "trained on"].as_slice(),
        &["losses", "W-D-L", "Elo", "LLR", "hours"],
    ];
    table(&heads.concat(), history.generations.iter().rev().map(row))
}

fn row(generation: &Generation) -> Vec<String> {
    let Generation { config, played, trained, matched, adopted, active_seconds, .. } = generation;
    let none = || "–".to_owned();
    let network = match adopted {
        Some(true) => "adopted",
        Some(false) => "rejected",
        None => "in progress",
    };
    let last = |trained: &Trained| {
        trained.losses.last().map(|[training, validation]| format!("{training:.6}, {validation:.6}"))
    };
    vec![
        config.generation.to_string(),
        network.to_owned(),
        format!("generation {}", config.best),
        played.as_ref().map_or_else(none, |played| played.games.to_string()),
        played.as_ref().map_or_else(none, |played| played.positions.to_string()),
        trained.as_ref().map_or_else(none, |trained| trained.positions.to_string()),
        trained.as_ref().and_then(last).unwrap_or_else(none),
        matched.as_ref().map_or_else(none, |Matched { wins, draws, losses, .. }| format!("{wins}-{draws}-{losses}")),
        matched.as_ref().map_or_else(none, elo),
        matched.as_ref().map_or_else(none, |matched| format!("{:.2}", matched.llr)),
        format!("{:.2}", hours(*active_seconds)),
    ]
}

/// Elo difference with interval.
fn elo(matched: &Matched) -> String {
    // Infinite bounds of an infinite difference have its sign.
    let [low, high] = match matched.elo {
        Some(_) => ["-∞", "∞"],
        None if matched.wins > matched.losses => ["∞"; 2],
        None => ["-∞"; 2],
    };
    let number = |number: Option<f64>, infinite: &str| {
        number.map_or_else(|| infinite.to_owned(), |number| format!("{number:+.0}"))
    };
    format!("{} [{}, {}]", number(matched.elo, low), number(matched.low, low), number(matched.high, high))
}
