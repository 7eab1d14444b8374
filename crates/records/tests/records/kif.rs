//! KIF: headers, diagrams, move spellings, ends.

use super::samples::{end, moves, read_all, read_one, rejection};
use encoding_rs::SHIFT_JIS;
use sabi_shogi::STARTPOS_SFEN;
use std::time::Duration;

fn kif(lines: &str) -> String {
    format!("手合割：平手　　\n手数----指手---------消費時間--\n{lines}")
}

#[test]
fn encoding_is_independent_of_extension() {
    let text = kif("   1 ７六歩(77)   ( 0:16/00:00:16)\n   2 ３四歩(33)   ( 0:05/00:00:05)\n   3 投了\n")
        .replace("手合割", "先手：中村　修\n手合割");
    let marked = format!("\u{feff}{text}");
    let utf_16 = |bytes_of: fn(u16) -> [u8; 2]| marked.encode_utf16().flat_map(bytes_of).collect::<Vec<u8>>();
    for bytes in [
        text.as_bytes().to_vec(),
        SHIFT_JIS.encode(&text).0.into_owned(),
        marked.as_bytes().to_vec(),
        utf_16(u16::to_le_bytes),
        utf_16(u16::to_be_bytes),
    ] {
        for name in ["a.kif", "a.kifu", "a.unknown"] {
            let game = read_one(name, &bytes);
            assert_eq!(game.headers.names[0].as_deref(), Some("中村　修"));
            assert_eq!(moves(&game), "7g7f 3c3d");
            assert_eq!(end(&game), ("white", "resign"));
        }
    }
}

#[test]
fn broken_byte_keeps_encoding() {
    let text = kif("*角換わり\n   1 ７六歩(77)\n").replace("手合割", "先手：中村　修\n手合割");
    for mut bytes in [text.as_bytes().to_vec(), SHIFT_JIS.encode(&text).0.into_owned()] {
        let comment = bytes.iter().position(|&byte| byte == b'*').unwrap();
        bytes.insert(comment + 1, 0xff);
        for name in ["a.kif", "a.unknown"] {
            let game = read_one(name, &bytes);
            assert_eq!((game.headers.names[0].as_deref(), moves(&game).as_str()), (Some("中村　修"), "7g7f"));
        }
    }
    assert!(rejection("a.unknown", b"\xff\xfe\x00\x80").contains("Shift_JIS"));
}

#[test]
fn move_spellings() {
    let expected = "7g7f 3c3d 8h2b+ 3a2b B*5e";
    for lines in [
        "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n5 ５五角打",
        "1 76歩(77)\n2 34歩(33)\n3 22角成(88)\n4 同銀(31)\n5 55角打",
        "1 ７六歩(77) (00:00/00:00:00)\n2 ３四歩(33)\n3 ２二馬(88)\n4 同 銀(31)\n5 ５五角",
        "1 ▲７六歩(77)\n2 △３四歩(33)\n3 ☗２二角成(88)\n4 ☖同　銀(31)\n5 ▲５五角打",
        "１ ７六歩（７７）\n２ ３四歩（３３）\n３ ２二角成（８８）\n４ 同　銀（３１）\n５ ５五角打",
        "1 ７六歩 (77)\n2 ３四歩(33)\n3 ２二角　成(88)\n4 同　銀(31)+\n5 ５五角   ( 0:01/00:00:01)",
        "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角 成 (88)\n4 同　銀(31)\n5 ５五角+",
    ] {
        assert_eq!(moves(&read_one("a.kif", kif(lines))), expected, "{lines}");
    }
}

#[test]
fn promotion_by_piece_name() {
    // No 成: the horse comes from an unpromoted bishop.
    let game = read_one("a.kif", kif("1 ７六歩(77)\n2 ３四歩(33)\n3 ２二馬(88)\n4 同　銀(31)\n5 投了\n"));
    assert_eq!(moves(&game), "7g7f 3c3d 8h2b+ 3a2b");
    let game = read_one("a.kif", kif("1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角(88)\n4 同　銀(31)\n"));
    assert_eq!(moves(&game), "7g7f 3c3d 8h2b 3a2b");
}

