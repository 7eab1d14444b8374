//! The engine through its API.

use super::{Answer, BenchResult, Engine, EngineListener, InfoMessage, Options, Task};
use crate::search::{Limits, PonderHit, Report, Resource, Resources, TimeControl};
use sabi_shogi::{Move, Position};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

/// Everything the engine reports, in order.
#[derive(Debug)]
enum Output {
    Report(Report),
    Counted(Move, u64),
    BenchNodes(u64),
    Note(InfoMessage),
    Answer(Answer),
}

struct Recorder {
    output: Mutex<Sender<Output>>,
    /// Whether the next report panics.
    panics: AtomicBool,
}

impl Recorder {
    fn new() -> (Arc<Self>, Receiver<Output>) {
        let (sender, output) = mpsc::channel();
        (Arc::new(Self { output: Mutex::new(sender), panics: AtomicBool::new(false) }), output)
    }

    fn send(&self, output: Output) {
        let _ = self.output.lock().unwrap().send(output);
    }
}

impl EngineListener for Recorder {
    fn report(&self, report: &Report) {
        assert!(!self.panics.swap(false, Ordering::Relaxed), "a panic");
        self.send(Output::Report(report.clone()));
    }

    fn perft_move(&self, mv: Move, leaves: u64) {
        self.send(Output::Counted(mv, leaves));
    }

    fn bench_position(&self, _: &str, result: BenchResult) {
        self.send(Output::BenchNodes(result.nodes));
    }

    fn note(&self, note: &InfoMessage) {
        self.send(Output::Note(note.clone()));
    }

    fn finished(&self, answer: &Answer) {
        self.send(Output::Answer(answer.clone()));
    }
}

struct Bench {
    engine: Engine,
    recorder: Arc<Recorder>,
    output: Receiver<Output>,
}

impl Bench {
    fn new() -> Self {
        let (recorder, output) = Recorder::new();
        let mut engine = Engine::new(Arc::clone(&recorder) as Arc<dyn EngineListener>).unwrap();
        // These tests are about the search.
        let mut options = engine.options().with("USI_OwnBook", Some("false")).unwrap();
        options.resources = Resources::new(1, 1);
        engine.set_options(options);
        Self { engine, recorder, output }
    }

    fn set(&mut self, name: &str, value: &str) {
        let options = self.engine.options().with(name, Some(value)).unwrap();
        self.engine.set_options(options);
    }

    /// Requests an amount of a resource, also beyond what options allow.
    fn request(&mut self, resource: Resource, amount: usize) {
        let mut options = self.engine.options().clone();
        options.resources = options.resources.with(resource, amount);
        self.engine.set_options(options);
    }

    /// Resources rejected by a preparation, with the amounts kept.
    fn rejected(&mut self) -> Vec<(Resource, usize)> {
        self.engine.prepare();
        let (before, answer) = self.answer();
        assert_eq!(answer, Answer::Ready);
        shortages(&before)
    }

    fn place(&mut self, sfen: &str) {
        self.engine.position = Position::from_sfen(sfen).unwrap();
    }

    /// The output up to the next answer, and that answer.
    fn answer(&self) -> (Vec<Output>, Answer) {
        let mut before = Vec::new();
        loop {
            match self.output.recv_timeout(PATIENCE).expect("an answer") {
                Output::Answer(answer) => return (before, answer),
                other => before.push(other),
            }
        }
    }

    /// The output of a search that ends with a legal move.
    fn search(&mut self, limits: Limits) -> Vec<Output> {
        self.engine.start(Task::Search(limits));
        let (before, answer) = self.answer();
        self.move_of(&answer);
        before
    }

    /// The next answer is a legal move.
    fn best_move(&self) {
        self.move_of(&self.answer().1);
    }

    /// The nodes of the first bench position; stops the bench.
    fn first_bench_nodes(&self) -> u64 {
        let Ok(Output::BenchNodes(nodes)) = self.output.recv_timeout(PATIENCE) else { panic!("a position") };
        self.engine.stop();
        self.answer();
        nodes
    }

    /// No answer for a while.
    fn assert_no_answer(&self) {
        let end = Instant::now() + Duration::from_millis(100);
        while let Ok(output) = self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
            assert!(!matches!(output, Output::Answer(_)), "{output:?}");
        }
    }

    fn move_of(&self, answer: &Answer) -> Move {
        match answer {
            Answer::Best { best, .. } => {
                assert!(self.engine.position.is_legal(*best));
                *best
            }
            other => panic!("no move but {other:?}"),
        }
    }
}

const RESOURCES: [Resource; 4] = [Resource::Table, Resource::SecondLevel, Resource::EvalCache, Resource::Threads];
/// MiB or threads beyond any memory.
const BEYOND: usize = 1 << 20;

