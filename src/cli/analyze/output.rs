//! Writing analysed games.

use super::target::{Destination, Format, Target};
use crate::analysis::{
    AnalyzedGame, Class, IndexEntry, Language, SCHEMA, annotated, game_page, index_page, to_json, usi_log,
};
use anyhow::Context;
use sabi_files::replace_with_bytes;
use sabi_records::{Notation, file_content};
use sabi_shogi::Color;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Written and pending output.
pub struct Output {
    target: Target,
    language: Language,
    /// Engine and settings.
    made_by: String,
    index: Vec<IndexEntry>,
    /// Games of a single file, in order.
    texts: Vec<String>,
    values: Vec<Value>,
    /// Final report, a line per game.
    report: Vec<String>,
}

impl Output {
    pub fn new(target: Target, language: Language, made_by: &str) -> Self {
        let made_by = made_by.to_owned();
        Self { target, language, made_by, index: Vec::new(), texts: Vec::new(), values: Vec::new(), report: Vec::new() }
    }

    /// Adds the next game, and writes it if it has its own file.
    pub fn add(&mut self, analyzed: &AnalyzedGame, name: &str) -> anyhow::Result<()> {
        self.report.push(format!("{name}: {}", summary_line(analyzed)));
        if self.target.format == Format::Json {
            let mut value = to_json(analyzed, self.language);
            value["name"] = name.into();
            self.values.push(value);
        } else {
            self.texts.push(self.text(analyzed, name));
        }
        if let Destination::Folder(folder) = &self.target.destination {
            let file = self.target.file_of(name);
            let path = folder.join(&file);
            if self.target.format == Format::Html {
                self.index.push(IndexEntry::new(analyzed, &file, self.language));
            }
            let document = self.document();
            write(&path, document)?;
        }
        Ok(())
    }

    fn text(&self, analyzed: &AnalyzedGame, name: &str) -> String {
        match self.target.format {
            Format::Html => game_page(analyzed, self.language, &self.made_by),
            Format::Kif => self.record(analyzed, Notation::Kif),
            Format::Csa => self.record(analyzed, Notation::Csa),
            Format::Json | Format::Usi => format!("# {}\n{}", name.replace(char::is_control, " "), usi_log(analyzed)),
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
        if self.target.format == Format::Json {
            let games = std::mem::take(&mut self.values);
            let document = json!({ "schema": SCHEMA, "made_by": self.made_by, "games": games });
            return format!("{document:#}\n");
        }
        let separator = if self.target.format == Format::Csa { Notation::Csa.separator() } else { "\n" };
        std::mem::take(&mut self.texts).join(separator)
    }

    /// Writes files of all games, and the report.
    pub fn finish(mut self, out: &mut impl Write, took: &str) -> anyhow::Result<()> {
        let written = match self.target.destination.clone() {
            // The output itself is the report.
            Destination::Stdout => return Ok(out.write_all(self.document().as_bytes())?),
            Destination::File(path) => {
                let document = self.document();
                write(&path, document)?;
                path
            }
            Destination::Folder(folder) => {
                if self.target.format == Format::Html {
                    let page = index_page(&self.index, self.language, &self.made_by);
                    write(&folder.join("index.html"), page)?;
                    folder.join("index.html")
                } else {
                    folder
                }
            }
        };
        for line in &self.report {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "{took}")?;
        Ok(writeln!(out, "{}", written.display())?)
    }
}

fn write(path: &Path, text: String) -> anyhow::Result<()> {
    replace_with_bytes(path, &file_content(path, text)).with_context(|| format!("cannot write '{}'", path.display()))
}

/// One line per game, Black before White.
fn summary_line(analyzed: &AnalyzedGame) -> String {
    let each = |value: &dyn Fn(Color) -> String| Color::ALL.map(value).join(" - ");
    let player = |color: Color| analyzed.players[color].as_ref();
    let accuracy =
        each(&|color| player(color).map_or_else(|| "?".to_owned(), |player| format!("{:.1}", 100.0 * player.accuracy)));
    let count = |class| each(&|color| player(color).map_or(0, |player| player.count(class)).to_string());
    let turning: Vec<String> = analyzed.turning_points().map(|at| (at + 1).to_string()).collect();
    let turning = if turning.is_empty() { "none".to_owned() } else { turning.join(" ") };
    format!(
        "accuracy {accuracy} %, mistakes {}, blunders {}, turning points {turning}",
        count(Class::Mistake),
        count(Class::Blunder)
    )
}