#[test]
fn piece_names() {
    for (row, text, expected) in [
        ("| ・ ・ ・ ・ ・ ・ ・ ・ ・|二", "1 ５八王(59)", "5i5h"),
        ("| ・ ・ ・ ・ ・ ・ ・ ・ 龍|二", "1 ２二竜(12)", "1b2b"),
        ("| ・ ・ ・ ・ ・ ・ ・ ・ 竜|二", "1 ２二龍(12)", "1b2b"),
        ("| 全 ・ ・ ・ ・ ・ ・ ・ ・|二", "1 ８二成銀(92)", "9b8b"),
        ("| 圭 ・ ・ ・ ・ ・ ・ ・ ・|二", "1 ８二成桂(92)", "9b8b"),
        ("| 杏 ・ ・ ・ ・ ・ ・ ・ ・|二", "1 ８二成香(92)", "9b8b"),
        ("| と ・ ・ ・ ・ ・ ・ ・ ・|二", "1 ８二と(92)", "9b8b"),
    ] {
        let empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(6);
        let text = format!(
            "後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
             | ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n{row}\n{empty}| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n\
             +---------------------------+\n先手の持駒：なし\n{text}\n"
        );
        assert_eq!(moves(&read_one("a.kif", text)), expected);
    }
}

#[test]
fn start_from_diagram() {
    let empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(7);
    let text = |names: [&str; 2], side: &str| {
        format!(
            "手合割：その他　\n{}の持駒：飛二　角　歩十八　\n+---------------------------+\n|v香 ・ ・ ・v玉 ・ ・ ・v龍|一\n{empty}| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n{}の持駒：金　銀四　\n{side}\n手数----指手--\n",
            names[0], names[1]
        )
    };
    let board = "l3k3+r/9/9/9/9/9/9/9/4K4";
    for (names, side, expected) in [
        (["後手", "先手"], "", "b"),
        (["後手", "先手"], "後手番", "w"),
        (["上手", "下手"], "", "w"),
        (["上手", "下手"], "下手番", "b"),
    ] {
        let text = text(names, side).replace("飛二", "飛");
        let game = read_one("a.kif", &text);
        assert_eq!(game.start.sfen(), format!("{board} {expected} G4Srb18p 1"), "{names:?} {side}");
    }
    let spaced = text(["後手", "先手"], "").replace("飛二", "飛").replace("v龍", " v龍");
    assert_eq!(read_one("a.kif", spaced).start.sfen(), format!("{board} b G4Srb18p 1"));
    let together = text(["後手", "先手"], "").replace("飛二　角　歩十八", "飛角歩十八").replace("金　銀四", "金銀四");
    assert_eq!(read_one("a.kif", together).start.sfen(), format!("{board} b G4Srb18p 1"));
    let rejected = rejection("a.kif", text(["後手", "先手"], "").replace("飛二", "飛三"));
    assert_eq!(rejected, "a.kif:2: the start position is wrong: there are more pieces 'R' than a set of 40 holds");
}

/// A diagram with both hands, and its board in SFEN.
const DIAGRAM: &str = "後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
    | ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n\
    | ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
    | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n\
    +---------------------------+\n先手の持駒：金\n";
const DIAGRAM_SFEN: &str = "4k4/9/4P4/9/9/9/9/9/9";

/// Programs copy positions so (BOD).
#[test]
fn diagram_alone() {
    let text = format!("{DIAGRAM}手数＝2  △３四歩(33)  まで\n\n後手番\n");
    for name in ["a.bod", "a.txt", "a"] {
        for bytes in [text.as_bytes().to_vec(), SHIFT_JIS.encode(&text).0.into_owned()] {
            let game = read_one(name, bytes);
            assert_eq!((game.start.sfen(), moves(&game)), (format!("{DIAGRAM_SFEN} w G 1"), String::new()), "{name}");
        }
    }
}

#[test]
fn lines_by_which_kif_is_known() {
    for line in [
        "後手の持駒：なし",
        "先手の持駒:金",
        "上手の持駒：",
        "下手の持駒：飛二",
        "|v香v桂v銀v金v玉v金v銀v桂v香|一",
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|",
        "手数＝0 まで",
        "手数＝２ △３四歩(33) まで",
        "1 ７六歩(77)",
        "  2 ３四歩(33) ( 0:05/00:00:05)",
        "１ ７六歩（７７）",
        "3 ▲22角成(88)",
    ] {
        let read = read_all("a", format!("a title\n{line}\n"));
        let is_unknown = |error: &String| error.contains("unknown record format");
        assert!(!read.iter().any(|game| game.as_ref().is_err_and(is_unknown)), "{line}");
    }
}

