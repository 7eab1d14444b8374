//! Converting games and positions.

use super::files::{is_compact_name, lock_output, write_file};
use anyhow::{Context, anyhow, ensure};
use clap::Args;
use sabi::cli::{check_not_an_input, check_output, game_files};
use sabi_files::replace_with_bytes;
use sabi_records::{
    BadGames, Game, Notation, PackError, PackedFormat, file_content,
    sabg::{Writer, is_sabg},
};
use sabi_tools::cli::{each_game_of, report_bad};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

#[derive(Args)]
pub struct ConvertArguments {
    /// Records in any format, folders of them, or - for standard input; faulty games are reported
    /// and skipped
    #[arg(required = true, value_name = "FILE_OR_FOLDER")]
    files: Vec<PathBuf>,
    /// .sabg; .psv or .hcpe for the positions with a score and a result; .csa, .kif or .usi; or a
    /// folder, for one file per game
    #[arg(long, value_name = "FILE_OR_FOLDER")]
    output: PathBuf,
    /// Format of files in a folder: other programs read one game of a KIF only [default: csa]
    #[arg(long, value_parser = ["csa", "kif"])]
    format: Option<String>,
}

/// Converts games or positions to the format of the output's extension.
pub fn convert(arguments: &ConvertArguments, out: &mut impl Write) -> anyhow::Result<()> {
    if arguments.output.is_dir() || arguments.output.as_os_str().to_string_lossy().ends_with(['/', MAIN_SEPARATOR]) {
        return write_folder(arguments, out);
    }
    ensure!(
        arguments.format.is_none(),
        "--format is for folders only: '{}' has an extension",
        arguments.output.display()
    );
    let format = OutputFormat::of(&arguments.output)?;
    let _lock = lock_output(&arguments.output, "the games", |head, length| format.detect(head, length))?;
    check_not_an_input(&arguments.output, &arguments.files)?;
    let (mut counts, mut bad) = (ConvertCounts::default(), BadGames::default());
    let files = game_files(&arguments.files, |error| bad.note(error))?;
    let written = write_file(&arguments.output, |file| {
        match format {
            OutputFormat::Compact => {
                let mut writer = Writer::new(file, "")?;
                each_game_of(&files, &mut bad, |game| {
                    match writer.push(number_of(&game).unwrap_or(counts.games), &game) {
                        Ok(()) => counts.add(&game),
                        Err(PackError::Io(error)) => return Err(error.into()),
                        Err(_) => counts.omitted += game.moves.len() as u64,
                    }
                    Ok(())
                })?;
                writer.finish()?;
            }
            OutputFormat::Positions(format) => each_game_of(&files, &mut bad, |game| {
                let written = write_positions(format, file, &game)?;
                counts.games += 1;
                counts.positions += written;
                counts.omitted += game.moves.len() as u64 - written;
                Ok(())
            })?,
            OutputFormat::Records(Notation::Kif) => {
                // All games together decide the encoding.
                let mut text = String::new();
                each_game_of(&files, &mut bad, |game| {
                    text += &(Notation::Kif.write(&game) + "\n");
                    counts.add(&game);
                    Ok(())
                })?;
                file.write_all(&file_content(&arguments.output, text))?;
            }
            OutputFormat::Records(notation) => each_game_of(&files, &mut bad, |game| {
                let separator = if counts.games > 0 { notation.separator() } else { "" };
                writeln!(file, "{separator}{}", notation.write(&game))?;
                counts.add(&game);
                Ok(())
            })?,
        }
        Ok(if matches!(format, OutputFormat::Positions(_)) { counts.positions } else { counts.games })
    });
    report_bad(&bad);
    written?;
    let ConvertCounts { games, positions, omitted } = counts;
    Ok(writeln!(out, "{games} games, {positions} positions written, {omitted} left out")?)
}

/// Writes each game to its own file. Existing files of the same names are replaced, others stay.
fn write_folder(arguments: &ConvertArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let folder = &arguments.output;
    // KIF is written in UTF-8.
    let (notation, extension) = match arguments.format.as_deref() {
        Some("kif") => (Notation::Kif, "kifu"),
        _ => (Notation::Csa, "csa"),
    };
    let mut bad = BadGames::default();
    let inputs = game_files(&arguments.files, |error| bad.note(error))?;
    let path_of = |number: usize| folder.join(format!("{number:06}.{extension}"));
    // Before anything is written, and again before each file.
    let check = |path: &Path| -> anyhow::Result<()> {
        check_output(path, "a game", |head, _| notation.detect(head))?;
        if path.exists() { check_not_an_input(path, &inputs) } else { Ok(()) }
    };
    (1..).map(path_of).take_while(|path| path.exists()).try_for_each(|path| check(&path))?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder '{}'", folder.display()))?;
    let mut written = 0;
    each_game_of(&inputs, &mut bad, |game| {
        let path = path_of(written + 1);
        check(&path)?;
        replace_with_bytes(&path, (notation.write(&game) + "\n").as_bytes())
            .with_context(|| format!("cannot write '{}'", path.display()))?;
        written += 1;
        Ok(())
    })?;
    report_bad(&bad);
    ensure!(written > 0, "no game to write to '{}'", folder.display());
    Ok(writeln!(out, "{written} games written to {written} files")?)
}

/// Output format.
#[derive(Copy, Clone)]
enum OutputFormat {
    Compact,
    Positions(PackedFormat),
    Records(Notation),
}

impl OutputFormat {
    fn of(path: &Path) -> anyhow::Result<Self> {
        let packed = || PackedFormat::of_path(path).map(Self::Positions);
        let records = || Notation::of_path(path).map(Self::Records);
        let compact = is_compact_name(path).then_some(Self::Compact);
        compact.or_else(packed).or_else(records).ok_or_else(|| {
            anyhow!("games are written as .sabg, .psv, .hcpe, .csa, .kif or .usi, not as '{}'", path.display())
        })
    }

    /// Whether a file with this head and length is in this format.
    fn detect(self, head: &[u8], length: u64) -> bool {
        match self {
            Self::Compact => is_sabg(head),
            Self::Positions(format) => PackedFormat::detect(head, length) == Some(format),
            Self::Records(notation) => notation.detect(head),
        }
    }
}

/// Counts of the conversion.
#[derive(Default)]
struct ConvertCounts {
    games: u64,
    positions: u64,
    /// Positions that the format cannot hold.
    omitted: u64,
}

impl ConvertCounts {
    /// Adds a game that was written as a whole.
    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.moves.len() as u64;
    }
}

/// Number of a game of a .sabg, which decides whether training or validation uses it.
fn number_of(game: &Game) -> Option<u64> {
    game.headers.event.as_deref()?.strip_prefix("game ")?.parse().ok()
}

/// Writes the positions with a score and a result, and returns their number. The formats have no
/// value for an unknown score.
fn write_positions(format: PackedFormat, file: &mut BufWriter<File>, game: &Game) -> anyhow::Result<u64> {
    let mut written = 0;
    for position in game.training_positions().filter(|position| position.score.is_some()) {
        match format.write(file, &position) {
            Ok(()) => written += 1,
            Err(PackError::Io(error)) => return Err(error.into()),
            Err(_) => {}
        }
    }
    Ok(written)
}
