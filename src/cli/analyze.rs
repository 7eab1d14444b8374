//! `sabi analyze`: game analysis.

mod output;
mod problems;
mod resume;

use super::files::{game_files, games_of, is_standard_input, report_left_out};
use super::program::{OptionArguments, progress_bar};
use crate::analysis::{AnalyzedGame, Analyzer, Budget, Language, Scope, run};
use crate::engine::Options;
use crate::search::{Resources, Signals};
use anyhow::{Context, ensure};
use clap::{ArgGroup, Args, ValueEnum, value_parser};
use output::{AnalysisWriter, Destination, OutputFormat, OutputTarget};
use problems::ProblemWriter;
use resume::ResumableRun;
use sabi_files::{crc32, read_regular};
use sabi_records::{FormationTable, Game, RecordError};
use sabi_shogi::Color;
use std::collections::HashSet;
use std::io::{self, Write};
use std::iter::once;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Instant;

/// Default nodes per position.
const NODES: u64 = 200_000;

#[derive(Args)]
#[command(group = ArgGroup::new("budget").args(["nodes", "time", "depth"]))]
pub struct AnalyzeArguments {
    /// Game records in any readable format, folders of them, or '-' for standard input
    #[arg(required = true, value_name = "GAME")]
    games: Vec<PathBuf>,
    /// Nodes per position [default: 200000]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds per position; results are not reproducible
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Depth per position
    #[arg(long, value_name = "PLIES", value_parser = value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Number of lines per position
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = value_parser!(u64).range(1..=20))]
    multipv: u64,
    /// Positions searched in parallel [default: number of processor cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// First move to classify
    #[arg(long, value_name = "PLY", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    from: u64,
    /// Last move to classify [default: the last of the game]
    #[arg(long, value_name = "PLY", value_parser = value_parser!(u64).range(1..))]
    to: Option<u64>,
    /// Side whose moves are classified
    #[arg(long, value_enum, default_value = "both")]
    side: Side,
    /// Output file, or folder for a file per game
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Output format [default: by the extension of --out, else html]
    #[arg(long, value_enum)]
    format: Option<OutputFormat>,
    /// More openings and castles, or other ones of the same names; docs/analyze.md has the format
    #[arg(long, value_name = "FILE")]
    patterns: Option<PathBuf>,
    /// Language of pages, comments and the report
    #[arg(long, value_enum, default_value = "ja")]
    lang: Language,
    /// Mistakes and missed mates as problems: .sfen, .kif, .kifu, or a page that asks, .html
    #[arg(long, value_name = "FILE")]
    problems: Option<PathBuf>,
    /// Only problems from the moves of this player
    #[arg(long, value_name = "NAME", requires = "problems")]
    player: Option<String>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    settings: OptionArguments,
}

