//! `data_tools label`.

use super::files::{Inputs, lock_output, write_file};
use anyhow::Context;
use clap::Args;
use sabi::cli::check_not_an_input;
use sabi::eval::nnue::{Network, Parameters};
use sabi::position::Position;
use sabi::record::BadGames;
use sabi::record::compact::{StoredGame, Writer, is_compact};
use sabi::types::Score;
use sabi::util::{crc32, read_regular};
use sabi_tools::cli::report_bad;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Arguments {
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

/// Writes the games with static evals of a network as scores: labels for the training of a smaller
/// one (knowledge distillation, Hinton et al. 2015). Proven mates stay, and so do the scores of
/// positions in check, whose static evals mean nothing; moves without a score get none.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let Arguments { files, network, output } = arguments;
    let _lock = lock_output(output, "the games", |head, _| is_compact(head))?;
    check_not_an_input(output, files)?;
    let (network, crc) =
        read_teacher(network).with_context(|| format!("cannot read the network '{}'", network.display()))?;
    let inputs = Inputs::open(files)?;
    let settings = format!("{}labels: {crc:08x}\n", inputs.common_settings());
    let (mut bad, mut games, mut labels) = (BadGames::default(), 0, 0_u64);
    let written = write_file(output, |file| {
        let mut writer = Writer::new(file, &settings)?;
        inputs.each_block(&mut bad, |place, block, bad| {
            for (at, game) in block.games().enumerate() {
                let mut scores = Vec::with_capacity(game.moves.len());
                let replayed = game.replay(|position, _, score| {
                    let label = score.and_then(|score| label(&network, position, score));
                    labels += u64::from(label.is_some());
                    scores.push(label.or(score));
                });
                match replayed {
                    Err(fault) => bad.note(&place.error(at, fault)),
                    Ok(_) => {
                        games += 1;
                        writer.push_stored(StoredGame { scores: &scores, ..game })?;
                    }
                }
            }
            Ok(())
        })?;
        writer.finish()?;
        Ok(games)
    });
    report_bad(&bad);
    let games = written?;
    Ok(writeln!(out, "{games} games, {labels} scores replaced")?)
}

/// The network with the scale that the engine plays with, and the CRC of its file.
pub fn read_teacher(path: &Path) -> anyhow::Result<(Network, u32)> {
    let bytes = read_regular(path)?;
    let network = Network::new(&Parameters::from_bytes(&bytes)?)?;
    let scale = network.measured_scale();
    Ok((network.with_scale(scale), crc32(&bytes)))
}

/// The static eval of a position that is not decided.
fn label(network: &Network, position: &Position, score: Score) -> Option<Score> {
    (!position.in_check() && !score.is_mate()).then(|| Score::eval(network.evaluate(position)))
}
