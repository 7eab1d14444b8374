//! Commands of the steps and their results.

use super::GrowArguments;
use super::inputs::checksum_of;
use anyhow::{Context, ensure};
use sabi_records::sabg::read_blocks;
use sabi_tools::arena::statistics::{Hypothesis, Sprt};
use sabi_tools::arena::{OpponentResults, Pairing, saved_games};
use sabi_tools::train::growth::{GenerationConfig, Matched, Played, Step, Trained};
use std::fs;
use std::path::Path;

/// Folder of a generation, relative to that of the log.
pub fn folder_of(generation: u32) -> String {
    format!("gen-{generation:04}")
}

/// Network of a generation.
pub fn network_of(generation: u32) -> String {
    format!("{}/net.bin", folder_of(generation))
}

/// State of the training of that network.
pub fn training_of(generation: u32) -> String {
    format!("{}.training", network_of(generation))
}

/// Self-play games of a generation.
pub fn games_of(generation: u32) -> String {
    format!("{}/games.sabg", folder_of(generation))
}

/// Search-tree positions of these games.
pub fn trees_of(generation: u32) -> String {
    format!("{}/trees.sabg", folder_of(generation))
}

/// Copied input in the folder of the programs.
pub fn input_of(generation: u32, name: &str) -> String {
    format!("{}/engine/{name}", folder_of(generation))
}

/// Name of the copy of an opening file.
pub fn openings_name(file: &Path, name: &str) -> String {
    match file.extension() {
        Some(extension) => format!("{name}.{}", extension.to_string_lossy()),
        None => name.to_owned(),
    }
}

fn words(parts: &[&str]) -> Vec<String> {
    parts.iter().map(|&part| part.to_owned()).collect()
}

fn split_arguments(arguments: &str) -> impl Iterator<Item = String> {
    arguments.split_whitespace().map(str::to_owned)
}

/// Adds the copied opening file, if there is one: the arguments of a resumed run may name another.
fn add_openings(command: &mut Vec<String>, config: &GenerationConfig, name: &str) {
    let is_copy =
        |input: &&String| input.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if let Some(input) = config.inputs.keys().find(is_copy) {
        command.extend(words(&["--openings", &input_of(config.generation, input)]));
    }
}

/// Command whose last line identifies an engine.
pub fn signature(config: &GenerationConfig) -> Vec<String> {
    let network = format!("EvalFile={}", network_of(config.best));
    words(&[&input_of(config.generation, "sabi"), "bench", "--depth", "8", "--option", &network])
}

/// Self-play of the best network.
pub fn selfplay(arguments: &GrowArguments, config: &GenerationConfig, out: &str) -> Vec<String> {
    let [first, end] = config.seeds;
    let mut command = words(&[&input_of(config.generation, "selfplay"), "--out", out]);
    command.extend(words(&["--seed-range", &format!("{first}..{end}")]));
    command.extend(words(&["--option", &format!("EvalFile={}", network_of(config.best))]));
    add_openings(&mut command, config, "openings");
    command.extend(split_arguments(&arguments.selfplay));
    command
}

/// Positions of search trees of these games with static evals of the best network. Trained on with
/// the games, they keep its evals where the games have no positions.
pub fn search_tree(arguments: &GrowArguments, config: &GenerationConfig) -> Vec<String> {
    let mut command = words(&[&input_of(config.generation, "data_tools"), "search-tree"]);
    command.extend(game_files(config));
    command.extend(words(&["--network", &network_of(config.best), "--output", &trees_of(config.generation)]));
    command.extend(split_arguments(&arguments.search_tree));
    command
}

/// Training on games and search-tree positions, resumed where it was interrupted. The validation
/// set depends on the numbers of the games alone: the start network has not been trained on it.
pub fn fit(arguments: &GrowArguments, config: &GenerationConfig, files: &[String]) -> Vec<String> {
    let mut command = words(&[&input_of(config.generation, "trainer"), "fit"]);
    command.extend_from_slice(files);
    command.push(trees_of(config.generation));
    command.extend(words(&["--output", &network_of(config.generation), "--start", &network_of(config.best)]));
    command.push("--resume".to_owned());
    command.extend(split_arguments(&arguments.fit));
    command
}

/// Match against the best network. An engine is started in its own folder.
pub fn matched(arguments: &GrowArguments, config: &GenerationConfig) -> Vec<String> {
    let (sabi, outside) =
        (input_of(config.generation, "sabi"), |generation| format!("../../{}", network_of(generation)));
    let mut command = words(&[&input_of(config.generation, "match_runner"), "--engine-a", &sabi, "--engine-b", &sabi]);
    for (side, generation) in [("--option-a", config.generation), ("--option-b", config.best)] {
        command.extend(words(&[side, &format!("EvalFile={}", outside(generation)), side, "USI_OwnBook=false"]));
    }
    command.extend(words(&["--out", &match_file(config.generation), "--seed", &config.generation.to_string()]));
    // Low-priority engines may wait for a processor.
    command.extend(words(&["--sprt", &arguments.sprt, "--timeout", "600"]));
    add_openings(&mut command, config, "match_openings");
    command.extend(split_arguments(&arguments.matches));
    command
}

