//! State of the log, and rejected events.

use crate::page::check_page;
use crate::train::growth::*;
use std::collections::BTreeMap;
use std::fs;

fn config(generation: u32, best: u32, seeds: [u64; 2]) -> Event {
    let (data, signature, inputs) = (Vec::new(), "Bench: 1".to_owned(), BTreeMap::new());
    Event::Generation(GenerationConfig { generation, best, seeds, data, signature, inputs })
}

fn matched(generation: u32, elo: Option<f64>) -> Event {
    let accepted = Some("H1".to_owned());
    let [low, high] = [-10.0, 10.0].map(|off| elo.map(|elo| elo + off));
    Event::Matched(Matched { generation, wins: 5, draws: 1, losses: 2, elo, low, high, llr: 3.0, accepted })
}

/// All events of a generation with 2 million positions.
fn generation(number: u32, best: u32, elo: f64, is_adopted: bool) -> Vec<Event> {
    let (seed, generation) = (u64::from(number) * 10, number);
    let played = Played { generation, games: 10, positions: 2_000_000, bytes: 1 };
    let trained = Trained { generation, positions: 5, losses: vec![[0.3, 0.4], [0.1, 0.2]], network: "x".to_owned() };
    let command = vec!["trainer".to_owned()];
    vec![
        config(number, best, [seed, seed + 10]),
        Event::Played(played),
        Event::Drawn { generation, positions: 3 },
        Event::Begun { generation, step: Step::Fit, command },
        Event::Trained(trained),
        matched(number, Some(elo)),
        if is_adopted { Event::Adopted { generation } } else { Event::Rejected { generation } },
    ]
}

/// 1 is adopted, 2 and 3 are rejected, 4 is adopted.
fn four_generations() -> Vec<Event> {
    let first = Event::First { network: "0".to_owned() };
    let chain = [generation(1, 0, 70.0, true), generation(2, 1, -5.0, false), generation(3, 1, 1.0, false)];
    [vec![first], chain.concat(), generation(4, 1, 30.0, true)].concat()
}

fn history_of(events: &[Event]) -> History {
    let mut history = History::default();
    for (at, event) in events.iter().enumerate() {
        let at = at as u64;
        let entry = LogEntry { time: at, active_seconds: at * 3600, event: event.clone() };
        let again = serde_json::from_str(&serde_json::to_string(&entry).unwrap()).unwrap();
        assert_eq!(entry, again);
        history.add(&entry).unwrap();
    }
    history
}

#[test]
fn best_network_and_strength() {
    let all = four_generations();
    for (events, best, strength, next) in
        [(1, 0, 0.0, 7), (7, 0, 0.0, 20), (8, 1, 70.0, 20), (21, 1, 70.0, 40), (29, 4, 100.0, 50)]
    {
        let history = history_of(&all[..events]);
        assert_eq!(
            (history.best(), history.elo(history.best()), history.next_seed(7)),
            (best, strength, next),
            "{events}"
        );
    }
    let history = history_of(&all);
    assert_eq!((history.elo(2), history.elo(3)), (65.0, 71.0));
    assert!(history.unfinished().is_none() && history_of(&all[..28]).unfinished().is_some());
    assert_eq!(history.active_seconds, 28 * 3600);
}

#[test]
fn window_counts_networks() {
    let mut events = four_generations();
    events.push(config(5, 4, [50, 60]));
    let history = history_of(&events);
    let numbers = |networks| history.window(networks).iter().map(|old| old.config.generation).collect::<Vec<_>>();
    assert_eq!([1, 2, 3, 9].map(numbers), [vec![5], vec![2, 3, 4, 5], vec![1, 2, 3, 4, 5], vec![1, 2, 3, 4, 5]]);
    assert!(History::default().window(2).is_empty());
}

