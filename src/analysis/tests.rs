//! Made-up games with made-up scores, and a few real searches.

use super::annotations::{is_of_position, is_summary};
use super::class::ACCURACY_SCALE;
use super::*;
use crate::engine::Options;
use crate::search::{Resources, Signals};
use sabi_records::{Game, Notation, comment_score, read_bytes};
use sabi_shogi::{Color, EnteringKingRule, Position, Score};
use serde_json::json;

fn game(start: &str, moves: &str) -> Game {
    let start = Position::from_sfen(start).unwrap();
    Game::before(&start.with_moves(moves.split_whitespace()).unwrap())
}

const STARTPOS: &str = sabi_shogi::STARTPOS_SFEN;

/// An analysis with this score for the side to move and this best line.
fn found(score: Score, proved: bool, line: &str) -> Option<PositionAnalysis> {
    let moves = line.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
    let lines = vec![PvLine { score: AnalysisScore { score, proved }, depth: 9, moves }];
    let mates = proved && score.is_mate_win();
    Some(PositionAnalysis { score: lines[0].score, nodes: 100, lines, mates, keeps_mate: false, great: false })
}

fn cp(score: i32, line: &str) -> Option<PositionAnalysis> {
    found(Score::cp(score), false, line)
}

fn classified(game: Game, positions: Vec<Option<PositionAnalysis>>) -> AnalyzedGame {
    AnalyzedGame::new(game, positions, &Scope::default(), None, EnteringKingRule::default())
}

#[test]
fn loss_compares_scores_before_and_after() {
    let game = game(STARTPOS, "7g7f 3c3d 2g2f");
    let analyzed = classified(game, vec![cp(60, "7g7f 3c3d"), cp(-60, "8c8d"), cp(400, "6g6f"), cp(300, "8c8d")]);
    let classification = |at: usize| analyzed.classifications[at].unwrap();
    assert_eq!((classification(0).class, classification(0).loss), (Class::Best, 0.0));
    // White, 60 behind, is 400 behind now; Black ahead is not a turning point.
    let second = classification(1);
    assert_eq!(
        (second.before.score, second.after.score, second.centipawn_loss),
        (Score::cp(-60), Score::cp(-400), 340)
    );
    assert_eq!((second.class, second.turning_point), (Class::Mistake, false));
    // Black was 400 ahead and is 300 behind.
    let third = classification(2);
    assert_eq!((third.centipawn_loss, third.class, third.turning_point), (700, Class::Blunder, true));
    assert_eq!(analyzed.turning_points().collect::<Vec<_>>(), [2]);
    assert_eq!(analyzed.for_black(1).unwrap().score, Score::cp(60));

    let [black, white] = analyzed.players.map(Option::unwrap);
    assert_eq!((black.moves, black.count(Class::Best), black.count(Class::Blunder)), (2, 1, 1));
    let loss = Score::cp(400).expected_score() - Score::cp(-300).expected_score();
    assert!((black.mean_loss - loss / 2.0).abs() < 1e-12);
    assert!((black.accuracy - f64::midpoint(1.0, (-loss / ACCURACY_SCALE).exp())).abs() < 1e-12);
    assert_eq!((white.moves, white.mean_centipawn_loss), (1, 340.0));
}

#[test]
fn best_move_has_no_loss() {
    let analyzed = classified(game(STARTPOS, "7g7f"), vec![cp(300, "7g7f"), cp(300, "3c3d")]);
    let classification = analyzed.classifications[0].unwrap();
    assert_eq!((classification.class, classification.loss, classification.centipawn_loss), (Class::Best, 0.0, 0));
    assert_eq!(classification.after.score, Score::cp(-300));
}

#[test]
fn great_move_is_the_best_one() {
    let great = |line| {
        let mut before = cp(100, line).unwrap();
        before.great = true;
        classified(game(STARTPOS, "7g7f"), vec![Some(before), cp(-100, "3c3d")]).classifications[0].unwrap().class
    };
    assert_eq!((great("7g7f"), great("2g2f")), (Class::Great, Class::Best));
    let [japanese, english] = [Language::Japanese, Language::English].map(|language| {
        let player = PlayerSummary { counts: [1, 2, 3, 4, 5, 6, 7], ..PlayerSummary::default() };
        language.errors(&player, Class::Inaccuracy)
    });
    assert_eq!(japanese, "緩手 4、疑問手 5、悪手 6、大悪手 7");
    assert_eq!(english, "inaccuracies 4, mistakes 5, blunders 6, major blunders 7");
}

