//! Any input gives games and errors, no panic; all moves of a game are legal.

use encoding_rs::SHIFT_JIS;
use proptest::prelude::*;
use sabi_records::{read_bytes, read_problem_bytes, read_tree};
use std::path::PathBuf;

const NAMES: [&str; 9] = ["a.csa", "a.kif", "a.ki2", "a.usi", "a.pgn", "a.hcpe", "a.psv", "a.sabg", "a"];

/// Problem files.
const PROBLEMS: [&str; 4] = ["a.csa", "a.kif", "a.json", "a.tsv"];

/// Reads bytes in every format and validates the results.
fn never_panics(bytes: &[u8]) {
    for name in NAMES {
        for game in read_bytes(name, bytes.to_vec()) {
            match game {
                Ok(game) => {
                    let mut position = game.start.clone();
                    for &mv in &game.moves {
                        assert!(position.is_legal(mv), "{name}: {mv}");
                        position.play(mv);
                    }
                }
                Err(error) => assert_is_clear(&error.to_string()),
            }
        }
    }
    for name in PROBLEMS {
        match read_problem_bytes(name, bytes.to_vec()) {
            Ok(problems) => assert!(!problems.is_empty()),
            Err(error) => assert_is_clear(&error.to_string()),
        }
    }
}

fn assert_is_clear(message: &str) {
    assert!(!message.chars().any(char::is_control), "{message:?}");
    assert!(message.len() < 400, "{message}");
}

fn fixture_bytes() -> Vec<Vec<u8>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let records = sabi_records::record_files(root.join("records")).map(|path| path.unwrap());
    records.chain([root.join("tanuki_problems.json")]).map(|path| std::fs::read(path).unwrap()).collect()
}

#[test]
fn truncated_records_never_panic() {
    for bytes in fixture_bytes() {
        let step = (bytes.len() / 60).max(1);
        for length in (0..bytes.len()).step_by(step) {
            never_panics(&bytes[..length]);
        }
    }
}

#[test]
fn rejects_hostile_texts() {
    let long = "9".repeat(100_000);
    for text in [
        format!("PI\n+\n+7776FU\nT{long}\n"),
        "PI\n+\n+7776FU\nT1e400\nT-5\nTNaN\n".to_owned(),
        format!("{long} ７六歩(77) ({long}/{long})\n"),
        format!("手合割：{long}\n"),
        format!("'black_rate:a:{long}\nPI\n+\n"),
        "'black_rate:a:inf\n'white_rate:a:nan\nPI\n+\n".to_owned(),
        format!("P+{}\n+\n", "00FU".repeat(1000)),
        format!("P-{}00AL\nP-00AL\n+\n", "11OU".repeat(1000)),
        format!("先手の持駒：歩{long}\n"),
        "先手の持駒：歩九十九\n".to_owned(),
        format!("startpos moves {}", "2h3h 8b7b 3h2h 7b8b ".repeat(20_000)),
        format!("sfen {long}"),
        "|".repeat(10_000),
        "|vvvvv\n".repeat(20),
        "▲".repeat(10_000),
        "/\n".repeat(10_000),
        "+\n+\n-\n".to_owned(),
        "%TORYO\n".to_owned(),
        "P\nP0\nP1\nPé\n+é\nTé\n%é\n'é\n".to_owned(),
        "+7776é\n+é\n+77é6FU".to_owned(),
        "まで\nまで手\nまで1手で\n".to_owned(),
        "1 同\n1 同　\n1 ７\n1 ７六\n1 ７六成\n1 ７六歩(\n1 ７六歩(7\n".to_owned(),
        "\u{feff}\u{feff}PI\n".to_owned(),
        "\t\t\t\t\t\n\t\t\t\t\tstartpos\n".to_owned(),
        "PI\n+\n\u{1b}[31mred\n".to_owned(),
        "PI\n+\n+77\u{1b}[3mFU\n".to_owned(),
    ] {
        never_panics(text.as_bytes());
        never_panics(&SHIFT_JIS.encode(&text).0);
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        never_panics(&wide);
    }
}

#[test]
fn endless_line_is_bounded() {
    let mut bytes = b"startpos moves ".to_vec();
    bytes.resize(3 << 20, b'x');
    let errors: Vec<String> =
        read_bytes("a.usi", bytes).map(|game| game.map_or_else(|error| error.to_string(), |_| String::new())).collect();
    assert_eq!(errors, ["a.usi:1: the line is longer than 1048576 bytes"]);
}

#[test]
fn rejects_endless_game() {
    let text = format!("startpos moves {}", "2h3h 8b7b 3h2h 7b8b ".repeat(2_501));
    let error = read_bytes("a.usi", text.into_bytes()).next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "a.usi:1: the game is longer than 10000 moves");
}

#[test]
fn folder_with_record_extension() {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("x.csa")).unwrap();
    assert_eq!(read_tree(root.path()).count(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        never_panics(&bytes);
    }

    #[test]
    fn random_tokens_never_panic(
        words in prop::collection::vec(prop::sample::select(WORDS.split(';').collect::<Vec<_>>()), 0..60)
    ) {
        never_panics(words.concat().as_bytes());
    }

    #[test]
    fn damaged_records_never_panic(
        which in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let files = fixture_bytes();
        let mut bytes = files[which.index(files.len())].clone();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        never_panics(&bytes);
    }
}

/// Tokens of record formats, separated by semicolons.
const WORDS: &str = "\n;\n;\n;\n; ;,;\t;　;PI;P1;P+;P-;00;AL;11;55;FU;OU;HI;KY;+;-;+7776FU;-3334FU;+8822UM;T1;\
    T;%;TORYO;%KACHI;';'summary:;toryo:;a win:;b lose;/;N+a;$EVENT:;手合割：;その他;香落ち;先手;後手;の持駒：;\
    番;歩;玉;v玉;|; ・;十;八;1 ;2 ;７六歩;(77);３四歩(33);同;成;不成;打;右;直;▲;△;まで;3手で;の勝ち;千日手;投了;変化：;\
    startpos moves 7g7f;\r;L600;SENTE_WIN_;receiveMove(\";後手の持駒：飛二\n;攻方;持ち駒;残り;手番：;時間切れ勝ち;トライ;*対局 評価値 5 ;\
    [Sente \"a\"]\n;1.;P7g-7f;P*5e;Resigns;(00:01 / 00:00:01);Variation:2\n";