/// The out-of-memory notes, when there is nothing else but reports.
fn shortages(output: &[Output]) -> Vec<(Resource, usize)> {
    let out_of_memory = |output: &Output| match output {
        Output::Note(InfoMessage::OutOfMemory { resource, reason, kept }) => {
            assert!(!reason.is_empty());
            Some((*resource, *kept))
        }
        Output::Report(_) => None,
        other => panic!("{other:?}"),
    };
    output.iter().filter_map(out_of_memory).collect()
}

/// In any order, each resource once.
fn assert_same_memory_errors(reported: &[(Resource, usize)], expected: &[(Resource, usize)]) {
    let same =
        reported.len() == expected.len() && expected.iter().all(|out_of_memory| reported.contains(out_of_memory));
    assert!(same, "reported {reported:?}, not {expected:?}");
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::unlimited(Instant::now()) }
}

fn infinite() -> Limits {
    Limits { infinite: true, ..Limits::unlimited(Instant::now()) }
}

fn ponder() -> Limits {
    Limits { ponder: true, ..Limits::unlimited(Instant::now()) }
}

#[test]
fn jobs_answer_in_order() {
    let mut bench = Bench::new();
    for _ in 0..5 {
        bench.engine.start(Task::Search(infinite()));
    }
    bench.engine.start(Task::Perft(2));
    bench.engine.start(Task::Search(depth(1)));
    bench.engine.stop();
    for _ in 0..5 {
        bench.best_move();
    }
    assert!(matches!(bench.answer().1, Answer::Perft(Some(900) | None)));
    bench.best_move();
    bench.assert_no_answer();
}

#[test]
fn preparation_during_and_after_search() {
    let mut bench = Bench::new();
    bench.engine.prepare();
    assert_eq!(bench.answer().1, Answer::Ready);
    assert!(!bench.engine.is_preparing());
    bench.engine.start(Task::Search(infinite()));
    bench.engine.prepare();
    assert_eq!(bench.answer().1, Answer::Ready);
    bench.assert_no_answer();
    bench.engine.stop();
    bench.engine.prepare();
    bench.best_move();
    assert_eq!(bench.answer().1, Answer::Ready);
}

/// The search behind the first preparation is not stopped by the second.
#[test]
fn preparation_behind_a_queued_search() {
    let (recorder, output) = Recorder::new();
    let (mut engine, mut runner) = Engine::without_thread(recorder);
    let options = engine.options().with("USI_Hash", Some("1")).unwrap();
    engine.set_options(options);
    engine.prepare();
    engine.start(Task::Search(depth(1)));
    engine.prepare();
    runner.catch_up();
    let answers: Vec<bool> = output
        .try_iter()
        .filter_map(|output| match output {
            Output::Answer(answer) => Some(answer == Answer::Ready),
            _ => None,
        })
        .collect();
    assert_eq!(answers, [true, true, false]);
}

#[test]
fn survives_panic() {
    let mut bench = Bench::new();
    for limits in [depth(2), infinite(), ponder()] {
        let held = limits.infinite || limits.ponder;
        bench.recorder.panics.store(true, Ordering::Relaxed);
        bench.engine.start(Task::Search(limits));
        if held {
            bench.assert_no_answer();
        }
        bench.engine.stop();
        let (before, answer) = bench.answer();
        bench.move_of(&answer);
        assert!(
            held || before.iter().any(|output| matches!(output, Output::Note(InfoMessage::Crashed(_)))),
            "{before:?}"
        );
    }
    let before = bench.search(depth(2));
    assert!(before.iter().all(|output| matches!(output, Output::Report(_))));
}

#[test]
fn rejected_resources_keep_old_size() {
    let mut bench = Bench::new();
    let had = [(Resource::Table, 2), (Resource::SecondLevel, 1), (Resource::EvalCache, 3), (Resource::Threads, 2)];
    had.iter().for_each(|&(resource, amount)| bench.request(resource, amount));
    assert_eq!(bench.rejected(), []);
    for (resource, kept) in had {
        bench.request(resource, BEYOND);
        // Reported at the first preparation or search, and at every preparation, but not repeated
        // by a search.
        assert_eq!(bench.rejected(), [(resource, kept)]);
        for _ in 0..2 {
            assert_eq!(shortages(&bench.search(depth(1))), []);
        }
        assert_eq!(bench.rejected(), [(resource, kept)]);
        bench.request(resource, kept);
        assert_eq!(bench.rejected(), []);
        bench.request(resource, BEYOND);
        assert_eq!(shortages(&bench.search(depth(1))), [(resource, kept)]);
        bench.request(resource, kept);
    }
}

