//! Steps of a generation: arguments, copies of all inputs, so that they do not change while it runs,
//! commands of the steps and their results.

use anyhow::{Context, ensure};
use clap::{Args, value_parser};
use sabi_files::{crc32, replace_with_bytes};
use sabi_records::sabg::read_blocks;
use sabi_tools::cli::{ThreadArguments, positive};
use sabi_tools::matches::statistics::{OpponentResults, Sprt};
use sabi_tools::matches::{Pairing, saved_games};
use sabi_tools::train::growth::{GenerationConfig, Matched, Played, Step, Trained};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Args)]
pub struct GrowArguments {
    /// Folder of the run: log, page, games, networks; created if missing
    #[arg(long, value_name = "FOLDER")]
    pub dir: PathBuf,
    /// Start network (.bin); needed by the first run only
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,
    /// Last generation [default: unlimited]
    #[arg(long, value_name = "N")]
    pub generations: Option<u32>,
    /// Games per generation, those from FOLDER/incoming included
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the first game; later games use consecutive seeds
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u64).range(..=1 << 62))]
    pub first_seed: u64,
    /// Train on games of this number of networks: the best one and its predecessors
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u16).range(1..))]
    pub window: u16,
    /// Maximum GB of games; the oldest are removed
    #[arg(long, value_name = "GB", default_value_t = 10.0, value_parser = positive)]
    pub max_disk: f64,
    /// SPRT against the best network, as in match_runner
    #[arg(long, value_name = "TEST", default_value = "elo0=0,elo1=20", value_parser = test)]
    pub sprt: String,
    /// Openings of self-play: records, or lines with a SFEN or 'startpos moves ...' [default:
    /// random moves]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Openings of matches [default: random moves]
    #[arg(long, value_name = "FILE")]
    pub match_openings: Option<PathBuf>,
    /// Folder of the programs sabi, selfplay, data_tools, trainer and match_runner; each generation
    /// copies them when it starts [default: that of this program]
    #[arg(long, value_name = "FOLDER")]
    pub engine_dir: Option<PathBuf>,
    /// More arguments of 'selfplay'
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    #[arg(default_value = "--nodes 1500 --random-plies 4 --option USI_Hash=4")]
    pub selfplay: String,
    /// More arguments of 'data_tools search-tree'
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true, default_value = "--share 0.5")]
    pub search_tree: String,
    /// More arguments of 'trainer fit'
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    #[arg(default_value = "--epochs 1 --batch 8192 --rate 0.0004 --score-share 0.5 --lambda 0.97 --decay 0.1")]
    pub fit: String,
    /// More arguments of 'match_runner'
    #[arg(long = "match", value_name = "ARGUMENTS", allow_hyphen_values = true)]
    #[arg(default_value = "--nodes 20000 --games 400 --max-moves 320 --option-a USI_Hash=64 --option-a Threads=1 \
                           --option-b USI_Hash=64 --option-b Threads=1")]
    pub matches: String,
    /// Niceness added to the processes
    #[arg(long, value_name = "N", default_value_t = 19, value_parser = value_parser!(u8).range(..=19))]
    pub nice: u8,
    #[command(flatten)]
    pub working: ThreadArguments,
}

fn test(text: &str) -> Result<String, String> {
    text.parse::<Sprt>().map(|_| text.to_owned()).map_err(|error| error.to_string())
}

/// Programs used.
pub const PROGRAMS: [&str; 5] = ["sabi", "selfplay", "data_tools", "trainer", "match_runner"];

/// Copies each program from the first folder that has it, and runs it once: a file may be
/// incomplete while it is built.
pub fn copy_programs(from: &[&Path], to: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let mut sums = BTreeMap::new();
    for name in PROGRAMS {
        let found = from.iter().map(|folder| folder.join(name)).find(|path| path.is_file());
        let path = found.with_context(|| format!("missing program '{}'", from[0].join(name).display()))?;
        sums.insert(name.to_owned(), copy(&path, &to.join(name))?);
        let tried = Command::new(to.join(name)).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output();
        let works = tried.is_ok_and(|tried| tried.status.success() && !tried.stdout.is_empty());
        ensure!(works, "'{}' does not start", path.display());
    }
    Ok(sums)
}

