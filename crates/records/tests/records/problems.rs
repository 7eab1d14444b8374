//! Mate problems in the formats of other programs.

use sabi_records::{Problem, read_problem_bytes, read_problems};
use sabi_shogi::{Position, STARTPOS_SFEN};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");
const ONE: &str = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
const OTHER: &str = "9/8k/6B2/8N/9/9/9/9/9 b 2rb4g3s3n4l18p 1";

/// Positions, stated lengths and places of a file.
fn read(name: &str, bytes: impl AsRef<[u8]>) -> Vec<(String, Option<u32>, String)> {
    let problems = read_problem_bytes(name, bytes.as_ref().to_vec()).unwrap_or_else(|fault| panic!("{fault}"));
    problems.into_iter().map(|Problem { position, stated, place }| (position.sfen(), stated, place)).collect()
}

fn rejection(name: &str, bytes: impl AsRef<[u8]>) -> String {
    read_problem_bytes(name, bytes.as_ref().to_vec()).expect_err("this is no file of problems").to_string()
}

fn found(sfen: &str, stated: Option<u32>, place: &str) -> (String, Option<u32>, String) {
    (sfen.to_owned(), stated, place.to_owned())
}

#[test]
fn one_position_per_line() {
    let text = format!(
        "\u{feff}# mates\r\n{ONE}\r\n\r\n  sfen {ONE}  \r\nposition sfen {OTHER} # a remark\r\n \
         startpos moves 7g7f 3c3d\r\nposition startpos\r\n{ONE}"
    );
    let played = Position::startpos().with_moves(["7g7f", "3c3d"]).unwrap().sfen();
    let expected = [
        found(ONE, None, "line 2"),
        found(ONE, None, "line 4"),
        found(OTHER, None, "line 5"),
        found(&played, None, "line 6"),
        found(STARTPOS_SFEN, None, "line 7"),
        found(ONE, None, "line 8"),
    ];
    for name in ["a.txt", "a.sfen", "a.usi", "a"] {
        assert_eq!(read(name, &text), expected, "{name}");
    }
}

#[test]
fn table_with_header() {
    let table = format!("#plies\tsfen\tsolution\n3\t{ONE}\tG*5b\n\n-\t{OTHER}\t\n\t{ONE}\n");
    let expected = [found(ONE, Some(3), "line 2"), found(OTHER, None, "line 4"), found(ONE, None, "line 5")];
    assert_eq!(read("a.tsv", table), expected);
    assert_eq!(read("a", format!("\u{feff}name\tSFEN\tPlies\r\nx/y\tsfen {ONE}\t 3 \r\n")), expected[..1]);
    // Without a header a number has no known meaning.
    assert_eq!(
        read("a", format!("3\tx\t{ONE}\tG*5b\n{OTHER}\t3\n")),
        [found(ONE, None, "line 1"), found(OTHER, None, "line 2")]
    );
}

#[test]
fn json_matches_other_program() {
    let problems = read_problems(format!("{FIXTURES}/tanuki_problems.json")).unwrap();
    let read: Vec<_> = problems.iter().map(|problem| (problem.position.sfen(), problem.stated)).collect();
    let expected = [
        ("9/7Sk/1+R7/9/9/9/9/9/9 b r2b4g3s4n4l18p 1", 1),
        ("5S1k1/9/6+B2/9/9/9/9/9/9 b 2rb4g3s4n4l18p 1", 3),
        ("9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1", 5),
        ("9/9/9/9/7R1/8k/9/9/9 b Gr2b3g4s4n4l18p 1", 7),
        ("9/7R1/9/7G1/8k/8N/9/9/9 b r2b3g4s3n4l18p 1", 9),
        ("9/8L/9/6GRP/6GR1/8k/9/9/9 b 2b2g4s4n3l17p 1", 11),
    ];
    assert_eq!(read, expected.map(|(sfen, plies)| (sfen.to_owned(), Some(plies))));
    let places: Vec<_> = problems.iter().map(|problem| problem.place.as_str()).collect();
    assert_eq!(places, ["id 1", "id 120", "id 11", "id 3", "id 1", "id 2"]);
}

/// A JSON problem with a replacement.
fn object(old: &str, new: &str) -> String {
    let text = r#"[
        {"initial": {"pieces": [{"x": 5, "y": 1, "owner": "defender", "type": "K"}, {"x": 5, "y": 3, "owner": "attacker", "type": "P"}],
          "hands": {"attacker": {"G": 1}, "defender": {"P": 17}},
          "sideToMove": "attacker"},
         "id": 7, "mateLength": 1, "anything": ["else"]}
    ]"#;
    assert!(text.contains(old), "{old}");
    text.replacen(old, new, 1)
}