/// Every combination of good and bad amounts: each rejection is reported once, and the good amounts
/// are used.
#[test]
fn rejected_and_granted_resources() {
    let mut bench = Bench::new();
    let old = [1, 2, 1, 1];
    let new = [2, 1, 2, 2];
    for choice in 0..1 << RESOURCES.len() {
        RESOURCES.iter().zip(old).for_each(|(&resource, amount)| bench.request(resource, amount));
        assert_eq!(bench.rejected(), []);
        let mut expected = Vec::new();
        let mut all = Vec::new();
        for (place, resource) in RESOURCES.into_iter().enumerate() {
            if choice & 1 << place != 0 {
                bench.request(resource, BEYOND);
                expected.push((resource, old[place]));
                all.push((resource, old[place]));
            } else {
                bench.request(resource, new[place]);
                all.push((resource, new[place]));
            }
        }
        assert_same_memory_errors(&bench.rejected(), &expected);
        assert_eq!(shortages(&bench.search(depth(1))), []);
        // Too much of everything: each shortage is reported.
        RESOURCES.iter().for_each(|&resource| bench.request(resource, BEYOND));
        assert_same_memory_errors(&bench.rejected(), &all);
    }
}

#[test]
fn second_level_grows_beside_rejected_table() {
    let mut bench = Bench::new();
    assert_eq!(bench.rejected(), []);
    bench.request(Resource::Table, BEYOND);
    bench.request(Resource::SecondLevel, 1);
    assert_eq!(bench.rejected(), [(Resource::Table, 1)]);
    bench.request(Resource::Table, 1);
    bench.request(Resource::SecondLevel, BEYOND);
    assert_eq!(bench.rejected(), [(Resource::SecondLevel, 1)]);
}

#[test]
fn first_rejection_gets_minimum() {
    let mut bench = Bench::new();
    RESOURCES.iter().for_each(|&resource| bench.request(resource, BEYOND));
    let reported = shortages(&bench.search(depth(1)));
    let table = reported.iter().find(|(resource, _)| *resource == Resource::Table).map_or(0, |&(_, kept)| kept);
    assert!((1..=64).contains(&table), "{reported:?}");
    let modest =
        [(Resource::Table, table), (Resource::SecondLevel, 0), (Resource::EvalCache, 0), (Resource::Threads, 1)];
    assert_same_memory_errors(&reported, &modest);
    assert_same_memory_errors(&bench.rejected(), &modest);
}

#[test]
fn survives_panic_after_rejection() {
    let mut bench = Bench::new();
    bench.request(Resource::EvalCache, BEYOND);
    bench.engine.start(Task::Search(depth(1)));
    bench.answer();
    bench.recorder.panics.store(true, Ordering::Relaxed);
    bench.engine.start(Task::Search(depth(1)));
    bench.answer();
    bench.place(MATE_IN_ONE);
    bench.engine.start(Task::Search(depth(3)));
    let (before, answer) = bench.answer();
    assert!(before.iter().any(|output| matches!(output, Output::Report(_))), "no search");
    assert_eq!(bench.move_of(&answer).to_string(), "G*5b");
}

#[test]
fn bench_has_no_limits() {
    let mut bench = Bench::new();
    let nodes = |bench: &mut Bench| {
        bench.engine.start(Task::Bench);
        bench.first_bench_nodes()
    };
    let first = nodes(&mut bench);
    bench.set("DepthLimit", "3");
    bench.set("MultiPV", "2");
    assert_eq!(nodes(&mut bench), first);
}

#[test]
fn ponder_hit_needs_ponder() {
    let mut bench = Bench::new();
    let hit = PonderHit { at: Instant::now(), time: None };
    assert!(!bench.engine.ponder_hit(hit));
    bench.engine.start(Task::Search(infinite()));
    assert!(!bench.engine.ponder_hit(hit));
    bench.engine.start(Task::Search(ponder()));
    assert!(bench.engine.ponder_hit(hit));
    assert!(!bench.engine.ponder_hit(hit));
    bench.engine.stop();
    bench.answer();
    bench.answer();
    bench.assert_no_answer();
}

#[test]
fn stochastic_ponder_keeps_limits() {
    let mut bench = Bench::new();
    let options = [("Stochastic_Ponder", "true"), ("PvInterval", "0"), ("DepthLimit", "2")];
    options.iter().for_each(|(name, value)| bench.set(name, value));
    bench.engine.position = Position::startpos().with_moves(["7g7f", "3c3d"]).unwrap();
    bench.engine.start(Task::Search(ponder()));
    let mut end = Instant::now() + PATIENCE;
    let mut deepest = 0;
    while let Ok(output) = bench.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
        let Output::Report(report) = output else { panic!("{output:?}") };
        deepest = deepest.max(report.depth);
        if deepest == 2 {
            end = end.min(Instant::now() + Duration::from_millis(200));
        }
    }
    assert_eq!(deepest, 2);
    bench.engine.stop();
    bench.best_move();
}

