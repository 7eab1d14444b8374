//! `trainer fit`.

use anyhow::{Context, ensure};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, value_parser};
use sabi::cli::{check_not_an_input, check_output, progress_bar};
use sabi::eval::nnue::{Buckets, Features, Parameters, Shape};
use sabi_files::replace_file;
use sabi_tools::checkpoint::StateFile;
use sabi_tools::cli::{ThreadArguments, check_page, fraction, positive_up_to, write_page};
use sabi_tools::train::{Training, TrainingData, TrainingSettings, report};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Minimum interval of saving the state within an epoch.
const SAVE_INTERVAL: Duration = Duration::from_secs(60);

#[derive(Args)]
pub struct FitArguments {
    /// Training games (.sabg)
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Network to write (.bin); the state is saved beside it (.training)
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Input features [default: those of the start network, or kp]
    #[arg(long, value_name = "NAME", value_parser = feature_set())]
    features: Option<Features>,
    /// First-layer outputs per perspective, a multiple of 32 [default: that of the start network,
    /// or 256]
    #[arg(long, value_name = "N", value_parser = width)]
    width: Option<usize>,
    /// Layer stacks by hands and king squares, such as K9K9Z (docs/networks.md), 1024 at most; can
    /// start from a network with the same or with one [default: those of the start network, or one]
    #[arg(long, value_name = "NAMES")]
    buckets: Option<Buckets>,
    /// Epochs
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u16).range(1..))]
    epochs: u16,
    /// Batch size
    #[arg(long, value_name = "N", default_value_t = 16384, value_parser = value_parser!(u32).range(1..=1 << 22))]
    batch: u32,
    /// Maximum learning rate
    #[arg(long, value_name = "RATE", default_value_t = 0.001, value_parser = positive_up_to(1.0))]
    rate: f64,
    /// Weight decay
    #[arg(long, value_name = "PART", default_value_t = 0.0, value_parser = fraction)]
    decay: f64,
    /// Weight of the search score in the target, from 0 to 1; the rest is the result of the game,
    /// or what --lambda makes of it
    #[arg(long, value_name = "PART", default_value_t = 0.7, value_parser = fraction)]
    score_share: f64,
    /// TD(λ) in place of the result alone: the scores of the following moves count with weights
    /// that fall by this factor a move; 1 is the result alone
    #[arg(long, value_name = "PART", default_value_t = 1.0, value_parser = fraction)]
    lambda: f64,
    /// Scale of the expected score, from 50 to 5000: p = 1 / (1 + exp(-cp / scale))
    #[arg(long, value_name = "CP", default_value_t = 600.0, value_parser = scale)]
    scale: f64,
    /// Share of games in the validation set, which depends on the numbers of the games alone
    #[arg(long, value_name = "PART", default_value_t = 0.02, value_parser = fraction)]
    validation: f64,
    /// Random seed of weights, order and mirroring
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Start from this network instead of random weights
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Resume an interrupted run with the same games, in the same order, and arguments; --start may
    /// be omitted. Starts from scratch if nothing was saved
    #[arg(long)]
    resume: bool,
    /// Also write a report (.html)
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    working: ThreadArguments,
}

/// Names of feature sets.
fn feature_set() -> impl TypedValueParser<Value = Features> {
    PossibleValuesParser::new([
        PossibleValue::new("kp").help("Pieces and both kings, independent (K+P); 0.9 MB"),
        PossibleValue::new("halfkp").help("Pieces by own king square (HalfKP); 64 MB"),
        PossibleValue::new("halfka-zones")
            .help("Pieces and both kings by zone of the own king; 2 MB; can start from a K+P network"),
    ])
    .map(|name| match name.as_str() {
        "kp" => Features::Kp,
        "halfkp" => Features::HalfKp,
        _ => Features::HalfKaZ15,
    })
}

fn width(text: &str) -> Result<usize, String> {
    let width = text.parse().ok().filter(|width: &usize| width.is_multiple_of(32) && (32..=4096).contains(width));
    width.ok_or_else(|| "expected a multiple of 32 up to 4096".to_owned())
}

fn scale(text: &str) -> Result<f64, String> {
    let bounds = TrainingSettings::SCALES;
    let scale = text.parse().ok().filter(|scale| bounds.contains(scale));
    scale.ok_or_else(|| format!("expected a number from {} to {}", bounds.start(), bounds.end()))
}

impl FitArguments {
    /// The settings, with the shape of `start` where none is given.
    fn settings(&self, start: &Shape) -> TrainingSettings {
        TrainingSettings {
            features: self.features.unwrap_or(start.features),
            width: self.width.unwrap_or(start.width),
            buckets: self.buckets.unwrap_or(start.buckets),
            score_share: self.score_share,
            lambda: self.lambda,
            scale: self.scale,
            epochs: self.epochs.into(),
            batch_size: self.batch as usize,
            learning_rate: self.rate,
            weight_decay: self.decay,
            validation_share: self.validation,
            seed: self.seed,
        }
    }

