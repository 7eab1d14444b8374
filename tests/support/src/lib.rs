//! Shared by the tests of both packages: running programs, temporary folders, concurrent cases.

mod folder;
mod positions;

pub use folder::Folder;
pub use positions::{position, random_games, rows};

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Result of a program.
pub struct ProgramRun {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a program without input.
pub fn run(program: &str, arguments: &[&str]) -> ProgramRun {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().expect("the program starts");
    ProgramRun {
        success: output.status.success(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Runs a program without input. One that runs longer than `limit` is killed, and the test fails.
#[track_caller]
pub fn run_within(program: &str, arguments: &[&str], limit: Duration) -> ProgramRun {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let stdout = read_all(child.stdout.take().expect("piped"));
    let stderr = read_all(child.stderr.take().expect("piped"));
    let Some(status) = wait(&mut child, limit) else {
        panic!("{program} {arguments:?} still runs after {limit:?}");
    };
    ProgramRun {
        success: status.success(),
        stdout: stdout.join().expect("the reader"),
        stderr: stderr.join().expect("the reader"),
    }
}

/// The commands of a program by its help, as arguments; the first is the program without one.
fn commands_of(program: &str) -> Vec<Vec<String>> {
    let help = run(program, &["--help"]).stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Long descriptions stand on lines of their own, farther to the right.
    let names = listed.filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    std::iter::once(Vec::new()).chain(names.map(|name| vec![name.to_owned()])).collect()
}

/// Every command shows examples that use its own options, and a page of the documentation. The
/// completions of every shell name the commands, and each has a manual page.
#[track_caller]
pub fn assert_helps(program: &str, documentation: &Path) {
    let name = Path::new(program).file_stem().and_then(|name| name.to_str()).expect("a name");
    let folder = Folder::new();
    let written = run(program, &["man", &folder.name("")]);
    assert!(written.success, "{}", written.stderr);
    let commands = commands_of(program);
    for command in &commands {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let page = fs::read_to_string(folder.path(&[&[name], &words[..]].concat().join("-")).with_extension("1"));
        assert!(page.is_ok_and(|page| page.contains(".TH")), "{name} {command:?} has no manual page");
        let generated = matches!(words[..], ["completions" | "man"]);
        if generated {
            continue;
        }
        let help = run(program, &[&words[..], &["--help"]].concat()).stdout;
        let (options, examples) =
            help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{name} {command:?}: {help}"));
        let (examples, page) = examples.split_once("\n\nMore: ").expect("a page");
        assert!(documentation.join(page.trim()).is_file(), "{name} {command:?}: {page}");
        let prefix = [&[name], &words[..]].concat().join(" ");
        assert!(examples.lines().count() > 0);
        for example in examples.lines() {
            let rest = example.trim().strip_prefix(&prefix).unwrap_or_else(|| panic!("{example}"));
            // Those of a program may be of its commands.
            let of_command = command.is_empty() && rest.trim_start().starts_with(|c: char| c.is_ascii_lowercase());
            for flag in rest.split_whitespace().filter(|word| word.starts_with("--") && !of_command) {
                let flag = flag.split('=').next().expect("a part");
                let listed = options.split(|c: char| c.is_whitespace() || "=[<,".contains(c)).any(|word| word == flag);
                assert!(listed, "{example}: {options}");
            }
        }
    }
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(program, &["completions", shell]);
        let named = commands.iter().flatten().all(|command| script.stdout.contains(command));
        assert!(script.success && script.stdout.contains(name) && named, "{name}, {shell}: {}", script.stderr);
    }
    let unknown = run(program, &["completions", "tcsh"]);
    assert!(!unknown.success && unknown.stderr.contains("bash"), "{}", unknown.stderr);
    let missing = run(program, &["man", &folder.name("none")]);
    assert!(!missing.success && missing.stderr.lines().count() == 1, "{}", missing.stderr);
}

fn read_all(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).expect("UTF-8");
        text
    })
}

/// Waits for a process. One that runs longer than `limit` is killed, and the test fails.
#[track_caller]
pub fn exit_status(child: &mut Child, limit: Duration) -> ExitStatus {
    let Some(status) = wait(child, limit) else { panic!("the program still runs after {limit:?}") };
    status
}

/// The status of a process, or `None` after it was killed at `limit`.
fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            return Some(status);
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            return None;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Runs a program that must succeed, and returns its standard output.
pub fn succeed(program: &str, arguments: &[&str]) -> String {
    let outcome = run(program, arguments);
    assert!(outcome.success, "{program} {arguments:?}: {}\n{}", outcome.stderr, outcome.stdout);
    outcome.stdout
}

/// Runs a program that must fail without a panic, and returns its message.
pub fn fail(program: &str, arguments: &[&str]) -> String {
    let outcome = run(program, arguments);
    assert!(!outcome.success, "{program} {arguments:?} should fail: {}", outcome.stdout);
    assert!(outcome.stderr.contains("error: "), "{arguments:?}: {}", outcome.stderr);
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    outcome.stderr
}

/// Tests all cases in threads of their own.
pub fn at_the_same_time<T: Sync>(cases: &[T], test: impl Fn(&T) + Sync) {
    thread::scope(|scope| {
        for case in cases {
            scope.spawn(|| test(case));
        }
    });
}

/// Sets a flag when dropped, also during a panic, so that threads polling it stop.
pub struct SetOnDrop<'a>(pub &'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
