//! `data_tools label`.

use super::files::{Inputs, write_file};
use super::teacher::TeacherArguments;
use sabi::eval::nnue::Network;
use sabi_records::{
    BadGames,
    sabg::{StoredGame, Writer},
};
use sabi_shogi::{Position, Score};
use sabi_tools::cli::report_bad;
use std::io::Write;

/// Writes the games with static evals of a network as scores: labels for the training of a smaller
/// one (knowledge distillation, Hinton et al. 2015). Proven mates stay, and so do the scores of
/// positions in check, whose static evals mean nothing; moves without a score get none.
pub fn run(arguments: &TeacherArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let (_lock, network, crc) = arguments.open()?;
    let TeacherArguments { files, output, .. } = arguments;
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

/// The static eval of a position that is not decided.
fn label(network: &Network, position: &Position, score: Score) -> Option<Score> {
    (!position.in_check() && !score.is_mate()).then(|| Score::eval(network.evaluate(position)))
}
