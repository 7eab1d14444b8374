//! Limits of the control groups of this process, as set by containers. Linux only.

use std::fs;
use std::path::{Path, PathBuf};

/// Mount point of the control groups, and the file that names those of this process.
const ROOT: &str = "/sys/fs/cgroup";
const MEMBERSHIP: &str = "/proc/self/cgroup";

/// Bytes left by the control groups of this process, if there is a limit.
pub fn memory_left() -> Option<u64> {
    left_in(Path::new(ROOT), &fs::read_to_string(MEMBERSHIP).ok()?)
}

/// Processors left by the control groups of this process, if there is a limit.
pub fn processor_quota() -> Option<f64> {
    quota_in(Path::new(ROOT), &fs::read_to_string(MEMBERSHIP).ok()?)
}

/// Memory left by the groups named in `membership`, a file `/proc/PID/cgroup`, below `root`.
fn left_in(root: &Path, membership: &str) -> Option<u64> {
    folders(root, membership, "memory").filter_map(|(folder, is_v2)| if is_v2 { &V2 } else { &V1 }.left(&folder)).min()
}

/// Processors left by the groups named in `membership` below `root`.
fn quota_in(root: &Path, membership: &str) -> Option<f64> {
    let quotas = folders(root, membership, "cpu").filter_map(|(folder, is_v2)| {
        let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
        let text = if is_v2 { read("cpu.max")? } else { read("cpu.cfs_quota_us")? + " " + &read("cpu.cfs_period_us")? };
        // No limit is `max` or -1.
        let mut numbers = text.split_whitespace().map(|word| word.parse().ok().filter(|&number: &f64| number > 0.0));
        Some(numbers.next()?? / numbers.next()??)
    });
    quotas.min_by(f64::total_cmp)
}

/// The folders of a controller for the groups named in `membership`, and whether they are version
/// 2. Limits of parent groups count as well. In a container the names may be those outside, where
/// only the root exists.
fn folders(root: &Path, membership: &str, controller: &str) -> impl Iterator<Item = (PathBuf, bool)> {
    membership.lines().flat_map(move |line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next(), fields.next().unwrap_or_default().trim_start_matches('/'));
        let root = match controllers {
            Some("") => Some((root.to_owned(), true)),
            Some(names) if names.split(',').any(|name| name == controller) => Some((root.join(controller), false)),
            _ => None,
        };
        let folders = root.map(|(root, is_v2)| {
            let group = root.join(group);
            let above = group.ancestors().take_while(|folder| folder.starts_with(&root)).map(Path::to_owned);
            above.map(|folder| (folder, is_v2)).collect::<Vec<_>>()
        });
        folders.unwrap_or_default()
    })
}

/// File names of a controller version.
struct Version {
    limit: &'static str,
    usage: &'static str,
    /// Key in `memory.stat`: page cache, reclaimed first.
    files: &'static str,
}

const V1: Version =
    Version { limit: "memory.limit_in_bytes", usage: "memory.usage_in_bytes", files: "total_inactive_file" };
const V2: Version = Version { limit: "memory.max", usage: "memory.current", files: "inactive_file" };

impl Version {
    /// Bytes left by a group; `None` without a limit.
    fn left(&self, folder: &Path) -> Option<u64> {
        let number = |name: &str| fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
        let (limit, usage) = (number(self.limit)?, number(self.usage)?);
        let stat = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        let files = stat.lines().find_map(|line| line.strip_prefix(self.files)?.strip_prefix(' ')?.trim().parse().ok());
        Some(limit.saturating_sub(usage.saturating_sub(files.unwrap_or(0))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(folder: &Path, version: &Version, limit: &str, usage: u64, files: u64) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join(version.limit), format!("{limit}\n")).unwrap();
        fs::write(folder.join(version.usage), format!("{usage}\n")).unwrap();
        fs::write(folder.join("memory.stat"), format!("anon 5\n{} {files}\nfile 9\n", version.files)).unwrap();
    }

    #[test]
    fn smallest_memory_limit_counts() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert_eq!(left_in(root, "0::/a/b\n"), None);
        group(&root.join("a"), &V2, "1000", 600, 100);
        group(&root.join("a/b"), &V2, "max", 300, 0);
        assert_eq!(left_in(root, "0::/a/b\n"), Some(500));
        group(&root.join("a/b"), &V2, "700", 300, 20);
        assert_eq!(left_in(root, "0::/a/b\n"), Some(420));
        // Used up, and outside the group.
        group(&root.join("a/c"), &V2, "10", 300, 20);
        assert_eq!((left_in(root, "0::/a/b\n"), left_in(root, "0::/a/c\n")), (Some(420), Some(0)));
        // Names from outside the container, and version 1 with other controllers.
        group(&root.join("memory"), &V1, "5000", 1000, 0);
        assert_eq!(left_in(root, "5:cpu,cpuacct:/x\n4:memory:/docker/0123\n"), Some(4000));
        assert_eq!(left_in(root, "nonsense\n:\n\n"), None);
    }

    #[test]
    fn smallest_processor_quota_counts() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert_eq!(quota_in(root, "0::/a/b\n"), None);
        write("a/b/cpu.max", "max 100000\n");
        assert_eq!(quota_in(root, "0::/a/b\n"), None);
        write("a/cpu.max", "250000 100000\n");
        assert_eq!(quota_in(root, "0::/a/b\n"), Some(2.5));
        write("a/b/cpu.max", "50000 100000\n");
        assert_eq!(quota_in(root, "0::/a/b\n"), Some(0.5));
        write("cpu/x/cpu.cfs_quota_us", "-1\n");
        write("cpu/x/cpu.cfs_period_us", "100000\n");
        assert_eq!(quota_in(root, "4:cpu,cpuacct:/x\n"), None);
        write("cpu/cpu.cfs_quota_us", "300000\n");
        write("cpu/cpu.cfs_period_us", "100000\n");
        assert_eq!(quota_in(root, "4:cpu,cpuacct:/x\n"), Some(3.0));
    }
}
