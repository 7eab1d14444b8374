//! `spsa`: tunes options of a USI engine by games.

mod arguments;
mod report;

use anyhow::{Context, anyhow, bail, ensure};
use arguments::{Arguments, Command, TuneArguments};
use report::TuningReport;
use sabi::cli::progress_bar;
use sabi_files::WriteLock;
use sabi_tools::arena::spsa::{Parameter, ParameterSelection, Tuning, tune};
use sabi_tools::arena::{EngineProcess, Match};
use sabi_tools::checkpoint::Checkpoint;
use sabi_tools::cli::MatchArguments;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Interval of saving the state.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    sabi::cli::run_program(|arguments: Arguments| execute(&arguments, &mut io::stdout()))
}

fn execute(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    match (&arguments.command, &arguments.tuning, &arguments.playing) {
        (Some(Command::Show { file }), _, _) => {
            let tuning = Tuning::read(file).with_context(|| cannot_read(file))?;
            Ok(write!(out, "{}", TuningReport(&tuning))?)
        }
        (None, Some(tuned), Some(playing)) => run(tuned, playing, out),
        (None, _, _) => bail!("nothing to tune: see --help"),
    }
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read the tuning '{}'", path.display())
}

/// Starts a tuning run, or resumes it from the file.
fn run(tuned: &TuneArguments, playing: &MatchArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let setup = tuned.setup(playing)?;
    let plan = tuned.plan(&setup, parameters(&tuned.params, &setup)?, playing.seed);
    let path = &tuned.out;
    let _lock = WriteLock::of(path).with_context(|| format!("cannot use '{}'", path.display()))?;
    let saved = Tuning::resume(path).with_context(|| cannot_read(path))?;
    ensure!(
        saved.as_ref().is_none_or(|tuning| *tuning.plan() == plan),
        "'{}' holds another tuning, with another engine, options, games, time control, openings or gain; use another file",
        path.display()
    );
    let mut tuning = saved.unwrap_or_else(|| Tuning::new(plan));
    if tuning.done() > 0 {
        writeln!(out, "{} games in the file, {} to play", 2 * tuning.done(), 2 * left(&tuning))?;
    }
    // Checks that the state can be saved.
    save(&tuning, path)?;
    let outcome = play(&setup, &mut tuning, path, out);
    write!(out, "{}", TuningReport(&tuning))?;
    outcome
}

fn left(tuning: &Tuning) -> usize {
    tuning.plan().pairs - tuning.done()
}

/// Parameters as declared by the engine. It is started for this, so that failures show before the
/// first game.
fn parameters(selection: &ParameterSelection, setup: &Match) -> anyhow::Result<Vec<Parameter>> {
    let engine = &setup.engines[0];
    let path = engine.program().display();
    let player = EngineProcess::start(engine).with_context(|| format!("the engine '{path}'"))?;
    let usi_id = player.usi_id();
    for (option, _) in engine.options() {
        ensure!(usi_id.option(option).is_some(), "the engine '{path}' declares no option '{option}'");
    }
    let parameters = selection.parameters(usi_id).with_context(|| format!("cannot tune '{path}'"))?;
    for parameter in &parameters {
        let fixed = engine.options().iter().any(|(option, _)| *option == parameter.name);
        ensure!(!fixed, "the option '{}' is tuned, and cannot be set by --option", parameter.name);
    }
    Ok(parameters)
}

/// Plays the remaining games. Prints a line after each percent of the plan, after saving.
fn play(setup: &Match, tuning: &mut Tuning, path: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let bar = progress_bar(2 * left(tuning) as u64, "games")?;
    let (begun, before) = (Instant::now(), tuning.done());
    let (mut saved, mut reported) = (begun, percent(tuning));
    let mut outcome = Ok(());
    let mut updated = |tuning: &Tuning| -> anyhow::Result<()> {
        bar.inc(2);
        let now = percent(tuning);
        if now == reported && saved.elapsed() < SAVE_INTERVAL {
            return Ok(());
        }
        save(tuning, path)?;
        saved = Instant::now();
        if now != reported {
            reported = now;
            let speed = 2.0 * (tuning.done() - before) as f64 / begun.elapsed().as_secs_f64();
            let line = report::line(tuning, speed);
            bar.set_message(tuning.counts().to_string());
            bar.suspend(|| writeln!(out, "{line}"))?;
        }
        Ok(())
    };
    let played = tune(setup, tuning, |tuning| {
        // Pairs in progress end after an error; the first one is reported.
        if outcome.is_ok() {
            outcome = updated(tuning);
        }
        if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    bar.finish_and_clear();
    outcome?;
    save(tuning, path)?;
    played.map_err(|error| anyhow!("the engine '{}': {error}", setup.engines[0].program().display()))
}

fn percent(tuning: &Tuning) -> usize {
    100 * tuning.done() / tuning.plan().pairs
}

fn save(tuning: &Tuning, path: &Path) -> anyhow::Result<()> {
    tuning.write(path).with_context(|| format!("cannot save the tuning '{}'", path.display()))
}