fn match_file(generation: u32) -> String {
    format!("{}/match.usi", folder_of(generation))
}

/// File that an interrupted step leaves and continues when it is started again.
pub fn resumed_file(step: Step, generation: u32) -> String {
    match step {
        Step::Selfplay => games_of(generation),
        Step::SearchTree => trees_of(generation),
        Step::Fit => training_of(generation),
        Step::Match => match_file(generation),
    }
}

/// Number of games and of positions with a score in a file.
pub fn count_games(path: &Path) -> anyhow::Result<(u64, u64)> {
    let (mut games, mut positions) = (0, 0);
    for block in read_blocks(path)? {
        for game in block?.games() {
            games += 1;
            positions += game.scores.iter().flatten().count() as u64;
        }
    }
    Ok((games, positions))
}

/// Fails where a game cannot be replayed.
pub fn replay_games(path: &Path) -> anyhow::Result<()> {
    for block in read_blocks(path)? {
        for game in block?.games() {
            game.replay(|_, _, _| {}).with_context(|| format!("game {}", game.number))?;
        }
    }
    Ok(())
}

/// Game files of a generation.
pub fn game_files(config: &GenerationConfig) -> Vec<String> {
    let own = (config.seeds[0] < config.seeds[1]).then(|| games_of(config.generation));
    config.data.iter().cloned().chain(own).collect()
}

/// Self-play results of a generation.
pub fn played(folder: &Path, config: &GenerationConfig) -> anyhow::Result<Played> {
    let mut sum = Played { generation: config.generation, games: 0, positions: 0, bytes: 0 };
    for file in game_files(config) {
        let (games, positions) = count_games(&folder.join(&file))?;
        sum.games += games;
        sum.positions += positions;
        sum.bytes += fs::metadata(folder.join(&file))?.len();
    }
    Ok(sum)
}

/// Training results from its output. A resumed run may have printed an epoch twice.
pub fn trained(folder: &Path, config: &GenerationConfig, output: &Path) -> anyhow::Result<Trained> {
    let text = fs::read_to_string(output).with_context(|| format!("cannot read '{}'", output.display()))?;
    let (mut positions, mut losses) = (0, Vec::new());
    for line in text.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [count, "training", "positions,", ..] => positions = count.parse()?,
            ["epoch", number, "training", training, "validation", validation, ..] => {
                losses.truncate(number.parse::<usize>()?.saturating_sub(1));
                losses.push([training.parse()?, validation.parse()?]);
            }
            _ => {}
        }
    }
    let network = checksum_of(&folder.join(network_of(config.generation)))?;
    Ok(Trained { generation: config.generation, positions, losses, network })
}

/// Match result from its games and its command.
pub fn result(folder: &Path, config: &GenerationConfig, command: &[String]) -> anyhow::Result<Matched> {
    let test = command.iter().position(|word| word == "--sprt").and_then(|at| command.get(at + 1));
    let sprt: Sprt = test.context("a match without SPRT")?.parse()?;
    let (mut results, mut decision) = (OpponentResults::default(), None);
    for (number, game) in saved_games(&folder.join(match_file(config.generation)))? {
        results.add(&Pairing::new(number, 1), &game);
        // Games that end after the decision are ignored, as in any sequential test.
        decision = decision.or_else(|| sprt.decision(&results.pairs));
    }
    let estimate = results.estimate();
    ensure!(estimate.is_some(), "the match has no games");
    let finite = |number: f64| Some(number).filter(|number| number.is_finite());
    Ok(Matched {
        generation: config.generation,
        wins: results.counts.wins,
        draws: results.counts.draws,
        losses: results.counts.losses,
        elo: estimate.and_then(|estimate| finite(estimate.elo)),
        low: estimate.and_then(|estimate| finite(estimate.interval[0])),
        high: estimate.and_then(|estimate| finite(estimate.interval[1])),
        llr: sprt.log_likelihood_ratio(&results.pairs),
        accepted: decision.map(|decision| match decision {
            Hypothesis::H0 => "H0".to_owned(),
            Hypothesis::H1 => "H1".to_owned(),
        }),
    })
}

/// Whether a network is adopted: by the SPRT, or by the sign of its LLR at the game limit.
pub fn is_better(matched: &Matched) -> bool {
    match matched.accepted.as_deref() {
        Some(accepted) => accepted == "H1",
        None => matched.llr > 0.0,
    }
}
