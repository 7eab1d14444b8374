//! Output: flushed lines, and the log of both directions; the text of what the engine reports.

use crate::engine::{Answer, BenchResult, EngineListener, InfoMessage, MateReport, OptionKind, OptionRow};
use crate::mate::solver::MateProgress;
use crate::search::{Report, Statistics, TableState};
use crate::table::{Counts, Event};
use env_logger::{Builder, Target};
use log::LevelFilter;
use sabi_files::{open_regular, open_to_append, search_paths};
use sabi_shogi::{Bound, Move, usi_score};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum length of an `info string`.
const MAX_INFO: usize = 400;
/// Maximum length of the time and direction at the start of a log.
const MAX_STAMP: u64 = 32;
/// Maximum number of deferred messages.
const MAX_DEFERRED: usize = 32;

/// Output of all threads.
pub(super) struct Output {
    state: Mutex<State>,
    /// Number of lines written or received.
    progress: AtomicU64,
    /// When the line that is being written was begun, in microseconds after the start; 0: none is.
    writing: AtomicU64,
    start: Instant,
}

struct State {
    sink: Box<dyn Write + Send>,
    log: Option<File>,
    /// Whether the client has sent non-ASCII text, and so can read it.
    non_ascii: bool,
    /// Whether the client is between `usiok` or `isready` and `readyok`, where cshogi, which writes
    /// UTF-8, reads Shift_JIS.
    handshake: bool,
    /// Non-ASCII messages deferred to the end of the handshake.
    deferred: Vec<String>,
    /// Called the first time that writing fails.
    on_broken: Option<Box<dyn FnOnce() + Send>>,
}

