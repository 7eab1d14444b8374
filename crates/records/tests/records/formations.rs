//! Openings and castles by name.

use sabi_records::{Formation, FormationKind, FormationTable, Game};
use sabi_shogi::{Color, Move, Position};
use std::collections::HashSet;

/// An example of each pattern.
const EXAMPLES: &str = include_str!("formations.tsv");

fn game(moves: &[Move]) -> Game {
    let mut game = Game::new(Position::startpos());
    for &mv in moves {
        let position = game.last_position();
        assert!(position.is_legal(mv), "{mv} after {}", game.usi());
        game.push(mv, None, None);
    }
    game
}

/// The game of an example; with `player`, that of moves of one side.
fn example(moves: &str, player: Option<Color>) -> Game {
    let words = moves.split(' ').map(|word| word.trim_matches(['(', ')']).parse::<Move>().unwrap());
    let Some(player) = player else { return game(&words.collect::<Vec<_>>()) };
    let turned = |mv: Move| if player == Color::White { mv.rotated() } else { mv };
    let waits: [Move; 2] = ["6a6b", "6b6a"].map(|mv| turned(mv.parse().unwrap()));
    let mut waits = waits.into_iter().cycle();
    let mut played = Vec::new();
    played.extend((player == Color::White).then(|| waits.next().unwrap()));
    let replies: Vec<bool> = moves.split(' ').map(|word| word.starts_with('(')).collect();
    for (at, mv) in words.enumerate() {
        played.push(turned(mv));
        if !replies[at] && replies.get(at + 1) == Some(&false) {
            played.push(waits.next().unwrap());
        }
    }
    game(&played)
}

fn found(game: &Game, color: Color, name: &str) -> Option<Formation> {
    FormationTable::standard().formations(game)[color].iter().find(|one| one.japanese == name).cloned()
}

#[test]
fn every_pattern_recognises_its_example() {
    let examples: Vec<Vec<&str>> =
        EXAMPLES.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    for (kind, name, _) in FormationTable::standard().names() {
        let [_, whose, moves] =
            examples.iter().find(|fields| fields[0] == name).unwrap_or_else(|| panic!("{name}"))[..]
        else {
            panic!("the example of {name}")
        };
        let is_own = whose == "own";
        let game = example(moves, is_own.then_some(Color::Black));
        // It stands with the last move.
        let plies = game.moves.len();
        let both = Color::ALL.map(|color| found(&game, color, name).map(|one| one.ply));
        assert!(both.contains(&Some(plies)), "{name} at {both:?} of {plies}");
        if is_own && kind == FormationKind::Castle {
            let turned = example(moves, Some(Color::White));
            assert_eq!(found(&turned, Color::White, name).map(|one| one.ply), Some(turned.moves.len()), "{name}");
            assert_eq!(found(&turned, Color::Black, name), None, "{name}");
        }
    }
}

#[test]
fn names_are_unique() {
    let names: Vec<_> = FormationTable::standard().names().collect();
    for kind in [FormationKind::Opening, FormationKind::Castle] {
        assert!(names.iter().filter(|(of, ..)| *of == kind).count() >= 40);
    }
    let all = names.iter().flat_map(|&(_, japanese, english)| [japanese, english]);
    assert_eq!(all.collect::<HashSet<_>>().len(), 2 * names.len());
}

/// 片美濃囲い, 美濃囲い and 高美濃囲い are steps; a rook that goes on to another file is no other opening.
#[test]
fn special_ones_replace_general_ones() {
    let minos = example("2h6h 5i4h 4h3h 3h2h 3i3h 6i5h 4g4f 5h4g 6h7h", Some(Color::Black));
    let [black, white] = FormationTable::standard().formations(&minos);
    let listed: Vec<_> = black.iter().map(|one| (one.japanese.as_str(), one.ply, one.replaced)).collect();
    let expected = [
        ("四間飛車", 1, None),
        ("片美濃囲い", 9, Some(11)),
        ("美濃囲い", 11, Some(15)),
        ("高美濃囲い", 15, None),
        ("三間飛車", 17, Some(17)),
    ];
    assert_eq!(listed, expected);
    assert_eq!(white, []);
    // With the silver as the last piece there is no step.
    let at_once = example("2h6h 5i4h 4h3h 3h2h 6i5h 3i3h", Some(Color::Black));
    assert_eq!(found(&at_once, Color::Black, "片美濃囲い").and_then(|one| one.replaced), Some(11));
}

