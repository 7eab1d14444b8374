//! A USI engine as a child process: its options, its `info` lines and its moves. Every wait has a
//! timeout.

use sabi_shogi::Score;
use std::env::consts::EXE_EXTENSION;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum length of an engine's line.
const MAX_LINE: u64 = 1 << 20;
/// Lines buffered before the reader blocks.
const QUEUE: usize = 256;
/// Messages kept of those before `readyok`.
const MAX_MESSAGES: usize = 20;
/// Time to exit after `quit`.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// Time to exit after closing the output.
const STATUS_TIMEOUT: Duration = Duration::from_millis(200);

/// Configuration of an engine of a match.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// The program, as an absolute path.
    pub program: PathBuf,
    /// Names and values of the options to set.
    pub options: Vec<(String, String)>,
    /// Timeout of `usiok` and `readyok`.
    pub timeout: Duration,
}

impl EngineConfig {
    /// The program at this path or of this name in `PATH`.
    ///
    /// # Errors
    /// When the program is not found.
    pub fn new(program: &Path, options: Vec<(String, String)>, timeout: Duration) -> io::Result<Self> {
        Ok(Self { program: find(program)?, options, timeout })
    }
}

/// An existing file takes precedence over `PATH`.
fn find(program: &Path) -> io::Result<PathBuf> {
    let is_name = program.components().count() == 1;
    let folders = std::env::var_os("PATH").filter(|_| is_name);
    // The current folder first.
    let places = std::iter::once(PathBuf::new()).chain(folders.iter().flat_map(std::env::split_paths));
    // The extension of programs, if any, may be left out.
    let mut files = places.flat_map(|place| {
        let file = place.join(program);
        [file.with_added_extension(EXE_EXTENSION), file]
    });
    // The error of a missing file or a folder is that of the path itself.
    let found = files.find(|file| file.is_file()).unwrap_or_else(|| program.to_owned());
    let found = dunce::canonicalize(found)?;
    if found.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(found) }
}