#[test]
fn unsearched_moves_have_no_remarks() {
    let positions = vec![None, cp(0, "3c3d"), cp(0, "2g2f"), None];
    let analyzed = classified(game(STARTPOS, "7g7f 3c3d 2g2f"), positions);
    assert_eq!(analyzed.classifications.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(analyzed.players.map(|player| player.map(|player| player.moves)), [None, Some(1)]);
}

#[test]
fn missed_and_allowed_mates() {
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    let won = || found(Score::mate_in(1), true, "G*5b");
    let missed = classified(game(sfen, "5c5b+"), vec![won(), cp(-900, "5a5b")]).classifications[0].unwrap();
    assert!(missed.missed_mate && !missed.allowed_mate);
    // A longer mate is not a miss, proved by the solver or not.
    let mut kept = won();
    kept.as_mut().unwrap().keeps_mate = true;
    let kept = classified(game(sfen, "5c5b+"), vec![kept, cp(-900, "5a5b")]).classifications[0].unwrap();
    assert!(!kept.missed_mate);
    let proved = vec![won(), found(Score::mated_in(2), true, "5a5b")];
    assert!(!classified(game(sfen, "5c5b+"), proved).classifications[0].unwrap().missed_mate);

    let white = "4k4/9/9/9/9/9/4p4/9/4K4 b g 1";
    let mated = || found(Score::mate_in(1), true, "G*5h");
    let allowed = classified(game(white, "5i4i"), vec![cp(-300, "5i4h"), mated()]).classifications[0].unwrap();
    assert!(allowed.allowed_mate && !allowed.missed_mate && allowed.class == Class::Blunder);
    // No better move exists: not an error.
    let lost = vec![found(Score::mated_in(2), true, "5i6i"), mated()];
    assert!(!classified(game(white, "5i4i"), lost).classifications[0].unwrap().allowed_mate);
}

#[test]
fn mate_stays_proved_along_its_line() {
    let game = game("4k4/9/9/4P4/9/9/9/9/4K4 b 2G 1", "G*4b 5a6a");
    let mate = found(Score::mate_in(3), true, "G*4b 5a6a G*6b");
    let analyzed = classified(game, vec![mate, cp(-700, "5a4a"), cp(1500, "5d5c+")]);
    assert_eq!(analyzed.for_black(1).unwrap().mate(), Some(2));
    assert_eq!(analyzed.positions[1].as_ref().unwrap().best(), "5a6a".parse().ok());
    // No better reply exists.
    assert_eq!(
        analyzed.classifications[1].map(|classification| (classification.class, classification.loss)),
        Some((Class::Best, 0.0))
    );
}

/// In a problem useless interpositions do not count, though the line has them.
#[test]
fn mate_lengths_of_problems() {
    let sfen = "8k/6S2/9/8B/8L/9/9/9/9 b P2rb4g3s4n3l17p 1";
    let mate = analyzer(1).analyze(&Position::from_sfen(sfen).unwrap(), None, &Signals::default());
    assert_eq!((mate.score.mate(), mate.lines[0].depth, mate.lines[0].moves.len()), (Some(1), 1, 3));
    let line: Vec<_> = mate.lines[0].moves.iter().map(ToString::to_string).collect();
    let analyzed = classified(game(sfen, &line[..1].join(" ")), vec![Some(mate), cp(-700, &line[1])]);
    assert_eq!(analyzed.for_black(1).unwrap().mate(), Some(0));
}

fn analyzer(multi_pv: usize) -> Analyzer {
    let mut options = Options { resources: Resources::new(1, 1), ..Options::default() };
    options.search.multi_pv = multi_pv;
    analyzer_with(&options)
}

fn analyzer_with(options: &Options) -> Analyzer {
    Analyzer::new(options, options.eval.evaluation().unwrap(), Budget::Nodes(2_000)).unwrap()
}

#[test]
fn solver_proves_mates_and_mating_moves() {
    let position = Position::from_sfen("4k4/9/4+P4/9/9/9/9/9/4K4 b 2G 1").unwrap();
    let played = |mv: &str| analyzer(1).analyze(&position, mv.parse().ok(), &Signals::default());
    let mate = played("G*5b");
    assert_eq!((mate.mates, mate.keeps_mate, mate.score.mate()), (true, true, Some(1)));
    // Not the shortest mate, but every reply is mated.
    assert!(played("G*4b").keeps_mate);
    let missed = played("5i5h");
    assert_eq!((missed.mates, missed.keeps_mate, missed.best()), (true, false, mate.best()));
    assert!(missed.fits(&position) && !missed.fits(&Position::startpos()));
}

#[test]
fn mates_after_the_end_of_the_game_do_not_count() {
    // After R*6h White tries with 6i5i; Black can try with 4b5a.
    let tries = "9/5K3/9/9/9/9/5+L3/1BG1P4/3k1b3 b 2R2g4nl11p 1";
    let last_move = "4k4/6S2/2G6/9/9/9/9/9/4K4 b 2G 72";
    for (sfen, name, value) in [(tries, "EnteringKingRule", "TryRule"), (last_move, "MaxMovesToDraw", "72")] {
        let position = Position::from_sfen(sfen).unwrap();
        let found = |options: &Options| analyzer_with(options).analyze(&position, None, &Signals::default());
        let options = Options { resources: Resources::new(1, 1), ..Options::default() };
        assert!(found(&options).mates, "{sfen}");
        let found = found(&options.with(name, Some(value)).unwrap());
        assert_eq!((found.mates, found.score.mate()), (false, None), "{sfen}");
        assert!(sfen == last_move || found.best() == "4b5a".parse().ok() && found.score.score == Score::RULE_WIN);
    }
}

#[test]
fn proved_mate_is_first_line() {
    let position = Position::from_sfen("4k4/9/4+P4/9/9/9/9/9/4K4 b 2G 1").unwrap();
    let found = analyzer(3).analyze(&position, None, &Signals::default());
    assert_eq!(found.lines.len(), 3);
    assert_eq!((found.lines[0].moves.len(), found.lines[0].score.proved), (1, true));
    let first: std::collections::HashSet<_> = found.lines.iter().map(|line| line.moves[0]).collect();
    assert_eq!(first.len(), 3);
}

#[test]
fn finished_games_are_not_searched() {
    let shuffle = ["2h3h 8b7b 3h2h 7b8b"; 3].join(" ");
    let repeated = game(STARTPOS, &shuffle).last_position();
    let found = analyzer(1).analyze(&repeated, None, &Signals::default());
    assert_eq!((found.score.score, found.lines.len(), found.nodes), (Score::ZERO, 0, 0));
    let options = Options { resources: Resources::new(1, 1), ..Options::default() };
    let limited = options.with("MaxMovesToDraw", Some("2")).unwrap();
    let too_long = game(STARTPOS, "7g7f 3c3d 2g2f").last_position();
    let found = analyzer_with(&limited).analyze(&too_long, None, &Signals::default());
    assert_eq!((found.score.score, found.lines.len(), found.nodes), (Score::ZERO, 0, 0));
    let mated = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
    let found = analyzer(1).analyze(&mated, None, &Signals::default());
    assert_eq!((found.score.mate(), found.lines.len()), (Some(0), 0));
}

#[test]
fn limits_of_options_apply() {
    let options = Options { resources: Resources::new(1, 1), ..Options::default() };
    let options = options.with("DepthLimit", Some("2")).unwrap();
    let evaluation = options.eval.evaluation().unwrap();
    let mut analyzer = Analyzer::new(&options, evaluation, Budget::Nodes(50_000)).unwrap();
    assert_eq!(analyzer.analyze(&Position::startpos(), None, &Signals::default()).lines[0].depth, 2);
}

#[test]
fn analysed_position_round_trips() {
    let position = Position::startpos();
    let found = analyzer(2).analyze(&position, None, &Signals::default());
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<PositionAnalysis>(&text).unwrap(), found);
}

