//! Writing and reading games.

use super::samples::{end, moves, read_all, read_one};
use sabi_records::{Branch, Clock, EndReason, Game, GameResult, Notation, file_content, read_file};
use sabi_shogi::{Color, Position, Score};
use std::path::Path;
use std::time::Duration;

const ALL: [(Notation, &str); 3] = [(Notation::Csa, "a.csa"), (Notation::Kif, "a.kif"), (Notation::UsiList, "a.usi")];

fn game(start: &str, moves: &str, result: GameResult, end: EndReason) -> Game {
    let start = if start.is_empty() { Position::startpos() } else { Position::from_sfen(start).unwrap() };
    let played = start.with_moves(moves.split_whitespace()).unwrap();
    Game { result, end, ..Game::before(&played) }
}

fn written(notation: Notation, games: &[Game]) -> String {
    let games: Vec<_> = games.iter().map(|game| notation.write(game) + "\n").collect();
    games.join(notation.separator())
}

/// The position without the move number, which CSA and KIF do not store.
fn placed(position: &Position) -> String {
    position.sfen().rsplit_once(' ').unwrap().0.to_owned()
}

#[test]
fn end_reasons_round_trip() {
    use EndReason::*;
    use GameResult::{BlackWins, Draw, WhiteWins};
    let mate = "7g7f 3c3d 8h2b+ 8b4b 2b3a 4b3b 3a3b 5a6b B*4d 6b7b 3b4a";
    let cycle = "2h3h 8b7b 3h2h 7b8b ".repeat(3);
    let checks = "5a4a 5i4i 4a5a 4i5i ".repeat(3);
    let checking = "4k4/9/9/9/9/9/9/9/K3R4 w - 1";
    for (start, line, result, reason) in [
        ("", "7g7f 3c3d", WhiteWins, Resign),
        ("", "7g7f", BlackWins, Resign),
        ("", "", WhiteWins, Resign),
        ("", mate, BlackWins, Resign),
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", BlackWins, Checkmate),
        ("", "7g7f 3c3d", WhiteWins, Timeout),
        ("", "7g7f 3c3d", WhiteWins, Illegal),
        ("", "7g7f", BlackWins, Illegal),
        ("", "7g7f 3c3d", BlackWins, Illegal),
        ("", cycle.as_str(), Draw, Repetition),
        (checking, checks.as_str(), WhiteWins, Repetition),
        ("", "7g7f 3c3d", BlackWins, Declaration),
        ("", "7g7f", WhiteWins, Declaration),
        ("", "7g7f", Draw, Impasse),
        ("", "7g7f", Draw, MaxMoves),
        ("", "7g7f", BlackWins, Aborted),
        ("", "7g7f", WhiteWins, Aborted),
        ("", "7g7f", BlackWins, Adjudication),
        ("", "7g7f", WhiteWins, Adjudication),
        ("", "7g7f", Draw, Adjudication),
        ("", "7g7f", Draw, Unknown),
        ("", "7g7f", WhiteWins, Unknown),
        ("", "7g7f", GameResult::Unknown, Aborted),
        ("", "7g7f", GameResult::Unknown, Unknown),
    ] {
        let game = game(start, line, result, reason);
        for (notation, name) in ALL {
            let text = written(notation, std::slice::from_ref(&game));
            let read = read_one(name, &text);
            assert_eq!(end(&read), (result.name(), reason.name()), "{text}");
            assert_eq!((placed(&read.start), moves(&read)), (placed(&game.start), moves(&game)), "{text}");
            assert_eq!(notation.complete_len(&text), text.len());
            let foul = ["ILLEGAL", "反則"].iter().any(|word| text.contains(word));
            assert!(!foul || matches!(reason, Illegal | Repetition), "{text}");
        }
    }
}

#[test]
fn start_positions_round_trip() {
    for sfen in [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
        "4k4/9/9/9/9/9/9/9/4K4 w r2b3gs4n4l10pRGS8P 33",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "+l+n+s1k4/+p+b+r6/9/9/9/9/9/9/+L+N+S1K4 b 2P 1",
        "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    ] {
        for (notation, name) in ALL {
            let game = game(sfen, "", GameResult::Unknown, EndReason::Aborted);
            let text = written(notation, std::slice::from_ref(&game));
            assert_eq!(placed(&read_one(name, &text).start), placed(&game.start), "{text}");
        }
    }
}

