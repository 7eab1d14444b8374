//! `trainer grow`: the supervisor takes the next actions from the log, and logs what was done.

mod process;
mod steps;

pub use steps::GrowArguments;

use crate::fit::read_network;
use anyhow::{Context, bail, ensure};
use process::{ChildProcess, last_error};
use rustix::process::{Signal, nice};
use sabi_tools::train::growth::{Event, GenerationConfig, Log, Step, growth_page};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use steps::{PROGRAMS, checksum_of, copy, copy_programs, last_line, write};

const LOG: &str = "log.jsonl";
/// Poll interval for pauses and the end of a step.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Maximum time for the processes of a killed supervisor to exit.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);
/// Interval of saving the working time.
const SAVE_INTERVAL: Duration = Duration::from_secs(30);
/// Maximum restarts of a killed step.
const MAX_RESTARTS: u32 = 10;
/// Estimated bytes of a game before any was played.
const GAME_BYTES: u64 = 600;

/// Continues at the end of the log. A killed run leaves nothing that the next run does not resume or
/// replace.
pub fn run(arguments: &GrowArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let GrowArguments { start, openings, match_openings, engine_dir, .. } = arguments;
    for (file, what) in [(start, "network"), (openings, "openings"), (match_openings, "openings")] {
        if let Some(file) = file {
            ensure!(file.is_file(), "missing file '{}' ({what})", file.display());
        }
    }
    if let Some(folder) = engine_dir {
        ensure!(folder.is_dir(), "missing folder '{}' (programs)", folder.display());
    }
    let mut supervisor = Supervisor::open(arguments, out)?;
    nice(arguments.nice.into()).context("cannot lower the priority")?;
    let outcome = supervisor.grow();
    if let Err(error) = &outcome {
        supervisor.fail(error);
    }
    outcome
}

struct Supervisor<'a> {
    arguments: &'a GrowArguments,
    out: &'a mut dyn Write,
    folder: PathBuf,
    threads: usize,
    log: Log,
    worked: WorkTime,
    /// Lock held by this process and by the process of a step, so that no two write the same files.
    lock: File,
}

/// A step that exited with a message. The next run starts it with its own arguments.
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", step.name())]
struct StepFailed {
    step: Step,
    message: String,
}

/// Working time, saved to a file.
struct WorkTime {
    path: PathBuf,
    time: Duration,
    saved: Duration,
}

impl WorkTime {
    fn open(path: PathBuf, at_least: u64) -> Self {
        let saved = fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        let time = Duration::from_secs(at_least.max(saved));
        Self { path, time, saved: time }
    }

    fn add(&mut self, time: Duration) -> anyhow::Result<()> {
        self.time += time;
        if self.time - self.saved < SAVE_INTERVAL {
            return Ok(());
        }
        self.saved = self.time;
        write(&self.path, format!("{}\n", self.time.as_secs()).as_bytes())
    }
}

/// Rejects a folder that holds anything but what an interrupted beginning leaves, or
/// what the user may put there before: files would be replaced and removed.
fn reject_nonempty_folder(dir: &Path) -> anyhow::Result<()> {
    let first = steps::folder_of(0);
    let own = ["incoming", "lock", "pause", "lost+found", &first];
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries,
    };
    let context = || format!("cannot read the folder '{}'", dir.display());
    for entry in entries.with_context(context)? {
        let name = entry.with_context(context)?.file_name();
        ensure!(own.iter().any(|&own| name == own), "'{}' holds other files: '{}'", dir.display(), name.display());
    }
    Ok(())
}

