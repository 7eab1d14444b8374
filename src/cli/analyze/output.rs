//! Where an analysis is written, and the writing: a file of all games, or a file per game.

use crate::analysis::{
    AnalyzedGame, Class, Language, Players, SCHEMA, annotated, game_page, index_page, index_row, is_html_page, to_json,
    usi_log,
};
use crate::cli::files::{check_not_an_input, check_output};
use anyhow::{Context, bail, ensure};
use clap::ValueEnum;
use sabi_files::{read_regular, replace_with_bytes};
use sabi_records::{Game, Notation, file_content};
use sabi_shogi::Color;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::mem::take;
use std::path::{Path, PathBuf};

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// HTML page
    Html,
    /// KIF with comments and branches
    Kif,
    /// CSA with comments
    Csa,
    /// JSON for other programs
    Json,
    /// USI lines
    Usi,
}

impl OutputFormat {
    fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "html" | "htm" => Some(Self::Html),
            "kif" | "kifu" => Some(Self::Kif),
            "csa" => Some(Self::Csa),
            "json" => Some(Self::Json),
            "usi" => Some(Self::Usi),
            _ => None,
        }
    }

    /// Extension of files named by the program. `.kifu` implies UTF-8.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Kif => "kifu",
            Self::Csa => "csa",
            Self::Json => "json",
            Self::Usi => "usi",
        }
    }

    /// Whether a file that starts like this may be of this format.
    fn detects(self, head: &[u8]) -> bool {
        let text = head.trim_ascii_start();
        match self {
            Self::Html => is_html_page(head),
            // The keys of our documents are sorted.
            Self::Json => text.strip_prefix(b"{").is_some_and(|text| text.trim_ascii_start().starts_with(b"\"games\"")),
            Self::Kif => Notation::Kif.detect(head),
            Self::Csa => Notation::Csa.detect(head),
            Self::Usi => Notation::UsiList.detect(head),
        }
    }

    /// Whether a file can hold several games.
    const fn holds_many(self) -> bool {
        matches!(self, Self::Json | Self::Usi)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    Stdout,
    File(PathBuf),
    /// One file per game.
    Folder(PathBuf),
}

#[derive(Clone, Debug)]
pub struct OutputTarget {
    pub format: OutputFormat,
    pub destination: Destination,
}

impl OutputTarget {
    /// The target for games of these names.
    pub fn new(out: Option<&Path>, format: Option<OutputFormat>, names: &[String]) -> anyhow::Result<Self> {
        let destination = match (out, format.unwrap_or(OutputFormat::Html)) {
            (Some(path), _) if is_folder(path) => Destination::Folder(path.to_owned()),
            (Some(path), _) => Destination::File(path.to_owned()),
            (None, OutputFormat::Html) => Destination::File(PathBuf::from(format!("{}.html", names[0]))),
            (None, _) => Destination::Stdout,
        };
        let format = match (format, &destination) {
            (Some(format), _) => format,
            (None, Destination::File(path)) => match OutputFormat::of_path(path) {
                Some(format) => format,
                None => bail!("unknown format '{}'; use --format", path.display()),
            },
            (None, _) => OutputFormat::Html,
        };
        let one_is_enough = format.holds_many() || names.len() == 1 || matches!(destination, Destination::Folder(_));
        ensure!(one_is_enough, "{} games need a folder: --out DIR/", names.len());
        Ok(Self { format, destination })
    }

    /// The page with this stamp, if the same analysis has written it before.
    ///
    /// # Errors
    /// When there is another file in its place.
    pub fn finished_before(&self, stamp: &str) -> anyhow::Result<Option<PathBuf>> {
        let Destination::File(path) = &self.destination else { return Ok(None) };
        if !path.exists() {
            return Ok(None);
        }
        let is_same = read_regular(path).is_ok_and(|page| page.ends_with(stamp_line(stamp).as_bytes()));
        ensure!(is_same, "'{}' exists, and is not the page of this analysis; --out replaces it", path.display());
        Ok(Some(path.clone()))
    }

