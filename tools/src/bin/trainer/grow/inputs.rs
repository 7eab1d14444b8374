//! Copies of all inputs of a generation, so that they do not change while it runs.

use anyhow::{Context, ensure};
use sabi_files::{crc32, replace_with_bytes};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Programs used.
pub const PROGRAMS: [&str; 5] = ["sabi", "selfplay", "data_tools", "trainer", "match_runner"];

/// Copies each program from the first folder that has it, and runs it once: a file may be
/// incomplete while it is built.
pub fn copy_programs(from: &[&Path], to: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let mut sums = BTreeMap::new();
    for name in PROGRAMS {
        let found = from.iter().map(|folder| folder.join(name)).find(|path| path.is_file());
        let path = found.with_context(|| format!("missing program '{}'", from[0].join(name).display()))?;
        sums.insert(name.to_owned(), copy(&path, &to.join(name))?);
        let tried = Command::new(to.join(name)).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output();
        let works = tried.is_ok_and(|tried| tried.status.success() && !tried.stdout.is_empty());
        ensure!(works, "'{}' does not start", path.display());
    }
    Ok(sums)
}

/// Copies a file with its permissions, and returns its CRC-32.
pub fn copy(from: &Path, to: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(from).with_context(|| format!("cannot read '{}'", from.display()))?;
    let written =
        replace_with_bytes(to, &bytes).and_then(|()| fs::set_permissions(to, fs::metadata(from)?.permissions()));
    written.with_context(|| format!("cannot write '{}'", to.display()))?;
    Ok(checksum(&bytes))
}

/// CRC-32 of a file.
pub fn checksum_of(path: &Path) -> anyhow::Result<String> {
    Ok(checksum(&fs::read(path).with_context(|| format!("cannot read '{}'", path.display()))?))
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32(bytes))
}

/// Last output line of a short command.
pub fn last_line(folder: &Path, command: &[String]) -> anyhow::Result<String> {
    let mut command_line = Command::new(folder.join(&command[0]));
    let output = command_line.args(&command[1..]).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot start '{}'", command[0]))?;
    let error = String::from_utf8_lossy(&output.stderr);
    let error = error.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or("no message");
    ensure!(output.status.success(), "'{} {}': {error}", command[0], command[1]);
    Ok(String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned())
}
