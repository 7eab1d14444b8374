//! Self-play.

use super::helpers::{Folder, SHORT, numbers, play, play_games, read_games, tools};
use sabi_records::{EndReason, GameResult, read_file, sabg::StoredGame};

#[test]
fn deterministic_for_threads() {
    let folder = Folder::new();
    play(&folder.name("one.sabg"), "10..90", &["--threads", "1"]);
    let text = play(&folder.name("three.sabg"), "10..90", &["--threads", "3"]);
    assert!(text.contains("games 80, duplicates left out 0"), "{text}");
    assert!(folder.read("one.sabg") == folder.read("three.sabg"));
    assert_eq!(numbers(&read_games(&folder, "one.sabg")), (10..90).collect::<Vec<_>>());
    // Independent of previous games.
    play(&folder.name("alone.sabg"), "50..51", &[]);
    let (all, alone) = (read_games(&folder, "one.sabg"), read_games(&folder, "alone.sabg"));
    assert_eq!(alone.game(0), all.game(40));
}

#[test]
fn games_have_scores_and_are_valid() {
    let folder = Folder::new();
    let name = folder.name("games.sabg");
    play(&name, "0..40", &["--random-plies", "5"]);
    assert!(tools(&["check", &name]).contains("no faults"));
    let games = read_games(&folder, "games.sabg");
    for game in games.games() {
        assert!(game.scores[..5].iter().all(Option::is_none) && game.scores[5..].iter().all(Option::is_some));
        assert!(game.moves.len() <= 30 && game.result != GameResult::Unknown);
    }
    let ended = |game: StoredGame<'_>| game.end == EndReason::MaxMoves && game.moves.len() == 30;
    assert!(games.games().any(ended));
    // Valid for every record reader.
    assert_eq!(read_file(&name).filter(Result::is_ok).count(), 40);
}

#[test]
fn truncated_games_are_replayed() {
    let folder = Folder::new();
    let whole = folder.name("whole.sabg");
    play(&whole, "0..70", &[]);
    let bytes = folder.read("whole.sabg");
    for length in [0, 10, bytes.len() / 2, bytes.len() - 1] {
        let part = folder.with("part.sabg", &bytes[..length]);
        play(&part, "0..70", &["--threads", "2"]);
        assert!(folder.read("part.sabg") == bytes, "{length}");
    }
    let text = play(&whole, "0..70", &[]);
    assert!(text.contains("70 games in the file, 0 to play"), "{text}");
    assert!(folder.read("whole.sabg") == bytes);
}

#[test]
fn seeds_can_be_added() {
    let folder = Folder::new();
    let name = folder.name("games.sabg");
    for seeds in ["30..40", "0..10", "5..35"] {
        play(&name, seeds, &[]);
    }
    let mut found = numbers(&read_games(&folder, "games.sabg"));
    found.sort_unstable();
    assert_eq!(found, (0..40).collect::<Vec<_>>());
    play(&folder.name("all.sabg"), "0..40", &[]);
    let all = read_games(&folder, "all.sabg");
    for game in read_games(&folder, "games.sabg").games() {
        assert_eq!(Some(game), all.game(game.number as usize));
    }
}

#[test]
fn openings_from_file_without_duplicates() {
    let folder = Folder::new();
    let openings = folder.with("openings.sfen", "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 2g2f 8c8d\n");
    let name = folder.name("games.sabg");
    let arguments = ["--openings", &openings, "--opening-plies", "2", "--random-plies", "0"];
    let text = play(&name, "0..20", &arguments);
    assert!(text.contains("games 2, duplicates left out 18"), "{text}");
    let games = read_games(&folder, "games.sabg");
    let mut first: Vec<String> =
        games.games().map(|game| format!("{:?} {:?}", &game.moves[..2], &game.scores[..2])).collect();
    first.sort();
    assert_eq!(first, ["[2g2f, 8c8d] [None, None]", "[7g7f, 3c3d] [None, None]"]);
    // Duplicates are replayed and left out again.
    let text = play(&name, "0..20", &arguments);
    assert!(text.contains("2 games in the file, 18 to play or duplicates"), "{text}");
    assert!(text.contains("games 0, duplicates left out 18"), "{text}");
}

