//! Scores that the players' programs have left in comments.

use super::samples::{read_all, read_one};
use sabi_records::{Game, read_file};
use sabi_shogi::Score;
use std::path::PathBuf;

fn scores(game: &Game) -> Vec<Option<i32>> {
    game.scores.iter().map(|score| score.map(Score::get)).collect()
}

/// Made by `tests/fixtures/make_records.py` with cshogi.
const EXPECTED: &str = include_str!("../../../../tests/fixtures/scores.tsv");

#[test]
fn floodgate_scores_match_reference() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/records/rinsai/floodgate.csa");
    let game = read_file(path).next().unwrap().unwrap();
    let line = EXPECTED.lines().nth(1).unwrap();
    let expected: Vec<Option<i32>> = line.split(' ').map(|score| Some(score.parse().unwrap())).collect();
    assert_eq!(scores(&game), expected);
}

#[test]
fn csa_score_comments() {
    let text = "V3.0\nPI\n+\n'** 7\n+7776FU\nT1.250\n'** -35 -3334FU +2726FU #4711\n'** 99\n-3334FU,T2,'** 12\n\
                +2726FU\n'*a word\n'a word\n%TORYO\n'** 5\n";
    let game = read_one("a.csa", text);
    assert_eq!(scores(&game), [Some(-35), Some(12), None]);
    assert_eq!(game.times[0].map(|time| time.as_millis()), Some(1250));
    assert_eq!(game.times[1].map(|time| time.as_millis()), Some(2000));
}

#[test]
fn shogigui_score_perspective() {
    let text = "手合割：平手\n   1 ２六歩(27)   ( 0:00/00:00:00)\n**対局 候補1 時間 00:03.0 評価値 60 読み筋 △３四歩(33)\n\
                **対局 候補2 評価値 50 読み筋\n**解析 0 時間 00:03.8 評価値 113 読み筋\n   2 ３四歩(33)\n*words\n\
                **解析 0 時間 00:03.8 評価値 113 読み筋\n   3 ７六歩(77)\n**対局 評価値 -詰 読み筋\n   4 投了\n**対局 評価値 +詰\n";
    let mate = -Score::MATE_IN_MAX_PLY.get();
    assert_eq!(scores(&read_one("a.kif", text)), [Some(60), None, Some(mate)]);
}

#[test]
fn shogihome_scores() {
    for (name, text) in [
        ("a.kif", "   1 ２六歩(27)\n**評価値=80\n*\n*#評価値=-60\n   2 ８四歩(83)\n**詰み=先手勝ち:7手\n"),
        ("a.ki2", "▲２六歩\n**評価値=80\n*\n*#評価値=-60\n△８四歩\n**詰み=先手勝ち:7手\n"),
        ("a.csa", "V3.0\nPI\n+\n+2726FU\n'**評価値=80\n'*\n'*#評価値=-60\n-8384FU\n'**詰み=先手勝ち:7手\n"),
    ] {
        assert_eq!(scores(&read_one(name, text)), [Some(80), Some(Score::mate_in(7).get())], "{name}");
    }
}

#[test]
fn hostile_scores_are_clamped_or_ignored() {
    let digits = "9".repeat(400);
    for score in ["1e99", "-1e99", "nan", "inf", "", "--5", "0x10", &digits] {
        let text = format!("PI\n+\n+7776FU\n'** {score}\n'**評価値={score}\n'**詰み=先手勝ち:{score}手\n");
        for game in read_all("a.csa", text) {
            let score = game.unwrap().scores[0];
            assert!(score.is_none_or(|score| score.get().abs() <= Score::MATE.get()), "{score:?}");
        }
    }
}