#[test]
fn handicap_start_positions() {
    let rest = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    for (name, ranks) in [
        ("香落ち", "lnsgkgsn1/1r5b1"),
        ("右香落ち", "1nsgkgsnl/1r5b1"),
        ("両香落ち", "1nsgkgsn1/1r5b1"),
        ("角落ち", "lnsgkgsnl/1r7"),
        ("飛車落ち", "lnsgkgsnl/7b1"),
        ("飛香落ち", "lnsgkgsn1/7b1"),
        ("二枚落ち", "lnsgkgsnl/9"),
        ("三枚落ち", "lnsgkgsn1/9"),
        ("四枚落ち", "1nsgkgsn1/9"),
        ("五枚落ち", "2sgkgsn1/9"),
        ("左五枚落ち", "1nsgkgs2/9"),
        ("六枚落ち", "2sgkgs2/9"),
        ("七枚落ち", "3gkgs2/9"),
        ("左七枚落ち", "2sgkg3/9"),
        ("右七枚落ち", "3gkgs2/9"),
        ("八枚落ち", "3gkg3/9"),
        ("九枚落ち", "4kg3/9"),
        ("十枚落ち", "4k4/9"),
        ("トンボ＋桂香", "ln2k2nl/1r5b1"),
        ("トンボ＋香", "l3k3l/1r5b1"),
        ("トンボ", "4k4/1r5b1"),
    ] {
        let game = read_one("a.kif", format!("手合割：{name}\n下手：a\n上手：b\n"));
        assert_eq!(game.start.sfen(), format!("{ranks}/{rest}"), "{name}");
        assert_eq!(game.headers.names.each_ref().map(Option::as_deref), [Some("a"), Some("b")]);
    }
    let lone_king = "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w";
    for (name, hand) in [("裸玉", "-"), ("歩三兵", "3p")] {
        assert_eq!(
            read_one("a.kif", format!("手合割：{name}\n")).start.sfen(),
            format!("{lone_king} {hand} 1"),
            "{name}"
        );
    }
    for even in ["平手", "平手　　", "平手　#comment", ""] {
        assert_eq!(read_one("a.kif", format!("手合割：{even}\n")).start.sfen(), STARTPOS_SFEN, "{even}");
    }
    assert_eq!(
        rejection("a.kif", "手合割：その他\n1 ７六歩(77)\n"),
        "a.kif:1: the handicap 'その他' is not known, and no position is given"
    );
}

#[test]
fn time_padding() {
    for (time, seconds) in [
        ("( 0:10/00:00:10)", Some(10)),
        ("(00:10 / 00:00:10)", Some(10)),
        ("( 1:05/)", Some(65)),
        ("(1:00:00/01:00:00)", Some(3600)),
        ("(0:7/0:0:7)", Some(7)),
        ("", None),
        ("( x/00:00:10)", None),
        ("(99999999999999999999:0/)", None),
    ] {
        let game = read_one("a.kif", kif(&format!("   1 ７六歩(77)   {time}+\n")));
        assert_eq!(game.times[0].map(|time| time.as_secs()), seconds, "{time}");
    }
}

#[test]
fn branches_and_comments_are_skipped() {
    let text = kif(
        "*▲２六歩 may be better\n&bookmark\n   1 ７六歩(77)+\n# note\n   2 ３四歩(33)\n   3 中断\nまで2手で中断\n\n変化：1手\n   1 ２六歩(27)\n   2 投了\nまで1手で先手の勝ち\n",
    );
    let game = read_one("a.kif", text);
    assert_eq!((moves(&game).as_str(), end(&game)), ("7g7f 3c3d", ("unknown", "aborted")));
}

/// ShogiHome has written such headers.
#[test]
fn branch_line_before_the_moves_is_a_header() {
    let text = format!("変化：3手\n{}", kif("   1 ７六歩(77)\n   2 投了\n\n変化：1手\n   1 ２六歩(27)\n"));
    let game = read_one("a.kif", text);
    assert_eq!((moves(&game).as_str(), end(&game)), ("7g7f", ("black", "resign")));
}

