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