impl<'a> Supervisor<'a> {
    /// Opens the folder, or creates it after checking the arguments.
    fn open(arguments: &'a GrowArguments, out: &'a mut dyn Write) -> anyhow::Result<Self> {
        let (threads, dir) = (arguments.working.threads(), &arguments.dir);
        if !dir.join(LOG).exists() {
            read_network(arguments.start.as_ref().context("--start must name the start network")?)?;
            reject_nonempty_folder(dir)?;
        }
        fs::create_dir_all(dir.join("incoming"))
            .with_context(|| format!("cannot create the folder '{}'", dir.display()))?;
        let folder = dir.canonicalize()?;
        let lock = File::options().create(true).read(true).append(true).open(folder.join("lock"));
        let lock = lock.with_context(|| format!("cannot write in '{}'", dir.display()))?;
        let begun = Instant::now();
        while lock.try_lock().is_err() {
            ensure!(begun.elapsed() < EXIT_TIMEOUT, "another program uses '{}'", dir.display());
            sleep(POLL_INTERVAL);
        }
        let log = Log::open(&folder.join(LOG))?;
        let worked = WorkTime::open(folder.join("worked"), log.history().active_seconds);
        let mut supervisor = Self { arguments, out, folder, threads, log, worked, lock };
        supervisor.begin()?;
        Ok(supervisor)
    }

    /// Runs generations until the last one.
    fn grow(&mut self) -> anyhow::Result<()> {
        self.add(Event::Started { version: env!("CARGO_PKG_VERSION").to_owned(), threads: self.threads })?;
        self.remove_files(&self.log.history().removed.iter().cloned().collect::<Vec<_>>())?;
        self.copy_best()?;
        // A run killed after the decision on a generation has not cleaned up.
        let finished = self.log.history().generations.iter().rfind(|generation| generation.adopted.is_some());
        if let Some(number) = finished.map(|generation| generation.config.generation) {
            self.clean_up(number)?;
        }
        loop {
            let history = self.log.history();
            let config = match history.unfinished() {
                Some(generation) => generation.config.clone(),
                None if self.arguments.generations.is_some_and(|last| history.generations.len() >= last as usize) => {
                    return Ok(());
                }
                None => self.begin_generation()?,
            };
            self.run_steps(&config)?;
        }
    }

    /// Logs the error that ends the program; errors of logging itself are ignored.
    fn fail(&mut self, error: &anyhow::Error) {
        let step = error.downcast_ref::<StepFailed>().map(|failed| failed.step);
        let _ = self.add(Event::Failed { step, reason: format!("{error:#}") });
    }

    /// Copies the start network as generation 0, if there is none.
    fn begin(&mut self) -> anyhow::Result<()> {
        let start = self.arguments.start.as_ref();
        if let Some(first) = &self.log.history().first {
            let same = start.map_or(Ok(true), |start| checksum_of(start).map(|sum| sum == *first))?;
            ensure!(same, "'{}' started from another network than --start", self.arguments.dir.display());
            return Ok(());
        }
        let start = start.context("--start must name the start network")?;
        read_network(start)?;
        fs::create_dir_all(self.folder.join(steps::folder_of(0)))?;
        let network = copy(start, &self.folder.join(steps::file_of(0, steps::NETWORK)))?;
        self.add(Event::First { network })
    }

    /// Adds an event to the log, prints it, and writes the page.
    fn add(&mut self, event: Event) -> anyhow::Result<()> {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let line = self.log.add(time, self.worked.time.as_secs(), event);
        let line = line.with_context(|| format!("cannot write '{}'", self.folder.join(LOG).display()))?;
        writeln!(self.out, "{line}")?;
        self.out.flush()?;
        write(&self.folder.join("index.html"), growth_page(self.log.history())?.as_bytes())
    }