#[test]
fn half_width_colons() {
    let text = "手合割:二枚落ち\n上手:あ\n下手:い\n開始日時:2026/11/21 12:00\n   1 ６二銀(71)\n   2 投了\n変化:1手\n   1 ５二玉(51)\n";
    for name in ["a.kif", "a.unknown"] {
        let game = read_one(name, text);
        assert_eq!(moves(&game), "7a6b");
        assert_eq!(game.headers.names.each_ref().map(Option::as_deref), [Some("い"), Some("あ")]);
        assert_eq!(game.headers.date.as_deref(), Some("2026/11/21 12:00"));
    }
    assert_eq!(read_all("a.kif", text.repeat(2)).len(), 2);
}

#[test]
fn end_from_word_or_sentence() {
    for (rest, expected) in [
        ("3 投了", ("white", "resign")),
        ("3 投 了", ("white", "resign")),
        ("3 詰み", ("white", "checkmate")),
        ("3 切れ負け", ("white", "timeout")),
        ("3 時間切れ", ("white", "timeout")),
        ("3 反則勝ち", ("black", "illegal")),
        ("3 反則負け", ("white", "illegal")),
        ("3 入玉勝ち", ("black", "declaration")),
        ("3 入玉宣言", ("black", "declaration")),
        ("3 入玉宣言勝ち", ("black", "declaration")),
        ("3 27点宣言勝ち", ("black", "declaration")),
        ("3 トライ", ("white", "declaration")),
        ("3 引分け", ("draw", "unknown")),
        ("3 裁定により引き分け", ("draw", "adjudication")),
        ("3 裁定により先手の勝ち\nまで2手で先手の勝ち", ("black", "adjudication")),
        ("まで2手で詰みにより後手の勝ち", ("white", "checkmate")),
        ("まで2手で反則により先手の勝ち", ("black", "illegal")),
        ("3 入玉勝ち\nまで2手で入玉勝ちにより先手の勝ち", ("black", "declaration")),
        ("3 最大手数\nまで2手で最大手数", ("draw", "max_moves")),
        ("3 引き分け\nまで2手で裁定により引き分け", ("draw", "adjudication")),
        ("3 不戦勝\nまで2手で中断により先手の勝ち", ("black", "aborted")),
        ("まで2手で裁定により後手の勝ち", ("white", "adjudication")),
        ("3 千日手", ("draw", "sennichite")),
        ("3 持将棋", ("draw", "jishogi")),
        ("3 中断", ("unknown", "aborted")),
        ("3 封じ手", ("unknown", "aborted")),
        ("3 不詰", ("unknown", "unknown")),
        ("3 突然死", ("unknown", "unknown")),
        ("3 突然死\nまで2手で後手の勝ち", ("white", "resign")),
        ("まで2手で後手の勝ち", ("white", "resign")),
        ("まで2手で先手の勝ち", ("black", "unknown")),
        ("まで2手で時間切れにより後手の勝ち", ("white", "timeout")),
        ("まで2手で先手の反則負け", ("white", "illegal")),
        ("まで2手で後手の反則勝ち", ("white", "illegal")),
        ("まで先手の反則負け", ("white", "illegal")),
        ("まで2手で後手の入玉宣言勝ち", ("white", "declaration")),
        ("まで2手で千日手", ("draw", "sennichite")),
        ("まで2手で持将棋", ("draw", "jishogi")),
        ("3 切れ負け\nまで2手で後手の勝ち", ("white", "timeout")),
        ("3 投了\nまで2手で先手の勝ち", ("black", "resign")),
        // The word itself says who won.
        ("3 時間切れ勝ち", ("black", "timeout")),
        ("3 切れ勝ち", ("black", "timeout")),
        ("3 トライ勝ち", ("black", "declaration")),
        ("3 詰み勝ち", ("black", "checkmate")),
        ("3 入玉宣言負け", ("white", "declaration")),
        ("3 勝ち", ("black", "unknown")),
        ("3 負け", ("white", "resign")),
        ("3 先手の勝ち", ("black", "unknown")),
        ("3 後手時間切れ負け", ("black", "timeout")),
        ("まで2手で先手の詰み勝ち", ("black", "checkmate")),
        // Word and sentence agree.
        ("3 投了\nまで2手で中断", ("white", "resign")),
        ("", ("unknown", "unknown")),
    ] {
        let game = read_one("a.kif", kif(&format!("   1 ７六歩(77)\n   2 ３四歩(33)\n{rest}\n")));
        assert_eq!(end(&game), expected, "{rest}");
    }
}