    /// Fails before the analysis where writing would fail after it, or would replace an input.
    pub fn prepare(&self, inputs: &[PathBuf], names: &[String], players: &Players) -> anyhow::Result<()> {
        match &self.destination {
            Destination::Stdout => Ok(()),
            Destination::File(path) => self.check_file(path, inputs),
            Destination::Folder(folder) => {
                let is_new = !folder.exists();
                fs::create_dir_all(folder).with_context(|| format!("cannot make the folder '{}'", folder.display()))?;
                let checked = self.check_folder(folder, inputs, names, players);
                if is_new && checked.is_err() {
                    // A rejected run leaves nothing.
                    let _ = fs::remove_dir(folder);
                }
                checked
            }
        }
    }

    fn check_file(&self, path: &Path, inputs: &[PathBuf]) -> anyhow::Result<()> {
        check_not_an_input(path, inputs)?;
        check_output(path, "the analysis", |head, _| self.format.detects(head))
    }

    fn check_folder(
        &self,
        folder: &Path,
        inputs: &[PathBuf],
        names: &[String],
        players: &Players,
    ) -> anyhow::Result<()> {
        names.iter().try_for_each(|name| self.check_file(&folder.join(self.file_of(name)), inputs))?;
        // No other format has an index, or pages of players.
        if self.format != OutputFormat::Html {
            return Ok(());
        }
        for file in players.files() {
            check_output(&folder.join(file), "the page of a player", |head, _| is_html_page(head))?;
        }
        check_output(&folder.join("index.html"), "the index", |head, _| is_html_page(head))
    }

    /// The players of these games, whose pages stand beside those of the games.
    pub fn players(&self, games: &[Game], names: &[String]) -> Players {
        let is_folder = self.format == OutputFormat::Html && matches!(self.destination, Destination::Folder(_));
        let files: Vec<String> = names.iter().map(|name| self.file_of(name)).collect();
        if is_folder { Players::new(games, &files) } else { Players::default() }
    }

    /// The output file of a game.
    pub fn file_of(&self, name: &str) -> String {
        format!("{name}.{}", self.format.extension())
    }

    /// Start of the journal's file name; `None` for standard output.
    pub fn journal(&self) -> Option<PathBuf> {
        match &self.destination {
            Destination::Stdout => None,
            Destination::File(path) => Some(path.clone()),
            Destination::Folder(folder) => Some(folder.join("analysis")),
        }
    }
}

/// Whether a path names a folder: a trailing separator, or an existing folder.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}

/// The last line of a page.
fn stamp_line(stamp: &str) -> String {
    format!("<!-- analysis {stamp} -->\\n")
}

/// Written and pending output.
pub struct AnalysisWriter {
    target: OutputTarget,
    language: Language,
    /// Engine and settings.
    made_by: String,
    /// What tells a page of the same games and settings.
    stamp: String,
    /// The players of a folder of pages.
    players: Players,
    /// Rows of the index page.
    index: Vec<String>,
    /// Games of a single file, in order.
    texts: Vec<String>,
    values: Vec<Value>,
    /// Final report, a line per game.
    report: Vec<String>,
}

impl AnalysisWriter {
    pub fn new(target: OutputTarget, language: Language, made_by: String, stamp: String, players: Players) -> Self {
        let (index, texts, values, report) = Default::default();
        Self { target, language, made_by, stamp, players, index, texts, values, report }
    }

    /// Adds the next game, and writes it if it has its own file.
    pub fn add(&mut self, analyzed: &AnalyzedGame, name: &str) -> anyhow::Result<()> {
        self.report.push(format!("{name}: {}", summary_line(analyzed, self.language)));
        if self.target.format == OutputFormat::Json {
            let mut value = to_json(analyzed, self.language);
            value["name"] = name.into();
            self.values.push(value);
        } else {
            self.texts.push(self.text(analyzed, name));
        }
        if let Destination::Folder(folder) = &self.target.destination {
            let file = self.target.file_of(name);
            let path = folder.join(&file);
            if self.target.format == OutputFormat::Html {
                self.index.push(index_row(analyzed, &file));
                self.players.add(analyzed, &file);
            }
            let document = self.document();
            write(&path, document)?;
        }
        Ok(())
    }

