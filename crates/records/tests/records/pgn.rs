//! PGN for shogi.

use super::samples::{end, moves, read_all, read_one, rejection};

#[test]
fn tags() {
    let text = "[Event \"Cup \\\"A\\\"\"]\n[Site \"?\"]\n[Date \"2026.01.02\"]\n[White \"sente\"]\n[Black \"gote\"]\n\
                [WhiteElo \"3108\"]\n[BlackElo \"?\"]\n[Result \"0-1\"]\n\n1. Pc3c4 Pg7g6 0-1\n";
    for name in ["a.pgn", "a.txt"] {
        let game = read_one(name, text);
        assert_eq!(game.headers.names.each_ref().map(Option::as_deref), [Some("sente"), Some("gote")]);
        assert_eq!(game.headers.ratings, [Some(3108.0), None]);
        assert_eq!(
            (game.headers.event.as_deref(), game.headers.date.as_deref()),
            (Some("Cup \"A\""), Some("2026.01.02"))
        );
        assert_eq!((end(&game), moves(&game).as_str()), (("white", "resign"), "7g7f 3c3d"));
        assert_eq!((game.times.len(), game.scores.len(), game.line), (2, 2, 1));
    }
    let game =
        read_one("a.pgn", "[Event \"?\"]\n[Date \"????.??.??\"]\n[White \"a\"]\n[Unheard of]\n[Result \"*\"]\n\n*\n");
    assert_eq!((game.headers.event, game.headers.date, game.result.name()), (None, None, "unknown"));
}

#[test]
fn byte_order_mark() {
    let text = "\u{feff}[Event \"Cup\"]\n[White \"a\"]\n\n1. Pc3c4 *\n";
    for name in ["a.pgn", "a.txt"] {
        let game = read_one(name, text);
        assert_eq!((game.headers.event.as_deref(), moves(&game).as_str()), (Some("Cup"), "7g7f"));
    }
}

#[test]
fn annotated_moves() {
    for text in [
        "1. Pc3c4 Pg7g6 2. Bb2h8+ Sg9h8 3. B@e5 *",
        "1.Pc3c4 Pg7g6 2.Bb2h8+ Sg9h8 3.B@e5",
        "1. Pc3c4 $1 {a comment\nover lines} 1... Pg7g6 ; to the end\n% not read\n2. Bb2h8+ (2. Ph3h4 (2. Pa3a4) Ph7h6) Sg9h8 3. B@e5",
    ] {
        assert_eq!(moves(&read_one("a.pgn", text)), "7g7f 3c3d 8h2b+ 3a2b B*5e", "{text}");
    }
}

#[test]
fn promoted_knight_spellings() {
    let start = "[SFEN \"4k4/9/2+N6/9/9/9/9/9/4K4 b - 1\"]\n[White \"a\"]\n\n";
    for text in ["+Kc7d8", "+Nc7d8"] {
        assert_eq!(moves(&read_one("a.pgn", format!("{start}{text}"))), "7c6b");
    }
    for (text, reported) in [
        ("Nc7d8", "a.pgn:4: move 1 'Nc7d8' moves +N, which is another piece"),
        ("+Sc7d8", "a.pgn:4: move 1 '+Sc7d8' moves +N, which is another piece"),
        ("Kc7d8", "a.pgn:4: move 1 'Kc7d8' moves +N, which is another piece"),
    ] {
        assert_eq!(rejection("a.pgn", format!("{start}{text}")), reported);
    }
}

#[test]
fn start_position_tag() {
    let game = read_one("a.pgn", "[FEN \"4k4/9/9/9/9/9/9/9/4K4 w r 5\"]\n\n1... R@e5 *\n");
    assert_eq!(game.usi(), "sfen 4k4/9/9/9/9/9/9/9/4K4 w r 5 moves R*5e");
    assert_eq!(
        rejection("a.pgn", "\n[FEN \"9/9 b - 1\"]\n\n1. P@e5\n"),
        "a.pgn:2: the start position is wrong: the board has 2 ranks instead of 9"
    );
}

