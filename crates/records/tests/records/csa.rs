//! CSA: statements, boards, ends, server extensions.

use super::samples::{end, moves, read_all, read_one, rejection};
use sabi_records::Clock;
use sabi_shogi::STARTPOS_SFEN;
use std::time::Duration;

const ROWS: &str = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  * \nP5\nP6 *\nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI\nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n";

/// A game of six moves with White to move, followed by `end`.
fn short_game(rest: &str) -> String {
    format!("V2.2\nN+alice\nN-bob\nPI\n+\n+2726FU\n-8384FU\n+2625FU\n-8485FU\n+6978KI\n{rest}")
}

#[test]
fn board_rows_without_trailing_blanks() {
    let game = read_one("a.csa", format!("{ROWS}+\n+7776FU\n"));
    assert_eq!(game.start.sfen(), STARTPOS_SFEN);
}

#[test]
fn board_cells_of_odd_width() {
    let rows = ROWS.replace("P2 * -HI *  *  *  *  * -KA * ", "P2 * * * * * * * * *").replace("P8 * ", "P8 *");
    let game = read_one("a.csa", format!("{rows}-\n-3334FU\n+7776FU\n"));
    assert_eq!(game.start.sfen(), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    assert_eq!(moves(&game), "3c3d 7g7f");
}

#[test]
fn handicap_pieces_are_removed() {
    let game = read_one("a.csa", "PI82HI22KA\n-\n-3334FU\n");
    assert_eq!(game.start.sfen(), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    assert_eq!(rejection("a.csa", "V2.2\nPI55HI\n+\n"), "a.csa:2: there is no piece '55HI' to take away");
}

#[test]
fn position_from_piece_list() {
    let game = read_one("a.csa", "P-11OU21FU\nP+59OU00HI00FU00FU\nP-00AL\n+\n+0022HI\n");
    assert_eq!(game.start.sfen(), "7pk/9/9/9/9/9/9/9/4K4 b R2Pr2b4g4s4n4l15p 1");
    assert_eq!(moves(&game), "R*2b");
}

#[test]
fn move_times() {
    for text in
        ["PI\n+\n+7776FU,T12\n-3334FU, T0.5\n", "PI\n+\n+7776FU\nT12\n-3334FU\nT0.5\n", "PI,+,+7776FU,T12,-3334FU,T0.5"]
    {
        let game = read_one("a.csa", text);
        assert_eq!(moves(&game), "7g7f 3c3d", "{text}");
        let millis: Vec<u128> = game.times.iter().flatten().map(|time| time.as_millis()).collect();
        assert_eq!(millis, [12_000, 500], "{text}");
    }
}

#[test]
fn piece_name_after_promotion() {
    let game = read_one("a.csa", "PI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n+0055KA\n");
    assert_eq!(moves(&game), "7g7f 3c3d 8h2b+ 3a2b B*5e");
    assert_eq!(
        rejection("a.csa", "PI\n+\n+7776FU\n-3334FU\n+8822RY\n"),
        "a.csa:5: move 3 '+8822RY' moves KA, which is another piece"
    );
}

#[test]
fn slash_separates_games() {
    let games = read_all("many.csa", "PI\n+\n+7776FU\n/\nPI\n+\n+7775FU\n-3334FU\n/\nPI\n+\n+2726FU\n%CHUDAN\n/\n");
    assert_eq!(games.len(), 3);
    assert_eq!(moves(games[0].as_ref().unwrap()), "7g7f");
    assert_eq!(
        games[1].as_ref().unwrap_err(),
        "many.csa:7: move 1 '+7775FU' is illegal: the piece does not move like that"
    );
    let last = games[2].as_ref().unwrap();
    assert_eq!((moves(last).as_str(), last.line), ("2g2f", 10));
}

#[test]
fn end_statements() {
    for (word, expected) in [
        ("%TORYO", ("black", "resign")),
        ("%TORYO,T20", ("black", "resign")),
        ("%TSUMI", ("black", "checkmate")),
        ("%TIME_UP", ("black", "timeout")),
        ("%ILLEGAL_MOVE", ("black", "illegal")),
        ("%+ILLEGAL_ACTION", ("white", "illegal")),
        ("%-ILLEGAL_ACTION", ("black", "illegal")),
        ("%ILLEGAL_ACTION", ("white", "illegal")),
        // cshogi omits the sign.
        ("ILLEGAL_MOVE", ("black", "illegal")),
        ("%KACHI", ("white", "declaration")),
        ("%KACHI,'* -5000 win", ("white", "declaration")),
        ("%SENNICHITE", ("draw", "sennichite")),
        ("%JISHOGI", ("draw", "jishogi")),
        ("%HIKIWAKE", ("draw", "jishogi")),
        ("%MAX_MOVES", ("draw", "max_moves")),
        ("%CHUDAN", ("unknown", "aborted")),
        ("%FUZUMI", ("unknown", "unknown")),
        ("%SOMETHING_NEW", ("unknown", "unknown")),
        ("SENTE_WIN_CHECKMATE", ("black", "checkmate")),
        ("GOTE_WIN_TORYO", ("white", "resign")),
        ("SENTE_WIN_TIMEOUT", ("black", "timeout")),
        ("GOTE_WIN_DISCONNECT", ("white", "aborted")),
        ("SENTE_WIN_ENTERINGKING", ("black", "declaration")),
        ("GOTE_WIN_TRY", ("white", "declaration")),
        ("SENTE_WIN_OUTE_SENNICHI", ("black", "sennichite")),
        ("DRAW_SENNICHI", ("draw", "sennichite")),
        ("DRAW_PLY_LIMIT", ("draw", "max_moves")),
        ("DRAW_REPETITION", ("draw", "sennichite")),
        ("DRAW_IMPASSE", ("draw", "jishogi")),
        ("DRAW_INVALID", ("draw", "aborted")),
        ("%SENTE_WIN_TORYO", ("black", "resign")),
        ("%GOTE_WIN_TIMEOUT", ("white", "timeout")),
        ("%GOTE_WIN_TRY", ("white", "declaration")),
        ("%SENTE_WIN_OUTE_SENNICHI", ("black", "sennichite")),
        ("%DRAW_REPETITION", ("draw", "sennichite")),
        ("%DRAW_IMPASSE", ("draw", "jishogi")),
        ("GOTE_WIN_RESIGN", ("white", "resign")),
        ("GOTE_WIN_TIME_UP", ("white", "timeout")),
        ("%SENTE_WIN_KACHI", ("black", "declaration")),
        ("GOTE_WIN_NEWS", ("white", "unknown")),
        ("SENTE_WIN", ("black", "resign")),
        ("%TIMEOUT", ("black", "timeout")),
        ("", ("unknown", "unknown")),
    ] {
        assert_eq!(end(&read_one("a.csa", short_game(word))), expected, "{word}");
    }
}

/// Shogi Wars separates moves by tabs and writes the seconds left: ten minutes, three, or an hour for
/// games of ten seconds a move.
#[test]
fn shogi_wars() {
    let seconds = |text: &str| {
        read_one("a.csa", text).times.iter().map(|time| time.map(|time| time.as_secs())).collect::<Vec<_>>()
    };
    let ten = "+7776FU,L600\t-3334FU,L597\t+2726FU,L590\t-8384FU,L597\tGOTE_WIN_TORYO";
    for text in [
        ten.to_owned(),
        ten.replace('\t', "\n"),
        ten.replace(['\t', ','], "\n"),
        format!("V2.2\nN+a\nPI\n+\n{ten}\n"),
        format!("        receiveMove(\"{ten}\");\n"),
    ] {
        for name in ["a.csa", "a.txt"] {
            let game = read_one(name, &text);
            assert_eq!((moves(&game).as_str(), end(&game)), ("7g7f 3c3d 2g2f 8c8d", ("white", "resign")), "{text}");
            assert!(game.warnings.is_empty(), "{}", game.warnings);
        }
        assert_eq!(seconds(&text), [Some(0), Some(3), Some(10), Some(0)], "{text}");
    }
    for (left, expected) in [
        (["L180", "L178", "L100", "L177"], [Some(0), Some(2), Some(80), Some(1)]),
        (["L3599", "L3590", "L3589", "L3590"], [Some(1), Some(10), Some(10), Some(0)]),
        // A long first move of ten minutes, and time that grows.
        (["L170", "L599", "L160", "L600"], [Some(430), Some(1), Some(10), None]),
        (["L9000", "L9000", "L8999", "L8000"], [None, None, Some(1), Some(1000)]),
        (["T7", "L599", "L598", "L599"], [Some(7), Some(1), Some(2), Some(0)]),
    ] {
        let text: String = ["+7776FU", "-3334FU", "+2726FU", "-8384FU"]
            .iter()
            .zip(left)
            .map(|(mv, left)| format!("{mv},{left}\t"))
            .collect();
        assert_eq!(seconds(&text), expected, "{text}");
    }
    let plain = read_one("a.csa", "PI\n+\n+7776FU\t-3334FU\t%TORYO\n");
    assert_eq!((moves(&plain).as_str(), end(&plain)), ("7g7f 3c3d", ("white", "resign")));
    // No move at all.
    assert_eq!(end(&read_one("a.csa", "\tGOTE_WIN_DISCONNECT")), ("white", "aborted"));
    assert_eq!(rejection("a.csa", "+7776FU,L6x0\tGOTE_WIN_TORYO"), "a.csa:1: 'L6x0' is not a statement of this format");
}

#[test]
fn server_summary_overrides_end_statement() {
    for (rest, expected) in [
        ("'summary:max_moves:alice draw:bob draw", ("draw", "max_moves")),
        ("%KACHI\n'summary:illegal kachi:alice win:bob lose", ("black", "illegal")),
        ("'summary:oute_kaihimore:alice win:bob lose", ("black", "illegal")),
        ("'summary:uchifuzume:alice win:bob lose", ("black", "illegal")),
        ("'summary:sennichite:alice draw:bob draw", ("draw", "sennichite")),
        ("'summary:oute_sennichite:bob win:alice lose", ("white", "sennichite")),
        ("%TORYO\n'summary:toryo:bob lose:alice win", ("black", "resign")),
        ("'summary:abnormal:alice lose:bob win", ("white", "aborted")),
        ("'summary:chudan", ("unknown", "aborted")),
        ("%TORYO\n'summary:", ("black", "resign")),
        ("%TORYO\n'summary:news", ("black", "resign")),
        ("%HIKIWAKE\n'summary:unknown:alice draw:bob draw", ("draw", "unknown")),
    ] {
        assert_eq!(end(&read_one("a.csa", short_game(rest))), expected, "{rest}");
    }
}

#[test]
fn summary_with_ambiguous_names() {
    let game = |names: [&str; 2], summary: &str| {
        read_one("a.csa", format!("N+{}\nN-{}\nPI\n+\n+7776FU\n'summary:{summary}\n", names[0], names[1]))
    };
    assert_eq!(end(&game(["a+b", "a"], "time up:a lose:a+b win")), ("black", "timeout"));
    assert_eq!(end(&game(["a", "a"], "time up:a lose:a win")), ("white", "timeout"));
}

#[test]
fn perpetual_check_overrides_server_draw() {
    // A rook checking on two files, and a king with no other move.
    let mut text = "N+alice\nN-bob\nP-51OU\nP+99OU28HI\n+\n+2858HI\n-5141OU\n".to_owned();
    for _ in 0..3 {
        text.push_str("+5848HI\n-4151OU\n+4858HI\n-5141OU\n");
    }
    text.push_str("'summary:sennichite:alice draw:bob draw\n");
    assert_eq!(end(&read_one("a.csa", text)), ("white", "sennichite"));
}

#[test]
fn illegal_last_move_loses() {
    // The second pawn on a file, with and without an end statement.
    for rest in ["", "%TORYO\n", "%ILLEGAL_MOVE\n", "%CHUDAN\n", "%CHUDAN\n'summary:chudan\n"] {
        let opening = "+7776FU\n-3334FU\n+2726FU\n-8384FU\n+2625FU\n-8485FU\n+2524FU\n-2324FU\n+2824HI\n-8586FU\n";
        let text = format!("PI\n+\n{opening}+0055FU\n{rest}");
        let game = read_one("a.csa", text);
        assert_eq!(end(&game), ("white", "illegal"), "{rest}");
        assert_eq!(game.moves.len(), 10);
    }
}

#[test]
fn rejects_illegal_move_within_game() {
    let text = "PI\n+\n+7776FU\n-3334FU\n+9796FU\n-2288UM\n+9695FU\n-8877UM\n+9594FU\n-9394FU\n";
    assert_eq!(rejection("a.csa", text), "a.csa:9: move 7 '+9594FU' is illegal: the king is left in check");
}

#[test]
fn rejects_text_after_end() {
    assert_eq!(
        rejection("a.csa", short_game("%TORYO\n-3334FU\n")),
        "a.csa:12: unexpected '-3334FU' after the end of the game"
    );
}

#[test]
fn errors_name_invalid_moves() {
    for (text, message) in [
        ("PI\n+\n-3334FU\n", "a.csa:3: move 1 '-3334FU' is played by White, whose turn it is not"),
        ("PI\n+\n+7776XX\n", "a.csa:3: '+7776XX' is not a move"),
        ("PI\n+\n+7776FU\nhello\n", "a.csa:4: 'hello' is not a statement of this format"),
        ("PI\n+\n+0055UM\n", "a.csa:3: '+0055UM' is not a move"),
        ("PI\n+\n+5554FU\n", "a.csa:3: move 1 '+5554FU' is illegal: no piece of the side to move is there"),
        ("P1-KY-XX\n+\n", "a.csa:1: 'P1-KY-XX' does not describe a position"),
        ("P+55FU\n+\n", "a.csa:2: the start position is wrong: there is no king"),
        ("", "a.csa: there is no game in it"),
        ("hello\n", "a.csa:1: there is no game in it"),
    ] {
        assert_eq!(rejection("a.csa", text), message, "{text}");
    }
}

#[test]
fn version_3_headers() {
    let text = "'CSA encoding=UTF-8\nV3.0\nN+先手\n$EVENT:決勝\n$TIME:600+10+0\n$MAX_MOVES:320\n$JISHOGI:27\n$NOTE:a\\nb\nPI\n+\n+7776FU\nT1.234\n'** 30 -3334FU #1000\n%TIME_UP\n";
    let game = read_one("a.csa", text);
    assert_eq!(game.headers.names[0].as_deref(), Some("先手"));
    assert_eq!(game.headers.event.as_deref(), Some("決勝"));
    let [main, byoyomi] = [600, 10].map(Duration::from_secs);
    assert_eq!(game.headers.clocks, [Some(Clock { main, byoyomi, increment: Duration::ZERO }); 2]);
    assert_eq!(game.times[0].map(|time| time.as_millis()), Some(1234));
    assert_eq!(end(&game), ("black", "timeout"));
}

#[test]
fn lines_that_end_by_cr_alone() {
    for name in ["a.csa", "a.txt"] {
        let game = read_one(name, "V2.2\rN+alice\rPI\r+\r+7776FU\rT3\r%TORYO\r");
        assert_eq!((moves(&game).as_str(), end(&game)), ("7g7f", ("black", "resign")));
        assert_eq!(game.headers.names[0].as_deref(), Some("alice"));
    }
    let games = read_all("many.csa", "PI\r+\r+7776FU\r/\rPI\r+\r+7775FU\r");
    assert_eq!(moves(games[0].as_ref().unwrap()), "7g7f");
    assert_eq!(
        games[1].as_ref().unwrap_err(),
        "many.csa:7: move 1 '+7775FU' is illegal: the piece does not move like that"
    );
}

#[test]
fn byte_order_mark_and_crlf() {
    let game = read_one("a.csa", "\u{feff}V2.2\r\nN+alice\r\nPI\r\n+\r\n+7776FU\r\nT0\r\n%TORYO\r\nT0\r\n");
    assert_eq!((game.headers.names[0].as_deref(), end(&game)), (Some("alice"), ("black", "resign")));
}

#[test]
fn time_controls() {
    let clock = |seconds: [u64; 3]| {
        let [main, byoyomi, increment] = seconds.map(Duration::from_secs);
        Some(Clock { main, byoyomi, increment })
    };
    for (headers, clocks) in [
        ("", [None, None]),
        ("$TIME_LIMIT:00:25+30\n", [clock([1500, 30, 0]); 2]),
        ("$TIME:300+0+5\n", [clock([300, 0, 5]); 2]),
        ("$TIME:300+0+5\n$TIME-:60+10+0\n", [clock([300, 0, 5]), clock([60, 10, 0])]),
        ("$TIME+:300+0+5\n", [clock([300, 0, 5]), None]),
        ("$TIME:soon\n", [None, None]),
    ] {
        assert_eq!(read_one("a.csa", format!("{headers}PI\n+\n+7776FU\n")).headers.clocks, clocks, "{headers}");
    }
}
