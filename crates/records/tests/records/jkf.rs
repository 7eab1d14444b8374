//! JKF: start positions, moves, ends, errors.

use super::samples::{end, moves, read_one, rejection};
use sabi_shogi::STARTPOS_SFEN;
use std::time::Duration;

/// A game with these move objects and header.
fn jkf(before: &str, entries: &str) -> String {
    format!("{{{before}\"moves\": [{{}}{}{entries}]}}", if entries.is_empty() { "" } else { "," })
}

const OPENING: &str = r#"
    {"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "color": 0, "piece": "FU"},
     "time": {"now": {"m": 1, "s": 16}, "total": {"h": 0, "m": 1, "s": 16}}, "comments": ["*評価値=80", "words"]},
    {"move": {"from": {"x": 3, "y": 3}, "to": {"x": 3, "y": 4}, "color": 1, "piece": "FU"}},
    {"move": {"from": {"x": 8, "y": 8}, "to": {"x": 2, "y": 2}, "color": 0, "piece": "KA", "capture": "KA", "promote": true}},
    {"move": {"from": {"x": 3, "y": 1}, "color": 1, "piece": "GI", "capture": "UM", "same": true}},
    {"move": {"to": {"x": 4, "y": 5}, "piece": "KA", "relative": "H"}, "forks": [[{"special": "TORYO"}]]}"#;

#[test]
fn full_game() {
    let headers = r#""header": {"先手": "na(1500)", "後手": "錆", "棋戦": "決勝", "開始日時": "2026/11/21",
        "持ち時間": "各1時間", "秒読み": "30秒", "手合割": "平手", "最大手数": 320}, "initial": {"preset": "HIRATE"}, "#;
    let text = jkf(headers, &format!("{OPENING}, {{\"special\": \"TIME_UP\"}}"));
    // The content identifies it where the extension does not.
    for name in ["a.jkf", "a.json", "a"] {
        let game = read_one(name, &text);
        assert_eq!((game.start.sfen().as_str(), moves(&game).as_str()), (STARTPOS_SFEN, "7g7f 3c3d 8h2b+ 3a2b B*4e"));
        assert_eq!((end(&game), game.line), (("black", "timeout"), 1));
        assert_eq!(game.headers.names, [Some("na(1500)".to_owned()), Some("錆".to_owned())]);
        assert_eq!((game.headers.ratings[0], game.headers.event.as_deref()), (Some(1500.0), Some("決勝")));
        assert_eq!((game.times[0], game.times[1]), (Some(Duration::from_secs(76)), None));
        assert_eq!((game.scores[0].map(|score| score.get()), game.scores[1]), (Some(80), None));
        assert!(game.headers.clocks.iter().flatten().all(|clock| clock.byoyomi == Duration::from_secs(30)));
    }
}

#[test]
fn end_statements_of_csa() {
    for (word, expected) in [
        ("TORYO", ("black", "resign")),
        ("+ILLEGAL_ACTION", ("white", "illegal")),
        ("KACHI", ("white", "declaration")),
        ("SENNICHITE", ("draw", "sennichite")),
        ("CHUDAN", ("unknown", "aborted")),
        ("NEWS", ("unknown", "unknown")),
    ] {
        let game = read_one("a.jkf", jkf("", &format!("{OPENING}, {{\"special\": \"{word}\"}}")));
        assert_eq!(end(&game), expected, "{word}");
    }
    assert_eq!(moves(&read_one("a.jkf", jkf("", ""))), "");
}

#[test]
fn minimal_moves_and_null_hours() {
    let text = r#"{"moves": [{},
        {"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}}, "time": {"now": {"h": null, "m": 0, "s": 5}}},
        {"move": {"from": {"x": 3, "y": 3}, "to": {"x": 3, "y": 4}}},
        {"move": {"from": {"x": 8, "y": 8}, "to": {"x": 2, "y": 2}, "promote": true}},
        {"special": "ILLEGAL_ACTION"}]}"#;
    let game = read_one("a.jkf", text);
    assert_eq!((moves(&game).as_str(), end(&game)), ("7g7f 3c3d 8h2b+", ("white", "illegal")));
    assert_eq!(game.times[0], Some(Duration::from_secs(5)));
    let text = r#"{"moves": [{}, {"move": {"from": {"x": 5, "y": 5}, "to": {"x": 5, "y": 4}}}]}"#;
    assert_eq!(rejection("a.jkf", text), "a.jkf: '5554' is not a move");
}