/// Engine failure.
#[derive(Debug, thiserror::Error)]
pub enum EngineFailure {
    /// The operating system does not start it.
    #[error("it cannot be started")]
    Start(#[from] io::Error),
    /// Timeout without any line.
    #[error("no '{0}', no output at all")]
    NoOutput(&'static str),
    /// Timeout with other lines.
    #[error("no '{0}', only other lines")]
    MissingAnswer(&'static str),
    /// The process exited or closed its output; exit status.
    #[error("{0}")]
    Exited(String),
    /// A line longer than `MAX_LINE` bytes.
    #[error("it wrote a line of more than {MAX_LINE} bytes")]
    LineTooLong,
}

/// Answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Word after `bestmove`; empty when missing.
    pub answer: String,
    /// Time from `go` to the answer.
    pub time: Duration,
    /// `info` lines before the answer.
    pub info: SearchInfo,
}

/// Messages of the reader thread. Of `info` lines only the last values and the texts are kept.
enum Message {
    Line { at: Instant, text: String, info: SearchInfo },
    LineTooLong,
}

/// A running engine, killed on drop.
pub struct EngineProcess {
    child: Child,
    /// Name and options declared before `usiok`.
    pub usi_id: UsiId,
    /// Texts of the `info string` lines before the last `readyok`, such as that a file cannot be
    /// used.
    pub ready_messages: Vec<String>,
    timeout: Duration,
    /// Lines to the process, written by a thread, because a pipe without a reader fills up.
    commands: Option<Sender<String>>,
    messages: Receiver<Message>,
    /// Number of lines received, `info` included.
    lines: Arc<AtomicU64>,
    asked: Instant,
}

impl EngineProcess {
    /// Starts an engine in its own folder, sets its options and waits for `readyok`.
    ///
    /// # Errors
    /// The first failure.
    pub fn start(engine: &EngineConfig) -> Result<Self, EngineFailure> {
        let folder = engine.program.parent().unwrap_or(Path::new("."));
        let mut child = Command::new(&engine.program)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (commands, received) = mpsc::channel();
        let (sender, messages) = mpsc::sync_channel(QUEUE);
        let lines = Arc::new(AtomicU64::new(0));
        if let Some(pipe) = child.stdin.take() {
            thread::Builder::new().spawn(move || write_lines(pipe, &received))?;
        }
        if let Some(pipe) = child.stdout.take() {
            let lines = Arc::clone(&lines);
            thread::Builder::new().spawn(move || read_lines(pipe, &sender, &lines))?;
        }
        let mut player = Self {
            child,
            usi_id: UsiId::default(),
            ready_messages: Vec::new(),
            timeout: engine.timeout,
            commands: Some(commands),
            messages,
            lines,
            asked: Instant::now(),
        };
        player.send("usi".to_owned());
        let mut usi_id = UsiId::default();
        player.wait("usiok", player.timeout, |line| usi_id.parse_line(line))?;
        player.usi_id = usi_id;
        player.new_game(&engine.options)?;
        Ok(player)
    }

    /// Sets options, waits for `readyok`, and sends `usinewgame`.
    ///
    /// # Errors
    /// When the engine does not become ready.
    pub fn new_game(&mut self, options: &[(String, String)]) -> Result<(), EngineFailure> {
        options.iter().for_each(|(name, value)| self.send(format!("setoption name {name} value {value}")));
        self.send("isready".to_owned());
        let mut messages = Vec::new();
        self.wait("readyok", self.timeout, |line| {
            let text = line.strip_prefix("info string ").filter(|_| messages.len() < MAX_MESSAGES);
            messages.extend(text.map(|text| text.trim().to_owned()));
        })?;
        self.ready_messages = messages;
        self.send("usinewgame".to_owned());
        Ok(())
    }

    /// Sends `position …` and `go …`, and waits for `bestmove`.
    ///
    /// # Errors
    /// When no answer comes within `limit`.
    pub fn go(&mut self, position: &str, go: &str, limit: Duration) -> Result<Reply, EngineFailure> {
        // Discards lines sent before `go`.
        while self.messages.try_recv().is_ok() {}
        self.send(format!("{position}\n{go}"));
        self.answer(limit)
    }

    /// Sends `stop` and waits for the overdue `bestmove`.
    ///
    /// # Errors
    /// When no answer comes within `limit`.
    pub fn stop(&mut self, limit: Duration) -> Result<Reply, EngineFailure> {
        let asked = self.asked;
        self.send("stop".to_owned());
        self.asked = asked;
        self.answer(limit + asked.elapsed())
    }

    /// Sends `gameover` with `win`, `lose` or `draw`.
    pub fn game_over(&mut self, outcome: &str) {
        self.send(format!("gameover {outcome}"));
    }

    fn answer(&mut self, limit: Duration) -> Result<Reply, EngineFailure> {
        let asked = self.asked;
        let (at, text, info) = self.wait("bestmove", limit, |_| {})?;
        let answer = text.split_ascii_whitespace().nth(1).unwrap_or_default().to_owned();
        Ok(Reply { answer, time: at.saturating_duration_since(asked), info })
    }

    fn send(&mut self, lines: String) {
        self.asked = Instant::now();
        if let Some(commands) = &self.commands {
            // A failed write shows up as a missing answer.
            let _ = commands.send(lines);
        }
    }

    /// Waits for a line that starts with `word`, at most `limit` after the last command. Other
    /// lines are passed to `other`.
    fn wait(
        &mut self,
        word: &'static str,
        limit: Duration,
        mut other: impl FnMut(&str),
    ) -> Result<(Instant, String, SearchInfo), EngineFailure> {
        let before = self.lines.load(Ordering::Relaxed);
        loop {
            match self.messages.recv_timeout(limit.saturating_sub(self.asked.elapsed())) {
                Ok(Message::Line { at, text, info }) => match text.split_ascii_whitespace().next() {
                    Some(first) if first == word => return Ok((at, text, info)),
                    // An engine that writes continuously must time out too.
                    _ if self.asked.elapsed() > limit => return Err(EngineFailure::MissingAnswer(word)),
                    _ => other(&text),
                },
                Ok(Message::LineTooLong) => return Err(EngineFailure::LineTooLong),
                Err(RecvTimeoutError::Timeout) if self.lines.load(Ordering::Relaxed) > before => {
                    return Err(EngineFailure::MissingAnswer(word));
                }
                Err(RecvTimeoutError::Timeout) => return Err(EngineFailure::NoOutput(word)),
                Err(RecvTimeoutError::Disconnected) => return Err(EngineFailure::Exited(self.ending())),
            }
        }
    }

    /// Exit status, or that the output was closed.
    fn ending(&mut self) -> String {
        match self.wait_for_exit(STATUS_TIMEOUT) {
            Some(status) => format!("it exited: {status}"),
            None => "it closed its output".to_owned(),
        }
    }

    fn wait_for_exit(&mut self, limit: Duration) -> Option<String> {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Err(error) => return Some(error.to_string()),
                Ok(None) if start.elapsed() > limit => return None,
                Ok(None) => thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.send("quit".to_owned());
        // Closes stdin for engines that ignore `quit`.
        self.commands = None;
        if self.wait_for_exit(EXIT_TIMEOUT).is_none() {
            // An error means that it has exited already.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Writer thread: ends when the channel or the pipe is closed.
fn write_lines(mut pipe: ChildStdin, commands: &Receiver<String>) {
    for mut lines in commands {
        lines.push('\n');
        if pipe.write_all(lines.as_bytes()).is_err() {
            return;
        }
    }
}

/// Reader thread: ends when the output or the channel is closed.
fn read_lines(pipe: ChildStdout, sender: &SyncSender<Message>, lines: &AtomicU64) {
    let mut reader = BufReader::new(pipe);
    let (mut bytes, mut info) = (Vec::new(), SearchInfo::default());
    loop {
        bytes.clear();
        match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let at = Instant::now();
        if bytes.len() as u64 == MAX_LINE && bytes.last() != Some(&b'\n') {
            let _ = sender.send(Message::LineTooLong);
            return;
        }
        lines.fetch_add(1, Ordering::Relaxed);
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        let is_info = text.starts_with("info");
        if is_info && !text.starts_with("info string") {
            info.parse_line(text);
        } else if !text.is_empty() {
            let line = Message::Line { at, text: text.to_owned(), info };
            if !is_info {
                info = SearchInfo::default();
            }
            if sender.send(line).is_err() {
                return;
            }
        }
    }
}

/// Name and options that an engine declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsiId {
    /// Name; empty if not declared.
    pub name: String,
    /// Options in order of declaration.
    pub options: Vec<DeclaredOption>,
}

/// A declared option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredOption {
    /// Option name.
    pub name: String,
    /// Option type: `spin`, `check`, `combo`, …
    pub kind: String,
    /// Range of a `spin`; `None` for other types and for invalid ranges.
    pub spin: Option<Spin>,
    /// Values of a `combo`; empty for other types.
    pub values: Vec<String>,
}

/// Range of a `spin` option; the default is in the range.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Spin {
    /// Default.
    pub default: i64,
    /// Minimum.
    pub min: i64,
    /// Maximum.
    pub max: i64,
}

impl UsiId {
    /// Parses a line sent before `usiok`.
    pub(super) fn parse_line(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = name.trim().to_owned();
        } else if let Some(option) = line.strip_prefix("option name ") {
            self.options.push(DeclaredOption::parse(option));
        }
    }

    /// The option with this name.
    pub fn option(&self, name: &str) -> Option<&DeclaredOption> {
        self.options.iter().find(|option| option.name == name)
    }
}

impl DeclaredOption {
    /// Parses the text after `option name `.
    fn parse(text: &str) -> Self {
        let (name, rest) = text.split_once(" type ").unwrap_or((text, ""));
        let kind = rest.split_ascii_whitespace().next().unwrap_or_default();
        let spin = if kind == "spin" { Spin::parse(rest) } else { None };
        let values = if kind == "combo" {
            rest.split(" var ").skip(1).map(|value| value.trim().to_owned()).collect()
        } else {
            vec![]
        };
        Self { name: name.trim().to_owned(), kind: kind.to_owned(), spin, values }
    }

