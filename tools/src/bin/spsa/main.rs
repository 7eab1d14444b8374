//! `spsa`: tunes options of a USI engine by games.

use anyhow::{Context, bail, ensure};
use clap::{Args, Parser, Subcommand};
use sabi::cli::progress_bar;
use sabi_files::WriteLock;
use sabi_tools::checkpoint::{Checkpoint, StateFile};
use sabi_tools::cli::{MatchArguments, check_games, engine_option, match_key, positive_up_to};
use sabi_tools::matches::spsa::{Parameter, ParameterSelection, SpsaPlan, Tuning, tune};
use sabi_tools::matches::{EngineProcess, Match};
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Interval of saving the state.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);

/// Tunes options of a USI engine by SPSA: games of the engine against itself with other values.
/// Every opening is played twice with colours swapped.
#[derive(Parser)]
#[command(name = env!("CARGO_BIN_NAME"), version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    tuning: Option<TuneArguments>,
    #[command(flatten)]
    playing: Option<MatchArguments>,
}

#[derive(Subcommand)]
enum Command {
    /// Show the state of a tuning run, also while it runs
    Show {
        /// State file given by --out
        file: PathBuf,
    },
}

#[derive(Args)]
struct TuneArguments {
    /// The engine
    #[arg(long, value_name = "PROGRAM")]
    engine: PathBuf,
    /// Spin options to tune, separated by commas: NAME, or NAME:step=NUMBER with the perturbation
    /// at the end (default: range / 20, at least 0.5). Or 'all': all with lower-case names
    #[arg(long, value_name = "LIST")]
    params: ParameterSelection,
    /// Option of the engine that is not tuned; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = engine_option)]
    option: Vec<(String, String)>,
    /// Number of games, even. It determines the gain sequence and cannot be changed later
    #[arg(long, value_name = "N")]
    games: usize,
    /// Gain at the end: change of a value after a won game, in steps
    #[arg(long, value_name = "NUMBER", default_value_t = 0.002, value_parser = positive_up_to(SpsaPlan::MAX_GAIN))]
    gain: f64,
    /// State file; an existing one is resumed
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

fn main() -> ExitCode {
    sabi::cli::run_program(|arguments: Arguments| execute(&arguments, &mut io::stdout()))
}

fn execute(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    match (&arguments.command, &arguments.tuning, &arguments.playing) {
        (Some(Command::Show { file }), _, _) => {
            let tuning = Tuning::read(file).with_context(|| format!("cannot read the tuning '{}'", file.display()))?;
            Ok(write!(out, "{}", TuningReport(&tuning))?)
        }
        (None, Some(tuned), Some(playing)) => run(tuned, playing, out),
        (None, _, _) => bail!("nothing to tune: see --help"),
    }
}

/// Starts a tuning run, or resumes it from the file.
fn run(tuned: &TuneArguments, playing: &MatchArguments, out: &mut impl Write) -> anyhow::Result<()> {
    check_games(tuned.games, 1)?;
    let engine = playing.engine(&tuned.engine, &tuned.option)?;
    let setup = playing.setup(vec![engine.clone(), engine])?;
    let parameters = parameters(&tuned.params, &setup)?;
    let (pairs, games) = (tuned.games / 2, match_key(&setup));
    let plan = SpsaPlan { parameters, pairs, gain: tuned.gain, seed: playing.seed, games };
    let mut state = StateFile::new(tuned.out.clone(), "the tuning");
    let _lock = WriteLock::of(state.path()).with_context(|| format!("cannot use '{}'", state.path().display()))?;
    let is_same = |saved: &mut Tuning| {
        let others = "another engine, options, games, time control, openings or gain";
        ensure!(saved.plan == plan, "it holds another tuning, with {others}; use another file");
        Ok(())
    };
    let mut tuning = state.resume(is_same)?.unwrap_or_else(|| Tuning::new(plan));
    if tuning.done() > 0 {
        writeln!(out, "{} games in the file, {} to play", 2 * tuning.done(), 2 * (pairs - tuning.done()))?;
    }
    // Checks that the state can be saved.
    state.save(&tuning)?;
    let outcome = play(&setup, &mut tuning, &mut state, out);
    write!(out, "{}", TuningReport(&tuning))?;
    outcome
}

/// Parameters as declared by the engine. It is started for this, so that failures show before the
/// first game.
fn parameters(selection: &ParameterSelection, setup: &Match) -> anyhow::Result<Vec<Parameter>> {
    let engine = &setup.engines[0];
    let path = engine.program.display();
    let usi_id = &EngineProcess::start(engine).with_context(|| format!("the engine '{path}'"))?.usi_id;
    for (option, _) in &engine.options {
        ensure!(usi_id.option(option).is_some(), "the engine '{path}' declares no option '{option}'");
    }
    let parameters = selection.parameters(usi_id).with_context(|| format!("cannot tune '{path}'"))?;
    for parameter in &parameters {
        let fixed = engine.options.iter().any(|(option, _)| *option == parameter.name);
        ensure!(!fixed, "the option '{}' is tuned, and cannot be set by --option", parameter.name);
    }
    Ok(parameters)
}

/// Plays the remaining games. Prints a line after each percent of the plan, after saving.
fn play(setup: &Match, tuning: &mut Tuning, state: &mut StateFile, out: &mut impl Write) -> anyhow::Result<()> {
    let percent = |tuning: &Tuning| 100 * tuning.done() / tuning.plan.pairs;
    let bar = progress_bar(2 * (tuning.plan.pairs - tuning.done()) as u64, "games")?;
    let (begun, before) = (Instant::now(), tuning.done());
    let mut reported = percent(tuning);
    let played = tune(setup, tuning, |tuning| {
        bar.inc(2);
        let now = percent(tuning);
        if now != reported || state.is_due(SAVE_INTERVAL) {
            state.save(tuning)?;
        }
        if now != reported {
            reported = now;
            let speed = 2.0 * (tuning.done() - before) as f64 / begun.elapsed().as_secs_f64();
            bar.set_message(tuning.counts.to_string());
            bar.suspend(|| writeln!(out, "{}", progress_line(tuning, speed)))?;
        }
        Ok(())
    });
    bar.finish_and_clear();
    played.and(state.save(tuning))
}

/// Progress line: games, speed, and the most changed values in steps.
fn progress_line(tuning: &Tuning, speed: f64) -> String {
    let mut changes = changes(tuning);
    changes.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let largest: Vec<String> = changes.iter().take(3).map(|(name, change)| format!("{name} {change:+.2}")).collect();
    let (done, all, largest) = (2 * tuning.done(), 2 * tuning.plan.pairs, largest.join(", "));
    format!("game {done} of {all}; {} (W-D-L), {speed:.1} games a second; largest change {largest}", tuning.counts)
}

/// Change of each value in steps.
fn changes(tuning: &Tuning) -> Vec<(&str, f64)> {
    let parameters = tuning.plan.parameters.iter().zip(&tuning.values);
    parameters.map(|(it, value)| (it.name.as_str(), (value - it.start as f64) / it.step)).collect()
}

/// Results of a tuning run: games, a table of values, and option lines.
struct TuningReport<'a>(&'a Tuning);

impl fmt::Display for TuningReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(tuning) = *self;
        let Tuning { plan, values, counts, .. } = tuning;
        writeln!(f, "{} of {} games, {counts} (W-D-L)", 2 * tuning.done(), 2 * plan.pairs)?;
        let width = plan.parameters.iter().map(|parameter| parameter.name.chars().count()).max().unwrap_or(0).max(4);
        writeln!(f, "{:width$} {:>9} {:>12} {:>7} {:>9}  range", "name", "start", "now", "steps", "step")?;
        for ((parameter, value), (name, change)) in plan.parameters.iter().zip(values).zip(changes(tuning)) {
            let (start, step, min, max) = (parameter.start, parameter.step, parameter.min, parameter.max);
            writeln!(f, "{name:width$} {start:>9} {value:>12.2} {change:>+7.2} {step:>9}  {min}..{max}")?;
        }
        plan.parameters
            .iter()
            .zip(values)
            .try_for_each(|(parameter, value)| writeln!(f, "{}={}", parameter.name, value.round() as i64))
    }
}