    fn text(&self, analyzed: &AnalyzedGame, name: &str) -> String {
        match self.target.format {
            OutputFormat::Html => game_page(analyzed, self.language, &self.made_by),
            OutputFormat::Kif => self.record(analyzed, Notation::Kif),
            OutputFormat::Csa => self.record(analyzed, Notation::Csa),
            OutputFormat::Json | OutputFormat::Usi => {
                format!("# {}\n{}", name.replace(char::is_control, " "), usi_log(analyzed))
            }
        }
    }

    /// A record with the analysis as comments.
    fn record(&self, analyzed: &AnalyzedGame, notation: Notation) -> String {
        let engine = format!("Sabi {}", env!("CARGO_PKG_VERSION"));
        let (game, branches) = annotated(analyzed, notation, self.language, &engine);
        notation.write_with(&game, &branches) + "\n"
    }

    /// All games not written yet, as one file.
    fn document(&mut self) -> String {
        if self.target.format == OutputFormat::Json {
            let games = take(&mut self.values);
            let document = json!({ "schema": SCHEMA, "made_by": self.made_by, "games": games });
            return format!("{document:#}\n");
        }
        let separator = if self.target.format == OutputFormat::Csa { Notation::Csa.separator() } else { "\n" };
        take(&mut self.texts).join(separator)
    }

    /// Writes files of all games, and the report, with a line `more`. Returns what was written.
    pub fn finish(
        mut self,
        out: &mut impl Write,
        positions: usize,
        seconds: f64,
        more: Option<String>,
    ) -> anyhow::Result<Option<PathBuf>> {
        let written = match self.target.destination.clone() {
            // The output itself is the report.
            Destination::Stdout => {
                out.write_all(self.document().as_bytes())?;
                return Ok(None);
            }
            Destination::File(path) => {
                let mut document = self.document();
                if self.target.format == OutputFormat::Html {
                    document += &stamp_line(&self.stamp);
                }
                write(&path, document)?;
                path
            }
            Destination::Folder(folder) if self.target.format == OutputFormat::Html => {
                let page = index_page(&self.index, &self.players.table(), self.language, &self.made_by);
                for (file, page) in self.players.pages(self.language, &self.made_by) {
                    write(&folder.join(file), page)?;
                }
                write(&folder.join("index.html"), page)?;
                folder.join("index.html")
            }
            Destination::Folder(folder) => folder,
        };
        for line in &self.report {
            writeln!(out, "{line}")?;
        }
        let rate = positions as f64 / seconds;
        match self.language {
            Language::Japanese => writeln!(out, "{positions}局面、{seconds:.1}秒 (毎秒{rate:.1}局面)")?,
            Language::English => writeln!(out, "{positions} positions, {seconds:.1} s, {rate:.1} a second")?,
        }
        if let Some(more) = more {
            writeln!(out, "{more}")?;
        }
        writeln!(out, "{}", written.display())?;
        Ok(Some(written))
    }
}

fn write(path: &Path, text: String) -> anyhow::Result<()> {
    replace_with_bytes(path, &file_content(path, text)).with_context(|| format!("cannot write '{}'", path.display()))
}

/// One line per game, Black before White.
fn summary_line(analyzed: &AnalyzedGame, language: Language) -> String {
    let player = |color: Color| {
        let (name, accuracy) = (language.player(&analyzed.game, color), language.choose("正確さ", "accuracy"));
        analyzed.players[color].as_ref().map(|player| {
            let (percent, errors) = (100.0 * player.accuracy, language.errors(player, Class::Mistake));
            format!("{name} {accuracy} {percent:.1} %{}{errors}", language.choose("、", ", "))
        })
    };
    let turning: Vec<String> = analyzed.turning_points().map(|at| (at + 1).to_string()).collect();
    let turning = if turning.is_empty() { language.choose("なし", "none").to_owned() } else { turning.join(" ") };
    let turning = format!("{} {turning}", language.choose("形勢逆転", "turning points"));
    let parts: Vec<String> = Color::ALL.into_iter().filter_map(player).chain([turning]).collect();
    parts.join(language.choose(" / ", "; "))
}