impl Output {
    /// Writes to `sink`, and calls `on_broken` the first time that fails.
    pub(super) fn new(sink: impl Write + Send + 'static, on_broken: impl FnOnce() + Send + 'static) -> Self {
        let state = State {
            sink: Box::new(sink),
            log: None,
            non_ascii: false,
            handshake: false,
            deferred: Vec::new(),
            on_broken: Some(Box::new(on_broken)),
        };
        Self {
            state: Mutex::new(state),
            progress: AtomicU64::new(0),
            writing: AtomicU64::new(0),
            start: Instant::now(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a line.
    pub(super) fn line(&self, text: &str) {
        let mut state = self.lock();
        self.write_line(&mut state, text);
        match text.split(' ').next() {
            Some("usiok") => state.handshake = true,
            // Some clients omit `isready`.
            Some("readyok" | "bestmove" | "checkmate") => {
                state.handshake = false;
                for text in std::mem::take(&mut state.deferred) {
                    self.write_line(&mut state, &text);
                }
            }
            _ => {}
        }
    }

    fn write_line(&self, state: &mut State, text: &str) {
        let mut line = String::with_capacity(text.len() + 1);
        line.push_str(text);
        line.push('\n');
        self.writing.store(self.start.elapsed().as_micros() as u64 | 1, Ordering::Relaxed);
        let written = state.sink.write_all(line.as_bytes()).and_then(|()| state.sink.flush());
        self.writing.store(0, Ordering::Relaxed);
        if written.is_ok() {
            self.progress.fetch_add(1, Ordering::Relaxed);
        } else if let Some(on_broken) = state.on_broken.take() {
            on_broken();
        }
        self.record(state, Instant::now(), '<', text);
    }

    /// Number of lines received, and taken by the client, so far.
    pub(super) fn progress(&self) -> u64 {
        self.progress.load(Ordering::Relaxed)
    }

    /// How long the client has not taken the line that is being written.
    pub(super) fn blocked(&self) -> Duration {
        let begun = Some(self.writing.load(Ordering::Relaxed)).filter(|&begun| begun > 0);
        begun.map_or(Duration::ZERO, |begun| self.start.elapsed().saturating_sub(Duration::from_micros(begun)))
    }

    /// Writes an `info string`, shortened, in ASCII unless the client has sent other text.
    /// Non-ASCII text is deferred to the end of the handshake.
    pub(super) fn info(&self, text: &str) {
        let mut state = self.lock();
        let defers = state.handshake && state.non_ascii && state.deferred.len() < MAX_DEFERRED;
        let reads_all = state.non_ascii && (defers || !state.handshake);
        let text = if text.is_ascii() || reads_all { text.to_owned() } else { in_english(text, message_and_kind) };
        let readable = |c: char| if c.is_control() || (!c.is_ascii() && !reads_all) { '?' } else { c };
        let text: String = text.trim_end().chars().take(MAX_INFO).map(readable).collect();
        let line = format!("info string {text}");
        if defers && !text.is_ascii() {
            state.deferred.push(line);
        } else if !text.is_empty() {
            self.write_line(&mut state, &line);
        }
    }

    /// Writes every line of a text as an `info string`.
    pub(super) fn infos(&self, text: &str) {
        text.lines().for_each(|line| self.info(line));
    }

    /// Logs a received line.
    pub(super) fn received(&self, at: Instant, text: &str) {
        self.progress.fetch_add(1, Ordering::Relaxed);
        let mut state = self.lock();
        state.non_ascii |= !text.is_ascii();
        state.handshake |= text.split_ascii_whitespace().next() == Some("isready");
        self.record(&mut state, at, '>', text);
    }

    /// On a write error the log is closed with a message.
    fn record(&self, state: &mut State, at: Instant, direction: char, text: &str) {
        let Some(log) = &mut state.log else { return };
        let seconds = at.saturating_duration_since(self.start).as_secs_f64();
        if let Err(error) = log.write_all(format!("{seconds:.3} {direction} {text}\n").as_bytes()) {
            state.log = None;
            self.write_line(state, &format!("info string the log is closed: {:?}", error.kind()));
        }
    }

    /// Logs all input and output to this file from now on; an empty name ends the log.
    ///
    /// # Errors
    /// When the file cannot be opened; the old log continues.
    pub(super) fn log_to(&self, name: &str) -> io::Result<()> {
        let log = if name.is_empty() { None } else { Some(open_log(name)?) };
        self.lock().log = log;
        Ok(())
    }
}

/// A text in which the message of the operating system, which Windows writes in the language of the
/// user, is in English. `describe` gives message and English kind of an error number.
fn in_english(text: &str, describe: impl FnOnce(i32) -> [String; 2]) -> String {
    let code = text.rsplit_once("(os error ").and_then(|(_, rest)| rest.split_once(')')?.0.parse().ok());
    let Some(code) = code else { return text.to_owned() };
    let [message, kind] = describe(code);
    if message.is_ascii() { text.to_owned() } else { text.replace(&message, &format!("{kind} (os error {code})")) }
}

fn message_and_kind(code: i32) -> [String; 2] {
    let error = io::Error::from_raw_os_error(code);
    [error.to_string(), error.kind().to_string()]
}

/// Checks that a file is empty or begins with a line of a log.
fn check_log(path: &Path) -> io::Result<()> {
    let mut head = Vec::new();
    open_regular(path)?.take(MAX_STAMP).read_to_end(&mut head)?;
    let mut words = head.split(|&byte| byte == b' ');
    let is_stamp = |word: &[u8]| std::str::from_utf8(word).is_ok_and(|word| word.parse::<f64>().is_ok());
    if head.is_empty() || words.next().is_some_and(is_stamp) && matches!(words.next(), Some(b">" | b"<" | b"#")) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "not a log: nothing is appended to it"))
}

/// Opens a log file in the first of its [`search_paths`] where that is possible.
fn open_log(name: &str) -> io::Result<File> {
    let mut result = Err(io::ErrorKind::NotFound.into());
    for path in search_paths(Path::new(name)) {
        result = open_to_append(&path).and_then(|log| check_log(&path).map(|()| log));
        if result.is_ok() {
            break;
        }
    }
    result
}

impl EngineListener for Output {
    fn report(&self, report: &Report) {
        self.line(&report_line(report));
    }

    fn mate_report(&self, report: &MateReport<'_>) {
        self.line(&mate_report_line(report));
    }