    /// The permitted values, if `value` is not one of them.
    pub fn rejects(&self, value: &str) -> Option<String> {
        let is = |word: &str| value.eq_ignore_ascii_case(word);
        match (self.kind.as_str(), self.spin) {
            ("spin", Some(Spin { min, max, .. })) => {
                let fits = value.trim().parse().is_ok_and(|number| (min..=max).contains(&number));
                (!fits).then(|| format!("{min} to {max}"))
            }
            ("check", _) => (!is("true") && !is("false")).then(|| "true or false".to_owned()),
            ("combo", _) => (!self.values.iter().any(|known| is(known))).then(|| self.values.join(", ")),
            _ => None,
        }
    }
}

impl Spin {
    fn parse(text: &str) -> Option<Self> {
        let number = |key| text.split_ascii_whitespace().skip_while(|&word| word != key).nth(1)?.parse().ok();
        let spin = Self { default: number("default")?, min: number("min")?, max: number("max")? };
        (spin.min..=spin.max).contains(&spin.default).then_some(spin)
    }
}

/// Last value of each kind in the `info` lines before a `bestmove`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchInfo {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes per second.
    pub speed: Option<u64>,
    /// Score for the side to move, of the first PV.
    pub score: Option<Score>,
}

impl SearchInfo {
    /// Parses a line that starts with `info`. Unknown or malformed parts are ignored.
    fn parse_line(&mut self, info: &str) {
        let mut parsed = *self;
        let mut best_line = true;
        let mut words = info.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => parsed.depth = number(words.next()).or(parsed.depth),
                "nps" => parsed.speed = number(words.next()).or(parsed.speed),
                "multipv" => best_line = words.next() == Some("1"),
                "score" => {
                    let (kind, value) = (words.next(), words.next());
                    parsed.score = kind.zip(value).and_then(|(kind, value)| score(kind, value)).or(parsed.score);
                }
                // Both extend to the end of the line.
                "pv" | "string" => break,
                _ => {}
            }
        }
        if best_line {
            *self = parsed;
        }
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