#[test]
fn illegal_last_move_loses() {
    // The king stays in check, and only a comment ends the game.
    let text = kif(
        "1   ７六歩(77)   (0:7/0:0:7)\n2   ３四歩(33)   (0:4/0:0:4)\n3   ９六歩(97)\n4   ８八角成(22)\n5   ９五歩(96)\n6   ７七馬(88)\n7   ９四歩(95)   (0:15/0:10:24)\n*反則手にて終局\n",
    );
    let game = read_one("a.kif", &text);
    assert_eq!((game.moves.len(), end(&game)), (6, ("white", "illegal")));
    // A following word changes nothing, a sentence naming the winner does.
    assert_eq!(end(&read_one("a.kif", format!("{text}8 投了\n"))), ("white", "illegal"));
    assert_eq!(end(&read_one("a.kif", format!("{text}まで7手で先手の勝ち\n"))), ("black", "illegal"));
    // Broken off after it: still the reason of the result.
    for rest in ["8 中断\n", "まで7手で中断\n", "8 中断\nまで7手で中断\n"] {
        assert_eq!(end(&read_one("a.kif", format!("{text}{rest}"))), ("white", "illegal"), "{rest}");
    }
}

/// The word for a win stands in the place of the loser's move too, if the last move ended the game.
#[test]
fn won_by_the_last_move() {
    let mate = format!("{DIAGRAM}   1 ５二金打\n   2 詰み勝ち\n");
    assert_eq!(end(&read_one("a.kif", mate)), ("black", "checkmate"));
    let king = DIAGRAM.replace("・ ・ ・ ・v玉 ・ ・ ・ ・|一", "・ ・ ・ ・ ・ ・ ・ ・v玉|一");
    let tried = king.replace(" 歩 ", " ・ ").replace("・ ・ ・ ・ ・ ・ ・ ・ ・|二", "・ ・ ・ ・ 玉 ・ ・ ・ ・|二");
    let tried = format!("{tried}   1 ５一玉(52)\n   2 トライ勝ち\n");
    assert_eq!(end(&read_one("a.kif", tried)), ("black", "declaration"));
}

/// The other common words for hands and sides.
#[test]
fn hands_in_every_spelling() {
    for (hand, pieces) in [
        ("後手の持ち駒：飛二", "2r"),
        ("後手の持駒 ：飛二", "2r"),
        ("後手の持駒　：　飛二", "2r"),
        ("後手の持駒 飛二", "2r"),
        ("後手持駒：飛二", "2r"),
        ("後手 持ち駒：飛2", "2r"),
        ("後手の駒台：飛２", "2r"),
        ("玉方の持駒：飛二", "2r"),
        ("受方 持駒：飛二枚", "2r"),
        ("△持駒：飛×2", "2r"),
        ("△後手の持駒：飛二", "2r"),
        ("☖後手の持駒：飛 二", "2r"),
        ("後手の持駒：歩17", "17p"),
        ("後手の持駒：歩１７", "17p"),
        ("後手の持駒：飛二、金、歩十七", "2rg17p"),
        ("後手の持駒：飛2,歩3", "2r3p"),
        ("後手の持駒：無し", "-"),
        ("後手の持駒：なし", "-"),
        ("後手の持駒：", "-"),
        ("後手の持駒：残り全部", "2r2b3g4s4n4l17p"),
    ] {
        let text = DIAGRAM.replace("後手の持駒：なし", hand);
        let expected = format!("{DIAGRAM_SFEN} b G{pieces} 1").replace("G-", "G");
        let game = read_one("a.kif", &text);
        assert_eq!((game.start.sfen(), game.warnings.is_empty()), (expected, true), "{hand}");
    }
    for (black, white) in [("攻方", "玉方"), ("詰方", "受方"), ("攻め方", "受け方"), ("下手", "上手")]
    {
        let text = DIAGRAM.replace("先手", black).replace("後手の持駒：なし", &format!("{white}の持駒：銀"));
        let turn = if black == "下手" { 'w' } else { 'b' };
        assert_eq!(read_one("a.kif", text).start.sfen(), format!("{DIAGRAM_SFEN} {turn} Gs 1"));
    }
    for turn in ["手番：後手", "手番:後手番", "後手番"] {
        let game = read_one("a.kif", format!("{DIAGRAM}{turn}\n"));
        assert_eq!(game.start.sfen(), format!("{DIAGRAM_SFEN} w G 1"), "{turn}");
    }
}