    /// Copies the inputs of the next generation to its folder, and logs its beginning.
    fn begin_generation(&mut self) -> anyhow::Result<GenerationConfig> {
        self.wait_while_paused()?;
        let (history, arguments) = (self.log.history(), self.arguments);
        let (generation, best) = (history.generations.len() as u32 + 1, history.best());
        let first = history.next_seed(arguments.first_seed);
        let seeds = [first, first + 1];
        let mut config = GenerationConfig { generation, best, seeds, ..GenerationConfig::default() };
        fs::create_dir_all(self.folder.join(steps::input_of(generation, "")))?;
        for (file, name) in [(&arguments.openings, "openings"), (&arguments.match_openings, "match_openings")] {
            if let Some(file) = file {
                let name = steps::openings_name(file, name);
                let sum = copy(file, &self.folder.join(steps::input_of(generation, &name)))?;
                config.inputs.insert(name, sum);
            }
        }
        self.choose_programs(&mut config)?;
        config.data = self.take_incoming(generation)?;
        let mut there = 0;
        for file in &config.data {
            there += steps::count_games(&self.folder.join(file))?.0;
        }
        let games = arguments.games.saturating_sub(there);
        self.make_room(games, &config.data)?;
        config.seeds = [first, first.checked_add(games).context("no seeds are left")?];
        self.add(Event::Generation(config.clone()))?;
        Ok(config)
    }

    /// Copies the programs of the engine folder; if they fail, those of the last generation.
    fn choose_programs(&mut self, config: &mut GenerationConfig) -> anyhow::Result<()> {
        let own = std::env::current_exe()?;
        let own = own.parent().context("this program has no folder")?;
        let newest = self.arguments.engine_dir.as_deref().unwrap_or(own);
        let last = self.folder.join(steps::input_of(config.generation - 1, ""));
        match self.test_programs(&[newest, own], config) {
            Err(error) if last.join(PROGRAMS[0]).exists() => {
                self.add(Event::InputRejected { file: newest.display().to_string(), reason: format!("{error:#}") })?;
                self.test_programs(&[&last], config)
            }
            tried => tried,
        }
    }

    /// Copies programs, and tests them with the first game of the generation.
    fn test_programs(&self, from: &[&Path], config: &mut GenerationConfig) -> anyhow::Result<()> {
        let to = |name| steps::input_of(config.generation, name);
        let sums = copy_programs(from, &self.folder.join(to("")))?;
        let signature = last_line(&self.folder, &steps::signature(config))?;
        ensure!(signature.starts_with("Bench: "), "'sabi bench' printed '{signature}' instead of a signature");
        let games = to("try.sabg");
        self.remove_files(std::slice::from_ref(&games))?;
        last_line(&self.folder, &steps::selfplay(self.arguments, config, &games))?;
        let (count, _) = steps::count_games(&self.folder.join(&games))?;
        ensure!(count == 1, "'selfplay' played {count} games instead of one");
        // A single game may have no position of the share that is searched.
        last_line(&self.folder, &[to("data_tools"), "search-tree".to_owned(), "--help".to_owned()])?;
        config.inputs.extend(sums);
        config.signature = signature;
        Ok(())
    }

    /// Moves external game files into the folder of a generation, those of a killed run included.
    fn take_incoming(&mut self, number: u32) -> anyhow::Result<Vec<String>> {
        let name = steps::folder_of(number);
        let own = [steps::file_of(number, steps::GAMES), steps::file_of(number, steps::TREES)];
        let place = |file: &str| format!("{name}/{file}");
        for file in games_in(&self.folder.join("incoming"))? {
            let from = self.folder.join("incoming").join(&file);
            if let Err(error) = steps::replay_games(&from) {
                self.add(Event::InputRejected { file: format!("incoming/{file}"), reason: format!("{error:#}") })?;
                continue;
            }
            let taken = |file: &str| own.contains(&place(file)) || self.folder.join(place(file)).exists();
            let mut to = file.clone();
            while taken(&to) {
                to.insert(0, '_');
            }
            fs::rename(&from, self.folder.join(place(&to)))
                .with_context(|| format!("cannot move '{}'", from.display()))?;
        }
        let files = games_in(&self.folder.join(&name))?;
        Ok(files.iter().map(|file| place(file)).filter(|file| !own.contains(file)).collect())
    }