    /// Trains a network and writes it after every epoch.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut state = StateFile::new(self.output.with_added_extension("training"), "the training");
        check_output(&self.output, "the network", |head, _| Parameters::detect(head))?;
        state.check_output::<Training>()?;
        self.report.as_deref().map_or(Ok(()), check_page)?;
        for output in [&*self.output, state.path()].into_iter().chain(self.report.as_deref()) {
            check_not_an_input(output, self.games.iter().chain(&self.start))?;
        }
        if let Some(report) = &self.report {
            ensure!(![&*self.output, state.path()].contains(&&**report), "--report and --output name the same file");
        }
        let network = self.start.as_deref().map(read_network).transpose()?;
        let mut settings = self.settings(network.as_ref().map_or(&Shape::KP, |network| &network.shape));
        let is_same = |saved: &mut Training| {
            if network.is_none() {
                settings = self.settings(&saved.settings().shape());
            }
            ensure!(*saved.settings() == settings, "it has other arguments");
            Ok(network.as_ref().map_or(Ok(()), |network| saved.check_start(network))?)
        };
        let saved = if self.resume { state.resume(is_same)? } else { None };
        // A wrong shape is rejected before all games are read.
        let mut training = saved.map_or_else(|| Training::new(settings.clone(), network.as_ref()), Ok)?;
        let mut data = TrainingData::new(&self.games, &settings)?;
        training.begin(&data).with_context(|| state.cannot_resume())?;
        let (count, validation) = data.counts();
        writeln!(out, "{count} training positions, {validation} validation positions")?;
        if data.unused > 0 {
            writeln!(out, "{} more validation positions are not used: lower --validation", data.unused)?;
        }
        if training.is_over() && !self.output.exists() {
            write_network(&training.parameters()?, &self.output)?;
        }
        let threads = self.working.threads();
        self.train(&mut training, &mut data, &mut state, threads, out)?;
        let (mean, most) = training.quantisation_error(&data)?;
        writeln!(out, "quantisation error {mean:.2} cp mean, {most:.1} cp max")?;
        match &self.report {
            Some(path) => write_report(&training, state.path(), Some(&data), threads, path, out),
            None => Ok(()),
        }
    }

    /// Trains to the last epoch. The network is written after every epoch, and so is the state,
    /// which may be large; within an epoch it is saved at intervals.
    fn train(
        &self,
        training: &mut Training,
        data: &mut TrainingData<'_>,
        state: &mut StateFile,
        threads: usize,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let count = data.counts().0;
        let bar = progress_bar((count * training.settings().epochs) as u64, "positions")?;
        bar.set_position((count * training.epochs().len()) as u64);
        let (mut trained, mut time) = (0, Duration::ZERO);
        while !training.is_over() {
            let (begun, done) = (Instant::now(), training.epochs().len());
            let mut buffer = Duration::ZERO;
            training.advance(data, threads, &mut |count| {
                trained += count;
                bar.inc(count as u64);
                // Up to the last step: without validation.
                buffer = begun.elapsed();
            })?;
            time += buffer;
            if let Some(epoch) = training.epochs().get(done) {
                let speed = trained as f64 / time.as_secs_f64();
                let number = done + 1;
                bar.suspend(|| {
                    writeln!(
                        out,
                        "epoch {number:>3}  training {:.6}  validation {:.6}  rate {:.6}  {speed:.0} positions/s",
                        epoch.training_loss, epoch.validation_loss, epoch.learning_rate
                    )
                })?;
                write_network(&training.parameters()?, &self.output)?;
            }
            // State after network: the network is never older than the state.
            if training.epochs().len() > done || state.is_due(SAVE_INTERVAL) {
                state.save(training)?;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }
}

/// Reads a network.
pub fn read_network(path: &Path) -> anyhow::Result<Parameters> {
    Parameters::read(path).with_context(|| format!("cannot read the network '{}'", path.display()))
}

/// Writes a network.
pub fn write_network(network: &Parameters, path: &Path) -> anyhow::Result<()> {
    replace_file(path, |file| network.write(file))
        .with_context(|| format!("cannot write the network '{}'", path.display()))
}

/// Writes the report of a training run with the state file `state`.
pub fn write_report(
    training: &Training,
    state: &Path,
    data: Option<&TrainingData<'_>>,
    threads: usize,
    output: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let name = state.file_name().unwrap_or_default().to_string_lossy();
    let html = report(&format!("Training report: {name}"), training, data, threads)
        .with_context(|| format!("no report of the training '{}'", state.display()))?;
    write_page(output, &html)?;
    let without = if data.is_some() { "" } else { ", without the validation parts, which need the games" };
    Ok(writeln!(out, "{}: report, epochs {}{without}", output.display(), training.epochs().len())?)
}
