//! `sabi doctor`: diagnostics for bug reports.

mod machine;

use super::program::OptionArguments;
use crate::engine::Options;
use crate::eval::{EvalType, Evaluation};
use crate::usi;
use anyhow::{Context, anyhow, ensure};
use clap::Args;
use machine::{Machine, Speed};
use sabi_books::OpenBook;
use sabi_books::formats::{PlyRule, ReadReport};
use sabi_files::read_regular;
use sabi_shogi::Position;
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
pub struct DoctorArguments {
    /// Output as one JSON object
    #[arg(long)]
    json: bool,
    /// Options stored by a GUI: usi_engine.json of ShogiHome, or a list of NAME=VALUE or setoption
    /// lines
    #[arg(long, value_name = "FILE")]
    gui: Option<PathBuf>,
    #[command(flatten)]
    settings: OptionArguments,
}

/// Results of all checks.
#[derive(Serialize)]
struct Diagnostics {
    version: &'static str,
    machine: Machine,
    gui: Option<GuiOptions>,
    hash: Hash,
    network: FileCheck,
    book: FileCheck,
    speed: Option<Speed>,
    problems: Warnings,
}

/// A problem and its remedy.
#[derive(Serialize)]
struct Warning {
    problem: String,
    advice: String,
}

/// Warnings in the order of the checks.
#[derive(Default, Serialize)]
struct Warnings(Vec<Warning>);

impl Warnings {
    fn add(&mut self, problem: impl Into<String>, advice: impl Into<String>) {
        self.0.push(Warning { problem: problem.into(), advice: advice.into() });
    }
}

/// Sizes of the transposition table, in MB.
#[derive(Serialize)]
struct Hash {
    wanted: usize,
    /// The largest size that leaves half of the free memory, if known.
    fits: Option<u64>,
}

/// Minimum useful hash size in MB.
const MIN_HASH_MB: u64 = 16;

impl Hash {
    fn new(options: &Options, machine: &Machine, warnings: &mut Warnings) -> Self {
        let wanted = options.resources.hash_mb;
        let free = machine.memory_free;
        if let Some(free) = free.filter(|&free| wanted as u64 > free) {
            warnings.add(
                format!("USI_Hash asks for {wanted} MB, and {free} MB are free"),
                format!("set USI_Hash to {} or less, or end other programs", fitting(free)),
            );
        }
        Self { wanted, fits: free.map(fitting) }
    }
}

/// The largest power of two that leaves half of the free memory.
fn fitting(free: u64) -> u64 {
    let half = (free / 2).max(MIN_HASH_MB);
    1 << half.ilog2()
}

impl DoctorArguments {
    /// Runs all checks and prints them. Problems found are part of the report, not failures.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut warnings = Warnings::default();
        let mut options = Options::default();
        let gui = match &self.gui {
            Some(path) => Some(GuiOptions::read(path, &mut options, &mut warnings)?),
            None => None,
        };
        let options = self.settings.apply(options)?;
        let machine = Machine::detect();
        check_machine(&machine, &options, &mut warnings);
        let hash = Hash::new(&options, &machine, &mut warnings);
        let (network, evaluation) = check_network(&options, &mut warnings);
        let book = check_book(&options, &mut warnings);
        let speed = Speed::measure(evaluation);
        match &speed {
            Ok(speed) => check_speed(speed, &mut warnings),
            Err(error) => warnings.add(error.to_string(), "end other programs"),
        }
        let speed = speed.ok();
        let version = env!("CARGO_PKG_VERSION");
        let diagnostics = Diagnostics { version, machine, gui, hash, network, book, speed, problems: warnings };
        if self.json {
            return Ok(writeln!(out, "{:#}", serde_json::to_value(&diagnostics)?)?);
        }
        diagnostics.write(out)
    }
}