#[test]
fn rejects_inconsistent_events() {
    let all = four_generations();
    for (events, next) in [
        (0, config(1, 0, [0, 1])),
        (1, Event::First { network: "1".to_owned() }),
        (1, config(2, 0, [0, 1])),
        (1, config(1, 1, [0, 1])),
        (1, Event::Adopted { generation: 1 }),
        (2, config(2, 0, [0, 1])),
        (2, Event::Adopted { generation: 2 }),
        (8, Event::Rejected { generation: 1 }),
        (8, matched(1, None)),
    ] {
        let mut history = history_of(&all[..events]);
        let before = history.clone();
        assert!(
            history.add(&LogEntry { time: 0, active_seconds: 0, event: next.clone() }).is_err(),
            "{events} {next:?}"
        );
        assert_eq!(history.best(), before.best());
    }
}

#[test]
fn page_is_well_formed_at_every_event() {
    let all = four_generations();
    (0..=all.len()).for_each(|events| check_page(&growth_page(&history_of(&all[..events])).unwrap()));
    let html = growth_page(&history_of(&all)).unwrap();
    for text in [
        "generation 4",
        "+100 Elo",
        "2 adopted, 2 rejected",
        "8000000",
        "5-1-2",
        "+30 [+20, +40]",
        "0.100000, 0.200000",
    ] {
        assert!(html.contains(text), "{text}: {html}");
    }
    // Without losses the Elo difference is infinite.
    let html = growth_page(&history_of(&[&all[..2], &[matched(1, None), Event::Paused]].concat())).unwrap();
    check_page(&html);
    assert!(html.contains("∞ [∞, ∞]") && html.contains("paused"), "{html}");
    for (wins, losses, bounds, text) in [
        (5, 2, (Some(40.0), None, Some(90.0)), "+40 [-∞, +90]"),
        (5, 2, (Some(40.0), Some(10.0), None), "+40 [+10, ∞]"),
        (7, 0, (None, Some(10.0), None), "∞ [+10, ∞]"),
        (0, 7, (None, None, Some(-10.0)), "-∞ [-∞, -10]"),
        (0, 7, (None, None, None), "-∞ [-∞, -∞]"),
    ] {
        let (elo, low, high) = bounds;
        let result = Matched { generation: 1, wins, draws: 0, losses, elo, low, high, llr: 0.0, accepted: None };
        let html = growth_page(&history_of(&[&all[..2], &[Event::Matched(result)]].concat())).unwrap();
        assert!(html.contains(&format!(">{text}<")), "{text}: {html}");
    }
    let failed = Event::Failed { step: None, reason: "<disk>".to_owned() };
    let html = growth_page(&history_of(&[&all[..], &[failed]].concat())).unwrap();
    assert!(html.contains("ended: &lt;disk&gt;"));
}

#[test]
fn log_round_trips() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let mut log = Log::open(&path).unwrap();
    for event in four_generations() {
        log.add(5, 6, event).unwrap();
    }
    assert!(log.add(5, 6, Event::Adopted { generation: 9 }).is_err());
    assert_eq!(log.history(), Log::open(&path).unwrap().history());
    // Truncated last event.
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 4]).unwrap();
    let mut log = Log::open(&path).unwrap();
    assert_eq!(log.history().best(), 1);
    log.add(5, 6, Event::Rejected { generation: 4 }).unwrap();
    assert_eq!(log.history(), Log::open(&path).unwrap().history());
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text + "{}\n").unwrap();
    let message = Log::open(&path).unwrap_err().to_string();
    assert!(message.contains("log.jsonl', line 31: missing field"), "{message}");
}

#[test]
fn log_cut_in_a_character() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let mut log = Log::open(&path).unwrap();
    log.add(5, 6, Event::First { network: "0".to_owned() }).unwrap();
    let before = log.history().clone();
    log.add(5, 6, Event::Failed { step: None, reason: "歩".to_owned() }).unwrap();
    let bytes = fs::read(&path).unwrap();
    let cut = bytes.iter().rposition(|byte| !byte.is_ascii()).unwrap();
    fs::write(&path, &bytes[..cut]).unwrap();
    assert_eq!(*Log::open(&path).unwrap().history(), before);
}