/// A game with a blunder where two moves were better.
fn blundered() -> AnalyzedGame {
    classified(
        game(STARTPOS, "7g7f 3c3d 2g2f"),
        vec![cp(60, "7g7f"), cp(-60, "3c3d"), cp(400, "8h2b+ 3a2b"), cp(500, "2b8h+ 7i8h")],
    )
}

#[test]
fn record_comments_use_known_formats() {
    let analyzed = blundered();
    let (kif, branches) = annotated(&analyzed, Notation::Kif, Language::Japanese, "Sabi");
    let last = &kif.comments[3];
    assert!(last[0].starts_with("【悪手】勝率 66.1 % → 30.3 % (損失 35.8 %)、最善は▲２二角成"), "{last:?}");
    for line in
        ["形勢逆転", "#評価値=-500", "#読み筋=△８八角成(22)▲同　銀(79)", "#深さ=9", "#ノード数=100", "#エンジン=Sabi"]
    {
        assert!(last.iter().any(|told| told == line), "no '{line}' in {last:?}");
    }
    assert_eq!(branches.len(), 1);
    assert_eq!((branches[0].after, branches[0].moves.len()), (2, 2));
    assert_eq!(branches[0].comment, ["#評価値=400"]);

    let (csa, _) = annotated(&analyzed, Notation::Csa, Language::English, "Sabi");
    assert!(csa.comments[3].contains(&"* -500 -2288UM +7988GI #100".to_owned()), "{:?}", csa.comments[3]);
    assert!(csa.comments[0].iter().all(|line| !line.starts_with("* ")), "{:?}", csa.comments[0]);
}