fn counted(games: usize) -> String {
    format!("{games} {}", if games == 1 { "game" } else { "games" })
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum Side {
    Black,
    White,
    Both,
}

impl AnalyzeArguments {
    fn budget(&self) -> Budget {
        match (self.nodes, self.time, self.depth) {
            (_, Some(milliseconds), _) => Budget::Time(milliseconds),
            (_, _, Some(plies)) => Budget::Depth(plies),
            (nodes, ..) => Budget::Nodes(nodes.unwrap_or(NODES)),
        }
    }

    fn scope(&self) -> anyhow::Result<Scope> {
        let to = self.to.map(|to| to as usize);
        ensure!(
            to.is_none_or(|to| self.from as usize <= to),
            "--from {} is behind --to {}",
            self.from,
            to.unwrap_or(0)
        );
        let side = match self.side {
            Side::Black => Some(Color::Black),
            Side::White => Some(Color::White),
            Side::Both => None,
        };
        Ok(Scope { from: self.from as usize, to, side })
    }

    fn options(&self) -> anyhow::Result<Options> {
        let resources = Resources::new(self.budget().hash_mb(), 1);
        let mut options = Options { resources, ..Options::default() };
        options.search.multi_pv = self.multipv as usize;
        let options = self.settings.apply(options)?;
        ensure!(options.resources.threads == 1, "each position is searched by one thread; --threads is for positions");
        ensure!(options.level.is_none() && options.resign.is_none(), "Level and ResignValue do not apply to analyses");
        Ok(options)
    }

    /// The text of --patterns, and the table with it.
    fn formations(&self) -> anyhow::Result<(String, FormationTable)> {
        let standard = FormationTable::standard();
        let Some(path) = &self.patterns else { return Ok((String::new(), standard.clone())) };
        let bytes = read_regular(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        let text = String::from_utf8(bytes).ok().with_context(|| format!("'{}' is not UTF-8", path.display()))?;
        let table = standard.with(&text).with_context(|| format!("'{}'", path.display()))?;
        Ok((text, table))
    }

    /// Analyses the games and lists the results.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (budget, scope, options) = (self.budget(), self.scope()?, self.options()?);
        let (patterns, formations) = self.formations()?;
        let evaluation = options.eval.evaluation()?;
        let book = options.book.open().context("cannot open the book")?;
        let InputGames { games, names, bad } = InputGames::read(&self.games)?;
        let any = games.iter().any(|game| !scope.positions(game).is_empty());
        ensure!(any, "--from, --to and --side leave no move to classify");
        let settings = format!("{budget:?} {scope:?} {options:?} {}", evaluation.fingerprint());
        let made_by = self.described(budget, options.search.multi_pv);
        let stamp =
            format!("{:08x}", crc32(format!("{settings} {made_by} {:?} {patterns} {games:?}", self.lang).as_bytes()));
        let target = OutputTarget::new(self.out.as_deref(), self.format, &names)?;
        ensure!(!self.open || target.format == OutputFormat::Html, "--open is for pages");
        if self.out.is_none()
            && let Some(done) = target.finished_before(&stamp)?
            && self.problems.is_none()
        {
            writeln!(out, "nothing to do: {} has this analysis", done.display())?;
            self.show(&done)?;
            ensure!(bad == 0, "{} could not be read", counted(bad));
            return Ok(());
        }
        let players = target.players(&games, &names);
        let is_page = |path: &Path| matches!(&target.destination, Destination::File(page) if page == path);
        ensure!(!self.problems.as_deref().is_some_and(is_page), "--problems needs a file of its own");
        let mut problems = match &self.problems {
            Some(path) => Some(ProblemWriter::new(path, self.player.as_deref(), &self.games, &games)?),
            None => None,
        };
        target.prepare(&self.games, &names, &players)?;

        let (mut resumable, tasks) = ResumableRun::open(target.journal(), &settings, &games, &scope)?;
        let threads = self.threads.map_or_else(available_parallelism, Ok)?.get();
        let analyzers = (0..threads.min(tasks.len()))
            .map(|_| Analyzer::new(&options, evaluation.clone(), budget))
            .collect::<Result<Vec<_>, _>>()?;

        let mut output = AnalysisWriter::new(target, self.lang, made_by.clone(), stamp, players);
        // Games are written in order, each as soon as all its positions are done.
        let mut write_finished = |resumable: &mut ResumableRun| -> anyhow::Result<()> {
            while let Some((at, found)) = resumable.next_finished() {
                let (game, rule) = (games[at].clone(), options.search.entering_king);
                let mut analyzed = AnalyzedGame::new(game, found, &scope, book.as_ref(), rule);
                analyzed.formations = formations.formations(&analyzed.game);
                problems.iter_mut().for_each(|problems| problems.add(at, &analyzed));
                output.add(&analyzed, &names[at])?;
            }
            Ok(())
        };
        write_finished(&mut resumable)?;
        let bar = progress_bar(tasks.len() as u64, "positions")?;
        bar.set_message(counted(games.len()));
        let start = Instant::now();
        run(&games, &tasks, analyzers, &Signals::default(), |task, found| -> anyhow::Result<()> {
            resumable.add(task, found)?;
            bar.inc(1);
            write_finished(&mut resumable)
        })?;
        bar.finish_and_clear();
        let seconds = start.elapsed().as_secs_f64().max(1e-9);
        let told = match problems {
            Some(problems) => {
                Some(problems.finish(&games, (&options, &evaluation), budget, threads, (self.lang, &made_by))?)
            }
            None => None,
        };
        let written = output.finish(out, tasks.len(), seconds, told)?;
        resumable.finish()?;
        written.map_or(Ok(()), |page| self.show(&page))?;
        ensure!(bad == 0, "{} could not be read", counted(bad));
        Ok(())
    }

    /// Opens a page in the browser, with `--open`.
    fn show(&self, page: &Path) -> anyhow::Result<()> {
        if self.open {
            open::that_detached(page).with_context(|| format!("cannot open '{}' in a browser", page.display()))?;
        }
        Ok(())
    }

    fn described(&self, budget: Budget, multi_pv: usize) -> String {
        let limit = match budget {
            Budget::Nodes(nodes) => format!("{nodes} nodes"),
            Budget::Depth(plies) => format!("depth {plies}"),
            Budget::Time(milliseconds) => format!("{milliseconds} ms"),
        };
        let options: String = self.settings.given().iter().map(|option| format!(", {option}")).collect();
        format!("Sabi {}, {limit}, MultiPV {multi_pv}{options}", env!("CARGO_PKG_VERSION"))
    }
}

/// The games to be analysed.
#[derive(Default)]
struct InputGames {
    games: Vec<Game>,
    /// A unique name for each game, for its file.
    names: Vec<String>,
    /// Number of games that could not be read, each reported on stderr.
    bad: usize,
}

impl InputGames {
    fn read(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let mut input = Self::default();
        // The index page has this name.
        let mut used_names = HashSet::from(["index".to_owned()]);
        for file in game_files(paths, |error| input.report(error))? {
            let first = input.games.len();
            let mut games = games_of(&file);
            for game in games.by_ref() {
                match game {
                    Ok(game) => input.games.push(game),
                    Err(error) => input.report(&error),
                }
            }
            report_left_out(&file, games.warnings());
            let path = if is_standard_input(&file) { Path::new("game") } else { &file };
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let count = input.games.len() - first;
            for number in 1..=count {
                let name = if count == 1 { stem.to_string() } else { format!("{stem}-{number}") };
                // Files of several folders may have the same name, and some file systems ignore case.
                let others = (2..).map(|number| format!("{name}-{number}"));
                let free = once(name.clone()).chain(others).find(|name| used_names.insert(name.to_lowercase()));
                input.names.extend(free);
            }
        }
        ensure!(
            !input.games.is_empty(),
            "there is no game to analyse: expected records in KIF, KI2, CSA, JKF, PGN, USI lines or training games"
        );
        Ok(input)
    }

    fn report(&mut self, error: &RecordError) {
        self.bad += 1;
        // If stderr is closed, the count at the end is enough.
        let _ = writeln!(io::stderr(), "{error}");
    }
}