/// Copies a file with its permissions, and returns its CRC-32.
pub fn copy(from: &Path, to: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(from).with_context(|| format!("cannot read '{}'", from.display()))?;
    write(to, &bytes)?;
    let permitted = fs::metadata(from).and_then(|from| fs::set_permissions(to, from.permissions()));
    permitted.with_context(|| format!("cannot write '{}'", to.display()))?;
    Ok(checksum(&bytes))
}

/// Replaces a file.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    replace_with_bytes(path, bytes).with_context(|| format!("cannot write '{}'", path.display()))
}

/// CRC-32 of a file.
pub fn checksum_of(path: &Path) -> anyhow::Result<String> {
    Ok(checksum(&fs::read(path).with_context(|| format!("cannot read '{}'", path.display()))?))
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32(bytes))
}

/// Last output line of a short command.
pub fn last_line(folder: &Path, command: &[String]) -> anyhow::Result<String> {
    let mut command_line = Command::new(folder.join(&command[0]));
    let output = command_line.args(&command[1..]).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot start '{}'", command[0]))?;
    let error = String::from_utf8_lossy(&output.stderr);
    let error = error.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or("no message");
    ensure!(output.status.success(), "'{} {}': {error}", command[0], command[1]);
    Ok(String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned())
}

/// Folder of a generation, relative to that of the log.
pub fn folder_of(generation: u32) -> String {
    format!("gen-{generation:04}")
}

/// Network of a generation.
pub const NETWORK: &str = "net.bin";
/// State of the training of that network.
pub const TRAINING: &str = "net.bin.training";
/// Self-play games of a generation.
pub const GAMES: &str = "games.sabg";
/// Search-tree positions of these games.
pub const TREES: &str = "trees.sabg";
/// Games of its match.
pub const MATCH: &str = "match.usi";

/// A file of a generation.
pub fn file_of(generation: u32, name: &str) -> String {
    format!("{}/{name}", folder_of(generation))
}

/// Copied input in the folder of the programs.
pub fn input_of(generation: u32, name: &str) -> String {
    file_of(generation, &format!("engine/{name}"))
}

/// Name of the copy of an opening file.
pub fn openings_name(file: &Path, name: &str) -> String {
    let extension = file.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
    format!("{name}{}", extension.unwrap_or_default())
}