/// Never a position without the hand: a problem would have another answer.
#[test]
fn hands_that_are_not_understood() {
    for hand in [
        "後手持：飛二",
        "Gote：飛二",
        "後手：飛二",
        "飛二",
        "飛　金",
        "白の持駒：飛二",
        "持駒：飛二",
        "手番：？",
        "駒：飛",
    ] {
        let rejected = rejection("a.kif", DIAGRAM.replace("後手の持駒：なし", hand));
        let expected =
            format!("a.kif:1: '{hand}' may concern hands or side to move of the diagram, but is not understood");
        assert_eq!(rejected, expected);
        let rejected = rejection("a.kif", format!("{DIAGRAM}{hand}\n   1 ５二金打\n"));
        assert_eq!(rejected, expected.replace(":1:", ":15:"));
    }
    for hand in ["後手の持駒：二歩", "後手の持駒：と", "後手の持駒：飛ふたつ", "後手の持駒：不明"]
    {
        let pieces = hand.split('：').next_back().unwrap();
        let rejected = rejection("a.kif", DIAGRAM.replace("後手の持駒：なし", hand));
        assert_eq!(rejected, format!("a.kif:1: '{pieces}' does not describe a position"));
    }
    assert_eq!(
        rejection("a.kif", kif("   1 ７六歩(77)\n").replace("手合割：平手", "後手の持駒：飛")),
        "a.kif:1: 'hands without a board' does not describe a position"
    );
    // Other lines beside a diagram do no harm.
    let text = format!("作者：某\n持ち時間：10分\n振り駒：先手\n先手：金\n{DIAGRAM}");
    assert_eq!(read_one("a.kif", text).start.sfen(), format!("{DIAGRAM_SFEN} b G 1"));
}

#[test]
fn lines_that_end_by_cr_alone() {
    let text = kif("   1 ７六歩(77)\n*good\n   2 投了\n").replace('\n', "\r");
    for bytes in [text.as_bytes().to_vec(), SHIFT_JIS.encode(&text).0.into_owned()] {
        for name in ["a.kif", "a.txt"] {
            let game = read_one(name, &bytes);
            assert_eq!((moves(&game).as_str(), end(&game)), ("7g7f", ("black", "resign")));
            assert_eq!(game.comments_at(1), ["good"]);
        }
    }
    assert_eq!(
        rejection("a.kif", kif("1 ７六歩(77)\n2 ３五歩(33)\n").replace('\n', "\r")),
        "a.kif:4: move 2 '３五歩(33)' is illegal: the piece does not move like that"
    );
    // Both kinds of line ends in one file.
    assert_eq!(
        moves(&read_one("a.kif", kif("   1 ７六歩(77)\r   2 ３四歩(33)\r\n   3 ２二角成(88)\n"))),
        "7g7f 3c3d 8h2b+"
    );
}

#[test]
fn rejects_nonsensical_last_move() {
    assert_eq!(rejection("a.kif", kif("1 ７六歩(77)\n2 ３四歩(34)\n")), "a.kif:4: '３四歩(34)' is not a move");
    assert_eq!(
        rejection("a.kif", kif("1 ７六歩(77)\n2 ３五歩(33)\n")),
        "a.kif:4: move 2 '３五歩(33)' is illegal: the piece does not move like that"
    );
    assert_eq!(
        rejection("a.kif", kif("1 ７六銀(77)\n")),
        "a.kif:3: move 1 '７六銀(77)' moves 歩, which is another piece"
    );
}

/// Without 打 a drop is a whole move, not what is left of another.
#[test]
fn rejects_cut_source_square() {
    let before = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n";
    for cut in ["５五角(", "５五角(1", "５五角(19", "５五角(1   ( 0:01/00:00:01)", "５五角x"] {
        let rejected = rejection("a.kif", kif(&format!("{before}5 {cut}\n")));
        assert_eq!(rejected, format!("a.kif:7: '{cut}' is not a move"));
    }
    assert_eq!(
        rejection("a.kif", kif("1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角(88)成\n")),
        "a.kif:5: '２二角(88)成' is not a move"
    );
}

/// An unknown word ends the game; it is no move that could be left out.
#[test]
fn rejects_move_after_unknown_word() {
    let text = kif("1 ７六歩(77)\n2 ３四歩(33)\n3 パス\n4 ８四歩(83)\n");
    assert_eq!(rejection("a.kif", text), "a.kif:6: unexpected '８四歩(83)' after the end of the game");
}

