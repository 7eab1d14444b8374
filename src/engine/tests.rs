//! The engine through its API.

use super::{Answer, BenchResult, Engine, Listener, MateOrder, MateReport, NotPondering, Note};
use crate::position::Position;
use crate::search::{GameClock, Limits, PonderHit, Report, Resource, Resources, Statistics, TimeControl};
use crate::types::Move;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
const HOPELESS: &str = "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";

/// Everything the engine reports, in order.
#[derive(Debug)]
enum Said {
    Report(Report),
    Counted(Move, u64),
    Statistics(Box<Statistics>),
    Note(Note),
    Answer(Answer),
}

struct Recorder {
    said: Mutex<Sender<Said>>,
    /// Whether the next report panics.
    accident: AtomicBool,
}

impl Recorder {
    fn send(&self, said: Said) {
        let _ = self.said.lock().unwrap().send(said);
    }
}

impl Listener for Recorder {
    fn report(&self, report: &Report) {
        assert!(!self.accident.swap(false, Ordering::Relaxed), "an accident");
        self.send(Said::Report(report.clone()));
    }

    fn mate_report(&self, _: &MateReport<'_>) {}

    fn perft_move(&self, mv: Move, leaves: u64) {
        self.send(Said::Counted(mv, leaves));
    }

    fn bench_position(&self, _: &str, _: BenchResult) {}

    fn statistics(&self, statistics: &Statistics) {
        self.send(Said::Statistics(Box::new(statistics.clone())));
    }

    fn note(&self, note: &Note) {
        self.send(Said::Note(note.clone()));
    }

    fn finished(&self, answer: &Answer) {
        self.send(Said::Answer(answer.clone()));
    }
}

struct Bench {
    engine: Engine,
    recorder: Arc<Recorder>,
    said: Receiver<Said>,
}

impl Bench {
    fn new() -> Self {
        let (sender, said) = mpsc::channel();
        let recorder = Arc::new(Recorder { said: Mutex::new(sender), accident: AtomicBool::new(false) });
        let mut engine = Engine::new(Arc::clone(&recorder) as Arc<dyn Listener>).unwrap();
        // These tests are about the search.
        let mut options = engine.options().with("USI_OwnBook", Some("false")).unwrap();
        options.resources = Resources::new(1, 1);
        engine.set_options(options);
        Self { engine, recorder, said }
    }

    fn set(&mut self, name: &str, value: &str) {
        let options = self.engine.options().with(name, Some(value)).unwrap();
        self.engine.set_options(options);
    }

    /// Requests an amount of a resource, also beyond what options allow.
    fn wish(&mut self, resource: Resource, amount: usize) {
        let mut options = self.engine.options().clone();
        options.resources = options.resources.with(resource, amount);
        self.engine.set_options(options);
    }

    fn press(&mut self, name: &str) {
        let options = self.engine.options().with(name, None).unwrap();
        self.engine.set_options(options);
    }

    /// Resources refused by a preparation, with the amounts kept.
    fn refused(&mut self) -> Vec<(Resource, usize)> {
        self.engine.prepare();
        let (before, answer) = self.answer();
        assert_eq!(answer, Answer::Ready);
        shortages(&before)
    }

    fn place(&mut self, sfen: &str) {
        self.engine.set_position(Position::from_sfen(sfen).unwrap());
    }

    /// The output up to the next answer, and that answer.
    fn answer(&self) -> (Vec<Said>, Answer) {
        let mut before = Vec::new();
        loop {
            match self.said.recv_timeout(PATIENCE).expect("an answer") {
                Said::Answer(answer) => return (before, answer),
                other => before.push(other),
            }
        }
    }

    /// No answer for a while.
    fn assert_no_answer(&self) {
        let end = Instant::now() + Duration::from_millis(100);
        while let Ok(said) = self.said.recv_timeout(end.saturating_duration_since(Instant::now())) {
            assert!(!matches!(said, Said::Answer(_)), "{said:?}");
        }
    }

