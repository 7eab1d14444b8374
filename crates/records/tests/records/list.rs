//! Game lists in USI notation.

use super::samples::{end, moves, read_all, read_one, rejection};
use sabi_records::{EndReason, Game, GameResult, Headers, read_list};
use sabi_shogi::Position;

#[test]
fn game_spellings() {
    for line in [
        "startpos moves 7g7f 3c3d",
        "position startpos moves 7g7f 3c3d",
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f 3c3d",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - moves 7g7f 3c3d",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f 3c3d",
        "7g7f 3c3d ",
        "moves 7g7f 3c3d",
        "startpos moves 7g7f 3c3d # eval 30",
        "startpos moves 7g7f 3c3d\tremark",
        "some+name+2026\t7g7f 3c3d",
        "unknown\t-\t-\t-\t-\tstartpos moves 7g7f 3c3d",
    ] {
        for name in ["a.usi", "a.txt"] {
            let game = read_one(name, line);
            assert_eq!(game.usi(), "startpos moves 7g7f 3c3d", "{line}");
            assert_eq!(end(&game), ("unknown", "unknown"), "{line}");
        }
    }
}

#[test]
fn list_columns() {
    let game = read_one("games.usi", "white\t1729\t1987.5\tsource\tillegal\tstartpos moves 7g7f");
    assert_eq!(end(&game), ("white", "illegal"));
    assert_eq!(game.headers.ratings, [Some(1729.0), Some(1987.5)]);
    assert_eq!(game.headers.event.as_deref(), Some("source"));
    let game = read_one("games.usi", "draw\t-\tnan\t-\tsomething\tstartpos moves 7g7f");
    assert_eq!((end(&game), game.headers.ratings), (("draw", "unknown"), [None, None]));
    assert_eq!(end(&read_one("games.usi", "black\t-\t-\t-\tresign?\tstartpos moves 7g7f")), ("black", "resign"));
}

#[test]
fn list_round_trips() {
    let handicap = Position::from_sfen("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 7").unwrap();
    let games = [
        Game { result: GameResult::BlackWins, end: EndReason::Timeout, ..Game::before(&Position::startpos()) },
        Game {
            result: GameResult::Draw,
            headers: Headers {
                ratings: [Some(1500.25), None],
                event: Some("a\tb\nc".to_owned()),
                ..Headers::default()
            },
            ..Game::before(&Position::startpos().with_moves(["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]).unwrap())
        },
        Game { end: EndReason::Aborted, ..Game::before(&handicap.with_moves(["3c3d", "7g7f"]).unwrap()) },
    ];
    let text: String = games.iter().map(|game| game.list_line() + "\n").collect();
    let read: Vec<Game> = read_list("any name", std::io::Cursor::new(text)).map(Result::unwrap).collect();
    assert_eq!(read.len(), games.len());
    for (number, (read, game)) in read.iter().zip(&games).enumerate() {
        assert_eq!((read.start.sfen(), &read.moves), (game.start.sfen(), &game.moves));
        assert_eq!(
            (read.result, read.end, read.headers.ratings, read.line),
            (game.result, game.end, game.headers.ratings, number + 1)
        );
        assert_eq!((read.moves.len(), read.times.len()), (game.times.len(), game.moves.len()));
    }
    assert_eq!(read[1].headers.event.as_deref(), Some("a b c"));
    assert_eq!(games.each_ref().map(|game| game.moves.len()), [0, 5, 2]);
}

/// As Notepad saves it.
#[test]
fn list_in_utf_16() {
    let text = "\u{feff}錆\t7g7f\r\nstartpos moves 2g2f\r\n";
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for name in ["a.usi", "a.txt"] {
        let games = read_all(name, &bytes);
        let played: Vec<String> = games.iter().map(|game| moves(game.as_ref().unwrap())).collect();
        assert_eq!(played, ["7g7f", "2g2f"], "{name}");
    }
}

#[test]
fn bad_line_is_skipped() {
    let text =
        "# games\n\nstartpos moves 7g7f\nstartpos moves 7g7e 3c3d\nstartpos moves 7g7f x\nhello\nstartpos moves 2g2f\n";
    let games = read_all("a.usi", text);
    let reported: Vec<String> = games
        .iter()
        .map(|game| game.as_ref().map_or_else(Clone::clone, |game| format!("{} {}", game.line, moves(game))))
        .collect();
    assert_eq!(
        reported,
        [
            "3 7g7f",
            "a.usi:4: move 1 '7g7e' is illegal: the piece does not move like that",
            "a.usi:5: 'x' is not a move",
            "a.usi:6: 'hello' is not a statement of this format",
            "7 2g2f",
        ]
    );
}

#[test]
fn end_words() {
    assert_eq!(end(&read_one("a.usi", "startpos moves 7g7f resign")), ("black", "resign"));
    // The others as ShogiHome writes them.
    for (word, expected) in [
        ("win", ("white", "declaration")),
        ("timeout", ("black", "timeout")),
        ("rep_draw", ("draw", "sennichite")),
        ("draw", ("draw", "unknown")),
        ("break", ("unknown", "aborted")),
    ] {
        assert_eq!(end(&read_one("a.usi", format!("position startpos moves 7g7f {word}"))), expected, "{word}");
    }
    assert_eq!(
        rejection("a.usi", "startpos moves 7g7f resign 3c3d"),
        "a.usi:1: unexpected '3c3d' after the end of the game"
    );
}

#[test]
fn position_without_moves() {
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    for line in [sfen.to_owned(), format!("sfen {sfen}"), format!("position sfen {sfen} moves")] {
        let game = read_one("a.sfen", &line);
        assert_eq!((game.start.sfen().as_str(), game.moves.len()), (sfen, 0), "{line}");
    }
    assert_eq!(read_one("a.sfen", format!("{sfen} moves G*5b")).result.name(), "black");
    assert_eq!(
        rejection("a.sfen", "sfen 9/9 b - 1"),
        "a.sfen:1: the start position is wrong: the board has 2 ranks instead of 9"
    );
}
