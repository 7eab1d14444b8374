//! Lines that a reader leaves out: those ignored by design in silence, all others with a warning.

use super::samples::{moves, read_one, rejection};
use sabi_records::{Games, read_bytes, read_file};

fn read(name: &str, text: &str) -> Games {
    let mut games = read_bytes(name, text.as_bytes().to_vec());
    games.by_ref().for_each(|game| drop(game.unwrap()));
    games
}

/// Every format's lines that docs/records.md lists as ignored by design.
#[test]
fn ignored_by_design() {
    for (name, text) in [
        (
            "a.kif",
            "#comment\n表題：題\n備考：a\n振り駒：先手\n手合割：平手\n消費時間：1分\n&mark\n手数----指手---------消費時間--\n\
             *comment\n   1 ７六歩(77)\n&mark\n   2 中断\nまで1手で中断\n場所：東京\n\n変化：1手\n何か\n   1 ２六歩(27)\n",
        ),
        ("a.ki2", "表題：題\n\n▲７六歩 △３四歩\nまで2手で後手の勝ち\n"),
        (
            "a.csa",
            "'comment\nV2.2\nN+a\n$EVENT:e\n$SITE:s\n$X:y\nPI\n+\n'any\n'*words\n+7776FU\nT1\n%TORYO\n'summary:toryo:a lose:b win\n",
        ),
        (
            "a.jkf",
            r#"{"header":{"表題":"題"},"x":1,"moves":[{},{"move":{"to":{"x":7,"y":6},"from":{"x":7,"y":7},"piece":"FU","y":2},"forks":[[]]}]}"#,
        ),
        ("a.pgn", "[White \"a\"]\n[Site \"?\"]\n[Anything \"x\"]\n% line\n\n1. Pc3c4 $1 (1. Ph3h4) *\n"),
        ("a.usi", "# comment\n\nname\tstartpos moves 7g7f # words\tmore\n"),
    ] {
        let games = read(name, text);
        assert!(games.warnings().is_empty(), "{name}: {}", games.warnings());
    }
}

/// What is not understood has its line in a warning, and the game is still read.
#[test]
fn reported() {
    for (name, text, expected) in [
        (
            "a.kif",
            "手合割：平手\nsome text\n   1 ７六歩(77)\n",
            "1 line is not understood and was left out: 2 'some text'",
        ),
        (
            "a.kif",
            "結果：先手勝ち\n手合割：平手\n   1 ７六歩(77)\n",
            "1 line is not understood and was left out: 1 '結果：先手勝ち'",
        ),
        (
            "a.kif",
            "手合割：平手\n   1 ７六歩(77)\n   2 突然死\n",
            "1 line is not understood and was left out: 3 '突然死'",
        ),
        ("a.kif", "手合割：平手\n   1 ７六歩(77) x\n", "1 line is not understood and was left out: 2 '７六歩(77) x'"),
        ("a.ki2", "手合割：平手\n▲７六歩?! △３四歩\n", "1 line is not understood and was left out: 2 '７六歩?!'"),
        ("a.csa", "hello\nPI\n+\n+7776FU\n", "1 line is not understood and was left out: 1 'hello'"),
        ("a.csa", "PI\n+\n+7776FU\n%NEWS\n", "1 line is not understood and was left out: 4 '%NEWS'"),
        ("a.csa", "PI\n+\n+7776FU\nGOTE_WIN_NEWS\n", "1 line is not understood and was left out: 4 'GOTE_WIN_NEWS'"),
        (
            "a.pgn",
            "[White \"a\"]\n[Result \"2-0\"]\n[Unheard of]\n\n1. Pc3c4 *\n",
            "2 lines are not understood and were left out: 2 '[Result \"2-0\"]', 3 '[Unheard of]'",
        ),
        (
            "a.jkf",
            r#"{"moves":[{},{"move":{"to":{"x":7,"y":6},"from":{"x":7,"y":7},"piece":"FU"}},{"special":"NEWS"}]}"#,
            "1 line is not understood and was left out: 'NEWS'",
        ),
        ("a.usi", "black\t-\t-\t-\tnews\tstartpos moves 7g7f\n", "1 line is not understood and was left out: 1 'news'"),
        // Several games of a file, and many lines.
        (
            "a.csa",
            "a\nPI\n+\n+7776FU\n/\nb\nc\nPI\n+\n+7776FU\n",
            "3 lines are not understood and were left out: 1 'a', 6 'b', 7 'c'",
        ),
        (
            "a.kif",
            "a\nb\nc\nd\ne\n手合割：平手\n   1 ７六歩(77)\n",
            "5 lines are not understood and were left out: 1 'a', 2 'b', 3 'c', …",
        ),
    ] {
        let games = read(name, text);
        assert_eq!(games.warnings().to_string(), expected, "{name}: {text}");
    }
    let game = read_one("a.kif", "hello\n手合割：平手\n   1 ７六歩(77)\n");
    assert_eq!((game.warnings.count, game.warnings.first[0].line, moves(&game).as_str()), (1, 1, "7g7f"));
}

/// A move that would be lost, and a part of a file without a game, are errors.
#[test]
fn not_left_out() {
    assert_eq!(
        rejection("a.kif", "手合割：平手\n７六歩(77)\n"),
        "a.kif:2: '７六歩(77)' is not a statement of this format"
    );
    let games: Vec<_> = read_bytes("a.csa", b"PI\n+\n+7776FU\n/\nhello\n".to_vec()).collect();
    assert_eq!(games[1].as_ref().unwrap_err().to_string(), "a.csa:5: there is no game in it");
}

#[test]
fn a_file_without_warnings() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/records/rinsai/floodgate.csa");
    let mut games = read_file(path);
    assert_eq!(games.by_ref().count(), 1);
    assert!(games.warnings().is_empty());
}
