//! `sabi selfplay`: training data.

use super::settings::Settings;
use crate::progress::progress_bar;
use anyhow::{Context, ensure};
use clap::{Args, value_parser};
use sabi::arena::Openings;
use sabi::arena::selfplay::{DrawVerdict, Field, Recipe, SelfPlayed, Verdicts, WinVerdict};
use sabi::engine::Options;
use sabi::record::compact::{Archive, Block};
use sabi::search::Equipment;
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// Games of a block: what is lost when the program is stopped.
const BLOCK_GAMES: usize = 64;
/// Size of the transposition table in MB for a number of nodes a move. It is cleared for each game, and what is small enough stays in
/// the processor's cache.
fn hash_mb(nodes: u64) -> usize {
    (nodes / 125).clamp(1, 8) as usize
}

#[derive(Args)]
pub struct SelfPlayArguments {
    /// The file that gets the games (.sabg); the games that are there already are not played again
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Seeds, the last one excluded, one for each game
    #[arg(long, value_name = "FIRST..END", value_parser = seeds)]
    seed_range: Range<u64>,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games at a time [default: one for each processor core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Moves by chance, after those of the opening if there is one
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = value_parser!(u64).range(..=100))]
    random_plies: u64,
    /// Openings: records, or lines with a SFEN or 'startpos moves ...' [default: the start of an even game]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Moves that are taken of each opening, or the least and the most of them, drawn for each game [default: all]
    #[arg(long, value_name = "N or MIN..MAX", requires = "openings", value_parser = plies)]
    opening_plies: Option<RangeInclusive<usize>>,
    /// The share of games that begin with an opening; the others begin with moves by chance alone
    #[arg(long, value_name = "PART", requires = "openings", default_value_t = 1.0, value_parser = share)]
    opening_share: f64,
    /// An opening is drawn again if the first search finds a side ahead by more centipawns
    #[arg(long, value_name = "CP", default_value_t = 600, value_parser = value_parser!(i32).range(0..))]
    balance: i32,
    /// Moves, those of the opening included, after which a game is a draw
    #[arg(long, value_name = "N", default_value_t = 320, value_parser = value_parser!(u64).range(1..=9_999))]
    max_moves: u64,
    /// A side has won when it has been ahead by so many centipawns for so many moves of both sides, or 'never'
    #[arg(long, value_name = "CP,MOVES", default_value = "3000,6", value_parser = win)]
    adjudicate_win: Win,
    /// A game is drawn when nobody has been ahead by more centipawns for so many moves, not before move FROM, or 'never'
    #[arg(long, value_name = "CP,MOVES,FROM", default_value = "10,20,160", value_parser = draw)]
    adjudicate_draw: Draw,
    #[command(flatten)]
    settings: Settings,
}

/// `None` for never.
#[derive(Copy, Clone)]
struct Win(Option<WinVerdict>);

#[derive(Copy, Clone)]
struct Draw(Option<DrawVerdict>);

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let (first, end) = text.split_once("..").ok_or("seeds go FIRST..END")?;
    match (first.parse(), end.parse()) {
        (Ok(first), Ok(end)) if first < end => Ok(first..end),
        _ => Err("seeds go FIRST..END, with FIRST below END".to_owned()),
    }
}