impl Diagnostics {
    fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut line = |name: &str, text: String| writeln!(out, "{name:<11} {text}");
        line("version", format!("Sabi {}", self.version))?;
        self.machine.write(&mut line)?;
        let fits = self.hash.fits.map_or_else(|| "unknown".to_owned(), |fits| format!("{fits} MB"));
        line("hash", format!("USI_Hash {} MB; would fit: {fits}", self.hash.wanted))?;
        line("network", self.network.to_string())?;
        line("book", self.book.to_string())?;
        if let Some(speed) = &self.speed {
            line("speed", speed.to_string())?;
        }
        if let Some(gui) = &self.gui {
            line("options", gui.to_string())?;
        }
        for Warning { problem, advice } in &self.problems.0 {
            line("problem", problem.clone())?;
            line("  advice", advice.clone())?;
        }
        if self.problems.0.is_empty() {
            line("problem", "none found".to_owned())?;
        }
        Ok(())
    }
}

/// Checks threads, memory pages and instructions.
fn check_machine(machine: &Machine, options: &Options, warnings: &mut Warnings) {
    let threads = options.resources.threads;
    if threads > machine.usable_cores {
        warnings.add(
            format!("Threads is {threads}, and {} cores are usable", machine.usable_cores),
            format!("set Threads to {} or less", machine.usable_cores),
        );
    }
    if let Some(quota) = machine.processor_quota.filter(|&quota| quota < threads as f64) {
        warnings.add(
            format!("the control group allows {quota:.2} processors for {threads} threads"),
            "raise the limit of the container, or set fewer Threads",
        );
    }
    if machine.huge_pages.as_deref() == Some("never") {
        warnings.add(
            "huge pages are switched off",
            "write madvise to /sys/kernel/mm/transparent_hugepage/enabled for a faster transposition table",
        );
    }
    if cfg!(debug_assertions) {
        warnings.add("this is a debug build", "build with cargo build --release");
    }
    if machine.kernel == "plain" {
        warnings.add(
            "the processor has none of the vector instructions that evaluate networks quickly",
            "use a processor with SSE4.1, AVX2 or NEON; in a virtual machine, pass these through",
        );
    }
}

/// Below this share of the expected speed, a problem is reported.
const SLOW: f64 = 0.5;
/// Below this share of processor time, the processor is shared.
const SHARED: f64 = 0.8;

fn check_speed(speed: &Speed, warnings: &mut Warnings) {
    let ratio = speed.nodes_per_second as f64 / (speed.expected as f64).max(1.0);
    if ratio < SLOW {
        warnings.add(
            format!("the search has {:.0} % of the expected speed", 100.0 * ratio),
            "use a release build for this processor (docs/builds.md); a larger network or EvalType hand changes the speed too",
        );
    }
    if let Some(share) = speed.processor_share.filter(|&share| share < SHARED) {
        warnings.add(
            format!("the engine got {:.0} % of a processor", 100.0 * share),
            "end other programs, or raise the limit of the container",
        );
    }
}

/// Result of a check.
#[derive(Serialize)]
struct FileCheck {
    /// Source of the file.
    source: String,
    is_valid: bool,
    /// Description, or the error.
    about: String,
}

impl fmt::Display for FileCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}, {}", self.source, if self.is_valid { "valid" } else { "not usable" }, self.about)
    }
}

/// Maximum plausible evaluation of the start position, in centipawns.
const EVEN: i32 = 300;

/// The evaluation, and whether it is plausible. If it cannot be used, returns the embedded one, as
/// the engine does.
fn check_network(options: &Options, warnings: &mut Warnings) -> (FileCheck, Evaluation) {
    let (file, folder) = (&options.eval.file, &options.eval.folder);
    let is_file = !(file.is_empty() && folder.is_empty());
    let source = if is_file { [folder.as_str(), file].join(" ").trim().to_owned() } else { "embedded".to_owned() };
    match options.eval.evaluation() {
        Ok(evaluation) => {
            let value = evaluation.evaluate(&Position::startpos());
            let is_valid = value.abs() <= EVEN;
            if !is_valid {
                warnings.add(
                    format!("the evaluation of the start position is {value}"),
                    "use another network, or check FV_SCALE",
                );
            }
            let kind = match &evaluation {
                Evaluation::HandCrafted(_) => "hand-crafted".to_owned(),
                Evaluation::Network(network) => network.shape.to_string(),
            };
            if !is_file && options.eval.which == EvalType::Network && matches!(evaluation, Evaluation::HandCrafted(_)) {
                warnings
                    .add("out of memory for the network; the hand-crafted evaluation is used", "end other programs");
            }
            (FileCheck { source, is_valid, about: format!("{kind}, start {value} cp") }, evaluation)
        }
        Err(error) => {
            warnings.add(error.to_string(), "correct EvalFile and EvalDir, or leave them empty");
            let check = FileCheck { source, is_valid: false, about: error.reason.to_string() };
            (check, Evaluation::embedded(options.eval.which))
        }
    }
}