/// As Shogidokoro writes it: a move a line with its time, a word in place of the last.
#[test]
fn psn() {
    let start = "[SFEN \"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\"]\n\n";
    let names = "[Sente \"first\"]\n[Gote \"second\"]\n";
    let line = "1.P7g-7f          (00:03 / 00:00:03)\n2.P3c-3d          (00:02 / 00:00:02)\n\
                3.B8hx2b+         (00:03 / 00:00:06)\n{a comment\nof two lines}\n4.S3ax2b          (1:00:01 / 01:00:03)\n\
                5.B*4e            (00:01 / 00:00:07)\n";
    for (end_word, expected) in [
        ("6.Resigns         (00:03 / 00:00:08)", ("black", "resign")),
        ("6.Mate", ("black", "checkmate")),
        ("6.Timeup          (00:03 / 00:00:08)", ("black", "timeout")),
        ("6.Interrupt", ("unknown", "aborted")),
        ("6.Sennichite      (00:03 / 00:00:08)", ("draw", "sennichite")),
        ("6.Jishogi         (00:03 / 00:00:08)", ("draw", "jishogi")),
        ("6.Jishogi         (00:03 / 00:00:08)\n{\n入玉宣言により勝ち。\n}", ("white", "declaration")),
        ("", ("unknown", "unknown")),
    ] {
        let branch = "\n\nVariation:2\n2.P8c-8d          (00:01 / 00:00:01)\n";
        let text = format!("{names}{start}{line}{end_word}{branch}");
        for bytes in [text.as_bytes().to_vec(), encoding_rs::SHIFT_JIS.encode(&text).0.into_owned()] {
            for name in ["a.psn", "a.txt", "a.pgn"] {
                let game = read_one(name, &bytes);
                assert_eq!(moves(&game), "7g7f 3c3d 8h2b+ 3a2b B*4e", "{end_word}");
                assert_eq!(end(&game), expected, "{end_word}");
                assert_eq!(game.headers.names.each_ref().map(Option::as_deref), [Some("first"), Some("second")]);
                let times: Vec<_> = game.times.iter().map(|time| time.map(|time| time.as_secs())).collect();
                assert_eq!(times, [Some(3), Some(2), Some(3), Some(3601), Some(1)]);
                assert_eq!(game.comments_at(3), ["a comment", "of two lines"]);
                assert!(game.warnings.is_empty(), "{}", game.warnings);
            }
        }
    }
    let start = "[SFEN \"4k4/2P6/6+N2/9/9/9/9/9/4K4 b S 1\"]\n";
    for (mv, expected) in
        [("P7b-7a+", "7b7a+"), ("+N3c-3b", "3c3b"), ("S*5e", "S*5e"), ("S'5e", "S*5e"), ("1.+N3c-3b", "3c3b")]
    {
        assert_eq!(moves(&read_one("a.psn", format!("{names}{start}\n{mv}\n"))), expected);
    }
    for (mv, reported) in [
        ("N3c-3b", "a.psn:5: move 1 'N3c-3b' moves +N, which is another piece"),
        ("P7b-7d", "a.psn:5: move 1 'P7b-7d' is illegal: the piece does not move like that"),
        ("P-7a", "a.psn:5: 'P-7a' is not a move"),
        ("Resign", "a.psn:5: 'Resign' is not a move"),
    ] {
        assert_eq!(rejection("a.psn", format!("{names}{start}\n{mv}\n")), reported);
    }
    // PSN2 of MyShogi.
    let text = "[Black \"first\"]\n[White \"second\"]\n\n1.7g7f (00:03 / 00:00:03)\n2.3c3d (00:01 / 00:00:01)\n\
                3.DeclarationWin (00:00 / 00:00:03)\n";
    let game = read_one("a.psn", text);
    assert_eq!((moves(&game).as_str(), end(&game)), ("7g7f 3c3d", ("black", "declaration")));
    assert_eq!(game.headers.names.each_ref().map(Option::as_deref), [Some("first"), Some("second")]);
}

#[test]
fn errors_have_lines_and_reading_continues() {
    let good = "[White \"a\"]\n\n1. Pc3c4 *\n\n";
    for (moves, reported) in [
        ("Pc3c5", "a.pgn:7: move 1 'Pc3c5' is illegal: the piece does not move like that"),
        ("Pc4c5", "a.pgn:7: move 1 'Pc4c5' is illegal: no piece of the side to move is there"),
        ("Sc3c4", "a.pgn:7: move 1 'Sc3c4' moves P, which is another piece"),
        ("P@e5", "a.pgn:7: move 1 'P@e5' is illegal: the piece is not in hand"),
        ("P@e55", "a.pgn:7: 'P@e55' is not a move"),
        ("e4", "a.pgn:7: 'e4' is not a move"),
        ("Pc3c4x", "a.pgn:7: 'Pc3c4x' is not a move"),
        ("Pc3c4 1-0\nPg7g6", "a.pgn:8: unexpected 'Pg7g6' after the end of the game"),
        ("Pc3c4 {never closed", "a.pgn:8: '{' is not a statement of this format"),
    ] {
        let games = read_all("a.pgn", format!("{good}[White \"b\"]\n\n{moves}\n\n{good}"));
        assert_eq!(games.len(), 3, "{moves}: {games:?}");
        assert!(games[0].is_ok());
        assert_eq!(games[1].as_ref().unwrap_err(), reported);
        assert_eq!(games[2].as_ref().unwrap().line, 9 + moves.matches('\n').count());
    }
}

#[test]
fn overlong_game_is_skipped() {
    let text = format!("[White \"a\"]\n\n{}\n\n[White \"b\"]\n\n1. Pc3c4 *\n", "{ x }\n".repeat(400_000));
    let games = read_all("a.pgn", text);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].as_ref().unwrap_err(), "a.pgn:1: the game takes more than 1048576 bytes");
    assert_eq!(games[1].as_ref().unwrap().line, 400_005);
}