#[test]
fn own_patterns_add_and_replace() {
    let text = "\u{feff}# own\ncastle 美濃囲い = My Mino\n  own: K28 S38\n\nmark 端 = Edge\n  own: P16\n\
                opening 端歩 = Edge pawns # both\n  with: 端\n  own: P96\n  or\n  foe: P94 -P14\n  foe hand: -B\n";
    let table = FormationTable::standard().with(text).unwrap();
    assert_eq!(table.names().count(), FormationTable::standard().names().count() + 1);
    let game = example("2h6h 5i4h 4h3h 3h2h 3i3h 9g9f 1g1f", Some(Color::Black));
    let [black, _] = table.formations(&game);
    let plies = |name: &str| black.iter().find(|one| one.english == name).map(|one| one.ply);
    assert_eq!((plies("My Mino"), plies("Mino"), plies("Edge pawns"), plies("Edge")), (Some(9), None, Some(13), None));
    // 14 of White is 96 of Black, from White's side.
    let [_, white] = table.formations(&example("9g9f", Some(Color::Black)));
    assert_eq!(white.iter().map(|one| one.english.as_str()).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn conditions_of_moves_hands_and_sides() {
    let table = |conditions: &str| FormationTable::default().with(&format!("opening a\n{conditions}\n")).unwrap();
    let exchange = example("7g7f 3c3d 8h2b+ 3a2b B*4e", None);
    for (conditions, black, white) in [
        ("move: B88x22", Some(3), None),
        ("move: B-22", Some(3), None),
        ("move: B45", None, None),
        ("move: S31x22", None, None),
        ("move: S79x88", None, Some(4)),
        ("hand: B", Some(3), Some(4)),
        ("hand: B\n foe hand: B", Some(4), Some(4)),
        ("bishops: exchanged", Some(4), Some(4)),
        ("bishops: kept\n own: P76", Some(1), Some(2)),
        ("side: white\n own: P76", None, Some(2)),
        ("ply: 2-3\n own: P76", Some(2), Some(2)),
        ("ply: -4\n own: B45", None, None),
        ("own: +B22", Some(3), None),
        ("own: X45", Some(5), None),
        ("own: GS88 P*6", None, Some(4)),
    ] {
        let found = table(conditions).formations(&exchange).map(|all| all.first().map(|one| one.ply));
        assert_eq!(found, [black, white], "{conditions}");
    }
}

#[test]
fn errors_name_the_line() {
    for (text, message) in [
        ("own: K28", "line 1: this stands before the first pattern"),
        ("castle", "line 1: '' is no name: there must be one, without / and commas"),
        ("\ncastle a/b\n own: K28", "line 2: 'a/b' is no name: there must be one, without / and commas"),
        ("house a\n", "line 1: 'house' begins no pattern (opening, castle, mark), and is no condition"),
        ("castle a\n\ncastle b\n own: K28", "line 3: the pattern before it has no condition"),
        ("castle a\n ply: 1-2", "line 1: this pattern has no condition"),
        ("castle a\n own: K28\n or", "line 1: this pattern has no condition"),
        ("castle a\n or\n own: K28", "line 2: there is no condition before this 'or'"),
        ("castle a = b\n own: K28\ncastle c = b\n own: K28", "line 3: 'b' is a name of 'a' of line 1"),
        ("castle a\u{7}b\n own: K28", "line 1: 'a?b' is no name: there must be one, without / and commas"),
        ("castle a\n foe ply: 1-2", "line 2: 'foe ply' is no condition"),
        ("castle a\n own:", "line 2: 'own:' has no value"),
        ("castle a\n king: 28", "line 2: 'king' is no condition"),
        ("castle a\n own: 28", "line 2: '28' is not pieces and squares, as K28 or GS58/47"),
        ("castle a\n own: K", "line 2: 'K' is not pieces and squares, as K28 or GS58/47"),
        ("castle a\n own: +G28", "line 2: '+G28' is not pieces and squares, as K28 or GS58/47"),
        ("castle a\n own: K28/2", "line 2: '2' is not a square, as 28, 2* or *8"),
        ("castle a\n own: K玉", "line 2: '玉' is not a square, as 28, 2* or *8"),
        ("castle a\n own: K20", "line 2: '20' is not a square, as 28, 2* or *8"),
        ("castle a\n hand: K", "line 2: 'K' cannot be in hand"),
        ("castle a\n hand: BR", "line 2: 'BR' is not a piece in hand, as B or -B"),
        ("castle a\n ply: 5", "line 2: '5' is not a range, as 1-40"),
        ("castle a\n ply: 5-4", "line 2: '5-4' is not a range, as 1-40"),
        ("castle a\n side: both", "line 2: 'both' is neither black nor white"),
        ("castle a\n bishops: gone", "line 2: 'gone' is neither exchanged nor kept"),
        ("castle a\n move: 28", "line 2: '28' is not a move, as R68 or B88x22"),
        ("castle a\n move: R28x", "line 2: '' is not a square, as 28, 2* or *8"),
        ("castle a\n with: b", "line 2: there is no 'b' above this line"),
        ("castle a\n own: K28\n replaces: b", "line 3: there is no 'b' above this line"),
    ] {
        let error = FormationTable::default().with(text).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
    }
    // A name of another pattern, in either language.
    for name in ["矢倉囲い = Yagura", "Mino"] {
        let error = FormationTable::standard().with(&format!("castle {name}\n own: K28\n")).unwrap_err().to_string();
        assert!(error.starts_with("line 1: '") && error.contains(" is a name of '"), "{error}");
    }
    // What is replaced again and again counts once.
    let chain: String = (1..60).map(|at| format!("mark m{at}\n own: K28\n replaces: m{0}, m{0}\n", at - 1)).collect();
    assert!(FormationTable::default().with(&format!("mark m0\n own: K28\n{chain}")).is_ok());
}