#[test]
fn rejects_gap_in_move_numbers() {
    assert_eq!(rejection("a.kif", kif("1 ７六歩(77)\n3 ３四歩(33)\n")), "a.kif:4: move number 3 instead of 2");
    assert_eq!(moves(&read_one("a.kif", kif("41 ７六歩(77)\n42 ３四歩(33)\n"))), "7g7f 3c3d");
}

#[test]
fn mate_without_end_word() {
    let empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(6);
    let text = format!(
        "| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|\n{empty}先手の持駒：金\n1 ５二金打\n"
    );
    assert_eq!(end(&read_one("a.kif", text)), ("black", "checkmate"));
}

#[test]
fn headers_separate_games() {
    let one = kif("   1 ７六歩(77)\n   2 投了\nまで1手で先手の勝ち\n\n変化：1手\n 1 ２六歩(27)\n\n");
    let games = read_all("a.kif", format!("{one}{one}"));
    assert_eq!(games.len(), 2);
    assert_eq!(games.iter().map(|game| game.as_ref().unwrap().line).collect::<Vec<_>>(), [1, 10]);
}

/// As ShogiHome writes other start positions, without 手合割.
#[test]
fn diagrams_separate_games() {
    let problem = format!("{DIAGRAM}先手番\n手数----指手---------消費時間--\n   1 ５二金打\n   2 詰み\nまで1手詰\n\n");
    for titles in ["", "表題：一手詰\n作者：某\n持ち時間：10分\n"] {
        let text = format!("{titles}{problem}");
        let games = read_all("a.kif", text.repeat(3));
        assert_eq!(games.len(), 3, "{games:?}");
        for (at, game) in games.into_iter().enumerate() {
            let game = game.unwrap();
            assert_eq!((game.start.sfen(), moves(&game)), (format!("{DIAGRAM_SFEN} b G 1"), "G*5b".to_owned()));
            assert_eq!(end(&game), ("black", "checkmate"));
            assert_eq!(game.line, 1 + at * text.lines().count());
            assert_eq!(game.headers.clocks[0].is_some(), !titles.is_empty());
        }
    }
    // The first row may be the first line that tells.
    let rows = problem.replace("後手の持駒：なし\n", "");
    let starts: Vec<String> =
        read_all("a.kif", rows.repeat(2)).into_iter().map(|game| game.unwrap().start.sfen()).collect();
    assert_eq!(starts, vec![format!("{DIAGRAM_SFEN} b G 1"); 2]);
}

#[test]
fn headings_of_moves_separate_games() {
    let one = "表題：練習\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 突然死   ( 0:05/00:00:05)\n";
    let games = read_all("a.kif", format!("{one}\n{one}"));
    let read: Vec<_> = games.into_iter().map(|game| game.map(|game| (game.line, moves(&game)))).collect();
    assert_eq!(read, [Ok((1, "7g7f".to_owned())), Ok((6, "7g7f".to_owned()))]);
}

#[test]
fn game_without_moves_is_separate() {
    let games = read_all("a.kif", [kif(""), kif("   1 ７六歩(77)\n"), kif("")].concat());
    let played: Vec<String> = games.iter().map(|game| moves(game.as_ref().unwrap())).collect();
    assert_eq!(played, ["", "7g7f", ""]);
}

#[test]
fn time_control_headers() {
    for (headers, times) in [
        ("", [None, None]),
        ("持ち時間：各８時間\n秒読み：60秒\n", [Some([28_800, 60, 0]); 2]),
        ("持ち時間：15分+30秒\n", [Some([900, 30, 0]); 2]),
        // As ShogiHome writes minutes and seconds.
        ("持ち時間：15:00+30\n", [Some([900, 30, 0]); 2]),
        ("持ち時間：5分+5秒追加\n", [Some([300, 0, 5]); 2]),
        ("先手持ち時間：1分\n後手の持ち時間：2分\n", [Some([60, 0, 0]), Some([120, 0, 0])]),
        ("持ち時間：早指し\n秒読み：30秒\n", [None, None]),
    ] {
        let game = read_one("a.kif", format!("{headers}{}", kif("1 ７六歩(77)\n")));
        let read = game.headers.clocks.map(|clock| clock.map(|clock| [clock.main, clock.byoyomi, clock.increment]));
        assert_eq!(read, times.map(|times| times.map(|times| times.map(Duration::from_secs))), "{headers}");
    }
}