#[test]
fn handicaps_are_named() {
    let text = |sfen: &str| Notation::Kif.write(&game(sfen, "", GameResult::WhiteWins, EndReason::Unknown));
    let two = text("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    assert!(two.contains("手合割：二枚落ち\n") && two.contains("まで0手で上手の勝ち"), "{two}");
    let even = text("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    assert!(even.contains("手合割：平手\n") && even.contains("まで0手で後手の勝ち"), "{even}");
    // 三枚落ち and 五枚落ち: programs differ, or read an even game.
    for ranks in ["lnsgkgsn1", "2sgkgsn1"] {
        let text = text(&format!("{ranks}/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"));
        assert!(
            !text.contains("手合割") && text.contains("後手の持駒：") && text.contains("まで0手で上手の勝ち"),
            "{text}"
        );
        assert_eq!(read_one("a.kif", &text).start.side_to_move(), Color::White, "{text}");
    }
}

/// Kifu for JS rejects a file whose result line is none of these.
#[test]
fn final_sentences_are_known_to_readers() {
    use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
    let known = [
        "先手の勝ち",
        "後手の勝ち",
        "時間切れにより先手の勝ち",
        "時間切れにより後手の勝ち",
        "中断",
        "持将棋",
        "千日手",
    ];
    for end in EndReason::ALL {
        for result in [BlackWins, WhiteWins, Draw, Unknown] {
            let text = Notation::Kif.write(&game("", "7g7f 3c3d", result, end));
            let sentence = text.lines().find_map(|line| line.strip_prefix("まで2手で"));
            assert!(sentence.is_none_or(|sentence| known.contains(&sentence)), "{text}");
            assert_eq!(
                sentence.is_some_and(|sentence| sentence.ends_with("の勝ち")),
                result.winner().is_some(),
                "{text}"
            );
        }
    }
}

/// Kifu for JS rejects version 3.0, so that only what needs it is written as such.
#[test]
fn csa_version_by_content() {
    let version = |game: &Game| Notation::Csa.write(game).lines().nth(1).map(str::to_owned);
    let mut plain = game("", "7g7f 3c3d", GameResult::WhiteWins, EndReason::Resign);
    plain.times = [75_000, 0].map(|ms| Some(Duration::from_millis(ms))).to_vec();
    assert_eq!(version(&plain).as_deref(), Some("V2.2"));
    let mut fraction = plain.clone();
    fraction.times[1] = Some(Duration::from_millis(1_028));
    let mut clock = plain.clone();
    clock.headers.clocks[0] = Some(Clock::default());
    let longest = game("", "7g7f", GameResult::Draw, EndReason::MaxMoves);
    for game in [fraction, clock, longest] {
        assert_eq!(version(&game).as_deref(), Some("V3.0"));
    }
}

/// There is nothing in whose place the moves could be played.
#[test]
fn no_branch_after_the_last_move_without_an_end() {
    let branch = Branch { after: 2, moves: vec!["2g2f".parse().unwrap()], comment: Vec::new() };
    for (end, result, has_branch) in
        [(EndReason::Unknown, GameResult::Unknown, false), (EndReason::Resign, GameResult::WhiteWins, true)]
    {
        let text = Notation::Kif.write_with(&game("", "7g7f 3c3d", result, end), std::slice::from_ref(&branch));
        assert_eq!(text.contains("変化：3手"), has_branch, "{text}");
    }
}

/// A `.kif` is Shift_JIS, unless it holds other characters.
#[test]
fn encoding_of_kif_files() {
    let mut game = game("", "7g7f", GameResult::BlackWins, EndReason::Resign);
    let content = |name: &str, game: &Game| file_content(Path::new(name), Notation::Kif.write(game));
    game.headers.names[0] = Some("錆".to_owned());
    assert!(content("a.kif", &game).starts_with(b"#KIF version=2.0 encoding=Shift_JIS\n"));
    assert!(String::from_utf8(content("a.KIF", &game)).is_err());
    assert_eq!(content("a.kifu", &game), Notation::Kif.write(&game).into_bytes());
    assert_eq!(read_one("a.kif", content("a.kif", &game)).headers.names, game.headers.names);
    game.headers.names[0] = Some("🦀".to_owned());
    assert_eq!(content("a.kif", &game), Notation::Kif.write(&game).into_bytes());
}

/// These moves of Black against a king that moves to and fro.
fn king_shuffle(moves: &str) -> String {
    moves
        .split(' ')
        .zip(["1i1h", "1h1i"].into_iter().cycle())
        .map(|(black, white)| format!("{black} {white} "))
        .collect()
}

/// NonPromotions, drops, recaptures, and every promoted piece.
#[test]
fn moves_round_trip() {
    let line = "7g7f 3c3d 8h2b+ 3a2b B*4e 2b3c 4e3d 3c3d 2g2f B*5e";
    let promoted = "9/9/PLNSBR3/9/9/9/9/9/K7k b - 1";
    for game in [
        game("", line, GameResult::Unknown, EndReason::Aborted),
        game(
            promoted,
            &king_shuffle("9c9b+ 8c8b+ 7c6a+ 6c6b+ 5c4b+ 4c4d+ 9b9c 8b8c 6a7a 6b5b 4b5c 4d4e"),
            GameResult::Unknown,
            EndReason::Aborted,
        ),
        game(
            promoted,
            &king_shuffle("6c5b 7c8a+ 5b6a+ 8c8b 5c6b 4c5c 6a5a 8a9a 8b8a+ 5c5d+"),
            GameResult::Unknown,
            EndReason::Aborted,
        ),
    ] {
        for (notation, name) in ALL {
            let text = written(notation, std::slice::from_ref(&game));
            assert_eq!(moves(&read_one(name, &text)), moves(&game), "{text}");
        }
    }
}

#[test]
fn headers_and_times_round_trip() {
    let mut game = game("", "7g7f 3c3d 2g2f 8c8d", GameResult::BlackWins, EndReason::Resign);
    game.headers.names = [Some("Sabi 0.1 (A)".to_owned()), Some("錆：二号".to_owned())];
    game.headers.event = Some("match 1a2b game 3 A-B1".to_owned());
    game.headers.date = Some("2026/11/21 12:00:00".to_owned());
    game.times = [Some(75_000), Some(0), None, Some(3_661_000)].map(|ms| ms.map(Duration::from_millis)).to_vec();
    for (notation, name) in &ALL[..2] {
        let read = read_one(name, written(*notation, std::slice::from_ref(&game)));
        assert_eq!(
            (&read.headers.names, &read.headers.event, &read.headers.date),
            (&game.headers.names, &game.headers.event, &game.headers.date)
        );
        assert_eq!(read.times, game.times);
    }
    assert_eq!(read_one("a.usi", written(Notation::UsiList, &[game.clone()])).headers.event, game.headers.event);
    // CSA stores milliseconds and ratings.
    game.times[1] = Some(Duration::from_millis(1_028));
    game.headers.ratings = [Some(1500.5), None];
    let read = read_one("a.csa", written(Notation::Csa, std::slice::from_ref(&game)));
    assert_eq!((read.times, read.headers.ratings), (game.times, game.headers.ratings));
}

#[test]
fn scores_are_comments() {
    let mut game = game("", "7g7f 3c3d 2g2f 8c8d", GameResult::BlackWins, EndReason::Resign);
    game.scores = vec![Some(Score::cp(31)), Some(Score::cp(-7)), None, Some(Score::MAX_NON_MATE)];
    let text = Notation::Csa.write(&game);
    assert!(text.contains("+7776FU\n'** 31\n-3334FU\n'** -7\n"), "{text}");
    let text = Notation::Kif.write(&game);
    assert!(text.contains("７六歩(77)\n**評価値=31\n   2 ３四歩(33)\n**評価値=-7\n   3"), "{text}");
    for (notation, name) in &ALL[..2] {
        assert_eq!(read_one(name, notation.write(&game)).scores, game.scores);
    }
    // KIF distinguishes mates from large scores.
    game.scores =
        vec![Some(Score::mate_in(7)), Some(Score::mated_in(4)), Some(Score::MATE_IN_MAX_PLY), Some(-Score::MATE)];
    let text = Notation::Kif.write(&game);
    assert!(text.contains("\n**詰み=先手勝ち:7手\n") && text.contains("\n**詰み=後手勝ち:4手\n"), "{text}");
    assert_eq!(read_one("a.kif", text).scores, game.scores);
}

/// A comment that is nothing but the score of its move is no second line of the score.
#[test]
fn comment_of_the_score_alone_round_trips() {
    let read = |text: &str| read_one("a.csa", text);
    let game = read("V2.2\nPI\n+\n+7776FU\n'** 2\n'** 2\n-3334FU\n");
    let said = |game: &Game| (game.scores[0], game.comments_at(1).to_vec());
    assert_eq!(said(&game), (Some(Score::cp(2)), vec!["* 2".to_owned()]));
    let again = read(&written(Notation::Csa, std::slice::from_ref(&game)));
    assert_eq!(said(&again), said(&game));
}

#[test]
fn time_controls_round_trip() {
    let clock = |main: u64, byoyomi: u64, increment: u64| {
        let [main, byoyomi, increment] = [main, byoyomi, increment].map(Duration::from_millis);
        Some(Clock { main, byoyomi, increment })
    };
    let mut game = game("", "7g7f", GameResult::BlackWins, EndReason::Resign);
    for (clocks, csa, kif) in [
        ([clock(10_000, 0, 100); 2], "\n$TIME:10+0+0.1\n", "\n持ち時間：10秒+0.1秒追加\n"),
        ([clock(900_000, 30_000, 0); 2], "\n$TIME:900+30+0\n", "\n持ち時間：15分+30秒\n"),
        (
            [clock(60_000, 0, 0), clock(0, 500, 0)],
            "\n$TIME+:60+0+0\n$TIME-:0+0.5+0\n",
            "\n先手持ち時間：1分\n後手持ち時間：0分+0.5秒\n",
        ),
        ([None, clock(60_000, 0, 0)], "\n$TIME-:60+0+0\n", "\n後手持ち時間：1分\n"),
        ([None, None], "", ""),
    ] {
        game.headers.clocks = clocks;
        for ((notation, name), wanted) in ALL.into_iter().zip([csa, kif]) {
            let text = notation.write(&game);
            assert!(text.contains(wanted), "{text}");
            assert_eq!(read_one(name, text).headers.clocks, clocks);
        }
    }
}

/// Names cannot inject lines or change the result.
#[test]
fn names_cannot_inject_lines() {
    for names in [["a\n%TORYO", "b"], ["x", "x"], ["a:b win", "c lose"], ["", " "], ["投了", "+7776FU"]] {
        for result in [GameResult::BlackWins, GameResult::WhiteWins] {
            let mut game = game("", "7g7f", result, EndReason::Timeout);
            game.headers.names = names.map(|name| Some(name.to_owned()));
            game.headers.event = Some("a\r\n1 投了\n".to_owned());
            for (notation, name) in ALL {
                let text = written(notation, std::slice::from_ref(&game));
                let read = read_one(name, &text);
                assert_eq!((read.result, read.end), (result, EndReason::Timeout), "{text}");
                assert_eq!(read.moves.len(), 1);
            }
        }
    }
}

#[test]
fn concatenated_games() {
    let games = [
        game("", "7g7f 3c3d", GameResult::WhiteWins, EndReason::Resign),
        game("", "", GameResult::WhiteWins, EndReason::Aborted),
        game("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", GameResult::BlackWins, EndReason::Checkmate),
    ];
    for (notation, name) in ALL {
        let text = written(notation, &games);
        let read: Vec<Game> = read_all(name, &text).into_iter().map(Result::unwrap).collect();
        assert_eq!(read.len(), 3, "{text}");
        for (read, game) in read.iter().zip(&games) {
            assert_eq!((moves(read), end(read)), (moves(game), end(game)));
        }
        // Truncated anywhere in the last game, the others are complete.
        let two = written(notation, &games[..2]).len();
        // The separator belongs to the game before it.
        let separated = two + notation.separator().len();
        for cut in (two..text.len()).filter(|&cut| text.is_char_boundary(cut)) {
            let whole = if cut < separated { two } else { separated };
            assert_eq!(notation.complete_len(&text[..cut]), whole, "{name} {cut}");
        }
    }
}

#[test]
fn notation_by_extension() {
    for (name, notation) in [
        ("a.csa", Some(Notation::Csa)),
        ("a.KIF", Some(Notation::Kif)),
        ("a.kifu", Some(Notation::Kif)),
        ("a.usi", Some(Notation::UsiList)),
        ("a.sfen", Some(Notation::UsiList)),
        ("a.ki2", None),
        ("a", None),
    ] {
        assert_eq!(Notation::of_path(Path::new(name)), notation, "{name}");
    }
}

/// All fixture games round-trip in every notation.
#[test]
fn real_games_round_trip() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/records");
    let games: Vec<Game> = sabi_records::read_tree(folder).filter_map(Result::ok).collect();
    assert!(games.len() > 5, "{} games", games.len());
    for game in games {
        let line = game.list_line();
        assert_eq!(read_one("list.usi", &line).list_line(), line);
        for (notation, name) in ALL {
            let text = written(notation, std::slice::from_ref(&game));
            let read = read_one(name, &text);
            assert_eq!((placed(&read.start), moves(&read)), (placed(&game.start), moves(&game)), "{text}");
            let reported = game.result != GameResult::Unknown && game.end != EndReason::Unknown;
            assert!(!reported || end(&read) == end(&game), "{:?} {text}", end(&game));
            assert!(Color::ALL.iter().all(|&color| notation == Notation::UsiList
                || read.headers.names[color].as_deref() == game.headers.names[color].as_deref().map(str::trim)));
        }
    }
    assert!(read_file("no such file.csa").next().is_some_and(|game| game.is_err()));
}

/// Two branches of a three-move game; they and the comments do not become moves.
#[test]
fn comments_and_branches() {
    let mut game = game("", "7g7f 3c3d 2g2f", GameResult::BlackWins, EndReason::Resign);
    let line = |moves: &str| moves.split(' ').map(|mv| mv.parse().unwrap()).collect();
    game.comments = vec![vec!["first".to_owned()], vec![], vec!["#評価値=30".to_owned(), "two\nlines".to_owned()]];
    let branches = [
        Branch { after: 0, moves: line("2g2f 8c8d"), comment: Vec::new() },
        Branch { after: 2, moves: line("8h2b+ 3a2b"), comment: vec!["better".to_owned()] },
    ];
    let kif = Notation::Kif.write_with(&game, &branches);
    let (_, body) = kif.split_once("消費時間--\n").unwrap();
    let expected = "*first\n   1 ７六歩(77)+\n   2 ３四歩(33)\n*#評価値=30\n*two lines\n   3 ２六歩(27)+\n   4 投了\n\
                    まで3手で先手の勝ち\n\n変化：3手\n   3 ２二角成(88)\n*better\n   4 同　銀(31)\n\n変化：1手\n   1 ２六歩(27)\n   \
                    2 ８四歩(83)\n";
    assert_eq!(body, expected);
    let csa = Notation::Csa.write_with(&game, &branches);
    let (_, body) = csa.split_once("PI\n+\n").unwrap();
    assert!(body.starts_with("'*first\n+7776FU\n-3334FU\n'*#評価値=30\n'*two lines\n+2726FU\n%TORYO\n"), "{body}");
    for (name, text) in [("a.kif", kif), ("a.csa", csa)] {
        let read = read_one(name, text);
        assert_eq!((moves(&read), end(&read)), (moves(&game), end(&game)), "{name}");
        let comments = ["first", "", "#評価値=30\ntwo lines"].map(|lines| lines.lines().collect::<Vec<_>>());
        assert_eq!(read.comments, comments, "{name}");
    }
}
