//! Concurrent lookups.

use super::support::{ALL_OPTIONS, Random, connected_book};
use sabi_books::{Shob, encode};

#[test]
fn concurrent_lookups_agree() {
    let book = connected_book(200, 60, &mut Random(9));
    let keys: Vec<u64> = book.keys().copied().collect();
    for options in ALL_OPTIONS {
        let file = Shob::new(encode(&book, options).unwrap()).unwrap();
        std::thread::scope(|scope| {
            for seed in 0..4 {
                let (file, book, keys) = (&file, &book, &keys);
                scope.spawn(move || {
                    let mut random = Random(seed);
                    for _ in 0..4000 {
                        let key = keys[random.below(keys.len())];
                        assert_eq!(file.lookup(key).unwrap().as_ref(), Some(&book[&key].moves));
                    }
                });
            }
        });
        let counts = file.cache_counts();
        assert_eq!(counts.hits + counts.misses, if options.compress { 16_000 } else { 0 });
    }
}