#[test]
fn json_is_detected_by_name_or_content() {
    let expected = [found("4k4/9/4P4/9/9/9/9/9/9 b G17p 1", Some(1), "id 7")];
    for name in ["a.json", "a.JSON", "a.txt", "a"] {
        assert_eq!(read(name, object("", "")), expected, "{name}");
        assert_eq!(read(name, format!("\u{feff}{}", object("", ""))), expected, "{name}");
    }
    let nameless = read("a", object(r#""id": 7, "mateLength": 1, "#, ""));
    assert_eq!(nameless, [found("4k4/9/4P4/9/9/9/9/9/9 b G17p 1", None, "number 1")]);
}

/// Notepad calls it Unicode.
#[test]
fn utf_16_with_byte_order_mark() {
    let orders: [fn(u16) -> [u8; 2]; 2] = [u16::to_le_bytes, u16::to_be_bytes];
    for bytes_of in orders {
        let wide = |text: &str| format!("\u{feff}{text}").encode_utf16().flat_map(bytes_of).collect::<Vec<u8>>();
        for name in ["a.txt", "a.sfen", "a"] {
            assert_eq!(read(name, wide(&format!("# 詰将棋\r\n{ONE}\r\n"))), [found(ONE, None, "line 2")], "{name}");
        }
        assert_eq!(read("a.tsv", wide(&format!("plies\tsfen\n3\t{ONE}\n"))), [found(ONE, Some(3), "line 2")]);
        for name in ["a.json", "a"] {
            let expected = [found("4k4/9/4P4/9/9/9/9/9/9 b G17p 1", Some(1), "id 7")];
            assert_eq!(read(name, wide(&object("", ""))), expected, "{name}");
        }
    }
}

#[test]
fn record_gives_its_start_position() {
    let csa = read_problems(format!("{FIXTURES}/records/shogi_kifu_converter/tsumeshogi.csa")).unwrap();
    let sfens: Vec<_> = csa.iter().map(|problem| problem.position.sfen()).collect();
    assert_eq!(sfens, ["9/9/3pp4/+r2k1p3/2L1+p4/2+R6/B8/B8/9 b 4g4s4n3l14p 1"]);
    assert_eq!((csa[0].stated, csa[0].place.as_str()), (None, "game 1"));

    let kif = "後手の持駒：飛二　角二　金三　銀四　桂四　香四　歩十七\n\
        | ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n\
        先手の持駒：金\n手数----指手---------消費時間--\n   1 ５二金打\n   2 詰み\n";
    assert_eq!(read("a.kif", kif), [found(ONE, None, "game 1")]);
    assert_eq!(read("a", kif), [found(ONE, None, "game 1")]);
}

#[test]
fn errors_have_positions() {
    let lines = |bad: &str| format!("{ONE}\n# fine so far\n{bad}\n{ONE}\n");
    for (bad, said) in [
        ("nonsense", "the position is wrong: the board has 1 ranks"),
        ("4k4/9/4P4/9/9/9/9/9/9", "the position is wrong: the side to move is missing"),
        ("4k4/9/4P4/9/9/9/9/9/9 b 3R 1", "the position is wrong: there are more pieces 'R'"),
        ("4k4/9/4P4/9/9/9/9/9/9 b G 1 G*5b", "the position is wrong: unexpected 'G*5b'"),
        ("9/9/9/9/9/9/9/9/4K4 b G 1", "the side to be mated has no king"),
        ("4k4/9/4P4/9/9/9/9/9/9 w G 1", "the side to be mated has no king"),
        ("startpos 7g7f", "'moves' must follow the start position, not '7g7f'"),
        ("startpos moves 7g7f 7g7f", "the position is wrong: move 2 '7g7f' is illegal"),
        ("7g7f 3c3d", "the position is wrong: "),
        ("\u{1b}[2J\u{7}", "the position is wrong: "),
    ] {
        let message = rejection("a.txt", lines(bad));
        assert!(message.starts_with(&format!("a.txt, line 3: {said}")), "{message}");
        assert!(!message.contains(|c: char| c.is_control()), "{message:?}");
    }
    let mut bytes = lines("x").into_bytes();
    let at = bytes.iter().position(|&byte| byte == b'x').unwrap();
    bytes.splice(at..=at, *b"\xff\xfe\x00\x80");
    assert_eq!(rejection("a.txt", bytes), "a.txt, line 3: the text is neither UTF-8 nor Shift_JIS");
    let huge = rejection("a.txt", lines(&"9".repeat(2 << 20)));
    assert_eq!(huge, format!("a.txt, line 3: the line is longer than {} bytes", 1 << 20));
}

#[test]
fn table_errors() {
    let table = |row: &str| rejection("a.tsv", format!("plies\tsfen\n1\t{ONE}\n{row}\n"));
    assert_eq!(table("3"), "a.tsv, line 3: there is no position in the column 'sfen'");
    assert_eq!(table("3\t\tx"), "a.tsv, line 3: there is no position in the column 'sfen'");
    for length in ["x", "-1", "3.5", "99999999999"] {
        let message = format!("a.tsv, line 3: '{length}' is not a number of plies");
        assert_eq!(table(&format!("{length}\t{ONE}")), message);
    }
    assert!(table("1\tG*5b").starts_with("a.tsv, line 3: the position is wrong: "));
}

#[test]
fn json_errors() {
    for (old, new, said) in [
        (r#""x": 5, "y": 3"#, r#""x": 5, "y": 1"#, "id 7: there are two pieces on 5a"),
        (r#""P": 17"#, r#""P": 18"#, "id 7: the position is wrong: there are more pieces 'P'"),
        (r#""P": 17"#, r#""R": 250"#, "id 7: the start position is wrong: there are more pieces 'R'"),
        (r#""defender", "type""#, r#""attacker", "type""#, "id 7: the side to be mated has no king"),
        (r#""y": 3"#, r#""y": 1"#, "id 7: "),
        (r#""x": 5"#, r#""x": 0"#, "line 2: there is no file or rank 0"),
        (r#""x": 5"#, r#""x": 10"#, "line 2: there is no file or rank 10"),
        (r#""x": 5"#, r#""x": -5"#, "line 2: invalid value"),
        (r#""type": "P""#, r#""type": "+K""#, "line 2: there is no piece '+K'"),
        (r#""type": "P""#, r#""type": "+G""#, "line 2: there is no piece '+G'"),
        (r#""type": "P""#, r#""type": "TO""#, "line 2: there is no piece 'TO'"),
        (r#"{"G": 1}"#, r#"{"+P": 1}"#, "line 3: '+P' is not held in hand"),
        (r#"{"G": 1}"#, r#"{"K": 1}"#, "line 3: 'K' is not held in hand"),
        (r#""owner": "defender""#, r#""owner": "sente""#, "line 2: unknown variant `sente`"),
        (r#""sideToMove": "attacker""#, r#""sideToMove": "defender""#, "line 4: unknown variant `defender`"),
        (r#""sideToMove": "attacker""#, r#""side": "attacker""#, "line 4: missing field `sideToMove`"),
        (r#""mateLength": 1"#, r#""mateLength": "one""#, "line 5: invalid type"),
        ("}\n    ]", "}", "line 5: EOF"),
    ] {
        let message = rejection("a.json", object(old, new));
        assert!(message.starts_with("a.json, ") && message.contains(said), "{new}: {message}");
    }
    for text in ["", "{}", "3", "null", "[1]", "[[]]", "[{}]", "[{", "nonsense"] {
        let message = rejection("a.json", text);
        assert!(message.starts_with("a.json, line ") && message.len() < 200, "{message}");
    }
    let endless = rejection("a.json", format!("[\"{}\\u001b\"]", "x".repeat(100_000)));
    assert!(endless.len() < 300 && !endless.contains(|c: char| c.is_control()), "{endless:?}");
}

#[test]
fn record_errors() {
    let message = rejection("a.csa", "PI\n+\n+7776FU\n+7675FU\n");
    assert!(message.starts_with("a.csa, line 4: "), "{message}");
    assert!(rejection("a.kif", "nothing").contains("a.kif"));
}

#[test]
fn rejects_file_without_problems() {
    for text in ["", "\n\n", "# only remarks\n", "plies\tsfen\n", "\u{feff}"] {
        assert_eq!(rejection("a.txt", text), "a.txt: there is no problem in it", "{text:?}");
    }
    assert_eq!(rejection("a.json", "[]"), "a.json: there is no problem in it");
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().join("none.txt"), folder.path().to_owned()] {
        let error = read_problems(&path).unwrap_err();
        assert_eq!((error.file.as_path(), error.place.as_ref()), (path.as_path(), None), "{error}");
    }
}
