//! `data_tools`.

use super::helpers::{
    Folder, TOOLS, game, numbers, play, play_games, read_games, rejected, tools, tools_rejected, tools_with_warnings,
    write_games,
};
use sabi::eval::nnue::{Network, Parameters};
use sabi_files::crc32;
use sabi_records::{
    EndReason, Game, GameResult, PackedFormat, TrainingPosition, read_file, read_positions, sabg::StoredGame,
};
use sabi_shogi::{Position, Score};
use std::collections::HashSet;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;

const KP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../nets/kp.bin");

/// The network with the scale of the labels.
fn kp_network() -> Network {
    Network::new(&Parameters::read(Path::new(KP)).unwrap()).unwrap().with_measured_scale()
}

/// Start, moves, result and end reason of every game of a file.
fn reported(folder: &Folder, name: &str) -> Vec<String> {
    let games = read_file(folder.path(name)).map(Result::unwrap);
    games.map(|game| format!("{} {:?} {:?}", game.usi(), game.result, game.end)).collect()
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort();
    items
}

#[test]
fn count() {
    let folder = Folder::new();
    let games = [
        game("7g7f 3c3d 2g2f 4c4d", GameResult::BlackWins, EndReason::Resign),
        game("2g2f 8c8d", GameResult::WhiteWins, EndReason::Resign),
        game("2g2f 8c8d", GameResult::Draw, EndReason::MaxMoves),
    ];
    let text = tools(&["count", &write_games(&folder, "games.sabg", &games)]);
    for line in [
        "games       3",
        "duplicates  1",
        "moves       8, 2.7 a game, at most 4",
        "positions   8 with a score",
        "result      draw: 1 (33.3 %)",
        "end         resign: 2 (66.7 %)",
        "score       below 50: 8 (100.0 %)",
        "score       decided: 0 (0.0 %)",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    play(&folder.name("played.sabg"), "0..3", &[]);
    assert!(tools(&["count", &folder.name("played.sabg")]).contains("nodes: 1\n"));
}

#[test]
fn merge_removes_duplicates() {
    let folder = Folder::new();
    let [first, second, all] = ["first.sabg", "second.sabg", "all.sabg"].map(|name| folder.name(name));
    play(&first, "0..30", &[]);
    play(&second, "20..50", &[]);
    play(&all, "0..50", &[]);
    let merged = folder.name("merged.sabg");
    let text = tools(&["merge", &first, &second, "--output", &merged]);
    assert!(text.contains("60 games read, 50 kept, 10 left out as duplicates"), "{text}");
    assert_eq!(reported(&folder, "merged.sabg"), reported(&folder, "all.sabg"));
    // The settings are equal, so that more games can be added.
    assert!(play(&merged, "0..51", &[]).contains("50 games in the file, 1 to play"));
    // An output may be an input.
    let odd = write_games(&folder, "odd.sabg", &[game("7g7f", GameResult::Draw, EndReason::MaxMoves)]);
    tools(&["merge", &first, &odd, "--output", &first]);
    assert_eq!(read_games(&folder, "first.sabg").len(), 31);
    assert!(tools(&["count", &first]).starts_with("from several files with different settings"));
}

/// Only one input is open at a time: a process may open about a thousand files.
#[cfg(unix)]
#[test]
fn more_inputs_than_open_files() {
    let folder = Folder::new();
    let first = write_games(&folder, "0.sabg", &[game("7g7f", GameResult::Draw, EndReason::MaxMoves)]);
    let script = r#"ulimit -n 16; exec "$0" merge "$@""#;
    let inputs = vec![first; 40];
    let merged = folder.name("merged.sabg");
    let output = Command::new("sh").args(["-c", script, TOOLS]).args(inputs).args(["--output", &merged]).output();
    let output = output.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("40 games read, 1 kept"), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn salvages_damaged_file() {
    let folder = Folder::new();
    let name = folder.name("games.sabg");
    play(&name, "0..130", &[]);
    let mut bytes = folder.read("games.sabg");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let damaged = folder.with("damaged.sabg", &bytes);
    let saved = folder.name("saved.sabg");
    let text = tools_with_warnings(&["merge", &damaged, "--output", &saved]);
    assert!(text.contains("66 games read, 66 kept"), "{text}");
    assert!(text.contains("1 damaged blocks of games") && text.contains("a block with 64 games"), "{text}");
    assert!(tools(&["check", &saved]).contains("no faults"));
    // Missing games are replayed.
    play(&saved, "0..130", &[]);
    assert_eq!(sorted(reported(&folder, "saved.sabg")), sorted(reported(&folder, "games.sabg")));
}

#[test]
fn shuffles_games_by_seed() {
    let folder = Folder::new();
    let name = folder.name("games.sabg");
    play(&name, "0..80", &[]);
    let shuffle = |output: &str, more: &[&str]| {
        let text = tools(&[&["shuffle", &name, "--output", &folder.name(output)], more].concat());
        assert!(text.contains("80 games shuffled"), "{text}");
        numbers(&read_games(&folder, output))
    };
    let first = shuffle("a.sabg", &["--seed", "7", "--buckets", "5"]);
    assert_eq!(sorted(first.clone()), (0..80).collect::<Vec<_>>());
    assert_ne!(first, sorted(first.clone()));
    assert_eq!(first, shuffle("b.sabg", &["--seed", "7", "--buckets", "5"]));
    assert!(folder.read("a.sabg") == folder.read("b.sabg"));
    assert_ne!(first, shuffle("c.sabg", &["--seed", "8", "--buckets", "5"]));
    assert_eq!(shuffle("d.sabg", &[]), shuffle("e.sabg", &["--buckets", "1"]));
    assert_eq!(sorted(reported(&folder, "a.sabg")), sorted(reported(&folder, "games.sabg")));
    assert_eq!(folder.files().len(), 6, "nothing else is left behind: {:?}", folder.files());
}

#[test]
fn shuffles_positions() {
    let folder = Folder::new();
    let name = folder.name("games.sabg");
    play(&name, "0..40", &[]);
    for (format, extension) in [(PackedFormat::Psv, "psv"), (PackedFormat::Hcpe, "hcpe")] {
        let [plain, shuffled, again] =
            ["plain", "shuffled", "again"].map(|name| folder.name(&format!("{name}.{extension}")));
        tools(&["convert", &name, "--output", &plain]);
        tools(&["shuffle", &name, "--output", &shuffled, "--buckets", "4"]);
        tools(&["shuffle", &plain, "--output", &again, "--buckets", "4"]);
        let records = |path: &str| -> Vec<Vec<u8>> {
            std::fs::read(path).unwrap().chunks(format.record_bytes()).map(<[u8]>::to_vec).collect()
        };
        assert_ne!(records(&plain), records(&shuffled));
        assert_eq!(sorted(records(&plain)), sorted(records(&shuffled)));
        // Equal from games and from records.
        assert_eq!(records(&shuffled), records(&again));
    }
}

#[test]
fn positions_round_trip() {
    let folder = Folder::new();
    let name = folder.name("games.sabg");
    play(&name, "0..40", &[]);
    let known: Vec<TrainingPosition> = read_file(&name)
        .flat_map(|game| game.unwrap().training_positions().collect::<Vec<_>>())
        .filter(|known| known.score.is_some())
        .collect();
    for extension in ["psv", "hcpe"] {
        let packed = folder.name(&format!("games.{extension}"));
        let text = tools(&["convert", &name, "--output", &packed]);
        assert!(text.contains(&format!("40 games, {} positions written, 320 left out", known.len())), "{text}");
        let read: Vec<TrainingPosition> = read_positions(&packed).unwrap().map(Result::unwrap).collect();
        assert_eq!(read.len(), known.len());
        for (read, known) in read.iter().zip(&known) {
            assert_eq!(read.position.key(), known.position.key());
            assert_eq!((read.mv, read.score, read.result), (known.mv, known.score, known.result));
        }
        let back = format!("back-{extension}.sabg");
        tools(&["convert", &packed, "--output", &folder.name(&back)]);
        assert!(tools(&["check", &folder.name(&back)]).contains(&format!("40 games, {} positions", known.len())));
        let (games, back) = (read_games(&folder, "games.sabg"), read_games(&folder, &back));
        for (game, back) in games.games().zip(back.games()) {
            assert_eq!((&game.moves[8..], &game.scores[8..], game.result), (back.moves, back.scores, back.result));
        }
    }
}

/// Not every position without one of the kings fits into 32 bytes.
#[test]
fn only_written_games_are_counted() {
    let folder = Folder::new();
    let (kingless, whole) = ("sfen 4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", "startpos moves 7g7f 3c3d");
    let list = folder.with("games.usi", format!("{kingless} moves G*5b\n{whole}\n{kingless}\n"));
    let text = tools(&["convert", &list, "--output", &folder.name("games.sabg")]);
    assert!(text.contains("1 games, 2 positions written, 1 left out"), "{text}");
    let list = folder.with("kingless.usi", format!("{kingless}\n"));
    let rejected = tools_rejected(&["convert", &list, "--output", &folder.name("none.sabg")]);
    assert!(rejected.contains("nothing to write"), "{rejected}");
    assert!(!folder.path("none.sabg").exists());
}

#[test]
fn converts_all_formats() {
    let folder = Folder::new();
    let games = [
        game("7g7f 3c3d 2g2f 4c4d", GameResult::BlackWins, EndReason::Resign),
        game("2g2f 8c8d", GameResult::Draw, EndReason::Adjudication),
        game("2g2f 8c8d 2f2e", GameResult::BlackWins, EndReason::Adjudication),
    ];
    let name = write_games(&folder, "games.sabg", &games);
    for extension in ["csa", "kif", "usi"] {
        let (text, back) = (format!("games.{extension}"), format!("{extension}.sabg"));
        tools(&["convert", &name, "--output", &folder.name(&text)]);
        tools(&["convert", &folder.name(&text), "--output", &folder.name(&back)]);
        let (there, here) = (reported(&folder, "games.sabg"), reported(&folder, &back));
        assert_eq!(there, here, "{extension}");
    }
    // A `.kif` is Shift_JIS, a `.kifu` UTF-8.
    assert!(std::fs::read(folder.path("games.kif")).unwrap().starts_with(b"#KIF version=2.0 encoding=Shift_JIS\n"));
    tools(&["convert", &name, "--output", &folder.name("games.kifu")]);
    assert!(std::fs::read_to_string(folder.path("games.kifu")).unwrap().matches("encoding=UTF-8\n").count() == 3);
    // CSA keeps scores.
    assert_eq!(
        read_games(&folder, "csa.sabg").game(0).unwrap().scores,
        read_games(&folder, "games.sabg").game(0).unwrap().scores
    );
}

/// The number of a game decides whether it is in the training or in the validation set.
#[test]
fn compact_output_keeps_numbers() {
    let folder = Folder::new();
    let name = folder.name("games.sabg");
    play(&name, "7..10", &[]);
    tools(&["convert", &name, "--output", &folder.name("again.sabg")]);
    let numbers = |name: &str| read_games(&folder, name).games().map(|game| game.number).collect::<Vec<_>>();
    assert_eq!((numbers("games.sabg"), numbers("again.sabg")), (vec![7, 8, 9], vec![7, 8, 9]));
}

#[test]
fn folder_output_has_one_file_per_game() {
    let folder = Folder::new();
    let games = [
        game("7g7f 3c3d 2g2f 4c4d", GameResult::BlackWins, EndReason::Resign),
        game("2g2f 8c8d", GameResult::BlackWins, EndReason::Adjudication),
    ];
    let name = write_games(&folder, "games.sabg", &games);
    for (format, extension) in [("csa", "csa"), ("kif", "kifu")] {
        let to = format!("{}/", folder.name(format));
        let text = tools(&["convert", &name, "--output", &to, "--format", format]);
        assert_eq!(text, "2 games written to 2 files\n");
        for (number, game) in games.iter().enumerate() {
            let path = folder.path(format).join(format!("{:06}.{extension}", number + 1));
            let read: Vec<_> = sabi_records::read_file(&path).collect::<Result<_, _>>().unwrap();
            assert_eq!(read.len(), 1);
            assert_eq!((&read[0].moves, read[0].result), (&game.moves, game.result));
            let text = std::fs::read_to_string(path).unwrap();
            assert!(!text.lines().any(|line| line == "/") && !text.contains("ILLEGAL"), "{text}");
        }
        // An output is not read as an input.
        let reported = rejected(TOOLS, &["convert", &to, "--output", &to, "--format", format]);
        assert!(reported.contains("is an input too"), "{reported}");
        // Nothing is written before a file that cannot be replaced.
        let [first, second] = [1, 2].map(|number| folder.path(format).join(format!("{number:06}.{extension}")));
        let before = std::fs::read(&first).unwrap();
        std::fs::write(&second, "notes").unwrap();
        let turned: Vec<Game> = games.iter().rev().cloned().collect();
        let other = write_games(&folder, "turned.sabg", &turned);
        let reported = rejected(TOOLS, &["convert", &other, "--output", &to, "--format", format]);
        assert!(reported.contains(&format!("000002.{extension}")), "{reported}");
        assert_eq!(std::fs::read(&first).unwrap(), before);
    }
    let reported = rejected(TOOLS, &["convert", &name, "--output", &folder.name("a.csa"), "--format", "csa"]);
    assert!(reported.contains("--format is for folders"), "{reported}");
}

#[test]
fn convert_reports_lines_left_out() {
    let folder = Folder::new();
    let name = folder.with("a.csa", "hello\nPI\n+\n+7776FU\n%NEWS\n/\nPI\n+\n+2726FU\n%TORYO\n");
    let reported = tools_with_warnings(&["convert", &name, "--output", &folder.name("a.usi")]);
    let expected = format!(
        "2 games, 2 positions written, 0 left out\nwarning: {name}: 2 lines are not understood and were left out: 1 'hello', 5 '%NEWS'\n"
    );
    assert_eq!(reported, expected);
    assert_eq!(read_file(folder.path("a.usi")).count(), 2);
}

#[test]
fn labels_are_static_evals() {
    let folder = Folder::new();
    let [games, output] = ["games.sabg", "labelled.sabg"].map(|name| folder.name(name));
    play_games(&games, "0..20", &["--nodes", "30", "--option", "USI_Hash=1"]);
    let text = tools(&["label", &games, "--network", KP, "--output", &output]);
    let network = kp_network();
    let (before, after) = (read_games(&folder, "games.sabg"), read_games(&folder, "labelled.sabg"));
    let (mut labels, mut others) = (0, 0);
    for (before, after) in before.games().zip(after.games()) {
        assert_eq!(StoredGame { scores: before.scores, ..after }, before);
        let mut scores = after.scores.iter();
        let replayed = before.replay(|position, _, score| {
            let label = score.filter(|score| !position.in_check() && !score.is_mate());
            let expected = label.map(|_| Score::eval(network.evaluate(position))).or(score);
            assert_eq!(*scores.next().unwrap(), expected, "{}", position.sfen());
            labels += usize::from(label.is_some());
            others += usize::from(score.is_some() && label.is_none());
        });
        replayed.unwrap();
    }
    assert!(labels > 500 && others > 50, "{labels} {others}");
    assert_eq!(text, format!("20 games, {labels} scores replaced\n"));
    let settings = tools(&["count", &output]);
    assert!(settings.contains(&format!("labels: {:08x}\n", crc32(&std::fs::read(KP).unwrap()))), "{settings}");

    // Nothing is written without a network, nor over the games that are read.
    let written = folder.read("labelled.sabg");
    let message = tools_rejected(&["label", &games, "--network", &games, "--output", &output]);
    assert!(message.contains("cannot read the network"), "{message}");
    assert!(folder.read("labelled.sabg") == written);
    let message = tools_rejected(&["label", &games, "--network", KP, "--output", &games]);
    assert!(message.contains("input"), "{message}");
    // A game with an illegal move is left out.
    let illegal = Game {
        moves: vec!["7g7d".parse().unwrap()],
        scores: vec![None],
        ..game("", GameResult::Draw, EndReason::MaxMoves)
    };
    let odd = write_games(&folder, "odd.sabg", &[illegal, game("7g7f 3c3d", GameResult::Draw, EndReason::MaxMoves)]);
    let text = tools_with_warnings(&["label", &odd, "--network", KP, "--output", &output]);
    assert!(text.starts_with("1 games, 2 scores replaced\n") && text.contains("odd.sabg:1"), "{text}");
}

#[test]
fn positions_of_search_trees_have_static_evals() {
    let folder = Folder::new();
    let [games, output] = ["games.sabg", "trees.sabg"].map(|name| folder.name(name));
    play_games(&games, "0..4", &["--nodes", "30", "--option", "USI_Hash=1"]);
    let draw = |more: &[&str]| {
        let fixed = ["search-tree", &games, "--network", KP, "--output", &output, "--nodes", "60", "--positions", "3"];
        let text = tools(&[&fixed, more].concat());
        (text, folder.read("trees.sabg"))
    };
    let (text, written) = draw(&["--share", "0.5", "--threads", "2"]);
    let network = kp_network();
    let (mut played, mut numbers) = (HashSet::new(), HashSet::new());
    for game in read_games(&folder, "games.sabg").games() {
        numbers.insert(game.number);
        game.replay(|position, _, _| _ = played.insert(position.key())).unwrap();
    }
    let (mut drawn, mut in_games) = (0, 0);
    for game in read_games(&folder, "trees.sabg").games() {
        drawn += 1;
        assert_eq!((game.moves.len(), game.result), (1, GameResult::Unknown));
        // In training it belongs to the set of its game.
        assert!(numbers.contains(&game.number), "{}", game.number);
        let replayed = game.replay(|position, mv, score| {
            assert_eq!(score, Some(Score::eval(network.evaluate(position))), "{}", position.sfen());
            assert!(!position.in_check() && !position.is_tactical(mv), "{} {mv}", position.sfen());
            in_games += usize::from(played.contains(&position.key()));
        });
        replayed.unwrap();
    }
    // Half of the positions, three from each; most are off the played line.
    assert!(drawn > played.len() && drawn < 2 * played.len() && in_games < drawn / 4, "{drawn} {in_games}");
    assert_eq!(text, format!("4 games, {drawn} positions drawn\n"));

    // The seed alone decides what is drawn, not the number of threads.
    assert!(draw(&["--share", "0.5", "--threads", "1"]).1 == written);
    assert!(draw(&["--share", "0.5", "--threads", "1", "--seed", "2"]).1 != written);
    let before = folder.read("trees.sabg");
    for (wrong, expected) in [("0", "nothing to write"), ("1.5", "from 0 to 1")] {
        let fixed = ["search-tree", &games, "--network", KP, "--output", &output, "--share", wrong];
        let message = tools_rejected(&fixed);
        assert!(message.contains(expected), "{message}");
    }
    assert!(folder.read("trees.sabg") == before);
}

#[test]
fn pv_ends_have_scores_of_their_games() {
    let folder = Folder::new();
    let [games, output] = ["games.sabg", "trees.sabg"].map(|name| folder.name(name));
    play_games(&games, "0..3", &["--nodes", "300", "--option", "USI_Hash=1"]);
    let draw = |more: &[&str]| {
        let fixed = ["search-tree", &games, "--network", KP, "--output", &output, "--nodes", "60", "--positions", "2"];
        tools(&[&fixed, more].concat());
        let mut drawn = Vec::new();
        for game in read_games(&folder, "trees.sabg").games() {
            let replayed = game.replay(|position, mv, score| {
                assert!(!position.in_check() && !position.is_tactical(mv), "{} {mv}", position.sfen());
                drawn.push((position.sfen(), score.unwrap().get()));
            });
            replayed.unwrap();
        }
        drawn
    };
    let without = draw(&[]);
    let mut ends = draw(&["--pv-ends"]);
    for position in &without {
        ends.remove(ends.iter().position(|other| other == position).expect("the other positions stay"));
    }
    let (mut searched, mut scores) = (0, HashSet::new());
    for game in read_games(&folder, "games.sabg").games() {
        game.replay(|_, _, score| {
            searched += usize::from(score.is_some());
            scores.extend(score.map(|score| score.get().abs()));
        })
        .unwrap();
    }
    assert!(ends.len() > searched / 3 && ends.len() < searched, "{} of {searched}", ends.len());
    let network = kp_network();
    let is_eval = |(sfen, score): &&(String, i32)| {
        let position = Position::from_sfen(sfen).unwrap();
        Score::eval(network.evaluate(&position)).get() == *score
    };
    assert!(ends.iter().all(|(_, score)| score.abs() <= 2000 && scores.contains(&score.abs())), "{ends:?}");
    assert!(ends.iter().filter(is_eval).count() < ends.len() / 4, "{ends:?}");
}

/// A pipe without a writer would block for ever.
#[cfg(unix)]
#[test]
fn no_labels_from_a_pipe() {
    let folder = Folder::new();
    let pipe = folder.name("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let games = write_games(&folder, "games.sabg", &[game("7g7f", GameResult::Draw, EndReason::MaxMoves)]);
    let message = tools_rejected(&["label", &games, "--network", &pipe, "--output", &folder.name("out.sabg")]);
    assert!(message.contains("this is not a file"), "{message}");
}