/// Scores in the tables hold only under the rules of their search.
#[test]
fn new_rules_clear_the_tables() {
    let last_score = |output: Vec<Output>| match output.last() {
        Some(Output::Report(report)) => report.score,
        other => panic!("no report but {other:?}"),
    };
    let ahead = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let mut bench = Bench::new();
    bench.place(ahead);
    let expected = last_score(bench.search(depth(3)));
    let mut bench = Bench::new();
    bench.place(ahead);
    bench.set("MaxMovesToDraw", "4");
    bench.search(Limits { nodes: Some(30_000), ..depth(30) });
    bench.set("MaxMovesToDraw", "0");
    assert_eq!(last_score(bench.search(depth(3))), expected);
}

/// Both searches value a draw as the side that moves after the ponder hit does. Here every line is
/// drawn, since the game is too long.
#[test]
fn stochastic_ponder_draw_value() {
    for (moves, black, white, ours) in
        [(&["7g7f", "3c3d"][..], "100", "30", 100), (&["7g7f", "3c3d", "2g2f"], "30", "-70", -70)]
    {
        let mut bench = Bench::new();
        let options = [
            ("Stochastic_Ponder", "true"),
            ("MaxMovesToDraw", "1"),
            ("DrawValueBlack", black),
            ("DrawValueWhite", white),
        ];
        options.iter().for_each(|(name, value)| bench.set(name, value));
        bench.engine.position = Position::startpos().with_moves(moves.iter().copied()).unwrap();
        bench.engine.start(Task::Search(ponder()));
        let Ok(Output::Report(pondered)) = bench.output.recv_timeout(PATIENCE) else { panic!("a report") };
        assert_eq!(pondered.score.get(), -ours, "for the opponent, who moves first: {moves:?}");
        let hit = PonderHit { at: Instant::now(), time: Some(TimeControl::MoveTime(1)) };
        assert!(bench.engine.ponder_hit(hit));
        let (before, answer) = bench.answer();
        bench.move_of(&answer);
        let Some(Output::Report(last)) = before.last() else { panic!("a report") };
        assert_eq!(last.score.get(), ours, "{moves:?}");
    }
}

/// Storing book lines ends at a stop and with its share of the time.
#[test]
fn book_prefill_is_limited() {
    for (limits, stopped, stores) in [
        (depth(1), false, true),
        (depth(1), true, false),
        (Limits { time: TimeControl::MoveTime(0), ..depth(1) }, false, false),
    ] {
        let (recorder, output) = Recorder::new();
        let (mut engine, mut runner) = Engine::without_thread(recorder);
        let set = |options: Options, (name, value): (&str, &str)| options.with(name, Some(value)).unwrap();
        let settings = [("USI_Hash", "1"), ("BookMoves", "0"), ("BookPrefill", "true")];
        engine.set_options(settings.into_iter().fold(engine.options().clone(), set));
        engine.start(Task::Search(limits));
        if stopped {
            engine.stop();
        }
        runner.catch_up();
        let prefilled = output.try_iter().any(|output| matches!(output, Output::Note(InfoMessage::BookPrefilled(1..))));
        assert_eq!(prefilled, stores, "stopped: {stopped}");
    }
}

#[test]
fn mate_and_perft() {
    let mut bench = Bench::new();
    bench.place(MATE_IN_ONE);
    let mate = |number| Task::Mate { limits: Limits::unlimited(Instant::now()), number };
    bench.engine.start(mate(None));
    assert_eq!(bench.answer().1, Answer::Mate(vec!["G*5b".parse().unwrap()]));
    bench.set("MateLimitUnit", "plies");
    bench.engine.start(mate(Some(1)));
    assert!(matches!(bench.answer().1, Answer::Mate(_)));
    bench.engine.position = Position::startpos();
    bench.engine.start(Task::Perft(2));
    let (counted, answer) = bench.answer();
    assert_eq!(answer, Answer::Perft(Some(900)));
    let legal = |mv| bench.engine.position.is_legal(mv);
    let leaves = counted.iter().map(|output| {
        if let Output::Counted(mv, leaves) = output
            && legal(*mv)
        {
            *leaves
        } else {
            0
        }
    });
    assert_eq!((counted.len(), leaves.sum::<u64>()), (30, 900));
    bench.engine.start(Task::Perft(12));
    bench.assert_no_answer();
    bench.engine.stop();
    assert_eq!(bench.answer().1, Answer::Perft(None));
    bench.engine.shut_down();
}
