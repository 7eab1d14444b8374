//! A YaneuraOu book is played as YaneuraOu plays it: which moves its release 9.70 may answer with,
//! found by asking it 200 times for each row, with the options of the row and else its defaults.

use super::*;

const THIRD: &str = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b -";

/// Its defaults, where it has the option.
const DEFAULTS: [(&str, &str); 12] = [
    ("USI_OwnBook", "true"),
    ("BookMoves", "16"),
    ("BookIgnoreRate", "0"),
    ("BookEvalDiff", "30"),
    ("BookEvalBlackLimit", "0"),
    ("BookEvalWhiteLimit", "-140"),
    ("BookDepthLimit", "16"),
    ("NarrowBook", "false"),
    ("ConsiderBookMoveCount", "false"),
    ("IgnoreBookPly", "false"),
    ("FlippedBook", "true"),
    ("BookOnTheFly", "false"),
];

/// Scores, depths and counts; a position with two numbers.
const COUNTED: &[(&str, u32, &[&str])] = &[
    (
        START,
        1,
        &["7g7f 3c3d 50 20 60", "2g2f 8c8d 70 18 30", "5g5f none 45 12 7", "9g9f none 15 30 3", "1g1f none -10 20 0"],
    ),
    (SECOND, 2, &["4a3b none -150 30 40", "3c3d 2g2f -100 20 10", "8c8d none -130 8 10"]),
    (AFTER_2G2F, 2, &["8c8d none", "3c3d none", "4a3b none 20"]),
    (THIRD, 3, &["2g2f 8c8d 100 20 1"]),
    (THIRD, 7, &["6g6f none 100 20 5", "2g2f 4c4d 90 20 1"]),
];
const AFTER_2G2F: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w -";

/// The same for the start position with other counts and values.
const ZERO: &[&str] = &["7g7f none 40 16 0", "2g2f none 60 16 0", "5g5f none 20 16 0"];
const MANY: &[&str] = &["7g7f", "2g2f", "5g5f", "9g9f", "1g1f", "6g6f", "4g4f", "3g3f", "8g8f", "6i7h", "4i3h", "2h7h"];
const ILLEGAL: &[&str] = &["7g7e none 900 99 900", "2g2f none 10 20 50", "7g7f none 30 20 5", "5g5f none 35 20 4"];
const WORDS: &[&str] =
    &["7g7f none 50 20 none", "2g2f none none 20 9", "5g5f none 25 20 8", "9g9f none -10 none 3", "1g1f"];
const TIES: &[&str] = &["1g1f none 0 10 5", "7g7f none 40 10 5", "2g2f none 10 30 5", "9g9f none 9 30 5"];

const A: &str = "startpos";
const B: &str = "startpos moves 7g7f";
const C: &str = "startpos moves 7g7f 3c3d";
/// The position of `C` at ply 7 and 11.
const D: &str = "startpos moves 7g7f 3c3d 5i5h 5a5b 5h5i 5b5a";
const E: &str = "startpos moves 7g7f 3c3d 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a";