/// The book, and whether it has moves for the start position.
fn check_book(options: &Options, warnings: &mut Warnings) -> FileCheck {
    let book = &options.book;
    let source = match (book.file.as_str(), book.folder.as_str()) {
        ("", _) => "embedded".to_owned(),
        (file, "") => file.to_owned(),
        (file, folder) => format!("{folder} {file}"),
    };
    let lookup = book.open().and_then(|open| {
        let probe =
            |open: &OpenBook| open.lookup_either_way(&Position::startpos(), PlyRule::Any, &mut ReadReport::default());
        open.as_ref().map(probe).transpose()
    });
    match lookup {
        Ok(None) => FileCheck { source: "none".to_owned(), is_valid: true, about: "switched off".to_owned() },
        Ok(Some(moves)) => {
            let about = format!("moves for the start: {}", moves.len());
            if moves.is_empty() {
                warnings.add(
                    format!("the book {source} has no move for the start position"),
                    "it may be meant for other positions; otherwise choose another BookFile",
                );
            }
            FileCheck { source, is_valid: true, about }
        }
        Err(error) => {
            warnings.add(
                format!("the book {source} cannot be used: {error}"),
                "correct BookFile and BookDir, or leave them empty",
            );
            FileCheck { source, is_valid: false, about: error.to_string() }
        }
    }
}

/// The options that a GUI has stored.
#[derive(Serialize)]
struct GuiOptions {
    file: String,
    kind: &'static str,
    accepted: usize,
    rejected: usize,
}

impl fmt::Display for GuiOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, kind, accepted, rejected } = self;
        write!(f, "{file}: {kind}, accepted {accepted}, rejected {rejected}")
    }
}

/// An option and its value; a button has none.
type GuiOption = (String, Option<String>);

impl GuiOptions {
    /// Reads a file and applies its options.
    ///
    /// # Errors
    /// When it cannot be read, or its format is unknown.
    fn read(path: &Path, options: &mut Options, warnings: &mut Warnings) -> anyhow::Result<Self> {
        let context = || format!("cannot read options from '{}'", path.display());
        let bytes = read_regular(path).with_context(context)?;
        let text = String::from_utf8(bytes).context("it is not UTF-8").with_context(context)?;
        let text = text.trim_start_matches('\u{feff}');
        let (kind, settings) = match text.trim_start().chars().next() {
            Some('{') => ("ShogiHome", shogihome(text)),
            Some('<') => ("", Err(anyhow!("XML is not read; write the options as lines of NAME=VALUE"))),
            _ => ("list", lines(text)),
        };
        let settings = settings.with_context(context)?;
        let (mut accepted, mut rejected) = (0, 0);
        for (name, value) in settings {
            match options.with(&name, value.as_deref()) {
                Ok(next) => {
                    *options = next;
                    accepted += 1;
                }
                Err(error) => {
                    rejected += 1;
                    let advice = "correct it in the GUI; sabi options lists all options";
                    warnings.add(format!("an option is rejected: {error}"), advice);
                }
            }
        }
        Ok(Self { file: path.display().to_string(), kind, accepted, rejected })
    }
}

