//! Static evals of a network as scores: of the positions of games, or of others, drawn from the
//! search trees.

use super::files::{GameFiles, lock_output, write_games};
use anyhow::Context;
use clap::{Args, value_parser};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi::cli::check_not_an_input;
use sabi::eval::nnue::{Network, Parameters};
use sabi::machine::{in_order, run_workers};
use sabi_files::{WriteLock, crc32, read_regular};
use sabi_records::{
    BadGames, Fault, Game,
    sabg::{StoredGame, is_sabg},
};
use sabi_shogi::{Position, Score, split_mix};
use sabi_tools::cli::{ThreadArguments, fraction, report_bad};
use sabi_tools::train::TreeSampler;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

// Inputs, network and output.
#[derive(Args)]
pub struct TeacherArguments {
    /// Inputs (.sabg); damaged parts and games with illegal moves are reported and skipped
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Network (.bin)
    #[arg(long, value_name = "FILE")]
    network: PathBuf,
    /// Output (.sabg)
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

impl TeacherArguments {
    /// Locks the output, and reads the network, with the scale that the engine plays with, and the
    /// CRC of its file.
    fn open(&self) -> anyhow::Result<(WriteLock, Network, u32)> {
        let lock = lock_output(&self.output, "the games", |head, _| is_sabg(head))?;
        check_not_an_input(&self.output, &self.files)?;
        let read = || -> anyhow::Result<(Network, u32)> {
            let bytes = read_regular(&self.network)?;
            let network = Network::new(&Parameters::from_bytes(&bytes)?)?.with_measured_scale();
            Ok((network, crc32(&bytes)))
        };
        let (network, crc) = read().with_context(|| format!("cannot read the network '{}'", self.network.display()))?;
        Ok((lock, network, crc))
    }
}

/// Writes the games with static evals of a network as scores: labels for the training of a smaller
/// one (knowledge distillation, Hinton et al. 2015). Proven mates stay, and so do the scores of
/// positions in check, whose static evals mean nothing; moves without a score get none.
pub fn label(arguments: &TeacherArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let (_lock, network, crc) = arguments.open()?;
    let inputs = GameFiles::open(&arguments.files)?;
    let settings = format!("{}labels: {crc:08x}\n", inputs.common_settings());
    let (mut bad, mut games, mut labels) = (BadGames::default(), 0, 0_u64);
    let written = write_games(&arguments.output, &settings, |writer| {
        inputs.each_game(&mut bad, |_, game| {
            let mut scores = Vec::with_capacity(game.moves.len());
            let replayed = game.replay(|position, _, score| {
                let label = score.and_then(|score| static_eval(&network, position, score));
                labels += u64::from(label.is_some());
                scores.push(label.or(score));
            });
            if replayed.is_ok() {
                games += 1;
                writer.push_stored(StoredGame { scores: &scores, ..game })?;
            }
            Ok(replayed.err())
        })?;
        Ok(games)
    });
    report_bad(&bad);
    let games = written?;
    Ok(writeln!(out, "{games} games, {labels} scores replaced")?)
}

/// The static eval of a position that is not decided.
fn static_eval(network: &Network, position: &Position, score: Score) -> Option<Score> {
    (!position.in_check() && !score.is_mate()).then(|| Score::eval(network.evaluate(position)))
}

#[derive(Args)]
pub struct SearchTreeArguments {
    #[command(flatten)]
    teacher: TeacherArguments,
    /// Nodes per search
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = value_parser!(u64).range(1..=1_000_000))]
    nodes: u64,
    /// Share of the positions with a score to search
    #[arg(long, value_name = "PART", default_value_t = 1.0, value_parser = fraction)]
    share: f64,
    /// Positions to draw from each search tree
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = value_parser!(u16).range(1..=1000))]
    positions: u16,
    /// Also write the end of each PV, with the score that the game has for the searched position
    #[arg(long)]
    pv_ends: bool,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    working: ThreadArguments,
}

/// Searches positions of games and writes others, drawn from the search trees, with static evals of
/// the network as scores. They have the number of their game, so that training has both in the same
/// set.
pub fn search_tree(arguments: &SearchTreeArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let SearchTreeArguments { teacher, nodes, share, positions, pv_ends, seed, working } = arguments;
    let (_lock, network, crc) = teacher.open()?;
    let network = Arc::new(network);
    let sampler = || TreeSampler::new(network.clone(), *nodes, (*positions).into());
    let mut samplers = (0..working.threads()).map(|_| sampler()).collect::<Result<Vec<_>, _>>()?;
    let inputs = GameFiles::open(&teacher.files)?;
    let settings = format!(
        "{}search trees: {crc:08x}, {nodes} nodes, share {share}, {positions} positions{}, seed {seed}\n",
        inputs.common_settings(),
        if *pv_ends { ", PV ends" } else { "" }
    );
    let (mut bad, mut games, mut drawn) = (BadGames::default(), 0, 0);
    let written = write_games(&teacher.output, &settings, |writer| {
        inputs.each_block(&mut bad, |first, block, bad| {
            let tasks = block.games().zip(games..);
            games += block.len() as u64;
            run_workers(
                &mut samplers,
                tasks,
                |sampler, tasks| {
                    tasks.work(|(game, at)| {
                        let drawn = draw(sampler, &game, *share, *pv_ends, split_mix(*seed, at + 1));
                        (game.number, drawn)
                    });
                },
                |results| {
                    in_order(results).enumerate().try_for_each(|(at, (number, game))| {
                        match game {
                            Err(fault) => bad.note(&first.plus(at).error(fault)),
                            Ok(positions) => {
                                drawn += positions.len() as u64;
                                positions.iter().try_for_each(|position| writer.push(number, position))?;
                            }
                        }
                        anyhow::Ok(())
                    })
                },
            )
            .context("no thread could be started")?
        })?;
        Ok(drawn)
    });
    report_bad(&bad);
    let drawn = written?;
    Ok(writeln!(out, "{games} games, {drawn} positions drawn")?)
}

/// Positions drawn from the search trees of a game.
fn draw(
    sampler: &mut TreeSampler,
    game: &StoredGame<'_>,
    share: f64,
    pv_ends: bool,
    seed: u64,
) -> Result<Vec<Game>, Fault> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut drawn = Vec::new();
    sampler.new_game();
    game.replay(|position, _, score| {
        if let Some(score) = score
            && rng.random_bool(share)
        {
            let report = sampler.search(position);
            drawn.extend(sampler.draw(position, &mut rng));
            drawn.extend(report.filter(|_| pv_ends).and_then(|report| sampler.pv_end(position, &report, score)));
        }
    })?;
    Ok(drawn)
}