/// An analysis in another program's format is replaced; what people wrote stays.
#[test]
fn record_comments_stay() {
    let mut analyzed = blundered();
    analyzed.game.comments = ["opening\n#評価値=12\n*解析 0 評価値 113", "", "*読み筋=△３四歩(33)"]
        .map(|lines| lines.lines().map(str::to_owned).collect())
        .to_vec();
    let (kif, _) = annotated(&analyzed, Notation::Kif, Language::Japanese, "Sabi");
    assert_eq!(kif.comments[0][0], "opening");
    assert_eq!(kif.comments[2][0], "*読み筋=△３四歩(33)");
    assert_eq!(kif.comments[0].iter().filter(|line| line.contains("評価値")).count(), 1, "{:?}", kif.comments[0]);
}

/// A game with every sentence of an analysis.
fn with_everything(handicap: bool) -> AnalyzedGame {
    let two = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let (start, moves, better, last) = if handicap {
        (two, "3a4b 7g7f 4a3b 2g2f 7a6b", "7a6b", "2f2e")
    } else {
        (STARTPOS, "7g7f 3c3d 2g2f 8c8d 2f2e", "6i7h", "8d8e")
    };
    let mate = |line| found(Score::mate_in(5), true, line);
    let positions = vec![
        mate(better),
        cp(0, &moves[5..]),
        cp(150, &moves[10..]),
        cp(200, &moves[15..]),
        mate(&moves[20..]),
        cp(-900, last),
    ];
    let mut analyzed = classified(game(start, moves), positions);
    let lines = &mut analyzed.positions[3].as_mut().unwrap().lines;
    lines.push(PvLine {
        score: AnalysisScore { score: Score::cp(-10), proved: lines[0].score.proved },
        ..lines[0].clone()
    });
    analyzed.book.moves = 2;
    let camp = Position::from_sfen("4K4/GGGGSSSS1/9/9/9/9/9/9/4k4 b RBr 1").unwrap();
    analyzed.declaration_progress[4] = camp.declaration_progress_of_both(EnteringKingRule::default());
    assert!(analyzed.declaration_progress[4].is_some());
    analyzed
}

