//! Game files and standard input, and early checks of output files.

use anyhow::{Context, ensure};
use sabi_files::{check_replaceable, feeds_standard_input, is_same_file, open_regular};
use sabi_records::{Games, RecordError, Warnings, read_file, read_stream, record_files};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Whether a path means standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// The game files below the roots, in order; standard input is kept as it is. Unreadable entries
/// below a root are passed to `bad`.
///
/// # Errors
/// When a root cannot be read.
pub fn game_files(roots: &[PathBuf], mut bad: impl FnMut(&RecordError)) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for root in roots {
        if is_standard_input(root) {
            files.push(root.clone());
            continue;
        }
        for file in record_files(root) {
            match file {
                Ok(file) => files.push(file),
                Err(error) if error.file == *root => {
                    let name = root.display();
                    ensure!(
                        !is_address(root),
                        "'{name}' is an address: games are read from files; save it as one first"
                    );
                    return Err(error.fault).with_context(|| format!("cannot read games from '{name}'"));
                }
                Err(error) => bad(&error),
            }
        }
    }
    Ok(files)
}

/// Whether a path that is no file is an address of the web.
fn is_address(path: &Path) -> bool {
    let text = path.to_string_lossy().to_ascii_lowercase();
    ["http:", "https:", "ftp:"].iter().any(|scheme| text.starts_with(scheme))
}

/// The games of a file, or of standard input.
pub fn games_of(file: &Path) -> Games {
    if is_standard_input(file) { read_stream("standard input", io::stdin()) } else { read_file(file) }
}

/// Reports on stderr what the reader of a file left out; errors there are ignored.
pub fn report_left_out(file: &Path, warnings: &Warnings) {
    if !warnings.is_empty() {
        let _ = writeln!(io::stderr(), "warning: {}: {warnings}", file.display());
    }
}

/// Bytes read to detect the format of a file.
const HEAD: u64 = 4096;

/// Fails early if writing a file would fail later, or would replace a file of another kind. `what`
/// names its purpose; `is_kind` accepts a replaceable file by its first bytes and length.
pub fn check_output(path: &Path, what: &str, is_kind: impl FnOnce(&[u8], u64) -> bool) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    ensure!(folder.is_dir(), "there is no folder '{}' for {what}", folder.display());
    let context = || format!("cannot write {what} '{}'", path.display());
    check_replaceable(path).with_context(context)?;
    if !path.exists() {
        return Ok(());
    }
    let (mut head, mut file) = (Vec::new(), open_regular(path).with_context(context)?);
    let length = file.metadata().with_context(context)?.len();
    Read::by_ref(&mut file).take(HEAD).read_to_end(&mut head).with_context(context)?;
    let may_be_replaced = length == 0 || is_kind(&head, length);
    ensure!(may_be_replaced, "'{}' is a file of another kind than {what}, and is not replaced", path.display());
    Ok(())
}

/// Fails if an output is one of the inputs, under whatever name; an input may be a folder of
/// records.
pub fn check_not_an_input(output: &Path, inputs: impl IntoIterator<Item = impl AsRef<Path>>) -> anyhow::Result<()> {
    for input in inputs {
        let input = input.as_ref();
        let is_input = is_same_file(output, input)
            || (is_standard_input(input) && feeds_standard_input(output))
            || (input.is_dir() && record_files(input).flatten().any(|file| is_same_file(output, &file)));
        ensure!(!is_input, "'{}' is an input too; name another output", output.display());
    }
    Ok(())
}
