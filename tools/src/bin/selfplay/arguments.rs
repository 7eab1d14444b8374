//! The command line of `selfplay`.

use anyhow::{Context, ensure};
use clap::{Parser, value_parser};
use sabi::cli::Settings;
use sabi::engine::Options;
use sabi::search::Resources;
use sabi_tools::arena::Openings;
use sabi_tools::arena::selfplay::{Adjudication, DrawAdjudication, SelfPlayConfig, WinAdjudication};
use std::num::NonZeroUsize;
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;

/// Size of the transposition table in MB for a number of nodes a move. It is cleared for each game, and what is small enough stays in
/// the processor's cache.
fn hash_mb(nodes: u64) -> usize {
    (nodes / 125).clamp(1, 8) as usize
}

/// Plays games of the engine with itself into a file: training data.
#[derive(Parser)]
#[command(version)]
pub struct Arguments {
    /// The file that gets the games (.sabg); the games that are there already are not played again
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Seeds, the last one excluded, one for each game
    #[arg(long, value_name = "FIRST..END", value_parser = seeds)]
    pub seed_range: Range<u64>,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games at a time [default: one for each processor core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Random moves, after those of the opening if there is one
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = value_parser!(u64).range(..=100))]
    random_plies: u64,
    /// Openings: records, or lines with a SFEN or 'startpos moves ...' [default: the start of an even game]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Moves that are taken of each opening, or the least and the most of them, drawn for each game [default: all]
    #[arg(long, value_name = "N or MIN..MAX", requires = "openings", value_parser = plies)]
    opening_plies: Option<RangeInclusive<usize>>,
    /// The share of games that begin with an opening; the others begin with random moves alone
    #[arg(long, value_name = "PART", requires = "openings", default_value_t = 1.0, value_parser = share)]
    opening_share: f64,
    /// An opening is drawn again if the first search finds a side ahead by more centipawns
    #[arg(long, value_name = "CP", default_value_t = 600, value_parser = value_parser!(i32).range(0..))]
    balance: i32,
    /// Moves, those of the opening included, after which a game is a draw
    #[arg(long, value_name = "N", default_value_t = 320, value_parser = value_parser!(u64).range(1..=9_999))]
    max_moves: u64,
    /// A side has won when it has been ahead by CP centipawns for MOVES moves of both sides, or 'never'
    #[arg(long, value_name = "CP,MOVES", default_value = "3000,6", value_parser = win)]
    adjudicate_win: Win,
    /// A game is drawn when neither side has been ahead by more than CP centipawns for MOVES moves, not before move FROM, or 'never'
    #[arg(long, value_name = "CP,MOVES,FROM", default_value = "10,20,160", value_parser = draw)]
    adjudicate_draw: Draw,
    #[command(flatten)]
    settings: Settings,
}

/// `None` for never.
#[derive(Copy, Clone)]
struct Win(Option<WinAdjudication>);

#[derive(Copy, Clone)]
struct Draw(Option<DrawAdjudication>);

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
        [score, plies] if score > 0 && plies > 1 => Some(WinAdjudication { score: score as i32, plies }),
        _ => return Err("a win goes CP,MOVES with at least 2 moves, or 'never'".to_owned()),
    };
    Ok(Win(verdict))
}

fn draw(text: &str) -> Result<Draw, String> {
    let verdict = match numbers(text)?[..] {
        [] => None,
        [score, plies, from] if plies > 0 => Some(DrawAdjudication { score: score as i32, plies, from }),
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

impl Arguments {
    /// How the games are played.
    ///
    /// # Errors
    /// When the openings cannot be read, or an option is refused.
    pub fn config(&self) -> anyhow::Result<SelfPlayConfig> {
        let most = self.opening_plies.as_ref().map_or(usize::MAX, |plies| *plies.end());
        let openings = match &self.openings {
            None => Openings::Random { plies: 0, seed: 0 },
            Some(path) => Openings::read(path, most, 0)
                .with_context(|| format!("cannot use the openings '{}'", path.display()))?,
        };
        let options = Options { resources: Resources::new(hash_mb(self.nodes), 1), ..Options::default() };
        let options = self.settings.apply(options)?;
        ensure!(options.resources.threads == 1, "with more than one thread a seed would not decide its game");
        Ok(SelfPlayConfig {
            nodes: self.nodes,
            openings,
            opening_plies: self.opening_plies.clone().filter(|plies| plies.start() < plies.end()),
            opening_share: self.opening_share,
            random_plies: self.random_plies as usize,
            balance: self.balance,
            max_moves: self.max_moves as usize,
            adjudication: Adjudication { win: self.adjudicate_win.0, draw: self.adjudicate_draw.0 },
            options,
        })
    }
}