    /// Removes the oldest games to make room for this many more. `taken` are files of a generation
    /// not yet logged.
    fn make_room(&mut self, games: u64, taken: &[String]) -> anyhow::Result<()> {
        let most = (self.arguments.max_disk * 1e9) as u64;
        let history = self.log.history();
        let played = history.generations.iter().rev().find_map(|old| old.played.as_ref());
        let size = played.map_or(GAME_BYTES, |played| played.bytes / played.games.max(1));
        let wanted = size.saturating_mul(games);
        ensure!(wanted <= most, "the games of a generation need {wanted} bytes; --max-disk allows {most}");
        let files_of = |is_over: bool| {
            let generations = history.generations.iter().filter(move |old| old.adopted.is_some() == is_over);
            generations.flat_map(|generation| steps::game_files(&generation.config))
        };
        let files: Vec<String> = files_of(true).filter(|file| !history.removed.contains(file)).collect();
        let length = |file: &String| fs::metadata(self.folder.join(file)).map_or(0, |data| data.len());
        let kept = files_of(false).chain(taken.iter().cloned()).map(|file| length(&file));
        let mut there = files.iter().map(length).chain(kept).sum::<u64>();
        let mut old = Vec::new();
        for file in files {
            if there + wanted > most {
                there -= length(&file);
                old.push(file);
            }
        }
        if old.is_empty() {
            return Ok(());
        }
        // Logged before removal, so that a missing file is expected.
        self.add(Event::Removed { files: old.clone() })?;
        self.remove_files(&old)
    }

    fn remove_files(&self, files: &[String]) -> anyhow::Result<()> {
        for file in files {
            let path = self.folder.join(file);
            if path.exists() {
                fs::remove_file(&path).with_context(|| format!("cannot remove '{}'", path.display()))?;
            }
        }
        Ok(())
    }

    /// Runs all unfinished steps of a generation.
    fn run_steps(&mut self, config: &GenerationConfig) -> anyhow::Result<()> {
        let number = config.generation;
        let state = self.log.history().unfinished().context("no generation is in progress")?.clone();
        if state.played.is_none() {
            if config.seeds[0] < config.seeds[1] {
                let games = steps::file_of(number, steps::GAMES);
                self.step(config, Step::Selfplay, |arguments| steps::selfplay(arguments, config, &games))?;
            }
            let played = steps::played(&self.folder, config)?;
            self.add(Event::Played(played))?;
        }
        if state.trained.is_none() {
            if !state.commands.contains_key(&Step::Fit) {
                self.make_room(0, &[])?;
                if state.drawn.is_none() {
                    self.step(config, Step::SearchTree, |arguments| steps::search_tree(arguments, config))?;
                    let (positions, _) = steps::count_games(&self.folder.join(steps::file_of(number, steps::TREES)))?;
                    self.add(Event::Drawn { generation: number, positions })?;
                }
            }
            let files = self.window();
            self.step(config, Step::Fit, |arguments| steps::fit(arguments, config, &files))?;
            let trained = steps::trained(&self.folder, config, &self.output(number, Step::Fit))?;
            self.add(Event::Trained(trained))?;
        }
        let matched = match state.matched {
            Some(matched) => matched,
            None => {
                let command = self.step(config, Step::Match, |arguments| steps::matched(arguments, config))?;
                let matched = steps::result(&self.folder, config, &command)?;
                self.add(Event::Matched(matched.clone()))?;
                matched
            }
        };
        match steps::is_better(&matched) {
            true => self.add(Event::Adopted { generation: number })?,
            false => self.add(Event::Rejected { generation: number })?,
        }
        self.copy_best()?;
        self.clean_up(number)
    }

    /// Training files.
    fn window(&self) -> Vec<String> {
        let history = self.log.history();
        let generations = history.window(self.arguments.window.into());
        let files = generations.iter().flat_map(|generation| steps::game_files(&generation.config));
        files.filter(|file| !history.removed.contains(file)).collect()
    }

    /// Removes temporary files of this generation, and the programs of the previous one.
    fn clean_up(&self, number: u32) -> anyhow::Result<()> {
        self.remove_files(&[steps::file_of(number, steps::TRAINING), steps::file_of(number, steps::TREES)])?;
        let programs = self.folder.join(steps::input_of(number - 1, ""));
        if programs.exists() {
            fs::remove_dir_all(&programs).with_context(|| format!("cannot remove '{}'", programs.display()))?;
        }
        Ok(())
    }