/// Command of a generation's copy of a program, with its copied opening file of this name, if there
/// is one: the arguments of a resumed run may name another. `more` are arguments of the user.
fn command(
    config: &GenerationConfig,
    program: &str,
    arguments: &[&str],
    openings: Option<&str>,
    more: &str,
) -> Vec<String> {
    let mut command = vec![input_of(config.generation, program)];
    command.extend(arguments.iter().copied().map(str::to_owned));
    let is_copy = |input: &&String| {
        let rest = openings.and_then(|name| input.strip_prefix(name));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    if let Some(input) = config.inputs.keys().find(is_copy) {
        command.extend(["--openings".to_owned(), input_of(config.generation, input)]);
    }
    command.extend(more.split_whitespace().map(str::to_owned));
    command
}

fn best_network(config: &GenerationConfig) -> String {
    file_of(config.best, NETWORK)
}

/// Command whose last line identifies an engine.
pub fn signature(config: &GenerationConfig) -> Vec<String> {
    let network = format!("EvalFile={}", best_network(config));
    command(config, "sabi", &["bench", "--depth", "8", "--option", &network], None, "")
}

/// Self-play of the best network.
pub fn selfplay(arguments: &GrowArguments, config: &GenerationConfig, out: &str) -> Vec<String> {
    let ([first, end], network) = (config.seeds, format!("EvalFile={}", best_network(config)));
    let words = ["--out", out, "--seed-range", &format!("{first}..{end}"), "--option", &network];
    command(config, "selfplay", &words, Some("openings"), &arguments.selfplay)
}

/// Positions of search trees of these games with static evals of the best network. Trained on with
/// the games, they keep its evals where the games have no positions.
pub fn search_tree(arguments: &GrowArguments, config: &GenerationConfig) -> Vec<String> {
    let (games, network, trees) = (game_files(config), best_network(config), file_of(config.generation, TREES));
    let mut words = vec!["search-tree"];
    words.extend(games.iter().map(String::as_str));
    words.extend(["--network", &network, "--output", &trees]);
    command(config, "data_tools", &words, None, &arguments.search_tree)
}

/// Training on games and search-tree positions, resumed where it was interrupted. The validation
/// set depends on the numbers of the games alone: the start network has not been trained on it.
pub fn fit(arguments: &GrowArguments, config: &GenerationConfig, files: &[String]) -> Vec<String> {
    let ([trees, network], best) =
        ([TREES, NETWORK].map(|name| file_of(config.generation, name)), best_network(config));
    let mut words = vec!["fit"];
    words.extend(files.iter().map(String::as_str));
    words.extend([&trees, "--output", &network, "--start", &best, "--resume"]);
    command(config, "trainer", &words, None, &arguments.fit)
}

/// Match against the best network. An engine is started in its own folder.
pub fn matched(arguments: &GrowArguments, config: &GenerationConfig) -> Vec<String> {
    let [sabi, games] = [input_of(config.generation, "sabi"), file_of(config.generation, MATCH)];
    let [new, best] =
        [config.generation, config.best].map(|number| format!("EvalFile=../../{}", file_of(number, NETWORK)));
    let mut words = vec!["--engine-a", &sabi, "--engine-b", &sabi];
    for (side, network) in [("--option-a", &new), ("--option-b", &best)] {
        words.extend([side, network, side, "USI_OwnBook=false"]);
    }
    // Low-priority engines may wait for a processor.
    let seed = config.generation.to_string();
    words.extend(["--out", &games, "--seed", &seed, "--sprt", &arguments.sprt, "--timeout", "600"]);
    command(config, "match_runner", &words, Some("match_openings"), &arguments.matches)
}

/// File that an interrupted step leaves and continues when it is started again.
pub fn resumed_file(step: Step, generation: u32) -> String {
    let name = match step {
        Step::Selfplay => GAMES,
        Step::SearchTree => TREES,
        Step::Fit => TRAINING,
        Step::Match => MATCH,
    };
    file_of(generation, name)
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
    let own = (config.seeds[0] < config.seeds[1]).then(|| file_of(config.generation, GAMES));
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
    let network = checksum_of(&folder.join(file_of(config.generation, NETWORK)))?;
    Ok(Trained { generation: config.generation, positions, losses, network })
}

/// Match result from its games and its command.
pub fn result(folder: &Path, config: &GenerationConfig, command: &[String]) -> anyhow::Result<Matched> {
    let test = command.iter().position(|word| word == "--sprt").and_then(|at| command.get(at + 1));
    let sprt: Sprt = test.context("a match without SPRT")?.parse()?;
    let (mut results, mut decision) = (OpponentResults::default(), None);
    for (number, game) in saved_games(&folder.join(file_of(config.generation, MATCH)))? {
        results.add(&Pairing::new(number, 1), &game);
        // Games that end after the decision are ignored, as in any sequential test.
        decision = decision.or_else(|| sprt.decision(&results.pairs));
    }
    let estimate = results.estimate().context("the match has no games")?;
    let finite = |number: f64| Some(number).filter(|number| number.is_finite());
    Ok(Matched {
        generation: config.generation,
        wins: results.counts.wins,
        draws: results.counts.draws,
        losses: results.counts.losses,
        elo: finite(estimate.elo),
        low: finite(estimate.interval[0]),
        high: finite(estimate.interval[1]),
        llr: sprt.log_likelihood_ratio(&results.pairs),
        // H0 or H1.
        accepted: decision.map(|decision| format!("{decision:?}")),
    })
}

/// Whether a network is adopted: by the SPRT, or by the sign of its LLR at the game limit.
pub fn is_better(matched: &Matched) -> bool {
    matched.accepted.as_deref().map_or(matched.llr > 0.0, |accepted| accepted == "H1")
}
