//! JSON with named openings, in three layouts.

use super::helpers::{START, read_all, try_read};
use sabi_books::formats::{DropReason, Format, FormatError, Location, detect};
use sabi_shogi::Score;

#[test]
fn position_list() {
    let text = format!(
        r#"{{"positions":[{{"fen":"{START}","moves":[
            {{"from":"7g","to":"6g","piece":"pawn","weight":900,"evaluation":30,"opening_name":"Yagura",
              "move_notation":"7g7f"}},
            {{"from":"3c","to":"4c","piece":"pawn","weight":850,"evaluation":25,"move_notation":"3c4c"}},
            {{"from":"2g","to":"2f","weight":-3,"move_notation":"2g2f"}},
            {{"from":"7g","to":"6g","move_notation":"7g7f"}},
            {{"from":"7g","to":"6g","move_notation":"7g"}},
            {{"from":"7g","to":"7f","move_notation":"7h7g"}}]}},
          {{"fen":"nonsense","moves":[{{"move_notation":"7g7f"}},{{}}]}},
          {{"fen":"{START}"}}, 3]}}"#
    );
    assert_eq!(detect(text.as_bytes()), Some(Format::Openings));
    let (positions, report) = read_all(text.as_bytes());
    let moves = &positions[0].moves;
    assert_eq!((positions.len(), moves.len()), (1, 2));
    assert_eq!((moves[0].mv.to_string().as_str(), moves[0].weight, moves[0].score), ("7g7f", 900, Some(Score::cp(30))));
    assert_eq!((moves[0].name.as_deref(), moves[1].name.as_deref(), moves[1].weight), (Some("Yagura"), None, 0));
    for (reason, count) in [
        (DropReason::Disagreement, 1),
        (DropReason::WrongSide, 1),
        (DropReason::DuplicateMove, 1),
        (DropReason::BadMove, 1),
        (DropReason::IllegalMove, 1),
        (DropReason::BadPosition, 2),
        (DropReason::MoveWithoutPosition, 2),
        (DropReason::EmptyPosition, 1),
    ] {
        assert_eq!(report.count(reason), count, "{reason:?} in {report:?}");
    }
    assert_eq!(report.dropped()[&DropReason::WrongSide].examples[0].location, Location::Move(1, 2));
}

#[test]
fn position_list_among_other_fields() {
    let list = format!(r#""positions":[{{"fen":"{START}","moves":[{{"move_notation":"7g7f"}}]}}]"#);
    for text in [format!(r#"{{"version":1,{list}}}"#), format!(r#"{{{list},"positions":3,"by":"me"}}"#)] {
        let (positions, report) = read_all(text.as_bytes());
        assert_eq!((positions.len(), report.dropped().len()), (1, 0), "{text}: {report:?}");
    }
}

#[test]
fn rejects_objects_of_another_shape() {
    // As apery_rust writes it.
    let moves_by_name = format!(r#"{{"{START}":{{"7g7f":{{"value":0,"win":1,"lose":2}}}}}}"#);
    for text in ["{}", r#"{"hello":1}"#, r#"{"positions":3}"#, r#"{"version":1,"lines":[{"fen":"x"}]}"#, &moves_by_name]
    {
        let (result, positions, _) = try_read(text.as_bytes());
        assert!(matches!(result, Err(FormatError::Unknown)) && positions.is_empty(), "{text}");
    }
}

#[test]
fn named_openings() {
    let text = format!(
        r#"[{{"name":"Yagura","moves":{{"{START}":[{{"from":"77","to":"76"}}, {{"from":[6,7],"to":[5,7]}}],
              "{START}":[{{"from":"57","to":"56"}}],
              "4k4/9/9/9/9/9/9/9/4K4 b Pr 1":[{{"from":"drop","to":"52","pieceType":"P"}},
                {{"from":"drop","to":"58","pieceType":"P"}}, {{"from":"drop","to":"58","pieceType":"K"}}],
              "4k4/9/4P4/9/9/9/9/9/4K4 b - 1":[{{"from":"53","to":"52","promote":true}}]}}}},
            {{"name":"None","moves":{{}}}}]"#
    );
    let (positions, report) = read_all(text.as_bytes());
    let moves: Vec<String> =
        positions.iter().flat_map(|position| &position.moves).map(|entry| entry.mv.to_string()).collect();
    assert_eq!(moves, ["7g7f", "2g2f", "5g5f", "P*5b", "P*5h", "5c5b+"]);
    assert!(positions[0].moves.iter().all(|entry| entry.name.as_deref() == Some("Yagura") && entry.weight == 1));
    assert_eq!((report.count(DropReason::BadMove), report.dropped().len()), (1, 1));
}

#[test]
fn unnamed_positions() {
    let text =
        format!(r#"{{"{START}":[{{"from":[6,2],"to":[5,2]}}],"initial_state_hash":[{{"from":[6,4],"to":[5,4]}}]}}"#);
    let (positions, report) = read_all(text.as_bytes());
    assert_eq!(positions[0].moves[0].mv.to_string(), "7g7f");
    assert_eq!((report.count(DropReason::BadPosition), report.count(DropReason::MoveWithoutPosition)), (1, 1));
}

#[test]
fn rejects_squares_off_the_board() {
    for (from, to) in [
        ("[9,0]", "[5,2]"),
        ("[6,9]", "[5,2]"),
        ("[6]", "[5,2]"),
        ("[-1,2]", "[5,2]"),
        ("[6.5,2]", "[5,2]"),
        ("[6,999999999999]", "[5,2]"),
        ("\"07\"", "\"76\""),
        ("\"7\"", "\"76\""),
        ("null", "\"76\""),
        ("\"77\"", "{}"),
        ("\"77\"", "\"77\""),
    ] {
        let text = format!(r#"{{"{START}":[{{"from":{from},"to":{to}}}]}}"#);
        let (positions, report) = read_all(text.as_bytes());
        assert_eq!((positions.len(), report.count(DropReason::BadMove)), (0, 1), "{from} {to}");
    }
}

#[test]
fn json_errors_have_positions() {
    let error = try_read(b"{\"positions\":[\n{]}").0.unwrap_err().to_string();
    assert!(error.contains("line 2 column 2"), "{error}");
    for text in ["{", "[", "[3]", "[{\"moves\":3}]", "{\"a\":1} x"] {
        assert!(try_read(text.as_bytes()).0.is_err(), "{text}");
    }
    let deep = "[".repeat(100_000);
    assert!(try_read(deep.as_bytes()).0.is_err());
}