/// The options of the engines whose name or path is ours.
fn shogihome(text: &str) -> anyhow::Result<Vec<GuiOption>> {
    let settings: Value = serde_json::from_str(text)?;
    let engines = settings["engines"].as_object().context("there is no key 'engines' in it")?;
    let is_ours = |engine: &&Value| {
        let names = ["name", "defaultName", "path"].map(|key| engine[key].as_str().unwrap_or_default());
        names.iter().any(|name| name.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase().starts_with("sabi"))
    };
    let ours: Vec<&Value> = engines.values().filter(is_ours).collect();
    ensure!(!ours.is_empty(), "there is no engine called Sabi in it");
    let options = ours.iter().filter_map(|engine| engine["options"].as_object()).flatten();
    // Buttons are not settings; without a value, the default applies.
    let set = options.filter(|(_, option)| option["type"] != "button").filter_map(|(name, option)| {
        let value = match &option["value"] {
            Value::String(text) => text.clone(),
            Value::Null => return None,
            other => other.to_string(),
        };
        Some((name.clone(), Some(value)))
    });
    Ok(set.collect())
}

/// `NAME=VALUE`, or `setoption name NAME value VALUE`; comments begin with `#` or `//`.
fn lines(text: &str) -> anyhow::Result<Vec<GuiOption>> {
    let mut settings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        let setting = match usi::Command::parse(line, Instant::now(), None) {
            Ok(Some(usi::Command::SetOption { name, value })) => Some((name, value)),
            _ => line.split_once('=').map(|(name, value)| (name.trim(), Some(value.trim()))),
        };
        let (name, value) = setting.with_context(|| format!("line {number} is not NAME=VALUE"))?;
        settings.push((name.to_owned(), value.map(str::to_owned)));
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitting_hash_leaves_half_of_memory() {
        for (free, fits) in [(0, 16), (31, 16), (1000, 256), (1024, 512), (21_787, 8192)] {
            assert_eq!(fitting(free), fits, "{free}");
        }
    }

    #[test]
    fn slow_searches_are_reported() {
        let problems = |nodes_per_second, processor_share| {
            let mut warnings = Warnings::default();
            check_speed(&Speed { nodes_per_second, expected: 1_000_000, processor_share }, &mut warnings);
            warnings.0.len()
        };
        assert_eq!(problems(900_000, Some(0.99)), 0);
        assert_eq!(problems(400_000, Some(0.99)), 1);
        assert_eq!(problems(900_000, Some(0.4)), 1);
        assert_eq!(problems(900_000, None), 0);
    }

    fn setting(name: &str, value: Option<&str>) -> GuiOption {
        (name.to_owned(), value.map(str::to_owned))
    }

    #[test]
    fn reads_name_value_and_setoption_lines() {
        let text = "# remark\n\nThreads=4\n EvalFile = /a b/評価.bin \nsetoption name USI_Hash value 64\nsetoption name BookFile value\n\
                    setoption\tname  Skill Level\tvalue 3\nsetoption name Clear_Hash\n";
        let expected = [
            setting("Threads", Some("4")),
            setting("EvalFile", Some("/a b/評価.bin")),
            setting("USI_Hash", Some("64")),
            setting("BookFile", Some("")),
            setting("Skill Level", Some("3")),
            setting("Clear_Hash", None),
        ];
        assert_eq!(lines(text).unwrap(), expected);
        assert!(lines("Threads=4\nnonsense\n").unwrap_err().to_string().contains("line 2"));
    }

    #[test]
    fn reads_shogihome_engines() {
        let text = r#"{"engines": {
            "es://1": {"name": "Other", "path": "/x/other", "options": {"Threads": {"type": "spin", "value": 9}}},
            "es://2": {"name": "my engine", "path": "C:\\x\\sabi.exe", "options": {
                "Threads": {"type": "spin", "default": 1, "value": 4},
                "USI_Hash": {"type": "spin", "default": 256},
                "USI_OwnBook": {"type": "check", "value": "false"},
                "Clear_Hash": {"type": "button"}}}}}"#;
        let mut settings = shogihome(text).unwrap();
        settings.sort();
        assert_eq!(settings, [setting("Threads", Some("4")), setting("USI_OwnBook", Some("false"))]);
        for (text, message) in
            [("{}", "no key 'engines'"), (r#"{"engines": {}}"#, "no engine called Sabi"), ("{", "EOF")]
        {
            assert!(shogihome(text).unwrap_err().to_string().contains(message), "{text}");
        }
    }
}