/// Every line but those of the players is known as that of an analysis.
#[test]
fn second_analysis_replaces_the_first() {
    for (notation, name) in [(Notation::Kif, "a.kifu"), (Notation::Csa, "a.csa")] {
        for language in [Language::Japanese, Language::English] {
            for handicap in [false, true] {
                let mut analyzed = with_everything(handicap);
                let annotated = |analyzed: &AnalyzedGame| annotated(analyzed, notation, language, "Sabi");
                let (game, branches) = annotated(&analyzed);
                let text = notation.write_with(&game, &branches);
                analyzed.game = read_bytes(name, text.clone().into_bytes()).next().unwrap().unwrap();
                let (game, branches) = annotated(&analyzed);
                assert_eq!(notation.write_with(&game, &branches), text);
                // Where a later analysis has not searched, the comments stay.
                let mut later = classified(game, vec![None; 6]);
                (later.book, later.declaration_progress) = (analyzed.book, analyzed.declaration_progress);
                assert_eq!(annotated(&later).0.comments, later.game.comments);
            }
        }
    }
}

/// A second score of a move, which is a comment, would be read before that of the analysis.
#[test]
fn analysis_replaces_all_scores_in_csa() {
    let mut analyzed = blundered();
    analyzed.game.comments = vec![Vec::new(), vec!["* 99 -3334FU".to_owned(), "* words".to_owned()]];
    let (csa, _) = annotated(&analyzed, Notation::Csa, Language::English, "Sabi");
    let scores = csa.comments[1].iter().filter(|line| comment_score(line).is_some());
    assert_eq!(scores.collect::<Vec<_>>(), ["* 60 -3334FU #100"]);
    assert_eq!(csa.comments[1][0], "* words");
}

/// What looks similar was written by people.
#[test]
fn other_comments_are_not_of_an_analysis() {
    for line in [
        "候補2つのうち",
        "定跡は24手目まで。",
        "missed mate in 5!",
        "turning point?",
        "【悪手】勝率",
        "* joseki",
        "先手: 正確",
    ] {
        assert!(!is_of_position(line) && !is_summary(line), "{line}");
    }
}

#[test]
fn sides_of_handicap_games() {
    let two = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let analyzed = classified(game(two, "7a6b"), vec![cp(-900, "7a6b"), cp(900, "7g7f")]);
    let first = annotated(&analyzed, Notation::Kif, Language::Japanese, "Sabi").0.comments[0].concat();
    assert!(first.contains("上手: ") && !first.contains("後手"), "{first}");
    let page = game_page(&analyzed, Language::Japanese, "Sabi");
    assert!(page.contains("☗下手") && page.contains("☖上手") && !page.contains("後手"));
}

/// The game goes on after a repetition: the position has no lines.
#[test]
fn no_best_move_after_the_end_of_the_game() {
    let mut analyzed = blundered();
    analyzed.positions[2].as_mut().unwrap().lines.clear();
    let analyzed = classified(analyzed.game, analyzed.positions);
    for (language, end) in [(Language::Japanese, "(損失 35.8 %)"), (Language::English, "(loss 35.8 %)")] {
        let (kif, _) = annotated(&analyzed, Notation::Kif, language, "Sabi");
        assert!(kif.comments[3][0].ends_with(end), "{:?}", kif.comments[3]);
    }
}

#[test]
fn log_is_valid_usi() {
    let log = usi_log(&blundered());
    let lines: Vec<_> = log.lines().collect();
    assert_eq!(lines[..2], ["position startpos", "info depth 9 multipv 1 score cp 60 nodes 100 pv 7g7f"]);
    assert_eq!(lines[4], "position startpos moves 7g7f 3c3d");
    assert_eq!(lines.len(), 8);
}

#[test]
fn json_scores_are_blacks_and_losses_the_players() {
    let data = to_json(&blundered(), Language::English);
    assert_eq!(data["positions"][1]["evaluation"]["cp"], 60);
    assert_eq!(data["positions"][3]["lines"][0]["evaluation"]["cp"], -500);
    assert_eq!(data["positions"][3]["lines"][0]["texts"][0], "Bx8h+");
    let classification = &data["moves"][2]["judgement"];
    assert_eq!((&classification["class"], &classification["best"]), (&"blunder".into(), &"8h2b+".into()));
    assert_eq!((&classification["before"]["cp"], &classification["after"]["cp"]), (&400.into(), &(-500).into()));
    assert_eq!(classification["loss"], 0.3578);
    assert_eq!(data["turning_points"], serde_json::json!([3]));
    assert_eq!(data["black"]["summary"]["blunder"], 1);
}