/// A mate without a distance, or in 0, counts as the shortest.
fn score(kind: &str, value: &str) -> Option<Score> {
    match kind {
        "cp" => value.parse().ok().map(Score::cp),
        "mate" => {
            let plies = value.trim_start_matches(['+', '-']).parse().unwrap_or(1).clamp(1, 199);
            Some(if value.starts_with('-') { Score::mated_in(plies) } else { Score::mate_in(plies) })
        }
        _ => None,
    }
}

/// Mean speed and depth.
#[derive(Copy, Clone, Debug, Default)]
pub struct SearchStats {
    depths: u64,
    deep_moves: u64,
    speeds: f64,
    timed_moves: u64,
}

impl SearchStats {
    /// Adds a move. Book moves (depth 0) do not count, nor mate scores: such searches reach any
    /// depth at once.
    pub fn add(&mut self, info: &SearchInfo) {
        let is_search = |depth: &u32| *depth > 0 && !info.score.is_some_and(Score::is_decisive);
        if let Some(depth) = info.depth.filter(is_search) {
            self.depths += u64::from(depth);
            self.deep_moves += 1;
        }
        if let Some(speed) = info.speed.filter(|&speed| speed > 0) {
            self.speeds += speed as f64;
            self.timed_moves += 1;
        }
    }

