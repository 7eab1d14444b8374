//! Noting games beside the book.

use std::fs;
use std::path::PathBuf;

use sabi_records::read_list;
use sabi_test_support::Folder;

use super::client::{Client, ms};

const BOOK: &str = "#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f none none none 1
sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3
2g2f none none none 1
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2
8c8d none none none 1
";

/// A folder with a book and its noted games.
struct BookFolder(Folder);

impl BookFolder {
    fn new() -> Self {
        let folder = Folder::new();
        folder.with("book.db", BOOK);
        Self(folder)
    }

    fn list(&self) -> PathBuf {
        self.0.path("book.db.learn")
    }

    fn engine(&self) -> Client {
        self.engine_with(&[("BookLearning", "true")])
    }

    fn engine_with(&self, options: &[(&str, &str)]) -> Client {
        let book = self.0.name("book.db");
        Client::ready_with(&[&[("BookFile", &*book)], options].concat())
    }

    /// Noted games with their winners.
    fn noted(&self) -> Vec<String> {
        let Ok(file) = fs::File::open(self.list()) else { return Vec::new() };
        let games = read_list("list", file).map(|game| game.expect("a game"));
        games.map(|game| format!("{}: {}", game.result.name(), game.usi())).collect()
    }
}

/// Requests a move after these ones.
fn go(engine: &mut Client, moves: &str) -> String {
    ask(engine, moves, "depth 1")
}

fn ask(engine: &mut Client, moves: &str, limits: &str) -> String {
    engine.think(&format!("startpos moves {moves}"), limits).best().to_owned()
}

/// Ends the game, and waits for completion without messages.
fn game_over(engine: &mut Client, outcome: &str) {
    assert_eq!(engine.replies(&format!("gameover {outcome}")), [""; 0]);
}

#[test]
fn notes_game_up_to_last_book_move() {
    for (outcome, black, white) in [("win", "black", "white"), ("lose", "white", "black"), ("draw", "draw", "draw")] {
        let desk = BookFolder::new();
        let mut engine = desk.engine();
        engine.send("usinewgame");
        assert_eq!(go(&mut engine, ""), "7g7f");
        assert_eq!(go(&mut engine, "7g7f 3c3d"), "2g2f");
        go(&mut engine, "7g7f 3c3d 2g2f 8c8d");
        go(&mut engine, "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e");
        assert_eq!(desk.0.files(), ["book.db"], "too early");
        game_over(&mut engine, outcome);
        engine.send("usinewgame");
        assert_eq!(go(&mut engine, "2g2f"), "8c8d");
        go(&mut engine, "2g2f 8c8d 2f2e");
        game_over(&mut engine, outcome);
        let games = [format!("{black}: startpos moves 7g7f 3c3d 2g2f"), format!("{white}: startpos moves 2g2f 8c8d")];
        assert_eq!(desk.noted(), games);
        let text = fs::read_to_string(desk.list()).expect("a list");
        assert_eq!(text.lines().next(), Some(&*format!("{black}\t-\t-\t-\tunknown\tstartpos moves 7g7f 3c3d 2g2f")));
    }
}

#[test]
fn games_from_any_position() {
    let desk = BookFolder::new();
    let mut engine = desk.engine();
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2";
    assert_eq!(engine.think(&format!("sfen {sfen}"), "depth 1").best(), "8c8d");
    game_over(&mut engine, "win");
    assert_eq!(desk.noted(), [format!("white: sfen {sfen} moves 8c8d")]);
}

#[test]
fn game_without_book_move_is_not_noted() {
    let desk = BookFolder::new();
    let mut engine = desk.engine();
    go(&mut engine, "5g5f 5c5d");
    game_over(&mut engine, "lose");
    engine.position("startpos moves 7g7f");
    game_over(&mut engine, "lose");
    assert_eq!(desk.0.files(), ["book.db"]);
}

#[test]
fn noting_is_off_by_default() {
    let desk = BookFolder::new();
    let mut engine = desk.engine_with(&[]);
    assert_eq!(go(&mut engine, ""), "7g7f");
    game_over(&mut engine, "win");
    // Enabled during the game, but not at its end.
    engine.set("BookLearning", "true");
    assert_eq!(go(&mut engine, ""), "7g7f");
    engine.set("BookLearning", "false");
    game_over(&mut engine, "win");
    assert_eq!(desk.0.files(), ["book.db"]);
}

#[test]
fn game_without_result_is_not_noted() {
    let desk = BookFolder::new();
    let mut engine = desk.engine();
    assert_eq!(go(&mut engine, ""), "7g7f");
    engine.send("usinewgame");
    // Before the first move of the next game, and after it.
    game_over(&mut engine, "win");
    assert_eq!(go(&mut engine, ""), "7g7f");
    engine.send("usinewgame");
    go(&mut engine, "5g5f");
    game_over(&mut engine, "win");
    for word in ["", "abort", "WIN"] {
        assert_eq!(go(&mut engine, ""), "7g7f");
        game_over(&mut engine, word);
    }
    assert_eq!(desk.0.files(), ["book.db"]);
}

#[test]
fn result_counts_once() {
    let desk = BookFolder::new();
    let mut engine = desk.engine();
    assert_eq!(go(&mut engine, ""), "7g7f");
    game_over(&mut engine, "win");
    game_over(&mut engine, "lose");
    assert_eq!(desk.noted(), ["black: startpos moves 7g7f"]);
}

