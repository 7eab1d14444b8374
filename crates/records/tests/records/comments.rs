//! Comments of records.

use super::samples::{moves, read_one};
use sabi_records::{Game, Notation};

fn comments(game: &Game) -> Vec<String> {
    (0..=game.moves.len()).map(|ply| game.comments_at(ply).join("|")).collect()
}

/// Scores alone and the comments of variations are not among them; those after the end stay there.
#[test]
fn every_format() {
    let kif = "手合割：平手\n*before\n手数----指手---------消費時間--\n*start\n   1 ７六歩(77)\n**評価値=30\n*first\n*\n*again\n   \
               2 ３四歩(33)\n   3 投了\n*end, at last\nまで2手で後手の勝ち\n\n変化：2手\n   2 ８四歩(83)\n*branch\n";
    let ki2 = "手合割：平手\n*before\n*start\n▲７六歩\n**評価値=30\n*first\n*\n*again\n△３四歩\n*end, at last\n";
    let csa = "'*before\nPI\n+\n'*start\n+7776FU\nT1\n'** 30 -3334FU\n'*first\n'*\n'*again\n'of the file\n-3334FU,T1, '*end, at last\n%TORYO\n";
    let jkf = r#"{"moves": [{"comments": ["before\nstart"]},
        {"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"}, "comments": ["*評価値=30", "first", "\nagain"]},
        {"move": {"from": {"x": 3, "y": 3}, "to": {"x": 3, "y": 4}, "piece": "FU"}},
        {"special": "TORYO", "comments": ["end, at last", "*評価値=30"]}]}"#;
    let pgn = "[White \"a\"]\n\n{before\nstart} 1. Pc3c4 {* 30} {first\n\n}{again} (1. Ph3h4 {branch}) Pg7g6 ;end, at last\n0-1\n";
    for (name, text) in [("a.kif", kif), ("a.ki2", ki2), ("a.csa", csa), ("a.jkf", jkf), ("a.pgn", pgn)] {
        let game = read_one(name, text);
        assert_eq!(moves(&game), "7g7f 3c3d", "{name}");
        let (first, last) = match name {
            "a.pgn" => ("first|again", "end, at last"),
            "a.csa" => ("* 30 -3334FU|first||again", "end, at last"),
            "a.jkf" => ("first||again", "end, at last|*評価値=30"),
            _ => ("first||again", "end, at last"),
        };
        assert_eq!(comments(&game), ["before|start", first, last], "{name}");
        assert_eq!(
            game.scores.iter().map(|score| score.map(|score| score.get())).collect::<Vec<_>>(),
            [Some(30), None]
        );
        for (notation, name) in [(Notation::Csa, "b.csa"), (Notation::Kif, "b.kif")] {
            let text = notation.write(&game);
            let read = read_one(name, text.clone());
            assert_eq!((comments(&read), read.scores), (comments(&game), game.scores.clone()), "{text}");
        }
    }
}

/// The first score of a move counts; one before the first move is that of none, and so is one after
/// the end.
#[test]
fn other_scores_are_comments() {
    let game = read_one("a.csa", "PI\n+\n'** 7\n+7776FU\n'** 30\n'** 99 -3334FU\n%TORYO\n'** 5\n");
    assert_eq!(comments(&game), ["* 7", "* 99 -3334FU|* 5"]);
    assert_eq!(game.scores[0].map(|score| score.get()), Some(30));
}

/// What a comment says stays, word for word; the score is read beside it, and after the end it is not
/// that of the last move.
#[test]
fn word_for_word() {
    let kif = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n**対局 評価値 -186 読み筋 △３四歩(33)\n\
               *  indented\n**評価値=-12.6\n***\n   2 投了\n**対局 評価値 +詰 読み筋\n*good game\n";
    let game = read_one("a.kif", kif);
    assert_eq!(game.scores[0].map(|score| score.get()), Some(-186));
    let commented =
        |text: &str| text.lines().filter(|line| line.starts_with('*')).map(str::to_owned).collect::<Vec<_>>();
    let written = Notation::Kif.write(&game);
    assert_eq!(commented(&written), commented(kif), "{written}");
    for (notation, name) in [(Notation::Csa, "b.csa"), (Notation::Kif, "b.kif")] {
        let read = read_one(name, notation.write(&game));
        assert_eq!((comments(&read), read.scores), (comments(&game), game.scores.clone()), "{name}");
    }
    // Without a score of the last move one after the end stays behind it.
    let kif = "手合割：平手\n   1 ７六歩(77)\n*first\n   2 投了\n**対局 評価値 99 読み筋\n*last\n";
    let game = read_one("a.kif", kif);
    assert_eq!(
        (comments(&game), game.scores[0]),
        (vec![String::new(), "first|*対局 評価値 99 読み筋|last".to_owned()], None)
    );
    for (notation, name) in [(Notation::Csa, "b.csa"), (Notation::Kif, "b.kif")] {
        let read = read_one(name, notation.write(&game));
        assert_eq!((comments(&read), read.scores), (comments(&game), game.scores.clone()), "{name}");
    }
}

/// Comments alone are no game.
#[test]
fn nothing_but_comments() {
    for (name, text) in [("a.kif", "*one\n*two\n"), ("a.csa", "'*one\n'*two\n"), ("a.pgn", "{one} ;two\n")] {
        assert!(sabi_records::read_bytes(name, text.as_bytes().to_vec()).all(|game| game.is_err()), "{name}");
    }
}
