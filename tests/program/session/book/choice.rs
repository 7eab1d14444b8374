//! The choice between book moves: seed, weights, statistics.

use sabi_shogi::Score;

use super::*;

#[test]
fn win_rates_have_a_prior_of_draws() {
    let shelf = Shelf::new();
    let moves = vec![played("2g2f", 1000, 5400), played("7g7f", 3, 10_000), played("5g5f", 900, 4000)];
    let mut engine = reader(&shelf.shob("book.shob", vec![(START, moves)]), &[]);
    let thought = from_book(&mut engine, "startpos");
    assert_eq!(candidates(&thought), ["7g7f", "2g2f", "5g5f"].map(str::to_owned), "{:?}", thought.strings());
    let moves = vec![played("7g7f", 2, 10_000), played("2g2f", 1000, 6000)];
    let mut engine = reader(&shelf.shob("other.shob", vec![(START, moves)]), &[]);
    let thought = from_book(&mut engine, "startpos");
    assert_eq!(thought.best(), "2g2f");
    assert_eq!(thought.strings(), ["book 2g2f weight 1000 of 1002 games 1000 wins 60.0% from other.shob"]);
}

/// Games vary by default; the moves are common and good.
#[test]
fn default_options_vary() {
    let shelf = Shelf::new();
    let scored = |(mv, weight, cp)| BookMove { score: Some(Score::cp(cp)), ..weighted(mv, weight) };
    let moves = [("2g2f", 100, 50), ("7g7f", 90, 45), ("1g1f", 3, 49), ("5g5f", 80, 10)].map(scored).to_vec();
    let path = shelf.shob("book.shob", vec![(START, moves)]);
    let mut engine = Client::ready_with(&[("BookFile", name(&path)), ("BookSeed", "2")]);
    let played: Vec<_> = (0..40).map(|_| best_of(&mut engine, "startpos")).collect();
    let counts = counts(&played);
    assert!(counts.len() == 2 && counts["2g2f"] > 8 && counts["7g7f"] > 8, "{counts:?}");
    engine.set("BookMinShare", "0");
    let rows: [&str; 4] = ["2g2f none 50 1 100", "7g7f none 45 1 90", "1g1f none 49 1 3", "5g5f none 10 1 80"];
    let counted = shelf.text("book.db", &[(START, 1, &rows)]);
    // The counts of a YaneuraOu book are its weights only on demand.
    for (book, selection, by_count, is_uniform) in [
        (&path, "weighted", "false", false),
        (&path, "uniform", "true", true),
        (&counted, "weighted", "true", false),
        (&counted, "weighted", "false", true),
        (&counted, "uniform", "true", true),
    ] {
        engine.set("BookFile", name(book));
        engine.set("BookSelection", selection);
        engine.set("ConsiderBookMoveCount", by_count);
        let played: Vec<_> = (0..60).map(|_| best_of(&mut engine, "startpos")).collect();
        let rare = played.iter().filter(|mv| *mv == "1g1f").count();
        assert_eq!(rare > 8, is_uniform, "{selection}: {played:?}");
    }
    // Clients send options in the order of the list: the second name changes nothing.
    engine.set("BookSelection", "best");
    for by_count in ["true", "false"] {
        engine.set("ConsiderBookMoveCount", by_count);
        assert!((0..20).all(|_| best_of(&mut engine, "startpos") == "2g2f"), "{by_count}");
    }
}
/// Book moves of a new engine, repeated.
fn sequence(path: &Path, selection: &str, seed: &str, count: usize) -> Vec<String> {
    let options = [("BookSelection", selection), ("ConsiderBookMoveCount", "true"), ("BookSeed", seed)];
    let mut engine = reader(path, &options);
    (0..count).map(|_| best_of(&mut engine, "startpos")).collect()
}

#[test]
fn seed_repeats_the_choice() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &FOUR)]);
    for selection in ["weighted", "uniform"] {
        let first = sequence(&path, selection, "7", 20);
        assert_eq!(sequence(&path, selection, "7", 20), first, "{selection}");
        assert_ne!(sequence(&path, selection, "8", 20), first, "{selection}");
        assert!(counts(&first).len() > 1, "{selection}: {first:?}");
        // Random by weight; fails with probability 2^-74.
        let free = sequence(&path, selection, "0", 40);
        assert_ne!(sequence(&path, selection, "0", 40), free, "{selection}");
    }
    assert_eq!(counts(&sequence(&path, "best", "7", 20)), HashMap::from([("2g2f", 20)]));
}

/// Another seed restarts the sequence, the same seed does not.
#[test]
fn seed_changes_at_any_time() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &FOUR)]);
    let expected = sequence(&path, "uniform", "7", 20);
    let mut engine = reader(&path, &[("BookSelection", "uniform"), ("BookSeed", "8")]);
    best_of(&mut engine, "startpos");
    engine.set("BookSeed", "7");
    for (turn, expected) in expected.iter().enumerate() {
        if turn == 10 {
            engine.set("BookSeed", "7");
            engine.send("usinewgame");
            engine.sync();
        }
        assert_eq!(best_of(&mut engine, "startpos"), *expected, "{turn}");
    }
}
