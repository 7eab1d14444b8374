//! Book moves that are rejected: by rule, by option, by the game.

use sabi_shogi::Score as Value;

use super::*;

#[test]
fn book_moves_limit() {
    let shelf = Shelf::new();
    let third = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b -";
    let rows: [(&str, u32, &[&str]); 3] = [(START, 1, &["1g1f"]), (SECOND, 2, &["1c1d"]), (third, 3, &["9g9f"])];
    let mut engine = reader(&shelf.text("book.db", &rows), &[("BookMoves", "2")]);
    assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
    assert_eq!(best_of(&mut engine, "startpos moves 7g7f"), "1c1d");
    let line = rejection(&mut engine, "startpos moves 7g7f 3c3d");
    assert!(line.contains("9g9f") && line.contains("BookMoves"), "{line}");
    // The move number counts, also for a position given without moves.
    assert!(rejection(&mut engine, &format!("sfen {START} 3")).contains("BookMoves"));
    assert_unknown(&mut engine, "startpos moves 7g7f 3c3d 9g9f");
    engine.set("BookMoves", "3");
    assert_eq!(best_of(&mut engine, "startpos moves 7g7f 3c3d"), "9g9f");
    engine.set("BookMoves", "0");
    for _ in 0..2 {
        assert!(rejection(&mut engine, "startpos").contains("BookMoves"));
    }
}

#[test]
fn illegal_book_moves_are_skipped() {
    let shelf = Shelf::new();
    let wrong = ["7g7e", "3c3d", "P*5e", "8h2b+", "5e5d", "2g2f+", "5i5i"];
    let wrong = || wrong.iter().filter_map(|word| word.parse().ok()).map(|mv| BookMove::new(mv, 100));
    let path = shelf.shob("wrong.shob", vec![(START, wrong().collect())]);
    let mut engine = reader(&path, &[]);
    let line = rejection(&mut engine, "startpos");
    assert!(wrong().count() >= 6 && line.matches("illegal").count() == wrong().count(), "{line}");
    let moves = wrong().chain([weighted("1g1f", 1)]).collect();
    engine.set("BookFile", name(&shelf.shob("mixed.shob", vec![(START, moves)])));
    for selection in ["best", "weighted", "uniform"] {
        engine.set("BookSelection", selection);
        assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["1g1f"]);
    }
    // Illegal answers and lines are not shown; the client checks this.
    let mv = BookMove { answer: "7g7f".parse().ok(), ..weighted("7g7f", 1) };
    let second = vec![weighted("8h2b+", 9), weighted("8c8d", 1)];
    engine.set("BookFile", name(&shelf.shob("answer.shob", vec![(START, vec![mv]), (SECOND, second)])));
    let thought = from_book(&mut engine, "startpos");
    assert_eq!(thought.variations()[0].pv, ["7g7f", "8c8d"]);
}

#[test]
fn perpetual_check_book_move_is_skipped() {
    let shelf = Shelf::new();
    let root = "4k4/9/9/9/9/9/9/5R3/K8 b -";
    let mut engine = reader(&shelf.text("book.db", &[(root, 1, &["4h5h"])]), &[]);
    assert_eq!(best_of(&mut engine, &format!("sfen {root} 1")), "4h5h");
    let cycle = "4h5h 5a4a 5h4h 4a5a";
    let line = rejection(&mut engine, &format!("sfen {root} 1 moves {cycle} {cycle} {cycle}"));
    assert!(line.contains("4h5h") && line.contains("repetition"), "{line}");
}