    /// Adds the moves of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.depths += other.depths;
        self.deep_moves += other.deep_moves;
        self.speeds += other.speeds;
        self.timed_moves += other.timed_moves;
    }

    /// Mean depth in plies; `None` without a value.
    pub fn depth(&self) -> Option<f64> {
        (self.deep_moves > 0).then(|| self.depths as f64 / self.deep_moves as f64)
    }

    /// Mean nodes per second; `None` without a value.
    pub fn speed(&self) -> Option<f64> {
        (self.timed_moves > 0).then(|| self.speeds / self.timed_moves as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(lines: &[&str]) -> UsiId {
        let mut usi_id = UsiId::default();
        lines.iter().for_each(|line| usi_id.parse_line(line));
        usi_id
    }

    #[test]
    fn parses_name_and_options() {
        let usi_id = declared(&[
            "id name Some Engine 1.0 ",
            "id author Somebody",
            "option name Own Book type check default true",
            "option name Style type combo default Normal var Solid var Normal",
            "option name Bare",
        ]);
        assert_eq!(usi_id.name, "Some Engine 1.0");
        let reported: Vec<_> =
            usi_id.options.iter().map(|option| (option.name.as_str(), option.kind.as_str())).collect();
        assert_eq!(reported, [("Own Book", "check"), ("Style", "combo"), ("Bare", "")]);
        assert_eq!(usi_id.option("Style"), Some(&usi_id.options[1]));
        assert_eq!(usi_id.option("style"), None);
    }

    #[test]
    fn rejects_undeclared_values() {
        let usi_id = declared(&[
            "option name Hash type spin default 16 min 1 max 64",
            "option name Book type check default true",
            "option name Style type combo default Normal var Very Solid var Normal",
            "option name File type string default x",
            "option name Odd type spin default 5",
        ]);
        let rejected = |name: &str, value: &str| usi_id.option(name).unwrap().rejects(value);
        for (name, value) in
            [("Hash", "1"), ("Hash", "64"), ("Book", "False"), ("Style", "very solid"), ("File", ""), ("Odd", "99")]
        {
            assert_eq!(rejected(name, value), None, "{name}={value}");
        }
        for (name, value, takes) in [
            ("Hash", "0", "1 to 64"),
            ("Hash", "many", "1 to 64"),
            ("Book", "yes", "true or false"),
            ("Style", "Wild", "Very Solid, Normal"),
        ] {
            assert_eq!(rejected(name, value).as_deref(), Some(takes), "{name}={value}");
        }
    }

    #[test]
    fn spin_needs_default_in_range() {
        let spin = |rest: &str| declared(&[&format!("option name X type spin{rest}")]).options[0].spin;
        let whole = Some(Spin { default: -3, min: -10, max: 20 });
        assert_eq!(spin(" default -3 min -10 max 20"), whole);
        assert_eq!(spin(" min -10 max 20 default -3"), whole);
        for bad in [
            "",
            " default 3",
            " default 3 min 1",
            " default 0 min 1 max 2",
            " default 3 min 9 max 1",
            " default x min 1 max 2",
            " default 1 min 1 max",
            " default 1 min 1 max 99999999999999999999",
        ] {
            assert_eq!(spin(bad), None, "{bad}");
        }
        assert_eq!(declared(&["option name X type string default 1 min 0 max 2"]).options[0].spin, None);
    }

    fn parsed(lines: &[&str]) -> SearchInfo {
        let mut info = SearchInfo::default();
        lines.iter().for_each(|line| info.parse_line(line));
        info
    }

    #[test]
    fn last_values_of_first_pv_count() {
        let info = parsed(&[
            "info depth 5 seldepth 9 multipv 1 score cp 31 nodes 900 nps 1000 pv 7g7f 3c3d",
            "info depth 6 multipv 2 score cp -400 nps 7 pv 2g2f",
            "info depth 6 score cp 12 lowerbound nps 2000 pv 2g2f depth 99",
            "info string depth 77 score cp 5",
            "info hashfull 3",
        ]);
        assert_eq!(info, SearchInfo { depth: Some(6), speed: Some(2000), score: Some(Score::cp(12)) });
    }

    #[test]
    fn mate_score_spellings() {
        for (text, score) in [
            ("5", Score::mate_in(5)),
            ("+5", Score::mate_in(5)),
            ("-4", Score::mated_in(4)),
            ("+", Score::mate_in(1)),
            ("-", Score::mated_in(1)),
            ("0", Score::mate_in(1)),
            ("99999999999999999999999", Score::mate_in(1)),
            ("100000", Score::mate_in(199)),
        ] {
            assert_eq!(parsed(&[&format!("info score mate {text}")]).score, Some(score), "{text}");
        }
    }

    #[test]
    fn malformed_info_is_ignored() {
        for line in ["info", "info depth", "info depth x nps -3 score", "info score cp", "info score lower 3"] {
            assert_eq!(parsed(&[line]), SearchInfo::default(), "{line}");
        }
    }

    #[test]
    fn means_exclude_missing_values() {
        let mut stats = SearchStats::default();
        assert_eq!((stats.depth(), stats.speed()), (None, None));
        // A book move has depth 0.
        for (depth, speed) in [(Some(4), Some(100)), (Some(7), Some(0)), (None, Some(300)), (Some(0), None)] {
            stats.add(&SearchInfo { depth, speed, score: None });
        }
        // Mate scores are excluded.
        for score in [Score::mate_in(3), Score::cp(-31_990)] {
            stats.add(&SearchInfo { depth: Some(199), speed: None, score: Some(score) });
        }
        let mut both = SearchStats::default();
        both.merge(&stats);
        assert_eq!((both.depth(), both.speed()), (Some(5.5), Some(200.0)));
    }
}
