//! The tables from outside, with every policy.

use super::*;
use sabi_shogi::{Bound, Score, split_mix};
use std::sync::atomic::AtomicBool;

const POLICIES: [Policy; 6] = [
    Policy::Always,
    Policy::DepthPreferred,
    Policy::AgeBased,
    Policy::DepthAndAge,
    Policy::ExactPreferred,
    Policy::TwoTier,
];

/// Well-mixed keys.
fn key(number: u64) -> u64 {
    split_mix(0, number)
}

fn entry(depth: i32, score: i32) -> Entry {
    Entry {
        mv: "7g7f".parse().ok(),
        score: Score::cp(score),
        eval: Some(Score::cp(score + 1)),
        depth,
        bound: Some(Bound::Lower),
        pv: false,
        source: Source::Main,
    }
}

fn helper(depth: i32) -> Entry {
    Entry { source: Source::Quiescence, ..entry(depth, 0) }
}

fn table(policy: Policy) -> TranspositionTable {
    let mut table = TranspositionTable::new(0, 0).unwrap();
    table.set_policy(policy);
    table
}

#[test]
fn what_was_stored_is_found() {
    for policy in POLICIES {
        let mut table = TranspositionTable::new(1, 0).unwrap();
        table.set_policy(policy);
        assert_eq!(table.bytes(), 1 << 20);
        assert_eq!((table.probe(0, &mut ()), table.probe(1, &mut ())), (None, None));
        for number in 1..1000 {
            let stored = entry(number as i32 % 20, number as i32);
            table.store(key(number), &stored, &mut ());
            assert_eq!(table.probe(key(number), &mut ()), Some(stored));
        }
    }
}

#[test]
fn deep_entries_stay_until_they_are_old() {
    for (policy, stays, stays_when_old) in [
        (Policy::Always, false, false),
        (Policy::DepthPreferred, true, true),
        (Policy::AgeBased, false, false),
        (Policy::DepthAndAge, true, false),
        (Policy::ExactPreferred, true, false),
    ] {
        let mut table = table(policy);
        table.store(key(1), &entry(20, 1), &mut ());
        (2..100).for_each(|number| table.store(key(number), &entry(1, 2), &mut ()));
        assert_eq!(table.probe(key(1), &mut ()).is_some(), stays, "{policy:?}");
        (0..7).for_each(|_| table.next_generation());
        (200..300).for_each(|number| table.store(key(number), &entry(1, 2), &mut ()));
        assert_eq!(table.probe(key(1), &mut ()).is_some(), stays_when_old, "{policy:?}");
    }
}

#[test]
fn the_same_position_keeps_the_better_entry() {
    let table = table(Policy::default());
    table.store(7, &entry(20, 1), &mut ());
    table.store(7, &entry(2, 5), &mut ());
    assert_eq!(table.probe(7, &mut ()).map(|found| found.depth), Some(20));
    table.store(7, &entry(18, 5), &mut ());
    assert_eq!(table.probe(7, &mut ()).map(|found| found.depth), Some(18));
    table.store(7, &Entry { mv: None, ..entry(19, 6) }, &mut ());
    assert_eq!(table.probe(7, &mut ()).and_then(|found| found.mv), "7g7f".parse().ok());
    table.store(7, &Entry { bound: Some(Bound::Exact), ..entry(2, 5) }, &mut ());
    assert_eq!(table.probe(7, &mut ()).map(|found| found.depth), Some(2), "an exact score is worth more than depth");
    let mate = Entry { mv: "2g2f".parse().ok(), ..entry(Entry::MAX_DEPTH, 9) };
    table.store(7, &mate, &mut ());
    table.store(7, &entry(2, 5), &mut ());
    assert_eq!(table.probe(7, &mut ()), Some(mate), "a proved mate keeps its move");
}

#[test]
fn helpers_do_not_push_out_the_main_search() {
    let mut table = table(Policy::default());
    let mut counts = Counts::default();
    (1..=5).for_each(|number| table.store(number, &entry(1, 0), &mut ()));
    table.store(6, &helper(50), &mut counts);
    assert_eq!((counts.of(Event::RejectedHelper), counts.of(Event::Protected)), (1, 1));
    assert!(table.probe(6, &mut ()).is_none() && (1..=5).all(|number| table.probe(number, &mut ()).is_some()));
    // A main entry replaces any entry, a helper's too.
    table.store(7, &entry(2, 0), &mut counts);
    assert_eq!(counts.of(Event::Shallower), 1);
    table.next_generation();
    table.store(8, &helper(3), &mut counts);
    assert_eq!((counts.of(Event::Older), counts.of(Event::Protected)), (1, 1));
    // Four old main entries are replaced before the helper entry of this search.
    (9..=12).for_each(|number| table.store(number, &helper(2), &mut counts));
    assert!(table.probe(8, &mut ()).is_some());
    // Helper entries replace only helper entries among main entries of this search.
    (20..24).for_each(|number| table.store(number, &entry(9, 0), &mut counts));
    table.store(30, &helper(1), &mut counts);
    table.store(31, &helper(1), &mut counts);
    assert!((20..24).all(|number| table.probe(number, &mut ()).is_some()) && table.probe(31, &mut ()).is_some());
}

