//! Limits of memory on a group of processes, as containers have them.

use std::fs;
use std::path::Path;

/// Bytes that the control groups of this process leave it, where there are such groups with a limit.
pub(super) fn memory_left() -> Option<u64> {
    left_in(Path::new("/sys/fs/cgroup"), &fs::read_to_string("/proc/self/cgroup").ok()?)
}

/// The same for the groups that `membership`, a file `/proc/PID/cgroup`, names below `root`. The limits of the groups above count as
/// well. In a container the names may be those outside, where only the root is to be found.
fn left_in(root: &Path, membership: &str) -> Option<u64> {
    membership
        .lines()
        .filter_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let (controllers, group) = (fields.next()?, fields.next()?.trim_start_matches('/'));
            let (root, version) = if controllers.is_empty() {
                (root.to_owned(), &V2)
            } else if controllers.split(',').any(|controller| controller == "memory") {
                (root.join("memory"), &V1)
            } else {
                return None;
            };
            let group = root.join(group);
            group
                .ancestors()
                .take_while(|folder| folder.starts_with(&root))
                .filter_map(|folder| version.left(folder))
                .min()
        })
        .min()
}

/// What the files of a group are called.
struct Version {
    limit: &'static str,
    usage: &'static str,
    /// In `memory.stat`: pages of files, which are given up before anything else.
    files: &'static str,
}

const V1: Version =
    Version { limit: "memory.limit_in_bytes", usage: "memory.usage_in_bytes", files: "total_inactive_file" };
const V2: Version = Version { limit: "memory.max", usage: "memory.current", files: "inactive_file" };

impl Version {
    /// What a group leaves; `None` where it has no limit.
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
    fn the_tightest_group_counts() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert_eq!(left_in(root, "0::/a/b\n"), None);
        group(&root.join("a"), &V2, "1000", 600, 100);
        group(&root.join("a/b"), &V2, "max", 300, 0);
        assert_eq!(left_in(root, "0::/a/b\n"), Some(500));
        group(&root.join("a/b"), &V2, "700", 300, 20);
        assert_eq!(left_in(root, "0::/a/b\n"), Some(420));
        // Used up, and beside the group that is meant.
        group(&root.join("a/c"), &V2, "10", 300, 20);
        assert_eq!((left_in(root, "0::/a/b\n"), left_in(root, "0::/a/c\n")), (Some(420), Some(0)));
        // Names from outside the container, and the older version, beside other controllers.
        group(&root.join("memory"), &V1, "5000", 1000, 0);
        assert_eq!(left_in(root, "5:cpu,cpuacct:/x\n4:memory:/docker/0123\n"), Some(4000));
        assert_eq!(left_in(root, "nonsense\n:\n\n"), None);
    }
}