/// Book, options, position, moves.
#[rustfmt::skip]
const ROWS: &[(&str, &str, &str, &str)] = &[
    ("counted", "", A, "2g2f 5g5f 7g7f"),
    ("counted", "ConsiderBookMoveCount=true", A, "2g2f 5g5f 7g7f"),
    ("counted", "NarrowBook=true", A, "2g2f 7g7f"),
    ("counted", "NarrowBook=true ConsiderBookMoveCount=true", A, "2g2f 7g7f"),
    ("counted", "BookEvalDiff=0", A, "2g2f 7g7f"),
    ("counted", "BookEvalDiff=5", A, "2g2f 5g5f 7g7f"),
    ("counted", "BookEvalDiff=1000 BookEvalBlackLimit=-100", A, "1g1f 2g2f 5g5f 7g7f 9g9f"),
    ("counted", "BookEvalDiff=1000 BookEvalBlackLimit=-100 ConsiderBookMoveCount=true", A, "2g2f 5g5f 7g7f 9g9f"),
    ("counted", "BookEvalDiff=1000 BookEvalBlackLimit=20", A, "2g2f 5g5f 7g7f"),
    ("counted", "BookEvalDiff=1000 BookEvalBlackLimit=60", A, "2g2f"),
    ("counted", "BookEvalBlackLimit=71", A, ""),
    ("counted", "BookDepthLimit=20", A, "2g2f 5g5f 7g7f"),
    ("counted", "BookDepthLimit=21", A, ""),
    ("counted", "BookDepthLimit=99999", A, ""),
    ("counted", "BookDepthLimit=0", A, "2g2f 5g5f 7g7f"),
    ("counted", "BookMoves=0", A, ""),
    ("counted", "BookMoves=1", A, "2g2f 5g5f 7g7f"),
    ("counted", "USI_OwnBook=false", A, ""),
    ("counted", "", B, "3c3d 8c8d"),
    ("counted", "BookEvalWhiteLimit=-200", B, "3c3d 4a3b 8c8d"),
    ("counted", "BookEvalWhiteLimit=-200 BookEvalDiff=0", B, "3c3d 4a3b 8c8d"),
    ("counted", "BookEvalWhiteLimit=-120", B, "3c3d"),
    ("counted", "BookEvalWhiteLimit=-120 BookDepthLimit=31", B, ""),
    ("counted", "BookMoves=1", B, ""),
    ("counted", "", "startpos moves 2g2f", ""),
    ("counted", "BookDepthLimit=0", "startpos moves 2g2f", "3c3d 4a3b 8c8d"),
    ("counted", "BookDepthLimit=0 BookEvalWhiteLimit=1", "startpos moves 2g2f", "4a3b"),
    ("counted", "", C, "2g2f"),
    ("counted", "", D, "2g2f 6g6f"),
    ("counted", "", E, ""),
    ("counted", "IgnoreBookPly=true", C, "2g2f 6g6f"),
    ("counted", "IgnoreBookPly=true", E, "2g2f 6g6f"),
    ("counted", "BookOnTheFly=true", A, "2g2f 5g5f 7g7f"),
    ("counted", "BookOnTheFly=true ConsiderBookMoveCount=true", A, "2g2f 5g5f 7g7f"),
    ("counted", "BookOnTheFly=true", B, "3c3d 8c8d"),
    ("counted", "BookOnTheFly=true", C, "2g2f"),
    ("counted", "BookOnTheFly=true", D, "2g2f 6g6f"),
    ("counted", "BookOnTheFly=true", E, ""),
    ("counted", "BookOnTheFly=true IgnoreBookPly=true", D, "2g2f 6g6f"),
    ("zero", "", A, "2g2f 7g7f"),
    ("zero", "ConsiderBookMoveCount=true NarrowBook=true", A, "2g2f 7g7f"),
    ("zero", "BookEvalDiff=20", A, "2g2f 7g7f"),
    ("many", "", A, ""),
    ("many", "BookDepthLimit=0", A, "1g1f 2g2f 2h7h 3g3f 4g4f 4i3h 5g5f 6g6f 6i7h 7g7f 8g8f 9g9f"),
    ("many", "BookDepthLimit=0 NarrowBook=true", A, ""),
    ("illegal", "", A, "2g2f 5g5f 7g7f"),
    ("illegal", "NarrowBook=true", A, "2g2f"),
    ("illegal", "BookEvalDiff=0", A, "2g2f 5g5f 7g7f"),
    ("words", "", A, "1g1f 2g2f 5g5f 7g7f"),
    ("words", "BookEvalDiff=100 BookEvalBlackLimit=-100", A, "1g1f 2g2f 5g5f 7g7f 9g9f"),
    ("words", "ConsiderBookMoveCount=true", A, "1g1f 2g2f 5g5f"),
    ("words", "NarrowBook=true", A, "2g2f 5g5f"),
    ("words", "BookEvalBlackLimit=1", A, "5g5f 7g7f"),
    ("ties", "", A, ""),
    ("ties", "BookDepthLimit=10", A, "2g2f 7g7f"),
    ("ties", "BookDepthLimit=11", A, ""),
    ("ties", "BookDepthLimit=10 BookEvalDiff=31", A, "2g2f 7g7f 9g9f"),
    ("twice", "", A, "2g2f 5g5f 7g7f"),
    ("twice", "BookEvalBlackLimit=30", A, "5g5f"),
    ("twice", "BookEvalDiff=20", A, "5g5f 7g7f"),
    ("turned", "", TURNED, ""),
    ("turned", "BookEvalBlackLimit=-100", TURNED, "2g2f 7g7f"),
    ("turned", "BookEvalBlackLimit=-100 FlippedBook=false", TURNED, ""),
    ("turned", "BookEvalBlackLimit=-100 BookOnTheFly=true", TURNED, "2g2f 7g7f"),
];

/// The moves that may be played, sorted.
fn possible(engine: &mut Client, position: &str, by_count: bool) -> String {
    let thought = engine.think(position, "nodes 1");
    let strings = thought.strings();
    let mut moves =
        if strings.iter().any(|string| book_move(string).is_some()) { candidates(&thought) } else { vec![] };
    // By count, a move of count 0 is a candidate that is never drawn, if others have a count.
    let count =
        |mv: &String, count: &str| strings.iter().any(|line| line.starts_with(&format!("book candidate {mv} {count}")));
    if by_count && moves.iter().any(|mv| !count(mv, "weight 0")) {
        moves.retain(|mv| !count(mv, "weight 0"));
    }
    moves.sort();
    moves.join(" ")
}

#[test]
fn yaneuraou_books_are_played_as_yaneuraou_does() {
    let shelf = Shelf::new();
    let mut counted = COUNTED.to_vec();
    counted.sort_by_key(|(sfen, ply, _)| format!("{sfen} {ply}"));
    // Of repeated moves the last holds, with the sum of the counts.
    let twice: [(&str, u32, &[&str]); 2] = [
        (START, 1, &["7g7f none 50 20 10", "2g2f none 40 20 3", "7g7f none 20 20 5"]),
        (START, 1, &["2g2f none 10 20 9", "5g5f none 35 20 30"]),
    ];
    shelf.text("twice", &twice);
    let turned: [(&str, u32, &[&str]); 1] = [(SECOND, 2, &["3c3d 2g2f -20 20 3", "8c8d 6g6f -60 20 9"])];
    shelf.text("counted", &counted);
    shelf.text("turned", &turned);
    for (book, moves) in [("zero", ZERO), ("many", MANY), ("illegal", ILLEGAL), ("words", WORDS), ("ties", TIES)] {
        shelf.text(book, &[(START, 1, moves)]);
    }
    let mut engine = Client::ready_with(&[("BookDir", name(shelf.path()))]);
    engine.send("debug on");
    for (book, options, position, expected) in ROWS {
        let set = options.split_ascii_whitespace().map(|option| option.split_once('=').expect("NAME=VALUE"));
        for (option, value) in DEFAULTS.into_iter().chain(set).chain([("BookFile", *book)]) {
            engine.set(option, value);
        }
        let position =
            if position.starts_with("startpos") { (*position).to_owned() } else { format!("sfen {position} 2") };
        let by_count = options.contains("ConsiderBookMoveCount=true");
        assert_eq!(possible(&mut engine, &position, by_count), *expected, "{book} {options} {position}");
    }
}