#[test]
fn unplayed_move_is_not_noted() {
    let desk = BookFolder::new();
    let mut engine = desk.engine();
    // Another one was played instead,
    assert_eq!(go(&mut engine, ""), "7g7f");
    go(&mut engine, "5g5f 5c5d");
    game_over(&mut engine, "win");
    // also where nothing was asked after it,
    assert_eq!(go(&mut engine, ""), "7g7f");
    engine.position("startpos moves 5g5f 5c5d");
    game_over(&mut engine, "win");
    // or the moves were taken back,
    assert_eq!(go(&mut engine, "7g7f 3c3d"), "2g2f");
    engine.position("startpos");
    game_over(&mut engine, "win");
    // or the same question was asked again, and answered otherwise.
    assert_eq!(go(&mut engine, ""), "7g7f");
    engine.set("USI_OwnBook", "false");
    go(&mut engine, "");
    game_over(&mut engine, "win");
    assert_eq!(desk.0.files(), ["book.db"]);
    // The moves before it stay.
    engine.set("USI_OwnBook", "true");
    assert_eq!(go(&mut engine, ""), "7g7f");
    assert_eq!(go(&mut engine, "7g7f 3c3d"), "2g2f");
    go(&mut engine, "7g7f 3c3d 5g5f 5c5d");
    game_over(&mut engine, "draw");
    assert_eq!(desk.noted(), ["draw: startpos moves 7g7f"]);
}

#[test]
fn self_play_is_not_noted() {
    let desk = BookFolder::new();
    let mut engine = desk.engine();
    assert_eq!(go(&mut engine, "2g2f"), "8c8d");
    desk.0.with("book.db", BOOK.replace("7g7f", "2g2f"));
    engine.sync();
    assert_eq!(go(&mut engine, ""), "2g2f");
    assert_eq!(go(&mut engine, "2g2f"), "8c8d");
    game_over(&mut engine, "win");
    assert_eq!(desk.0.files(), ["book.db"]);
}

#[test]
fn p01_analysis_and_ponder_are_not_noted() {
    let desk = BookFolder::new();
    let mut engine = desk.engine();
    for order in ["go infinite", "go ponder btime 60000 wtime 60000"] {
        let board = engine.position("startpos");
        engine.send_unanswered(order, ms(50));
        engine.stop(&board);
        game_over(&mut engine, "win");
    }
    assert_eq!(desk.0.files(), ["book.db"]);
    // The predicted reply was not played.
    assert_eq!(go(&mut engine, ""), "7g7f");
    let board = engine.position("startpos moves 7g7f 3c3d");
    engine.send_unanswered("go ponder btime 60000 wtime 60000", ms(50));
    engine.stop(&board);
    game_over(&mut engine, "lose");
    assert_eq!(desk.noted(), ["white: startpos moves 7g7f"]);
}

#[test]
fn p18_unwritable_list_is_reported_once() {
    let desk = BookFolder::new();
    let mut engine = desk.engine();
    fs::create_dir(desk.list()).expect("a folder in the way");
    let game = |engine: &mut Client| {
        assert_eq!(go(engine, ""), "7g7f");
        engine.replies("gameover win")
    };
    let reported = game(&mut engine);
    assert!(
        matches!(&*reported, [line] if line.starts_with("info string book learning: cannot append to ")),
        "{reported:?}"
    );
    assert_eq!(game(&mut engine), [""; 0]);
    // A new fault after success is reported again.
    fs::remove_dir(desk.list()).expect("a folder");
    assert_eq!(game(&mut engine), [""; 0]);
    assert_eq!(desk.noted(), ["black: startpos moves 7g7f"]);
    fs::remove_file(desk.list()).expect("a list");
    fs::create_dir(desk.list()).expect("a folder in the way");
    assert_eq!(game(&mut engine).len(), 1);
}

#[test]
fn game_is_noted_before_exit() {
    let desk = BookFolder::new();
    let mut engine = desk.engine();
    go(&mut engine, "");
    engine.send("gameover win");
    engine.quit_during_search();
    let mut engine = desk.engine();
    go(&mut engine, "");
    engine.send("gameover lose");
    engine.close_input();
    // Also during a search.
    let mut engine = desk.engine();
    go(&mut engine, "");
    engine.position("startpos moves 7g7f 8c8d");
    engine.send_bytes(b"go btime 60000 wtime 60000\ngameover draw\nquit\n");
    engine.quit_during_search();
    assert_eq!(desk.noted(), ["black", "white", "draw"].map(|result| format!("{result}: startpos moves 7g7f")));
}

#[test]
fn truncated_line_is_skipped() {
    let desk = BookFolder::new();
    desk.0.with(
        "book.db.learn",
        "black\t-\t-\t-\tunknown\tstartpos moves 7g7f\nblack\t-\t-\t-\tunknown\tstartpos moves 7g7f 3c3d",
    );
    let mut engine = desk.engine();
    go(&mut engine, "");
    game_over(&mut engine, "lose");
    drop(engine);
    let games = read_list("list", fs::File::open(desk.list()).expect("a list"));
    let results: Vec<_> = games.map(|game| game.map_or_else(|error| error.to_string(), |game| game.usi())).collect();
    assert_eq!(results, ["startpos moves 7g7f", "list:2: '<cut>' is not a move", "startpos moves 7g7f"]);
}

#[test]
fn engines_share_a_book() {
    const GAMES: usize = 40;
    let desk = BookFolder::new();
    let mut engines = [desk.engine(), desk.engine()];
    for engine in &mut engines {
        engine.send_bytes(b"position startpos\ngo\ngameover win\n".repeat(GAMES).as_slice());
    }
    for engine in engines {
        engine.quit_during_search();
    }
    assert_eq!(desk.noted(), vec!["black: startpos moves 7g7f"; 2 * GAMES]);
}
