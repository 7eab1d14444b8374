//! All thread interleavings of a bucket, as far as `loom` models them.

#[path = "../../src/table/bucket.rs"]
#[expect(dead_code, reason = "the tables use more of it")]
mod bucket;

use bucket::{Bucket, Word, Words};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering, fence};
use loom::thread;

impl Word for AtomicU32 {
    fn load(&self, order: Ordering) -> u32 {
        self.load(order)
    }

    fn store(&self, value: u32, order: Ordering) {
        self.store(value, order);
    }

    fn replace(&self, old: u32, new: u32, order: Ordering) -> bool {
        self.compare_exchange(old, new, order, Ordering::Relaxed).is_ok()
    }

    fn fence(order: Ordering) {
        fence(order);
    }
}

type Pair = (u32, u32);

fn write(bucket: &Bucket<AtomicU32>, number: u32) -> bool {
    bucket
        .write(|held| {
            held.set(0, number);
            held.set(1, number);
        })
        .is_some()
}

fn pair(words: &Words<'_, AtomicU32>) -> Pair {
    (words.get(0), words.get(1))
}

/// One thread writes twice while another reads.
fn write_and_read(read: fn(&Bucket<AtomicU32>) -> Option<Pair>) {
    loom::model(move || {
        let bucket: Arc<Bucket<AtomicU32>> = Arc::default();
        let writer = thread::spawn({
            let bucket = Arc::clone(&bucket);
            move || assert!(write(&bucket, 1) && write(&bucket, 2))
        });
        if let Some((first, second)) = read(&bucket) {
            assert_eq!(first, second);
        }
        writer.join().unwrap();
        assert_eq!(bucket.read(pair), Some((2, 2)));
    });
}

#[test]
fn readers_see_whole_entries() {
    write_and_read(|bucket| bucket.read(pair));
}

#[test]
#[should_panic(expected = "left == right")]
fn unchecked_readers_see_torn_entries() {
    write_and_read(|bucket| {
        let mut seen = None;
        // Whether a write interfered is said after the copy, and not heard here.
        bucket.read(|words| seen = Some(pair(words)));
        seen
    });
}

#[test]
fn writers_exclude_each_other() {
    loom::model(|| {
        let bucket: Arc<Bucket<AtomicU32>> = Arc::default();
        let writers = [1, 2].map(|number| {
            let bucket = Arc::clone(&bucket);
            thread::spawn(move || write(&bucket, number))
        });
        let written = writers.map(|writer| writer.join().unwrap());
        assert!(written.contains(&true));
        let (first, second) = bucket.read(pair).expect("it is not held");
        assert!(first == second && written[first as usize - 1]);
    });
}