#[test]
fn pages_are_complete_and_escape_names() {
    let mut analyzed = blundered();
    analyzed.game.headers.names[Color::Black] = Some("</script><b>&\"'".to_owned());
    for language in [Language::Japanese, Language::English] {
        let page = game_page(&analyzed, language, "<Sabi>");
        assert!(!page.contains("<b>&") && page.matches("</script>").count() == 2, "{page}");
        let outside = page.replace("http://www.w3.org/2000/svg", "");
        for word in ["http", " src=", "url(", "@import"] {
            assert!(!outside.contains(word), "{word}");
        }
        assert!(page.contains(&format!("<html lang=\"{}\">", language.code())));
        let index = index_page(&[index_row(&analyzed, "a b.html")], &Players::default().table(), language, "<Sabi>");
        assert!(
            index.contains("href=\"a%20b.html\"") && !index.contains("<b>") && index.matches("<script").count() == 1,
            "{index}"
        );
    }
}

/// Also where nothing was searched; of an earlier analysis no other names stay.
#[test]
fn openings_and_castles_are_named() {
    let game = game(STARTPOS, "2h6h 3c3d 5i4h 2b3c 4h3h 6a6b 3h2h 6b6a 6i5h 6a6b 3i3h 6b6a 4g4f 6a6b 5h4g");
    let mut positions = vec![None; game.moves.len() + 1];
    (positions[0], positions[1]) = (cp(60, "2h6h"), cp(-60, "3c3d"));
    let mut analyzed = classified(game, positions);
    let stale = "【囲い】先手: 舟囲い";
    analyzed.game.comments = vec![vec![], vec!["【囲い】?".to_owned(), stale.to_owned()]];
    for (language, lines) in [
        (Language::Japanese, ["【戦型】先手: 四間飛車", "【囲い】先手: 美濃囲い", "【囲い】先手: 高美濃囲い"]),
        (Language::English, ["[opening] Black: Fourth file rook", "[castle] Black: Mino", "[castle] Black: High Mino"]),
    ] {
        let (kif, _) = annotated(&analyzed, Notation::Kif, language, "Sabi");
        let named = kif.comments.iter().enumerate().flat_map(|(ply, told)| told.iter().map(move |line| (ply, line)));
        let named: Vec<_> =
            named.filter(|(_, line)| line.starts_with(['【', '['])).map(|(ply, line)| (ply, &**line)).collect();
        assert_eq!(named, [(1, lines[0]), (11, lines[1]), (15, lines[2])]);
        let mut again = analyzed.clone();
        again.game = kif.clone();
        assert_eq!(annotated(&again, Notation::Kif, language, "Sabi").0.comments, kif.comments);
    }

    let black = &to_json(&analyzed, Language::English)["black"];
    assert_eq!(black["openings"], json!([{ "ja": "四間飛車", "en": "Fourth file rook", "ply": 1, "replaced": null }]));
    let castle = |ja, en, ply, replaced: Option<usize>| json!({ "ja": ja, "en": en, "ply": ply, "replaced": replaced });
    let castles = [
        castle("片美濃囲い", "Half Mino", 11, Some(11)),
        castle("美濃囲い", "Mino", 11, Some(15)),
        castle("高美濃囲い", "High Mino", 15, None),
    ];
    assert_eq!(black["castles"], json!(castles));

    let page = game_page(&analyzed, Language::English, "Sabi");
    let both = |japanese, english| format!("<span lang=\"ja\">{japanese}</span><span lang=\"en\">{english}</span>");
    let head = both(
        "戦型: 四間飛車 (1) · 囲い: 美濃囲い (11) → 高美濃囲い (15)",
        "opening: Fourth file rook (1) · castle: Mino (11) → High Mino (15)",
    );
    assert!(page.contains(&format!("<p>☗ {head}</p>")) && !page.contains("<p>☖"), "{page}");
    let row = index_row(&analyzed, "a.html");
    let [opening, castle] = [both("四間飛車 / –", "Fourth file rook / –"), both("高美濃囲い / –", "High Mino / –")];
    assert!(row.contains(&format!("<td>{opening}</td><td>{castle}</td>")), "{row}");
}