    /// Copies the best network to a fixed name.
    fn copy_best(&self) -> anyhow::Result<()> {
        let (network, best) =
            (self.folder.join(steps::file_of(self.log.history().best(), steps::NETWORK)), self.folder.join("best.bin"));
        if !best.exists() || checksum_of(&best)? != checksum_of(&network)? {
            copy(&network, &best)?;
        }
        Ok(())
    }

    fn output(&self, generation: u32, step: Step) -> PathBuf {
        self.folder.join(steps::folder_of(generation)).join(step.name()).with_extension("txt")
    }

    /// Runs a step with the command it was started with, if it was.
    fn step(
        &mut self,
        config: &GenerationConfig,
        step: Step,
        command: impl FnOnce(&GrowArguments) -> Vec<String>,
    ) -> anyhow::Result<Vec<String>> {
        let generation = config.generation;
        let state = self.log.history().unfinished();
        let begun = state.and_then(|state| state.commands.get(&step)).cloned();
        let failed = state.and_then(|state| state.failed.get(&step)).cloned();
        let command = match begun {
            Some(command) => command,
            None => {
                let command = command(self.arguments);
                // A step does not continue what one with other arguments has left.
                if failed.is_some_and(|failed| failed != command) {
                    self.remove_files(&[steps::resumed_file(step, generation)])?;
                }
                self.add(Event::Begun { generation, step, command: command.clone() })?;
                command
            }
        };
        let output = self.output(generation, step);
        let mut restarts = 0;
        loop {
            self.wait_while_paused()?;
            match self.attempt(step, &command, &output)? {
                None => {}
                Some(status) if status.success() => return Ok(command),
                Some(status) if status.signal().is_none() => {
                    bail!(StepFailed { step, message: last_error(&output).unwrap_or_else(|| status.to_string()) });
                }
                Some(status) => {
                    let status = status.to_string();
                    restarts += 1;
                    ensure!(restarts <= MAX_RESTARTS, "{}: killed too often, {status}", step.name());
                    self.add(Event::Restarted { step, status })?;
                    sleep(Duration::from_secs(1));
                }
            }
        }
    }

    /// Runs the process of a step; `None` when it was ended for a pause.
    fn attempt(&mut self, step: Step, command: &[String], output: &Path) -> anyhow::Result<Option<ExitStatus>> {
        let threads = if step == Step::Match { "--concurrency" } else { "--threads" };
        let command = [command, &[threads.to_owned(), self.threads.to_string()]].concat();
        let mut child = ChildProcess::start(&self.folder, &command, output, &self.lock)?;
        let mut last = Instant::now();
        loop {
            if let Some(status) = child.status()? {
                return Ok(Some(status));
            }
            if self.should_pause() {
                // Engines suspended within a move would lose on time; unfinished games are
                // replayed.
                if step == Step::Match {
                    drop(child);
                    return Ok(None);
                }
                child.signal(Signal::STOP)?;
                self.wait_while_paused()?;
                child.signal(Signal::CONT)?;
                last = Instant::now();
            }
            sleep(POLL_INTERVAL);
            self.worked.add(last.elapsed())?;
            last = Instant::now();
        }
    }

    fn should_pause(&self) -> bool {
        self.folder.join("pause").exists()
    }

    fn wait_while_paused(&mut self) -> anyhow::Result<()> {
        if self.should_pause() {
            self.add(Event::Paused)?;
            while self.should_pause() {
                sleep(POLL_INTERVAL);
            }
            self.add(Event::Resumed)?;
        }
        Ok(())
    }
}

/// Sorted names of the game files in a folder.
fn games_in(folder: &Path) -> anyhow::Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read '{}'", folder.display()))?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<io::Result<Vec<String>>>()?;
    names.retain(|name| name.ends_with(".sabg"));
    names.sort();
    Ok(names)
}