fn two_levels() -> TranspositionTable {
    TranspositionTable::with_buckets(1, 40).unwrap()
}

#[test]
fn entries_of_the_book_give_way_to_the_search() {
    for policy in POLICIES {
        let mut table = table(policy);
        let book = Entry { eval: None, source: Source::Book, ..entry(0, 30) };
        table.store(1, &book, &mut ());
        assert_eq!(table.probe(1, &mut ()), Some(book));
        // What a search finds out about the position replaces it, but for the move.
        table.store(1, &Entry { mv: None, ..helper(0) }, &mut ());
        assert_eq!(table.probe(1, &mut ()), Some(helper(0)));
        // In a bucket full of this search's main entries there is no room for one.
        (1..=5).for_each(|number| table.store(number, &entry(1, 0), &mut ()));
        table.store(6, &book, &mut ());
        assert_eq!(table.probe(6, &mut ()), None);
        table.next_generation();
        table.store(6, &book, &mut ());
        assert_eq!(table.probe(6, &mut ()).map(|found| found.source), Some(Source::Book));
    }
}

#[test]
fn the_second_level_gives_back_what_was_pushed_out() {
    let mut table = two_levels();
    let mut counts = Counts::default();
    for number in 1..=100 {
        table.store(key(number), &entry(number as i32 % 20, number as i32), &mut counts);
    }
    assert_eq!(counts.of(Event::SecondLevelStore), 95);
    table.next_generation();
    for number in 1..=100 {
        let found = table.probe(key(number), &mut counts).expect("in one of the levels");
        let stored = entry(number as i32 % 20, number as i32);
        assert_eq!((found.mv, found.score, found.depth), (stored.mv, stored.score, stored.depth));
        // The entry is back in the first level.
        let hits = counts.of(Event::Hit);
        assert_eq!(table.probe(key(number), &mut counts), Some(found));
        assert_eq!(counts.of(Event::Hit), hits + 1);
    }
    assert!(counts.of(Event::SecondLevelHit) >= 95);
    // It keeps its generation: a shallower result of this search replaces it.
    let old = key(19);
    assert_eq!(table.probe(old, &mut ()).map(|found| found.depth), Some(19));
    table.store(old, &entry(3, 0), &mut ());
    assert_eq!(table.probe(old, &mut ()).map(|found| found.depth), Some(3));
}

/// A second-level hit claims no more than what was stored for the same position.
#[test]
fn the_second_level_never_makes_things_up() {
    let mut table = two_levels();
    let mut stored: Vec<(u64, Entry)> = Vec::new();
    for number in 0..3000 {
        let bound = [Bound::Lower, Bound::Upper, Bound::Exact][number as usize % 3];
        let score = Score::raw((key(number) >> 40) as i32 % 64_000 - 32_000);
        let depth = (key(number) >> 32) as i32 % 130 - 3;
        let made = Entry { bound: Some(bound), score, ..entry(depth, 0) };
        table.store(key(number), &made, &mut ());
        stored.push((key(number), made));
        if number % 100 == 0 {
            table.next_generation();
        }
        let (asked, known) = stored[key(number + 7) as usize % stored.len()];
        let Some(found) = table.probe(asked, &mut ()) else { continue };
        let sound = match found.bound {
            Some(Bound::Lower) => known.bound != Some(Bound::Upper) && found.score <= known.score,
            Some(Bound::Upper) => known.bound == Some(Bound::Upper) && found.score >= known.score,
            Some(Bound::Exact) => known.bound == Some(Bound::Exact) && found.score == known.score,
            None => false,
        };
        assert!(sound && found.depth <= known.depth.max(Entry::DEPTH_UNSEARCHED) && found.mv == known.mv);
    }
}

#[test]
fn every_event_is_counted_once() {
    for policy in POLICIES {
        for second in [0, 1] {
            let mut table = TranspositionTable::new(0, second).unwrap();
            table.set_policy(policy);
            let mut counts = Counts::default();
            let rounds = 2000;
            for number in 0..rounds {
                let depth = number as i32 % 15;
                let stored = if number % 3 == 0 { entry(depth, 0) } else { helper(depth) };
                table.store(key(number % 40), &stored, &mut counts);
                table.probe(key(number * 7 % 40), &mut counts);
                if number % 200 == 0 {
                    table.next_generation();
                }
            }
            let inserted = counts.of(Event::SecondLevelHit);
            assert_eq!((counts.probes(), counts.stores()), (rounds, rounds + inserted), "{policy:?}");
            assert!([Event::Hit, Event::Same, Event::Older].iter().all(|&event| counts.of(event) > 0), "{policy:?}");
            assert_eq!((counts.of(Event::Free), counts.of(Event::Contended)), (5, 0));
            assert_eq!(counts.of(Event::SecondLevelHit) > 0, second > 0);
        }
    }
}

