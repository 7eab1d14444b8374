//! The command line of `selfplay`.

use anyhow::ensure;
use clap::{Parser, value_parser};
use sabi::cli::OptionArguments;
use sabi::engine::Options;
use sabi::search::Resources;
use sabi_shogi::EnteringKingRule;
use sabi_tools::cli::{ThreadArguments, fraction};
use sabi_tools::matches::Openings;
use sabi_tools::matches::selfplay::{Adjudication, DrawAdjudication, SelfPlayConfig, WinAdjudication};
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;

/// Plays self-play games for training data.
#[derive(Parser)]
#[command(name = env!("CARGO_BIN_NAME"), version)]
pub struct Arguments {
    /// Output file (.sabg); games already in it are not replayed
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Seed range FIRST..END (exclusive), one seed per game
    #[arg(long, value_name = "FIRST..END", value_parser = seeds)]
    pub seed_range: Range<u64>,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    pub working: ThreadArguments,
    /// Random moves, after those of the opening if any
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = value_parser!(u64).range(..=100))]
    random_plies: u64,
    /// Openings: records, or lines with a SFEN or 'startpos moves ...' [default: the start
    /// position]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Opening moves to play, or an inclusive range drawn for each game [default: all]
    #[arg(long, value_name = "N or MIN..MAX", requires = "openings", value_parser = plies)]
    opening_plies: Option<RangeInclusive<usize>>,
    /// Share of games that start from an opening; the others start with random moves only
    #[arg(long, value_name = "PART", requires = "openings", default_value_t = 1.0, value_parser = fraction)]
    opening_share: f64,
    /// Redraw the opening if the first search scores above this, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 600, value_parser = value_parser!(i32).range(0..))]
    balance: i32,
    /// Maximum moves, opening included; then the game is a draw
    #[arg(long, value_name = "N", default_value_t = 320, value_parser = value_parser!(u64).range(1..=9_999))]
    max_moves: u64,
    /// End each game after this many searched moves, without a result: many short games have more
    /// independent positions than few whole ones [default: play to the end]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    searched_plies: Option<u64>,
    /// Win adjudication: a side is ahead by CP centipawns for MOVES plies of both sides; or 'never'
    #[arg(long, value_name = "CP,MOVES", default_value = "3000,6", value_parser = win)]
    adjudicate_win: Win,
    /// Draw adjudication: scores within CP centipawns for MOVES plies, from ply FROM of the game
    /// on, opening included; or 'never'
    #[arg(long, value_name = "CP,MOVES,FROM", default_value = "10,20,160", value_parser = draw)]
    adjudicate_draw: Draw,
    #[command(flatten)]
    settings: OptionArguments,
}

// `None`: never. By another name than `Option`, because clap takes that for an optional argument.
type Win = Option<WinAdjudication>;
type Draw = Option<DrawAdjudication>;

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let (first, end) = text.split_once("..").ok_or("expected FIRST..END")?;
    match (first.parse(), end.parse()) {
        (Ok(first), Ok(end)) if first < end => Ok(first..end),
        _ => Err("expected FIRST..END with FIRST below END".to_owned()),
    }
}

/// A single number is a range of one.
fn plies(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok(first..=last),
        _ => Err("expected N or MIN..MAX with MIN not above MAX".to_owned()),
    }
}

fn win(text: &str) -> Result<Win, String> {
    match numbers(text)?[..] {
        [] => Ok(None),
        [score, plies] if score > 0 && plies > 1 => Ok(Some(WinAdjudication { score: score as i32, plies })),
        _ => Err("expected CP,MOVES with at least 2 moves, or 'never'".to_owned()),
    }
}

fn draw(text: &str) -> Result<Draw, String> {
    match numbers(text)?[..] {
        [] => Ok(None),
        [score, plies, from] if plies > 0 => Ok(Some(DrawAdjudication { score: score as i32, plies, from })),
        _ => Err("expected CP,MOVES,FROM with at least 1 move, or 'never'".to_owned()),
    }
}

/// Comma-separated numbers; empty for `never`.
fn numbers(text: &str) -> Result<Vec<usize>, String> {
    if text == "never" {
        return Ok(Vec::new());
    }
    let number = |text: &str| text.trim().parse().ok().filter(|&number: &usize| number <= 100_000);
    text.split(',').map(number).collect::<Option<_>>().ok_or_else(|| format!("'{text}' is not a list of numbers"))
}

/// Whether an option changes more than what self-play does without: book, levels, pondering.
fn has_effect(option: &str) -> anyhow::Result<bool> {
    let without = Options::default();
    let Some((name, value)) = option.split_once('=') else { return Ok(true) };
    let with = without.clone().with(name, Some(value))?;
    let Options { resources, search, eval, depth_limit, nodes_limit, .. } = with.clone();
    Ok(with == Options { resources, search, eval, depth_limit, nodes_limit, ..without })
}

impl Arguments {
    /// Settings of the games.
    ///
    /// # Errors
    /// When the openings cannot be read, or an option is invalid.
    pub fn config(&self) -> anyhow::Result<SelfPlayConfig> {
        let most = self.opening_plies.as_ref().map_or(usize::MAX, |plies| *plies.end());
        let openings = match &self.openings {
            None => Openings::Random { plies: 0, seed: 0 },
            Some(path) => Openings::read(path, most, 0)?,
        };
        // The table is cleared for each game, and a small one stays in the processor's cache.
        let hash_mb = (self.nodes / 125).clamp(1, 8) as usize;
        let options = Options { resources: Resources::new(hash_mb, 1), ..Options::default() };
        for option in self.settings.given() {
            ensure!(has_effect(option)?, "{option} has no effect in self-play");
        }
        let options = self.settings.apply(options)?;
        ensure!(options.resources.threads == 1, "games are not reproducible with more than one search thread");
        let rule = options.search.entering_king;
        ensure!(rule != EnteringKingRule::Try, "self-play has no results by the try rule");
        Ok(SelfPlayConfig {
            nodes: self.nodes,
            openings,
            opening_plies: self.opening_plies.clone().filter(|plies| plies.start() < plies.end()),
            opening_share: self.opening_share,
            random_plies: self.random_plies as usize,
            balance: self.balance,
            max_moves: self.max_moves as usize,
            searched_plies: self.searched_plies.map(|plies| plies as usize),
            adjudication: Adjudication { win: self.adjudicate_win, draw: self.adjudicate_draw },
            options,
        })
    }
}
