//! `--problems`: mistakes of the analysed games as problems, each checked by a deeper search.

use crate::analysis::{
    AnalyzedGame, Analyzer, Budget, Language, PracticeProblem, Task, counted_problems, is_html_page, practice_page,
    problem_games, problem_lines, run,
};
use crate::cli::files::{check_not_an_input, check_output};
use crate::cli::program::progress_bar;
use crate::engine::Options;
use crate::eval::Evaluation;
use crate::search::Signals;
use anyhow::{Context, bail, ensure};
use sabi_files::replace_with_bytes;
use sabi_records::{Game, Notation, file_content};
use std::path::{Path, PathBuf};

#[derive(Copy, Clone, PartialEq, Eq)]
enum ProblemFormat {
    /// Lines of SFEN
    Lines,
    Kif,
    Page,
}

/// The file of the problems, and those to be checked.
pub struct ProblemWriter<'a> {
    path: &'a Path,
    format: ProblemFormat,
    player: Option<&'a str>,
    /// With their tasks.
    candidates: Vec<(Task, PracticeProblem)>,
}

impl<'a> ProblemWriter<'a> {
    /// Fails before the analysis where writing would fail after it.
    pub fn new(path: &'a Path, player: Option<&'a str>, inputs: &[PathBuf], games: &[Game]) -> anyhow::Result<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let format = match extension.to_ascii_lowercase().as_str() {
            "sfen" | "txt" => ProblemFormat::Lines,
            "kif" | "kifu" => ProblemFormat::Kif,
            "html" | "htm" => ProblemFormat::Page,
            _ => bail!("problems are written as .sfen, .kif, .kifu or .html, not as '{}'", path.display()),
        };
        check_not_an_input(path, inputs)?;
        check_output(path, "the problems", |head, _| match format {
            ProblemFormat::Lines => head.starts_with(b"# ") || Notation::UsiList.detect(head),
            ProblemFormat::Kif => Notation::Kif.detect(head),
            ProblemFormat::Page => is_html_page(head),
        })?;
        if let Some(player) = player {
            let plays = |game: &Game| game.headers.names.iter().flatten().any(|name| name == player);
            ensure!(games.iter().any(plays), "there is no game of a player '{player}'");
        }
        Ok(Self { path, format, player, candidates: Vec::new() })
    }

    /// Adds the mistakes of a game.
    pub fn add(&mut self, game: usize, analyzed: &AnalyzedGame) {
        let found = PracticeProblem::candidates(analyzed, self.player);
        self.candidates.extend(found.into_iter().map(|(ply, problem)| (Task { game, ply }, problem)));
    }

    /// Checks and writes the problems, and says how many there are.
    pub fn finish(
        self,
        games: &[Game],
        (options, evaluation): (&Options, &Evaluation),
        budget: Budget,
        threads: usize,
        (language, made_by): (Language, &str),
    ) -> anyhow::Result<String> {
        let problems = self.checked(games, options, evaluation, budget.deeper(), threads)?;
        let path = self.path.display();
        if problems.is_empty() {
            let none = language.choose("問題になる局面がない: 書かない", "no position makes a problem: not written");
            return Ok(format!("{path}: {none}"));
        }
        let text = match self.format {
            ProblemFormat::Lines => problem_lines(&problems, language),
            ProblemFormat::Page => practice_page(&problems, language, made_by),
            ProblemFormat::Kif => {
                let games = problem_games(&problems, language);
                games.iter().map(|game| Notation::Kif.write(game) + "\n\n").collect()
            }
        };
        replace_with_bytes(self.path, &file_content(self.path, text))
            .with_context(|| format!("cannot write '{path}'"))?;
        Ok(format!("{path}: {}", counted_problems(&problems, games.len(), language)))
    }

    fn checked(
        &self,
        games: &[Game],
        options: &Options,
        evaluation: &Evaluation,
        budget: Budget,
        threads: usize,
    ) -> anyhow::Result<Vec<PracticeProblem>> {
        if self.candidates.is_empty() {
            return Ok(Vec::new());
        }
        let mut options = options.clone();
        options.search.multi_pv = 2;
        let analyzer = || Analyzer::new(&options, evaluation.clone(), budget);
        let threads = threads.clamp(1, self.candidates.len());
        let analyzers = (0..threads).map(|_| analyzer()).collect::<Result<Vec<_>, _>>()?;
        let tasks: Vec<Task> = self.candidates.iter().map(|&(task, _)| task).collect();
        let bar = progress_bar(tasks.len() as u64, "problems")?;
        let mut found = Vec::new();
        run(games, &tasks, analyzers, &Signals::default(), |task, analysis| -> anyhow::Result<()> {
            bar.inc(1);
            found.push((task, analysis));
            Ok(())
        })?;
        bar.finish_and_clear();
        let mut solver = analyzer()?;
        let mut problems = Vec::new();
        for (task, problem) in &self.candidates {
            let Some((_, analysis)) = found.iter().find(|(other, _)| other == task) else { continue };
            let mating = if analysis.mates { solver.mating_moves(problem.position()) } else { Vec::new() };
            problems.extend(problem.clone().answered(analysis, &mating));
        }
        Ok(problems)
    }
}