#[test]
fn clearing_forgets_everything() {
    let mut table = two_levels();
    (1..50).for_each(|number| table.store(key(number), &entry(3, 0), &mut ()));
    assert_eq!((table.fill(), table.hashfull()), (1000, 1000));
    table.next_generation();
    assert_eq!((table.fill(), table.hashfull()), (1000, 0));
    table.clear(&AtomicBool::new(false));
    assert!((1..50).all(|number| table.probe(key(number), &mut ()).is_none()));
    assert_eq!((table.fill(), table.hashfull()), (0, 0));
    let mut cache = EvalCache::new(0).unwrap();
    cache.store(key(1), 5, 0, &mut ());
    assert_eq!(cache.fill(), 200);
    cache.clear(&AtomicBool::new(false));
    assert_eq!((cache.probe(key(1), &mut ()), cache.fill()), (None, 0));
}

/// The evaluation of a key.
fn value_of(key: u64) -> i32 {
    (key >> 20) as i32 % 24_001 - 12_000
}

#[test]
fn evaluations_are_never_wrong() {
    for policy in POLICIES {
        for megabytes in [0, 1] {
            let mut cache = EvalCache::new(megabytes).unwrap();
            cache.set_policy(policy);
            let mut near = LocalEvalCache::new().unwrap();
            let mut counts = Counts::default();
            let mut computed = 0;
            for round in 0..20_000u64 {
                let key = key(round * round % 3001);
                let mut known = ThreadEvalCache::new(&mut near, &cache);
                let compute = || {
                    computed += 1;
                    value_of(key)
                };
                let value = known.value(key, round as i32 % 9, compute, &mut counts);
                assert_eq!(value, value_of(key));
                assert!(cache.probe(key, &mut ()).is_none_or(|value| value == value_of(key)));
            }
            assert_eq!((counts.probes(), counts.of(Event::Miss)), (20_000, computed));
            assert!(computed < 20_000 && counts.of(Event::LocalHit) > 0, "{policy:?}");
        }
    }
    // Values that do not fit are computed every time.
    let mut cache = EvalCache::new(0).unwrap();
    let mut near = LocalEvalCache::new().unwrap();
    for value in [40_000, -40_000, 32_767, -32_768, 1] {
        assert_eq!(ThreadEvalCache::new(&mut near, &cache).value(9, 0, || value, &mut ()), value);
        cache.clear(&AtomicBool::new(false));
        near.clear();
    }
}

#[test]
fn evaluations_are_found_by_the_whole_key() {
    let cache = EvalCache::new(0).unwrap();
    cache.store(1, 50, 0, &mut ());
    cache.store(1, -7, 3, &mut ());
    assert_eq!(cache.probe(1, &mut ()), Some(-7));
    // Other keys with the same half do not match.
    assert_eq!((cache.probe(1 | 1 << 32, &mut ()), cache.probe(1 << 32, &mut ())), (None, None));
}

#[test]
fn excessive_size_is_an_error() {
    for megabytes in [usize::MAX >> 20, usize::MAX] {
        assert!(TranspositionTable::new(megabytes, 0).is_err());
        assert!(TranspositionTable::new(1, megabytes).is_err());
        assert!(EvalCache::new(megabytes).is_err());
    }
}

#[test]
#[cfg(not(target_family = "wasm"))]
fn threads_never_read_torn_entries() {
    for second in [0, 1] {
        let table = TranspositionTable::new(0, second).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..20_000u64 {
                        // One bucket for many keys: constant contention.
                        let made = key((round * 7 + thread) % 64);
                        let depth = (round % 20) as i32;
                        table.store(
                            made,
                            &Entry { eval: Some(Score::cp(depth * 3 + 1)), ..entry(depth, depth * 3) },
                            &mut (),
                        );
                        if let Some(found) = table.probe(key(round % 64), &mut ()) {
                            assert_eq!(found.score.get(), found.depth * 3);
                            assert!(found.eval.is_none_or(|eval| eval == found.score + 1));
                        }
                    }
                });
            }
        });
    }
}

#[test]
#[cfg(not(target_family = "wasm"))]
fn shared_evaluations_are_correct() {
    for policy in POLICIES {
        let mut cache = EvalCache::new(0).unwrap();
        cache.set_policy(policy);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let cache = &cache;
                scope.spawn(move || {
                    let mut near = LocalEvalCache::new().unwrap();
                    for round in 0..10_000u64 {
                        let key = key((round * 5 + thread) % 50);
                        if round % 64 == 0 {
                            near.clear();
                        }
                        let mut known = ThreadEvalCache::new(&mut near, cache);
                        assert_eq!(known.value(key, round as i32 % 7, || value_of(key), &mut ()), value_of(key));
                    }
                });
            }
        });
    }
}
