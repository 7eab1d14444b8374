//! `match_runner`: matches between USI engines.

mod results;

use anyhow::{Context, ensure};
use clap::Parser;
use results::MatchResults;
use sabi::cli::progress_bar;
use sabi_tools::cli::{MatchArguments, check_games, engine_option, match_key};
use sabi_tools::matches::statistics::Sprt;
use sabi_tools::matches::{EngineConfig, EngineProcess, Match, MatchFile, Pairing, engine_label, play};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Plays matches between USI engines: engine A against engine B, or against each of several. Every
/// opening is played twice with colours swapped.
#[derive(Parser)]
#[command(name = env!("CARGO_BIN_NAME"), version)]
struct Arguments {
    /// Engine A
    #[arg(long, value_name = "PROGRAM")]
    engine_a: PathBuf,
    /// Opponent of A; may be repeated for several opponents
    #[arg(long, value_name = "PROGRAM", required = true)]
    engine_b: Vec<PathBuf>,
    /// Option of engine A; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = engine_option)]
    option_a: Vec<(String, String)>,
    /// Option of every engine B; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = engine_option)]
    option_b: Vec<(String, String)>,
    #[command(flatten)]
    playing: MatchArguments,
    /// Games against each opponent, even; can be raised later
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// Stop by SPRT of elo0 against elo1: elo0=0,elo1=5, optionally
    /// alpha=0.05,beta=0.05,model=logistic or model=normalized
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    /// Game file (.csa, .kif or .usi); games already in it are not replayed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    sabi::cli::run_program(|arguments: Arguments| execute(&arguments, &mut io::stdout()))
}

fn execute(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let Arguments { engine_a, engine_b, option_a, option_b, playing, .. } = arguments;
    let opponents = engine_b.len();
    check_games(arguments.games, opponents)?;
    ensure!(arguments.sprt.is_none() || opponents == 1, "--sprt tests against one engine B");
    let engine_a = std::iter::once(playing.engine(engine_a, option_a));
    let engines = engine_a.chain(engine_b.iter().map(|program| playing.engine(program, option_b)));
    let setup = playing.setup(engines.collect::<Result<_, _>>()?)?;
    let opened = arguments.out.as_ref().map(|path| MatchFile::open(path, &match_key(&setup))).transpose()?;
    let (mut match_file, saved) = opened.unzip();
    let saved = saved.unwrap_or_default();
    if saved.repeated > 0 {
        let _ = writeln!(io::stderr(), "warning: {} duplicate game numbers: the first games count", saved.repeated);
    }
    let mut results = MatchResults::new(names(&setup)?, arguments.sprt);
    // In the order in which they ended, so that the SPRT is decided as it was.
    saved.games.iter().for_each(|(number, game)| results.count(&Pairing::new(*number, opponents), game));
    let all = (0..arguments.games * opponents).map(|number| Pairing::new(number, opponents));
    let games: Vec<Pairing> = all.filter(|pairing| !saved.numbers.contains(&pairing.number)).collect();
    if !saved.games.is_empty() {
        writeln!(out, "{} games in the file, {} to play", saved.games.len(), games.len())?;
    }
    let wanted = games.iter().map(|pairing| pairing.opening + 1).max().unwrap_or(0);
    if let Some(count) = setup.openings.count().filter(|&count| count < wanted) {
        writeln!(out, "different openings: {count}, for {wanted} pairs of games; they are repeated")?;
    }
    // A decided test needs no more games.
    let outcome =
        if results.is_decided() { Ok(()) } else { run(&setup, &games, match_file.as_mut(), &mut results, out) };
    writeln!(out, "{results}")?;
    outcome
}

/// Plays the games; each is saved and printed when it ends.
fn run(
    setup: &Match,
    games: &[Pairing],
    mut match_file: Option<&mut MatchFile>,
    results: &mut MatchResults,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let bar = progress_bar(games.len() as u64, "games")?;
    let outcome = play(setup, games, |pairing, played| {
        results.add(pairing, &played);
        let line = results.line(pairing, &played);
        if let Some(match_file) = &mut match_file {
            match_file.add(pairing, played.game, results.names(pairing.opponent))?;
        }
        bar.inc(1);
        bar.set_message(results.score(pairing.opponent));
        bar.suspend(|| writeln!(out, "{line}"))?;
        Ok(!results.is_decided())
    });
    bar.finish_and_clear();
    outcome
}

/// Starts every engine once, so that failures show before the first game, and returns their names.
fn names(setup: &Match) -> anyhow::Result<Vec<String>> {
    let name = |(number, engine): (usize, &EngineConfig)| {
        let label = engine_label(number, setup.engines.len());
        let path = engine.program.display();
        let player = EngineProcess::start(engine).with_context(|| format!("engine {label}, '{path}'"))?;
        let usi_id = &player.usi_id;
        for (option, value) in &engine.options {
            let warning = match usi_id.option(option) {
                None => format!("declares no option '{option}'"),
                Some(declared) => match declared.rejects(value) {
                    Some(takes) => format!("takes {takes} for {option}, not '{value}'"),
                    None => continue,
                },
            };
            let _ = writeln!(io::stderr(), "warning: engine {label}, '{path}', {warning}");
        }
        for message in &player.ready_messages {
            let _ = writeln!(io::stderr(), "engine {label}, '{path}': {message}");
        }
        let stem = engine.program.file_stem().unwrap_or_default().to_string_lossy();
        let name = if usi_id.name.is_empty() { &stem } else { usi_id.name.as_str() };
        Ok(format!("{name} ({label})"))
    };
    setup.engines.iter().enumerate().map(name).collect()
}