/// Move, score and depth, weight.
type Row = (&'static str, Option<(i32, u16)>, u32);

#[test]
fn score_depth_and_weight_limits() {
    let shelf = Shelf::new();
    let check = |option: &str, rows: &[Row], limits: &[(&str, &str)]| {
        let moves = rows.iter().map(|&(mv, search, weight)| {
            let (score, depth) = search.unzip();
            BookMove { score: score.map(Value::cp), depth, ..weighted(mv, weight) }
        });
        let mut engine = reader(&shelf.shob(&format!("{option}.shob"), vec![(START, moves.collect())]), &[]);
        for (value, expected) in limits {
            engine.set(option, value);
            assert_eq!(candidates(&from_book(&mut engine, "startpos")).join(" "), *expected, "{option} {value}");
        }
    };
    let all = "2g2f 7g7f 5g5f 1g1f";
    check(
        "BookEvalDiff",
        &[("2g2f", Some((50, 1)), 1), ("7g7f", Some((20, 1)), 9), ("5g5f", Some((19, 1)), 9), ("1g1f", None, 1)],
        &[("30", "2g2f 7g7f 1g1f"), ("0", "2g2f 1g1f"), ("31", all), ("99999", all)],
    );
    check(
        "BookDepthLimit",
        &[("2g2f", Some((50, 15)), 1), ("7g7f", Some((40, 16)), 9), ("1g1f", None, 1)],
        &[("16", "7g7f 1g1f"), ("0", "2g2f 7g7f 1g1f")],
    );
    check(
        "NarrowBook",
        &[("2g2f", None, 80), ("7g7f", None, 11), ("5g5f", None, 9)],
        &[("true", "2g2f 7g7f"), ("false", "2g2f 7g7f 5g5f")],
    );
    check(
        "BookMinShare",
        &[("2g2f", None, 100), ("7g7f", None, 10), ("5g5f", None, 9)],
        &[("10", "2g2f 7g7f"), ("9", "2g2f 7g7f 5g5f"), ("11", "2g2f"), ("100", "2g2f")],
    );
}

#[test]
fn score_limit_by_side() {
    let shelf = Shelf::new();
    let first: [&str; 3] = ["2g2f none 5 1 1", "7g7f none 0 1 9", "5g5f none -1 1 9"];
    let second: [&str; 2] = ["8c8d none -140 1 1", "3c3d none -141 1 1"];
    let path = shelf.text("book.db", &[(START, 1, &first), (SECOND, 2, &second)]);
    let mut engine = Client::ready_with(&[("BookFile", name(&path))]);
    assert_eq!(candidates(&from_book(&mut engine, "startpos")).len(), 2);
    assert_eq!(candidates(&from_book(&mut engine, "startpos moves 7g7f")), ["8c8d"]);
    engine.set("BookEvalBlackLimit", "6");
    let line = rejection(&mut engine, "startpos");
    assert_eq!(line.matches("BookEvalBlackLimit").count(), 3, "{line}");
    engine.set("BookEvalBlackLimit", "-1");
    assert_eq!(candidates(&from_book(&mut engine, "startpos")).len(), 3);
}

#[test]
fn ignore_rate() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &FOUR)]);
    let mut engine = reader(&path, &[("BookIgnoreRate", "100")]);
    let line = rejection(&mut engine, "startpos");
    assert!(line.contains("BookIgnoreRate"), "{line}");
    engine.set("BookIgnoreRate", "50");
    engine.set("BookSeed", "4");
    let board = engine.position("startpos");
    let searched = |engine: &mut Client| !engine.go(&board, "depth 1").strings()[0].starts_with("book ");
    let count = (0..100).filter(|_| searched(&mut engine)).count();
    assert!((30..=70).contains(&count), "{count}");
}

#[test]
fn minimum_games_limit() {
    let shelf = Shelf::new();
    let moves = || vec![played("2g2f", 20, 5000), played("7g7f", 2, 5000), played("5g5f", 1, 5000)];
    let path = shelf.shob("book.shob", vec![(START, moves()), (SECOND, vec![weighted("8c8d", 1)])]);
    let mut engine = reader(&path, &[]);
    for (least, expected) in [("2", &["2g2f", "7g7f"][..]), ("3", &["2g2f"]), ("0", &["2g2f", "7g7f", "5g5f"])] {
        engine.set("BookMinGames", least);
        assert_eq!(candidates(&from_book(&mut engine, "startpos")), expected, "{least}");
    }
    engine.set("BookMinGames", "21");
    let line = rejection(&mut engine, "startpos");
    assert_eq!(line.matches("BookMinGames").count(), 3, "{line}");
    assert_eq!(best_of(&mut engine, "startpos moves 7g7f"), "8c8d", "its games are not known");
}

/// ShogiGUI writes such moves as known, but not to be played.
#[test]
fn weight_0_is_not_played() {
    let mut engine = reader(&fixture("samebook.sbk"), &[]);
    let line = rejection(&mut engine, "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 8e8f 8g8f");
    assert_eq!(line.matches(" weight 0").count(), 3, "{line}");
}

/// Rejected moves with reasons in one line; they do not affect the limits of the others.
#[test]
fn reject_reasons_are_reported() {
    let shelf = Shelf::new();
    let score = |cp| Some(Value::cp(cp));
    let moves = vec![
        BookMove { games: Some(1), score: score(90), ..weighted("2g2f", 100) },
        BookMove { games: Some(50), score: score(10), ..weighted("7g7f", 50) },
        BookMove { games: Some(50), ..weighted("5g5f", 9) },
        weighted("7g7e", 200),
    ];
    let mut engine = reader(&shelf.shob("book.shob", vec![(START, moves)]), &[("NarrowBook", "true")]);
    engine.set("BookMinGames", "60");
    let line = rejection(&mut engine, "startpos");
    for (mv, reason) in
        [("2g2f", "BookMinGames"), ("7g7f", "BookMinGames"), ("5g5f", "BookMinGames"), ("7g7e", "illegal")]
    {
        let said = line.split(", ").any(|part| part.contains(mv) && part.contains(reason));
        assert!(said, "{mv} {reason}: {line}");
    }
    engine.set("BookMinGames", "2");
    assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["7g7f", "5g5f"]);
    engine.set("BookMinGames", "0");
    assert_eq!(candidates(&from_book(&mut engine, "startpos")), ["2g2f"]);
}