/// A number of moves is a range of one.
fn plies(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok(first..=last),
        _ => Err("plies go N or MIN..MAX, with MIN not above MAX".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a number from 0 to 1 is wanted".to_owned())
}

fn win(text: &str) -> Result<Win, String> {
    let verdict = match numbers(text)?[..] {
        [] => None,
        [score, plies] if score > 0 && plies > 1 => Some(WinVerdict { score: score as i32, plies }),
        _ => return Err("a win goes CP,MOVES with at least 2 moves, or 'never'".to_owned()),
    };
    Ok(Win(verdict))
}

fn draw(text: &str) -> Result<Draw, String> {
    let verdict = match numbers(text)?[..] {
        [] => None,
        [score, plies, from] if plies > 0 => Some(DrawVerdict { score: score as i32, plies, from }),
        _ => return Err("a draw goes CP,MOVES,FROM with at least 1 move, or 'never'".to_owned()),
    };
    Ok(Draw(verdict))
}

/// Numbers with commas between them; none for `never`.
fn numbers(text: &str) -> Result<Vec<usize>, String> {
    if text == "never" {
        return Ok(Vec::new());
    }
    let number = |text: &str| text.trim().parse().ok().filter(|&number: &usize| number <= 100_000);
    text.split(',').map(number).collect::<Option<_>>().ok_or_else(|| format!("'{text}' is no list of numbers"))
}

impl SelfPlayArguments {
    fn recipe(&self) -> anyhow::Result<Recipe> {
        let most = self.opening_plies.as_ref().map_or(usize::MAX, |plies| *plies.end());
        let openings = match &self.openings {
            None => Openings::Random { plies: 0, seed: 0 },
            Some(path) => Openings::read(path, most, 0)
                .with_context(|| format!("cannot use the openings '{}'", path.display()))?,
        };
        let options = Options { equipment: Equipment::new(hash_mb(self.nodes), 1), ..Options::default() };
        let options = self.settings.apply(options)?;
        ensure!(options.equipment.threads == 1, "more than one thread for a game would make it a game of chance");
        Ok(Recipe {
            nodes: self.nodes,
            openings,
            opening_plies: self.opening_plies.clone().filter(|plies| plies.start() < plies.end()),
            opening_share: self.opening_share,
            random_plies: self.random_plies as usize,
            balance: self.balance,
            max_moves: self.max_moves as usize,
            verdicts: Verdicts { win: self.adjudicate_win.0, draw: self.adjudicate_draw.0 },
            options,
        })
    }

    /// Plays the games that are not in the file, and tells in the end what they are like.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let recipe = self.recipe()?;
        let threads = match self.threads {
            Some(threads) => threads,
            None => available_parallelism()?,
        };
        let mut known = Known::default();
        let archive = Archive::open(&self.out, &recipe.settings()?, |game| {
            known.seeds.insert(game.number);
            known.games.insert(game.fingerprint());
        })?;
        let Known { seeds, games } = known;
        let there = seeds.iter().filter(|seed| self.seed_range.contains(seed)).count() as u64;
        let left = self.seed_range.end - self.seed_range.start - there;
        if there > 0 {
            writeln!(out, "{there} games are there already, {left} are left to play")?;
        }
        let bar = progress_bar(left, "games")?;
        let mut harvest =
            Harvest { path: self.out.clone(), archive, block: Block::default(), games, tally: Tally::default() };
        let new = self.seed_range.clone().filter(|seed| !seeds.contains(seed));
        let (start, before) = (Instant::now(), harvest.archive.bytes());
        let mut outcome = Ok(());
        let played = Field { recipe: &recipe, threads }.play(new, |played| {
            bar.inc(1);
            outcome = harvest.take(&played);
            bar.set_message(format!("{:.0} positions/s", harvest.tally.speed(start.elapsed())));
            if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        bar.finish_and_clear();
        outcome?;
        harvest.save()?;
        played?;
        harvest.tally.tell(out, start.elapsed(), harvest.archive.bytes() - before)
    }
}

/// What is in the file already.
#[derive(Default)]
struct Known {
    seeds: HashSet<u64>,
    /// Fingerprints of the games.
    games: HashSet<u64>,
}

/// Games on their way into the file.
struct Harvest {
    path: PathBuf,
    archive: Archive,
    block: Block,
    /// Fingerprints of the games that are in the file or on their way.
    games: HashSet<u64>,
    tally: Tally,
}

impl Harvest {
    fn take(&mut self, played: &SelfPlayed) -> anyhow::Result<()> {
        let mut single = Block::default();
        single.push(played.seed, &played.game)?;
        for game in single.games() {
            if !self.games.insert(game.fingerprint()) {
                self.tally.duplicates += 1;
                return Ok(());
            }
            self.block.push_stored(game)?;
        }
        self.tally.add(played);
        if self.block.len() >= BLOCK_GAMES { self.save() } else { Ok(()) }
    }

    fn save(&mut self) -> anyhow::Result<()> {
        if !self.block.is_empty() {
            let saved = self.archive.add(&self.block);
            saved.with_context(|| format!("cannot save games in '{}'", self.path.display()))?;
            self.block.clear();
        }
        Ok(())
    }
}

/// What the games are like.
#[derive(Default)]
struct Tally {
    games: u64,
    duplicates: u64,
    /// Positions with a score.
    positions: u64,
    nodes: u64,
    /// By result, and by the reason of their end.
    results: BTreeMap<&'static str, u64>,
    causes: BTreeMap<String, u64>,
}

impl Tally {
    fn add(&mut self, played: &SelfPlayed) {
        self.games += 1;
        self.positions += played.game.scores.iter().flatten().count() as u64;
        self.nodes += played.nodes;
        *self.results.entry(played.game.result.name()).or_default() += 1;
        *self.causes.entry(played.cause.to_string()).or_default() += 1;
    }

    fn speed(&self, time: Duration) -> f64 {
        self.positions as f64 / time.as_secs_f64().max(1e-9)
    }

    fn tell(&self, out: &mut impl Write, time: Duration, bytes: u64) -> anyhow::Result<()> {
        let of = |count: u64| format!("{count} ({:.1} %)", 100.0 * count as f64 / self.games.max(1) as f64);
        writeln!(out, "games {}, duplicates left out {}", self.games, self.duplicates)?;
        writeln!(out, "positions {}, {:.1} a game", self.positions, self.positions as f64 / self.games.max(1) as f64)?;
        for (name, &count) in &self.results {
            writeln!(out, "result {name}: {}", of(count))?;
        }
        for (name, &count) in &self.causes {
            writeln!(out, "end by {name}: {}", of(count))?;
        }
        let nodes = self.nodes as f64 / time.as_secs_f64().max(1e-9);
        writeln!(out, "{:.1} s, {:.0} positions/s, {nodes:.0} nodes/s", time.as_secs_f64(), self.speed(time))?;
        Ok(writeln!(out, "{bytes} bytes, {:.2} a position", bytes as f64 / self.positions.max(1) as f64)?)
    }
}
