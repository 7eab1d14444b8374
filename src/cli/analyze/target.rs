//! Output targets of an analysis.

use crate::cli::output::{check_not_an_input, check_output};
use crate::util::is_html_page;
use anyhow::{Context, bail, ensure};
use clap::ValueEnum;
use sabi_records::Notation;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
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

impl Format {
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
pub struct Target {
    pub format: Format,
    pub destination: Destination,
}

impl Target {
    /// The target for games of these names.
    pub fn new(out: Option<&Path>, format: Option<Format>, names: &[String]) -> anyhow::Result<Self> {
        let destination = match (out, format.unwrap_or(Format::Html)) {
            (Some(path), _) if is_folder(path) => Destination::Folder(path.to_owned()),
            (Some(path), _) => Destination::File(path.to_owned()),
            (None, Format::Html) => {
                let path = PathBuf::from(format!("{}.html", names[0]));
                ensure!(names.len() > 1 || !path.exists(), "'{}' exists; --out replaces it", path.display());
                Destination::File(path)
            }
            (None, _) => Destination::Stdout,
        };
        let format = match (format, &destination) {
            (Some(format), _) => format,
            (None, Destination::File(path)) => match Format::of_path(path) {
                Some(format) => format,
                None => bail!("unknown format '{}'; use --format", path.display()),
            },
            (None, _) => Format::Html,
        };
        let one_is_enough = format.holds_many() || names.len() == 1 || matches!(destination, Destination::Folder(_));
        ensure!(one_is_enough, "{} games need a folder: --out DIR/", names.len());
        Ok(Self { format, destination })
    }

    /// Fails before the analysis where writing would fail after it, or would replace an input.
    pub fn prepare(&self, inputs: &[PathBuf], names: &[String]) -> anyhow::Result<()> {
        match &self.destination {
            Destination::Stdout => Ok(()),
            Destination::File(path) => self.check_file(path, inputs),
            Destination::Folder(folder) => {
                let is_new = !folder.exists();
                fs::create_dir_all(folder).with_context(|| format!("cannot make the folder '{}'", folder.display()))?;
                let checked = self.check_folder(folder, inputs, names);
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

    fn check_folder(&self, folder: &Path, inputs: &[PathBuf], names: &[String]) -> anyhow::Result<()> {
        names.iter().try_for_each(|name| self.check_file(&folder.join(self.file_of(name)), inputs))?;
        // No other format has an index.
        if self.format != Format::Html {
            return Ok(());
        }
        check_output(&folder.join("index.html"), "the index", |head, _| is_html_page(head))
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
