//! `match_runner`: matches between USI engines.

mod arguments;
mod results;

use anyhow::Context;
use arguments::Arguments;
use results::MatchResults;
use sabi::cli::progress_bar;
use sabi_tools::arena::{
    EngineConfig, EngineFailure, EngineProcess, Match, MatchFile, Pairing, PlayedGame, SavedGames, play,
};
use sabi_tools::cli::match_key;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    sabi::cli::run_program(|arguments: Arguments| execute(&arguments, &mut io::stdout()))
}

fn execute(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let setup = arguments.setup()?;
    let opponents = setup.engines.len() - 1;
    let opened = arguments.out.as_ref().map(|path| MatchFile::open(path, &match_key(&setup))).transpose()?;
    let (mut match_file, saved) =
        opened.map_or((None, SavedGames::default()), |(match_file, saved)| (Some(match_file), saved));
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
    let outcome = if results.is_decided() {
        Ok(())
    } else {
        let match_file = match_file.as_mut().zip(arguments.out.as_deref());
        run(&setup, &games, match_file, &mut results, out)
    };
    writeln!(out, "{results}")?;
    outcome
}

/// Plays the games; each is saved and printed when it ends.
fn run(
    setup: &Match,
    games: &[Pairing],
    mut match_file: Option<(&mut MatchFile, &Path)>,
    results: &mut MatchResults,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let bar = progress_bar(games.len() as u64, "games")?;
    // Whether the match goes on, or the first error: games in progress end after it.
    let mut outcome = Ok(true);
    let mut ended = |pairing: &Pairing, played: PlayedGame| -> anyhow::Result<bool> {
        results.add(pairing, &played);
        let line = results.line(pairing, &played);
        if let Some((match_file, path)) = &mut match_file {
            let saved = match_file.add(pairing, played.game, results.names(pairing.opponent));
            saved.with_context(|| format!("cannot save a game in '{}'", path.display()))?;
        }
        bar.inc(1);
        bar.set_message(results.score(pairing.opponent));
        bar.suspend(|| writeln!(out, "{line}"))?;
        Ok(!results.is_decided())
    };
    let played = play(setup, games, |pairing, played| {
        if outcome.is_ok() {
            outcome = ended(pairing, played);
        }
        if matches!(outcome, Ok(true)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    bar.finish_and_clear();
    outcome?;
    played.context("no thread can be started")?.map_err(|EngineFailure { engine, failure }| {
        anyhow::Error::new(failure).context(format!("engine {}", results.label(engine)))
    })
}

/// Starts every engine once, so that failures show before the first game, and returns their names.
fn names(setup: &Match) -> anyhow::Result<Vec<String>> {
    let name = |(number, engine): (usize, &EngineConfig)| {
        let label = results::label(number, setup.engines.len());
        let path = engine.program().display();
        let player = EngineProcess::start(engine).with_context(|| format!("engine {label}, '{path}'"))?;
        let usi_id = player.usi_id();
        for (option, value) in engine.options() {
            let warning = match usi_id.option(option) {
                None => format!("declares no option '{option}'"),
                Some(declared) => match declared.rejects(value) {
                    Some(takes) => format!("takes {takes} for {option}, not '{value}'"),
                    None => continue,
                },
            };
            let _ = writeln!(io::stderr(), "warning: engine {label}, '{path}', {warning}");
        }
        for message in player.ready_messages() {
            let _ = writeln!(io::stderr(), "engine {label}, '{path}': {message}");
        }
        let stem = engine.program().file_stem().unwrap_or_default().to_string_lossy();
        let name = if usi_id.name.is_empty() { &stem } else { usi_id.name.as_str() };
        Ok(format!("{name} ({label})"))
    };
    setup.engines.iter().enumerate().map(name).collect()
}
