//! KI2: disambiguation of pieces.

use super::samples::{end, moves, playout, read_one, rejection};
use sabi_records::{Game, Notation, japanese_move};
use sabi_shogi::STARTPOS_SFEN;

/// Diagrams are given as SFEN boards for readability.
fn resolved(rows: [&str; 9], hand: &str, text: &str) -> String {
    let diagram: String = rows.iter().map(|row| format!("|{row}|\n")).collect();
    moves(&read_one("a.ki2", format!("{diagram}先手の持駒：{hand}\n{text}\n")))
}

/// A board that is empty except on these ranks.
fn with_ranks<const N: usize>(ranks: [(usize, &'static str); N]) -> [&'static str; 9] {
    let mut board = [" ・ ・ ・ ・ ・ ・ ・ ・ ・"; 9];
    ranks.into_iter().for_each(|(rank, row)| board[rank - 1] = row);
    board
}

#[test]
fn disambiguates_golds() {
    // Golds on 6i, 5i and 4h; target 5h.
    let rows = |gold, back| with_ranks([(1, " ・ ・ ・ ・v玉 ・ ・ ・ ・"), (8, gold), (9, back)]);
    let board = rows(" ・ ・ ・ ・ ・ 金 ・ ・ ・", " ・ ・ ・ 金 金 ・ ・ ・ 玉");
    for (text, expected) in [
        ("▲５八金左", "6i5h"),
        ("▲５八金直", "5i5h"),
        ("▲５八金寄", "4h5h"),
        ("▲５八金右", "4h5h"),
        ("☗５八金打", "G*5h"),
        ("▲５八金左上", "6i5h"),
    ] {
        assert_eq!(resolved(board, "金", text), expected, "{text}");
    }
    let board = rows(" ・ ・ ・ 金 ・ 金 ・ ・ ・", " ・ ・ ・ 金 ・ ・ ・ ・ 玉");
    for (text, expected) in [("▲５八金上", "6i5h"), ("▲５八金左寄", "6h5h"), ("▲５八金右", "4h5h")] {
        assert_eq!(resolved(board, "なし", text), expected, "{text}");
    }
}

#[test]
fn disambiguates_horses_for_both_sides() {
    let board = with_ranks([
        (1, " ・ ・ ・ ・v玉 ・ ・ ・ ・"),
        (3, " 馬 馬 ・ ・ ・ ・ ・ ・ ・"),
        (9, " ・ ・ ・ ・ 玉 ・ ・ ・ ・"),
    ]);
    assert_eq!(resolved(board, "なし", "▲８二馬左"), "9c8b");
    assert_eq!(resolved(board, "なし", "▲８二馬右"), "8c8b");
    let board = with_ranks([(1, " ・ ・ ・v金 ・v金 ・ ・v玉"), (9, " ・ ・ ・ ・ 玉 ・ ・ ・ ・")]);
    // White sees file 6 on the right.
    assert_eq!(resolved(board, "なし", "後手番\n△５二金右"), "6a5b");
    assert_eq!(resolved(board, "なし", "後手番\n☖５二金左"), "4a5b");
}

/// Kifu for Windows can write the source square in place of words.
#[test]
fn source_square_in_brackets() {
    let text = |last: &str| format!("▲７六歩(77)△３四歩(33)▲５八金({last})△４二銀(31)\nまで4手で中断\n");
    for (last, expected) in [("49", "4i5h"), ("69", "6i5h")] {
        assert_eq!(moves(&read_one("a.ki2", text(last))), format!("7g7f 3c3d {expected} 3a4b"));
    }
    assert_eq!(rejection("a.ki2", text("39")), "a.ki2:1: move 3 '５八金(39)' moves 銀, which is another piece");
}

#[test]
fn promotion_spellings() {
    let start = "▲７六歩 △３四歩 ";
    for (text, expected) in
        [("▲２二角成", "8h2b+"), ("▲２二角　成", "8h2b+"), ("▲２二角不成", "8h2b"), ("▲２二角生", "8h2b")]
    {
        let game = read_one("a.ki2", format!("{start}{text} △同　銀"));
        assert_eq!(moves(&game), format!("7g7f 3c3d {expected} 3a2b"), "{text}");
    }
    assert_eq!(moves(&read_one("a.ki2", format!("{start}▲２二角成 △同銀 ▲５五角"))), "7g7f 3c3d 8h2b+ 3a2b B*5e");
}

#[test]
fn pinned_piece_is_excluded() {
    // The gold on 5h is pinned by the rook on 5a: only the other one can go to 4h.
    let board = with_ranks([
        (1, " ・ ・ ・ ・v飛 ・ ・ ・v玉"),
        (8, " ・ ・ ・ ・ 金 ・ ・ ・ ・"),
        (9, " ・ ・ ・ ・ 玉 金 ・ ・ ・"),
    ]);
    assert_eq!(resolved(board, "なし", "▲４八金"), "4i4h");
}

#[test]
fn comments_headers_and_end_sentence() {
    let text = "消費時間：▲4時間39分△4時間01分\n先手：a\n後手：b\n\n*放送日\n▲７六歩    △３四歩    ▲２六歩\n*△８四歩 is a comment\n△４四歩\nまで4手で後手の勝ち\n\n変化：2手\n△８四歩\nまで2手で中断\n";
    let game = read_one("a.ki2", text);
    assert_eq!(moves(&game), "7g7f 3c3d 2g2f 4c4d");
    assert_eq!(end(&game), ("white", "resign"));
    assert_eq!(game.headers.names.each_ref().map(Option::as_deref), [Some("a"), Some("b")]);
}

#[test]
fn rejects_ambiguous_moves() {
    for (text, message) in [
        ("▲５八金 △３四歩", "a.ki2:1: move 1 '５八金' is ambiguous: 2 pieces match"),
        ("▲５五歩", "a.ki2:1: move 1 '５五歩' is illegal: the piece is not in hand"),
        ("▲同　歩", "a.ki2:1: move 1 '同　歩' goes to the square of the move before, but there was none"),
        ("△３四歩", "a.ki2:1: move 1 '３四歩' is played by White, whose turn it is not"),
        ("▲７六", "a.ki2:1: '７六' is not a move"),
        ("▲７六歩\n▲２六歩", "a.ki2:2: move 2 '２六歩' is played by Black, whose turn it is not"),
    ] {
        assert_eq!(rejection("a.ki2", text), message, "{text}");
    }
}

/// All disambiguation words occur in random games with many equal pieces.
#[test]
fn move_text_round_trips() {
    let crowded = "8k/2+BG1G+B2/1G1S1S1G1/9/9/2N1N1N2/1L+R3+RL1/2+S3+S2/4K4 b 2P 1";
    for (start, seed) in [(STARTPOS_SFEN, 1), (STARTPOS_SFEN, 2), (crowded, 3), (crowded, 4), (crowded, 5)] {
        let game = playout(start, 150, seed);
        let mut position = game.start.clone();
        for &mv in &game.moves {
            let word = japanese_move(&position, mv);
            let text = format!("{}{word}\n", Notation::Kif.write(&Game::before(&position)));
            let read = read_one("a.ki2", text);
            assert_eq!(read.moves.last(), Some(&mv), "{word} in {}", position.sfen());
            position.play(mv);
        }
    }
}