#[test]
fn handicap_names() {
    for (preset, sfen) in [
        ("KY", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("5_L", "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("6", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("10", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ] {
        let game = read_one("a.jkf", jkf(&format!("\"initial\": {{\"preset\": \"{preset}\"}}, "), ""));
        assert_eq!(game.start.sfen(), sfen, "{preset}");
    }
}

/// Both kings on file 5, Black's dragon on 11, and hands.
fn other(rook: &str, hand: &str) -> String {
    let empty = "[{},{},{},{},{},{},{},{},{}]";
    let first = format!("[{rook},{{}},{{}},{{}},{{}},{{}},{{}},{{}},{{}}]");
    let kings = r#"[{"color":1,"kind":"OU"},{},{},{},{},{},{},{},{"color":0,"kind":"OU"}]"#;
    let files = [&first, empty, empty, empty, kings, empty, empty, empty, empty].join(",");
    format!(
        "\"initial\": {{\"preset\": \"OTHER\", \"data\": {{\"color\": 1, \"board\": [{files}], \"hands\": [{hand}, {{\"KI\": 2}}]}}}}, "
    )
}

#[test]
fn custom_positions() {
    let text = jkf(&other(r#"{"color":0,"kind":"RY"}"#, r#"{"FU": 3, "KA": 0, "HI": null}"#), "");
    assert_eq!(read_one("a.jkf", text).start.sfen(), "4k3+R/9/9/9/9/9/9/9/4K4 w 3P2g 1");
}

#[test]
fn error_messages() {
    let entry = |from: &str, to: &str, rest: &str| jkf("", &format!("{{\"move\": {{{from}\"to\": {to}, {rest}}}}}"));
    let (seven, six) = (r#""from": {"x": 7, "y": 7}, "#, r#"{"x": 7, "y": 6}"#);
    for (text, message) in [
        (String::new(), "a.jkf: there is no game in it"),
        ("{\n\"moves\": 7}".to_owned(), "a.jkf:2: invalid type: integer `7`, expected a sequence at line 2 column 10"),
        ("{}".to_owned(), "a.jkf:1: missing field `moves` at line 1 column 2"),
        (
            jkf("\"initial\": {\"preset\": \"9\"}, ", ""),
            "a.jkf: the handicap '9' is not known, and no position is given",
        ),
        (
            jkf("\"initial\": {\"preset\": \"OTHER\"}, ", ""),
            "a.jkf: the handicap 'OTHER' is not known, and no position is given",
        ),
        (jkf(&other(r#"{"kind":"RY"}"#, "{}"), ""), "a.jkf: 'RY' does not describe a position"),
        (jkf(&other("{}", r#"{"OU": 1}"#), ""), "a.jkf: 'OU' does not describe a position"),
        (
            jkf(&other("{}", r#"{"FU": 19}"#), ""),
            "a.jkf: the start position is wrong: there are more pieces 'P' than a set of 40 holds",
        ),
        (entry(seven, six, r#""piece": "GI""#), "a.jkf: move 1 '7776GI' moves FU, which is another piece"),
        (entry(seven, six, r#""piece": "X""#), "a.jkf: '7776X' is not a move"),
        (entry("", six, r#""piece": "FU""#), "a.jkf: move 1 '0076FU' is illegal: the piece is not in hand"),
        (
            entry(seven, six, r#""piece": "FU", "color": 1"#),
            "a.jkf: move 1 '7776FU' is played by White, whose turn it is not",
        ),
        (entry(seven, r#"{"x": 77, "y": 6}"#, r#""piece": "FU""#), "a.jkf: '77776FU' is not a move"),
        (entry(seven, "null", r#""piece": "FU", "same": true"#), "a.jkf: '7700FU' is not a move"),
    ] {
        assert_eq!(rejection("a.jkf", &text), message, "{text}");
    }
    let after = jkf("", &format!("{{\"special\": \"TORYO\"}}, {OPENING}"));
    assert_eq!(rejection("a.jkf", after), "a.jkf: unexpected '7776FU' after the end of the game");
    assert!(rejection("a.jkf", jkf(&other("{}", "{}").replace("[{},{},", "[{},"), "")).contains("invalid length 8"));
    assert!(rejection("a.jkf", jkf(&other(r#"{"color":2,"kind":"RY"}"#, "{}"), "")).contains("there is no side 2"));
    assert!(rejection("a.jkf", "[".repeat(100_000)).starts_with("a.jkf:1: "));
}
