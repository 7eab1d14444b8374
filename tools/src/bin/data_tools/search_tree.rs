//! `data_tools search-tree`.

use super::files::{Inputs, write_file};
use super::teacher::TeacherArguments;
use anyhow::Context;
use clap::{Args, value_parser};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi::util::{in_order, run_workers};
use sabi_records::{
    BadGames, Fault, Game,
    sabg::{StoredGame, Writer},
};
use sabi_shogi::split_mix;
use sabi_tools::cli::{ThreadArguments, fraction, report_bad};
use sabi_tools::train::TreeSampler;
use std::io::Write;
use std::sync::Arc;

#[derive(Args)]
pub struct Arguments {
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
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let Arguments { teacher, nodes, share, positions, pv_ends, seed, working } = arguments;
    let (_lock, network, crc) = teacher.open()?;
    let network = Arc::new(network);
    let sampler = || TreeSampler::new(network.clone(), *nodes, (*positions).into());
    let mut samplers = (0..working.threads()).map(|_| sampler()).collect::<Result<Vec<_>, _>>()?;
    let inputs = Inputs::open(&teacher.files)?;
    let settings = format!(
        "{}search trees: {crc:08x}, {nodes} nodes, share {share}, {positions} positions{}, seed {seed}\n",
        inputs.common_settings(),
        if *pv_ends { ", PV ends" } else { "" }
    );
    let (mut bad, mut games, mut drawn) = (BadGames::default(), 0, 0);
    let written = write_file(&teacher.output, |file| {
        let mut writer = Writer::new(file, &settings)?;
        inputs.each_block(&mut bad, |place, block, bad| {
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
                            Err(fault) => bad.note(&place.error(at, fault)),
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
        writer.finish()?;
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