#[test]
fn opening_share_and_length() {
    let folder = Folder::new();
    let opening = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "6i7h", "4a3b"];
    let openings = folder.with("openings.sfen", format!("startpos moves {}\n", opening.join(" ")));
    let moves_before = |name: &str, more: &[&str]| -> Vec<usize> {
        play(&folder.name(name), "0..100", &[&["--openings", &openings, "--random-plies", "4"], more].concat());
        let games = read_games(&folder, name);
        let known = |game: StoredGame<'_>| game.scores.iter().take_while(|score| score.is_none()).count() - 4;
        games.games().map(known).collect()
    };
    let all = moves_before("all.sabg", &["--opening-plies", "2..6"]);
    assert!((2..=6).all(|plies| all.contains(&plies)) && all.iter().all(|plies| (2..=6).contains(plies)), "{all:?}");
    let part = moves_before("part.sabg", &["--opening-plies", "5", "--opening-share", "0.75"]);
    let with = part.iter().filter(|&&plies| plies == 5).count();
    let without = part.iter().filter(|&&plies| plies == 0).count();
    assert!(with + without == 100 && (60..90).contains(&with), "{part:?}");
    for (name, plies) in [("all.sabg", &all), ("part.sabg", &part)] {
        for (game, &plies) in read_games(&folder, name).games().zip(plies) {
            let first: Vec<String> = game.moves[..plies].iter().map(ToString::to_string).collect();
            assert_eq!(first, opening[..plies]);
        }
    }
    // Defaults given explicitly are equal to defaults: files of older versions can be continued.
    moves_before("plain.sabg", &["--opening-plies", "5"]);
    moves_before("same.sabg", &["--opening-plies", "5..5", "--opening-share", "1"]);
    assert!(
        folder.read("plain.sabg") == folder.read("same.sabg") && folder.read("plain.sabg") != folder.read("part.sabg")
    );
    let other = ["--openings", &openings, "--random-plies", "4", "--opening-plies", "4..5"];
    assert!(
        super::helpers::play_rejected(&folder.name("all.sabg"), "0..100", &[&SHORT, &other[..]].concat())
            .contains("plies")
    );
}

#[test]
fn short_games_start_where_the_search_does() {
    let folder = Folder::new();
    let moves = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b";
    let openings = folder.with("openings.sfen", format!("startpos moves {moves}\n"));
    let name = folder.name("short.sabg");
    play(&name, "0..30", &["--openings", &openings, "--random-plies", "2", "--searched-plies", "6"]);
    assert!(tools(&["check", &name]).contains("no faults"));
    let games = read_games(&folder, "short.sabg");
    for game in games.games() {
        assert_eq!((game.moves.len(), game.result, game.end), (6, GameResult::Unknown, EndReason::Aborted));
        assert!(game.scores.iter().all(Option::is_some));
    }
    for game in read_file(&name) {
        assert_eq!(game.unwrap().start.ply(), 11);
    }
    // The games are those that are played to the end otherwise.
    play(&folder.name("whole.sabg"), "0..30", &["--openings", &openings, "--random-plies", "2"]);
    for (game, whole) in games.games().zip(read_games(&folder, "whole.sabg").games()) {
        assert_eq!((game.moves, game.scores), (&whole.moves[10..16], &whole.scores[10..16]));
    }
}

#[test]
fn options_limit_depth_and_nodes() {
    let folder = Folder::new();
    let moves = |name: &str, more: &[&str]| {
        play_games(&folder.name(name), "0..20", &[&SHORT[2..], more].concat());
        read_games(&folder, name).games().flat_map(|game| game.moves.to_vec()).collect::<Vec<_>>()
    };
    let one_ply = ["--nodes", "2000", "--option", "DepthLimit=1"];
    let few_nodes = ["--nodes", "2000", "--option", "NodesLimit=200"];
    let shallow = moves("depth.sabg", &one_ply);
    assert_ne!(shallow, moves("nodes.sabg", &["--nodes", "2000"]));
    // A search of one ply ends before the nodes do.
    assert_eq!(shallow, moves("more.sabg", &["--nodes", "100000", "--option", "DepthLimit=1"]));
    assert_eq!(moves("few.sabg", &["--nodes", "200"]), moves("limit.sabg", &few_nodes));
    // The limits are settings of a file.
    for limit in [one_ply, few_nodes] {
        let error =
            super::helpers::play_rejected(&folder.name("nodes.sabg"), "0..30", &[&SHORT[2..], &limit[..]].concat());
        assert!(error.contains("made with other settings"), "{error}");
    }
}

#[test]
fn adjudication_options() {
    let folder = Folder::new();
    let ends = |name: &str, more: &[&str]| {
        play_games(&folder.name(name), "0..12", &[&["--nodes", "1", "--option", "USI_Hash=1"], more].concat());
        let games = read_games(&folder, name);
        let adjudicated = games.games().filter(|game| game.end == EndReason::Adjudication).count();
        (adjudicated, games.moves())
    };
    let (cut, moves) = ends("cut.sabg", &["--adjudicate-win", "300,2", "--adjudicate-draw", "never"]);
    let (never, more_moves) = ends("never.sabg", &["--adjudicate-win", "never", "--adjudicate-draw", "never"]);
    assert!(cut >= 10 && never == 0 && moves < more_moves, "{cut} {never} {moves} {more_moves}");
    let (draws, _) = ends("draws.sabg", &["--adjudicate-win", "never", "--adjudicate-draw", "20000,1,20"]);
    assert!(draws >= 10, "{draws}");
    for game in read_games(&folder, "draws.sabg").games().filter(|game| game.end == EndReason::Adjudication) {
        assert_eq!((game.result, game.moves.len()), (GameResult::Draw, 20));
    }
    // Plies of the game count, also where the opening is not stored.
    let more = ["--adjudicate-win", "never", "--adjudicate-draw", "20000,1,20", "--searched-plies", "16"];
    let (draws, _) = ends("short.sabg", &more);
    assert!(draws >= 10, "{draws}");
    for game in read_games(&folder, "short.sabg").games().filter(|game| game.end == EndReason::Adjudication) {
        assert_eq!((game.result, game.moves.len()), (GameResult::Draw, 12));
    }
}