    fn perft_move(&self, mv: Move, leaves: u64) {
        self.line(&format!("{mv}: {leaves}"));
    }

    fn bench_position(&self, sfen: &str, result: BenchResult) {
        self.info(&format!("nodes {} nps {}  {sfen}", result.nodes, result.speed()));
    }

    fn statistics(&self, statistics: &Statistics) {
        self.infos(&statistics_text(statistics));
    }

    fn note(&self, note: &InfoMessage) {
        self.info(&note.to_string());
    }

    fn finished(&self, answer: &Answer) {
        if let Some(lines) = answer_text(answer) {
            lines.lines().for_each(|line| self.line(line));
        }
    }
}

/// `option` line.
pub(super) fn option_line(row: &OptionRow) -> String {
    let mut line = format!("option name {} type {}", row.name, row.kind.name());
    if let Some(default) = row.kind.default_text() {
        line += &format!(" default {default}");
    }
    match &row.kind {
        OptionKind::Spin { min, max, .. } | OptionKind::MachineSpin { min, max, .. } => {
            line += &format!(" min {min} max {max}")
        }
        #[cfg(feature = "tune")]
        OptionKind::Tune(tunable) => line += &format!(" min {} max {}", tunable.min, tunable.max),
        OptionKind::Combo { .. } => row.kind.choice_names().for_each(|name| line += &format!(" var {name}")),
        _ => {}
    }
    line
}

/// `info` line. `pv` takes the rest of the line, so it comes last.
fn report_line(report: &Report) -> String {
    let milliseconds = report.time.as_millis();
    let speed = u128::from(report.nodes) * 1000 / milliseconds.max(1);
    let bound = match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {speed} hashfull {} time {milliseconds}",
        report.depth,
        report.seldepth.max(report.depth),
        report.multi_pv,
        usi_score(report.score, report.proved),
        report.nodes,
        report.hashfull,
    );
    if !report.pv.is_empty() {
        line += " pv";
        push_moves(&mut line, &report.pv);
    }
    line
}

/// `info` line of a mate search.
fn mate_report_line(report: &MateReport<'_>) -> String {
    let MateReport { progress: MateProgress { nodes, fill, best }, time } = *report;
    let milliseconds = time.as_millis();
    let speed = u128::from(nodes) * 1000 / milliseconds.max(1);
    let effort = format!("nodes {nodes} nps {speed} hashfull {fill} time {milliseconds}");
    let Some(mate) = best else { return format!("info {effort}") };
    let mut line = format!("info depth {0} seldepth {1} score mate {0} {effort} pv", mate.plies, mate.line.len());
    push_moves(&mut line, &mate.line);
    line
}

/// The lines of an answer; `None` if it has none.
fn answer_text(answer: &Answer) -> Option<String> {
    Some(match answer {
        Answer::GameOver => return None,
        Answer::Ready => "readyok".to_owned(),
        Answer::Cleared => "info string tables and histories cleared".to_owned(),
        Answer::Best { best, ponder: None } => format!("bestmove {best}"),
        Answer::Best { best, ponder: Some(ponder) } => format!("bestmove {best} ponder {ponder}"),
        Answer::Resign => "bestmove resign".to_owned(),
        Answer::Declare => "bestmove win".to_owned(),
        Answer::Mate(moves) => {
            let mut line = "checkmate".to_owned();
            push_moves(&mut line, moves);
            line
        }
        Answer::NoMate => "checkmate nomate".to_owned(),
        Answer::MateUnknown => "checkmate timeout".to_owned(),
        Answer::Perft(Some(leaves)) => format!("Nodes searched: {leaves}"),
        Answer::Bench(Some(total)) => bench_result_text(total),
        Answer::Bench(None) => "info string the bench was stopped".to_owned(),
        Answer::Perft(None) => "info string perft was stopped".to_owned(),
    })
}

/// The last lines of a bench, the signature last.
pub fn bench_result_text(result: &BenchResult) -> String {
    let BenchResult { nodes, time } = result;
    format!("nodes {nodes}\ntime {} ms\nnps {}\nBench: {nodes}", time.as_millis(), result.speed())
}