    fn move_of(&self, answer: &Answer) -> Move {
        match answer {
            Answer::Best { best, .. } => {
                assert!(self.engine.position().is_legal(*best));
                *best
            }
            other => panic!("no move but {other:?}"),
        }
    }
}

const PARTS: [Resource; 4] = [Resource::Table, Resource::SecondLevel, Resource::EvalCache, Resource::Threads];
/// MiB or threads beyond any memory.
const BEYOND: usize = 1 << 20;

/// The out-of-memory notes, when there is nothing else but reports.
fn shortages(said: &[Said]) -> Vec<(Resource, usize)> {
    let out_of_memory = |said: &Said| match said {
        Said::Note(Note::OutOfMemory { resource, reason, kept }) => {
            assert!(!reason.is_empty());
            Some((*resource, *kept))
        }
        Said::Report(_) => None,
        other => panic!("{other:?}"),
    };
    said.iter().filter_map(out_of_memory).collect()
}

/// In any order, each resource once.
fn assert_same_refusals(reported: &[(Resource, usize)], expected: &[(Resource, usize)]) {
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
fn a_search_is_answered_once() {
    let mut bench = Bench::new();
    bench.place(MATE_IN_ONE);
    bench.engine.search(depth(3));
    let (before, answer) = bench.answer();
    assert_eq!(bench.move_of(&answer).to_string(), "G*5b");
    assert!(before.iter().any(|said| matches!(said, Said::Report(report) if report.score.mate_plies() == Some(1))));
    bench.engine.stop();
    bench.assert_no_answer();
}

#[test]
fn every_job_ends_the_one_before_and_each_answers_in_order() {
    let mut bench = Bench::new();
    for _ in 0..5 {
        bench.engine.search(infinite());
    }
    bench.engine.perft(2);
    bench.engine.search(depth(1));
    bench.engine.stop();
    for _ in 0..5 {
        let (_, answer) = bench.answer();
        bench.move_of(&answer);
    }
    assert!(matches!(bench.answer().1, Answer::Leaves(Some(900) | None)));
    let (_, answer) = bench.answer();
    bench.move_of(&answer);
    bench.assert_no_answer();
}

#[test]
fn preparation_comes_after_a_stopped_search_and_beside_a_running_one() {
    let mut bench = Bench::new();
    bench.engine.prepare();
    assert_eq!(bench.answer().1, Answer::Ready);
    assert!(!bench.engine.is_preparing());
    bench.engine.search(infinite());
    bench.engine.prepare();
    assert_eq!(bench.answer().1, Answer::Ready);
    bench.assert_no_answer();
    bench.engine.stop();
    bench.engine.prepare();
    let (_, answer) = bench.answer();
    bench.move_of(&answer);
    assert_eq!(bench.answer().1, Answer::Ready);
}

#[test]
fn an_accident_is_survived() {
    let mut bench = Bench::new();
    for limits in [depth(2), infinite(), ponder()] {
        let held = limits.infinite || limits.ponder;
        bench.recorder.accident.store(true, Ordering::Relaxed);
        bench.engine.search(limits);
        if held {
            bench.assert_no_answer();
        }
        bench.engine.stop();
        let (before, answer) = bench.answer();
        bench.move_of(&answer);
        assert!(held || before.iter().any(|said| matches!(said, Said::Note(Note::Crashed(_)))), "{before:?}");
    }
    bench.engine.search(depth(2));
    let (before, answer) = bench.answer();
    bench.move_of(&answer);
    assert!(before.iter().all(|said| matches!(said, Said::Report(_))));
}

#[test]
fn a_table_beyond_the_memory_is_refused_once() {
    let mut bench = Bench::new();
    bench.engine.prepare();
    bench.answer();
    bench.set("USI_Hash", "1048576");
    let shortages = |said: &[Said]| {
        said.iter()
            .filter(|said| matches!(said, Said::Note(Note::OutOfMemory { resource: Resource::Table, kept: 1, .. })))
            .count()
    };
    for (expected, prepare) in [(1, false), (0, false), (1, true), (0, false)] {
        if prepare {
            bench.engine.prepare();
        } else {
            bench.engine.search(depth(1));
        }
        assert_eq!(shortages(&bench.answer().0), expected);
    }
    bench.set("USI_Hash", "2");
    bench.engine.prepare();
    assert!(bench.answer().0.is_empty());
}

#[test]
fn a_first_table_beyond_the_memory_is_replaced_by_a_modest_one() {
    let mut bench = Bench::new();
    bench.set("USI_Hash", "1048576");
    bench.engine.search(depth(1));
    let (before, answer) = bench.answer();
    bench.move_of(&answer);
    assert!(
        before
            .iter()
            .any(|said| matches!(said, Said::Note(Note::OutOfMemory { resource: Resource::Table, kept: 1..=64, .. })))
    );
}

#[test]
fn each_part_beyond_the_memory_is_refused_and_kept_as_it_was() {
    let mut bench = Bench::new();
    let had = [(Resource::Table, 2), (Resource::SecondLevel, 1), (Resource::EvalCache, 3), (Resource::Threads, 2)];
    had.iter().for_each(|&(resource, amount)| bench.wish(resource, amount));
    assert_eq!(bench.refused(), []);
    for (resource, kept) in had {
        bench.wish(resource, BEYOND);
        // Reported at the first preparation or search, and at every preparation, but not repeated
        // by a search.
        assert_eq!(bench.refused(), [(resource, kept)]);
        for _ in 0..2 {
            bench.engine.search(depth(1));
            let (before, answer) = bench.answer();
            bench.move_of(&answer);
            assert_eq!(shortages(&before), []);
        }
        assert_eq!(bench.refused(), [(resource, kept)]);
        bench.wish(resource, kept);
        assert_eq!(bench.refused(), []);
        bench.wish(resource, BEYOND);
        bench.engine.search(depth(1));
        let (before, answer) = bench.answer();
        bench.move_of(&answer);
        assert_eq!(shortages(&before), [(resource, kept)]);
        bench.wish(resource, kept);
    }
}

/// Every combination of good and bad amounts: each refusal is reported once, and the good amounts
/// are used.
#[test]
fn good_wishes_come_true_beside_refused_ones() {
    let mut bench = Bench::new();
    let old = [1, 2, 1, 1];
    let new = [2, 1, 2, 2];
    for choice in 0..1 << PARTS.len() {
        PARTS.iter().zip(old).for_each(|(&resource, amount)| bench.wish(resource, amount));
        assert_eq!(bench.refused(), []);
        let mut expected = Vec::new();
        let mut there = Vec::new();
        for (place, resource) in PARTS.into_iter().enumerate() {
            if choice & 1 << place != 0 {
                bench.wish(resource, BEYOND);
                expected.push((resource, old[place]));
                there.push((resource, old[place]));
            } else {
                bench.wish(resource, new[place]);
                there.push((resource, new[place]));
            }
        }
        assert_same_refusals(&bench.refused(), &expected);
        bench.engine.search(depth(1));
        let (before, answer) = bench.answer();
        bench.move_of(&answer);
        assert_eq!(shortages(&before), []);
        // Too much of everything: each shortage is reported.
        PARTS.iter().for_each(|&resource| bench.wish(resource, BEYOND));
        assert_same_refusals(&bench.refused(), &there);
    }
}

#[test]
fn a_second_level_may_grow_beside_a_refused_table() {
    let mut bench = Bench::new();
    assert_eq!(bench.refused(), []);
    bench.wish(Resource::Table, BEYOND);
    bench.wish(Resource::SecondLevel, 1);
    assert_eq!(bench.refused(), [(Resource::Table, 1)]);
    bench.wish(Resource::Table, 1);
    bench.wish(Resource::SecondLevel, BEYOND);
    assert_eq!(bench.refused(), [(Resource::SecondLevel, 1)]);
}

#[test]
fn a_first_wish_beyond_the_memory_gets_something_modest() {
    let mut bench = Bench::new();
    PARTS.iter().for_each(|&resource| bench.wish(resource, BEYOND));
    bench.engine.search(depth(1));
    let (before, answer) = bench.answer();
    bench.move_of(&answer);
    let reported = shortages(&before);
    let table = reported.iter().find(|(resource, _)| *resource == Resource::Table).map_or(0, |&(_, kept)| kept);
    assert!((1..=64).contains(&table), "{reported:?}");
    let modest =
        [(Resource::Table, table), (Resource::SecondLevel, 0), (Resource::EvalCache, 0), (Resource::Threads, 1)];
    assert_same_refusals(&reported, &modest);
    assert_same_refusals(&bench.refused(), &modest);
}

#[test]
fn an_accident_after_a_refusal_is_survived() {
    let mut bench = Bench::new();
    bench.wish(Resource::EvalCache, BEYOND);
    bench.engine.search(depth(1));
    bench.answer();
    bench.recorder.accident.store(true, Ordering::Relaxed);
    bench.engine.search(depth(1));
    bench.answer();
    bench.place(MATE_IN_ONE);
    bench.engine.search(depth(3));
    let (before, answer) = bench.answer();
    assert!(before.iter().any(|said| matches!(said, Said::Report(_))), "no search");
    assert_eq!(bench.move_of(&answer).to_string(), "G*5b");
}

#[test]
fn everything_is_forgotten_once_nothing_runs() {
    let mut bench = Bench::new();
    bench.press("Clear_Hash");
    assert_eq!(bench.answer().1, Answer::Cleared);
    let nodes = |bench: &mut Bench| {
        bench.engine.search(depth(6));
        let (before, answer) = bench.answer();
        bench.move_of(&answer);
        let Some(Said::Report(last)) = before.last() else { panic!("a report") };
        last.nodes
    };
    let first = nodes(&mut bench);
    assert_ne!(nodes(&mut bench), first, "nothing was learnt that could be forgotten");
    bench.engine.search(infinite());
    bench.press("Clear_Hash");
    bench.press("Clear_Hash");
    bench.assert_no_answer();
    bench.engine.stop();
    let (_, answer) = bench.answer();
    bench.move_of(&answer);
    for _ in 0..2 {
        assert_eq!(bench.answer().1, Answer::Cleared);
    }
    assert_eq!(nodes(&mut bench), first);
    bench.engine.search(infinite());
    // The next search starts from scratch, and the button does not wait for a stop.
    bench.press("Clear_Hash");
    bench.engine.search(depth(6));
    let (_, answer) = bench.answer();
    bench.move_of(&answer);
    assert_eq!(bench.answer().1, Answer::Cleared);
    let (before, answer) = bench.answer();
    bench.move_of(&answer);
    assert!(matches!(before.last(), Some(Said::Report(last)) if last.nodes == first));
    bench.assert_no_answer();
}

#[test]
fn statistics_come_once_before_the_answer_and_only_on_request() {
    let mut bench = Bench::new();
    let reported = |bench: &mut Bench, limits: Limits| {
        bench.engine.search(limits);
        let (mut before, answer) = bench.answer();
        bench.move_of(&answer);
        let last = before.pop();
        assert!(before.iter().all(|said| matches!(said, Said::Report(_))), "{before:?}");
        match last {
            Some(Said::Statistics(statistics)) => Some(statistics),
            _ => None,
        }
    };
    assert_eq!(reported(&mut bench, depth(4)), None);
    bench.set("TableStats", "true");
    bench.set("EvalHash", "1");
    let first = reported(&mut bench, depth(4)).expect("statistics");
    assert!(first.table().probes() > 0 && first.table().stores() > 0, "{first:?}");
    assert!(first.evaluations().probes() > 0 && first.evaluations().stores() > 0, "{first:?}");
    // Each search counts from zero.
    let shallow = reported(&mut bench, depth(1)).expect("statistics");
    assert!(shallow.table().probes() < first.table().probes(), "{shallow:?} after {first:?}");
    bench.set("EvalHash", "0");
    let without = reported(&mut bench, depth(4)).expect("statistics");
    assert!(without.table().probes() > 0 && without.evaluations().probes() == 0, "{without:?}");
    bench.set("TableStats", "false");
    assert_eq!(reported(&mut bench, depth(4)), None);
}

#[test]
fn a_hit_needs_a_ponder() {
    let mut bench = Bench::new();
    let hit = PonderHit { at: Instant::now(), time: None };
    assert_eq!(bench.engine.ponder_hit(hit), Err(NotPondering));
    bench.engine.search(infinite());
    assert_eq!(bench.engine.ponder_hit(hit), Err(NotPondering));
    bench.engine.search(ponder());
    assert_eq!(bench.engine.ponder_hit(hit), Ok(()));
    assert_eq!(bench.engine.ponder_hit(hit), Err(NotPondering));
    bench.engine.stop();
    bench.answer();
    bench.answer();
    bench.assert_no_answer();
}

#[test]
fn stochastic_ponder_thinks_of_the_position_before() {
    let mut bench = Bench::new();
    bench.set("Stochastic_Ponder", "true");
    bench.set("PvInterval", "0");
    let earlier = Position::startpos().with_moves(["7g7f"]).unwrap();
    bench.engine.set_position(earlier.with_moves(["3c3d"]).unwrap());
    bench.engine.search(ponder());
    let Ok(Said::Report(report)) = bench.said.recv_timeout(PATIENCE) else { panic!("a report") };
    assert!(earlier.is_legal(report.pv[0]));
    bench.assert_no_answer();
    let clock = GameClock { byoyomi: 50, ..GameClock::default() };
    let hit = PonderHit { at: Instant::now(), time: Some(TimeControl::Clock(clock)) };
    assert_eq!(bench.engine.ponder_hit(hit), Ok(()));
    let (before, answer) = bench.answer();
    bench.move_of(&answer);
    let Some(Said::Report(last)) = before.last() else { panic!("a report") };
    assert!(bench.engine.position().is_legal(last.pv[0]));
}

#[test]
fn limits_of_the_user_hold_for_every_search() {
    let mut bench = Bench::new();
    bench.set("DepthLimit", "2");
    bench.engine.search(Limits::unlimited(Instant::now()));
    let (before, _) = bench.answer();
    assert!(before.iter().all(|said| matches!(said, Said::Report(report) if report.depth <= 2)));
    bench.set("ResignValue", "500");
    bench.place(HOPELESS);
    bench.engine.search(depth(5));
    let (before, answer) = bench.answer();
    assert_eq!(answer, Answer::Resign);
    assert!(matches!(before.last(), Some(Said::Report(report)) if report.score.get() < -500));
}

#[test]
fn mates_and_counts() {
    let mut bench = Bench::new();
    bench.place(MATE_IN_ONE);
    let order = MateOrder { start: Instant::now(), limit: None, nodes: None, plies: None };
    bench.engine.mate(order);
    assert_eq!(bench.answer().1, Answer::Mate(vec!["G*5b".parse().unwrap()]));
    bench.set("MateLimitUnit", "plies");
    bench.engine.mate(MateOrder { limit: Some(1), ..order });
    assert!(matches!(bench.answer().1, Answer::Mate(_)));
    bench.engine.set_position(Position::startpos());
    bench.engine.perft(2);
    let (counted, answer) = bench.answer();
    assert_eq!(answer, Answer::Leaves(Some(900)));
    let legal = |mv| bench.engine.position().is_legal(mv);
    let leaves = counted.iter().map(|said| {
        if let Said::Counted(mv, leaves) = said
            && legal(*mv)
        {
            *leaves
        } else {
            0
        }
    });
    assert_eq!((counted.len(), leaves.sum::<u64>()), (30, 900));
    bench.engine.perft(12);
    bench.assert_no_answer();
    bench.engine.stop();
    assert_eq!(bench.answer().1, Answer::Leaves(None));
    bench.engine.shut_down();
}