fn push_moves(line: &mut String, moves: &[Move]) {
    moves.iter().for_each(|mv| *line += &format!(" {mv}"));
}

/// Table statistics, line by line.
pub fn statistics_text(statistics: &Statistics) -> String {
    let mut text = table_text("table", &statistics.counts.table, statistics.table);
    text += "\ntable hit rate by depth:";
    for (depth, rate) in statistics.depths() {
        text += &format!(" {depth}:{:.0}%", percent(rate.hits, rate.probes));
    }
    if let Some(state) = statistics.evaluations {
        text += "\n";
        text += &table_text("evaluation cache", &statistics.counts.evaluations, state);
    }
    text
}

fn percent(part: u64, whole: u64) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

/// Named counts, zeros omitted.
fn named(counts: &Counts, events: &[Event]) -> String {
    let counted = events.iter().filter(|&&event| counts.of(event) > 0);
    let words: Vec<String> = counted.map(|&event| format!("{} {}", event.name(), counts.of(event))).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

fn table_text(name: &str, counts: &Counts, TableState { fill, bytes }: TableState) -> String {
    use Event::*;
    let (probes, hits) = (counts.probes(), counts.hits());
    let read = named(counts, &[Hit, LocalHit, SecondLevelHit, Miss, Torn, Collision]);
    let written = named(counts, &[Free, Same, RejectedWorse, Older, Shallower, Deeper, RejectedHelper, Contended]);
    let mut text = format!("{name}: {} MiB, {:.1}% full\n", bytes >> 20, f64::from(fill) / 10.0);
    text += &format!("{name} probes: {probes}, hits {:.1}% ({read})\n", percent(hits, probes));
    text += &format!("{name} stores: {} ({written})", counts.stores());
    if counts.of(Protected) + counts.of(SecondLevelStore) > 0 {
        text += &format!("; {}", named(counts, &[Protected, SecondLevelStore]));
    }
    text
}

/// Sends log messages to the log file of `output`, unless a logger is set already.
pub(super) fn log_messages_to(output: &Arc<Output>) {
    let pipe = Pipe { output: Arc::clone(output), line: Vec::new() };
    let recorder = Builder::new()
        .filter_level(LevelFilter::Debug)
        .target(Target::Pipe(Box::new(pipe)))
        .format(|line, record| writeln!(line, "{} {}: {}", record.level(), record.target(), record.args()))
        .try_init();
    // `RUST_LOG` selects stderr instead.
    drop(recorder);
}

/// Gathers bytes into lines, messages of the engine itself.
struct Pipe {
    output: Arc<Output>,
    line: Vec<u8>,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if self.line.ends_with(b"\n") {
            let text = String::from_utf8_lossy(&self.line);
            self.output.record(&mut self.output.lock(), Instant::now(), '#', text.trim_end());
            self.line.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options;
    use sabi_shogi::Score;
    use std::sync::atomic::AtomicUsize;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn info_is_short_without_control_characters() {
        let sink = Shared::default();
        let output = Output::new(sink.clone(), || {});
        output.info("評価 \u{7}x \n");
        output.info("");
        output.info(&"y".repeat(10_000));
        let text = String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "info string ?? ?x");
        assert_eq!((lines.len(), lines[1].len()), (2, MAX_INFO + "info string ".len()));
    }

    /// Windows writes them in Japanese, which would become question marks.
    #[test]
    fn system_errors_are_in_english() {
        let told = |text: &str, message: &str| in_english(text, |code| [message.to_owned(), format!("kind {code}")]);
        let japanese = "ファイルがありません。 (os error 2)";
        assert_eq!(told(&format!("book 定跡: {japanese}; and 2"), japanese), "book 定跡: kind 2 (os error 2); and 2");
        let english = "No such file (os error 2)";
        assert_eq!(told(&format!("book 定跡: {english}"), english), "book 定跡: No such file (os error 2)");
        for text in ["定跡", "定跡 (os error", "定跡 (os error x)", "(os error 99999999999)"] {
            assert_eq!(told(text, japanese), text);
        }
        assert_eq!(message_and_kind(2)[1], "entity not found");
    }

    #[test]
    fn names_are_echoed_to_clients() {
        let sink = Shared::default();
        let output = Output::new(sink.clone(), || {});
        let written = || String::from_utf8(std::mem::take(&mut *sink.0.lock().unwrap())).unwrap();
        output.info("定跡");
        output.received(Instant::now(), "setoption name BookFile value 定跡");
        output.info("定跡");
        assert_eq!(written(), "info string ??\ninfo string 定跡\n");
        // During the handshake the message is deferred, but complete.
        output.line("usiok");
        output.info("定跡 a");
        output.info("b");
        output.line("readyok");
        output.info("定跡 c\u{7}");
        assert_eq!(written(), "usiok\ninfo string b\nreadyok\ninfo string 定跡 a\ninfo string 定跡 c?\n");
        for answer in ["bestmove resign", "checkmate nomate"] {
            output.line("usiok");
            (0..=MAX_DEFERRED).for_each(|_| output.info("定跡"));
            assert_eq!(written(), "usiok\ninfo string ??\n");
            output.line(answer);
            assert_eq!(written().lines().count(), 1 + MAX_DEFERRED);
        }
    }

    #[test]
    fn reports_broken_pipe() {
        let calls = Arc::new(AtomicUsize::new(0));
        let output = Output::new(Broken, {
            let calls = Arc::clone(&calls);
            move || {
                calls.fetch_add(1, Ordering::Relaxed);
            }
        });
        output.line("usiok");
        output.line("readyok");
        assert_eq!((calls.load(Ordering::Relaxed), output.progress()), (1, 0));
    }

    /// Takes no line until it is told to.
    struct Blocked(std::sync::mpsc::Receiver<()>);

    impl Write for Blocked {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.recv().unwrap();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn knows_a_client_that_does_not_read() {
        let (take, taken) = std::sync::mpsc::channel();
        let output = Output::new(Blocked(taken), || {});
        assert_eq!(output.blocked(), Duration::ZERO);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| output.line("usiok"));
            while output.blocked() < Duration::from_millis(20) {
                std::thread::yield_now();
            }
            assert_eq!(output.progress(), 0);
            take.send(()).unwrap();
            writer.join().unwrap();
        });
        assert_eq!((output.progress(), output.blocked()), (1, Duration::ZERO));
        output.received(Instant::now(), "usi");
        assert_eq!(output.progress(), 2);
    }

    #[test]
    fn reports() {
        let pv = ["7g7f", "3c3d"].map(|mv| mv.parse().unwrap()).to_vec();
        let mut thought = Report {
            depth: 5,
            seldepth: 9,
            nodes: 5000,
            time: Duration::from_millis(20),
            hashfull: 3,
            ..Report::without_search(Score::cp(-34), pv)
        };
        assert_eq!(
            report_line(&thought),
            "info depth 5 seldepth 9 multipv 1 score cp -34 nodes 5000 nps 250000 hashfull 3 time 20 pv 7g7f 3c3d"
        );
        thought.bound = Bound::Lower;
        thought.pv.clear();
        thought.time = Duration::ZERO;
        assert!(
            report_line(&thought).contains("score cp -34 lowerbound nodes")
                && report_line(&thought).ends_with("time 0")
        );
    }

    #[test]
    fn formats_option_lines() {
        let line = |name: &str| options().find(|row| row.name == name).map(option_line);
        assert_eq!(line("MultiPV").as_deref(), Some("option name MultiPV type spin default 1 min 1 max 600"));
        assert_eq!(line("USI_Ponder").as_deref(), Some("option name USI_Ponder type check default false"));
        assert_eq!(line("DebugLogFile").as_deref(), Some("option name DebugLogFile type filename default <empty>"));
        assert_eq!(
            line("MateLimitUnit").as_deref(),
            Some("option name MateLimitUnit type combo default milliseconds var milliseconds var plies")
        );
    }
}
