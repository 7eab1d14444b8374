//! Search properties that are independent of its parameters.

use sabi::eval::{EvalType, Evaluation};
use sabi::mate::solver::{MateQuestion, MateResult, MateSolver};
use sabi::search::{BestMove, Limits, Report, Resources, SearchResult, Searcher, Settings, Signals, TimeControl};
use sabi_shogi::{Bound, EnteringKingRule, Move, Position, Score, has_legal_move, legal_moves};
use std::collections::HashSet;
use std::time::{Duration, Instant};

const MIDDLE_GAMES: [&str; 3] = [
    "ln1g3nl/1r1sk1gb1/p1pppsppp/1p3p3/9/2P1P1P2/PPSP1P1PP/1BG2S1R1/LN2KG1NL b - 21",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
];

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap()
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::unlimited(Instant::now()) }
}

fn search(
    searcher: &mut Searcher,
    position: &Position,
    limits: &Limits,
    settings: &Settings,
) -> (SearchResult, Vec<Report>) {
    let mut reports = Vec::new();
    let outcome = searcher.search(position, limits, settings, &Signals::default(), &mut |r| reports.push(r.clone()));
    (outcome, reports)
}

fn assert_legal(position: &Position, line: &[Move]) {
    let mut end = position.clone();
    for &mv in line {
        assert!(end.is_legal(mv), "{position} {line:?}");
        end.play(mv);
    }
}

#[test]
fn search_is_deterministic() {
    let mut searcher = Searcher::new(&Resources::new(8, 1)).unwrap();
    let [first, second] = [(); 2].map(|()| {
        searcher.new_game();
        MIDDLE_GAMES.map(|sfen| search(&mut searcher, &position(sfen), &depth(9), &Settings::default()).0)
    });
    assert_eq!(first, second, "a new game forgets everything");
}

/// A search stops at any node, also in nested searches that do not poll the clock.
#[test]
fn node_limit_is_exact() {
    let mut searcher = Searcher::new(&Resources::new(8, 1)).unwrap();
    for limit in (3_000..3_400).step_by(3).chain([20_000, 54_321, 100_000]) {
        for sfen in MIDDLE_GAMES {
            let outcome = search(&mut searcher, &position(sfen), &nodes(limit), &Settings::default()).0;
            assert_eq!(outcome.nodes, limit, "{sfen}");
        }
    }
}

/// The first iteration, which is always finished, takes a small part of a short search.
#[test]
fn short_searches_prune_root_moves() {
    let mut searcher = Searcher::new(&Resources::new(8, 1)).unwrap();
    for sfen in MIDDLE_GAMES {
        let outcome = search(&mut searcher, &position(sfen), &nodes(80), &Settings::default()).0;
        assert_eq!(outcome.nodes, 80, "{sfen}");
    }
}

#[test]
fn multipv_lines_are_legal_and_sorted() {
    for threads in [1, 3] {
        let mut searcher = Searcher::new(&Resources::new(8, threads)).unwrap();
        for sfen in MIDDLE_GAMES {
            for multi_pv in [1, 4] {
                let position = position(sfen);
                let settings = Settings { multi_pv, report_interval: 0, ..Settings::default() };
                let (outcome, reports) = search(&mut searcher, &position, &depth(8), &settings);
                reports.iter().for_each(|report| assert_legal(&position, &report.pv));
                let Some(last) = reports.rchunks(multi_pv).next() else { panic!("no report") };
                let firsts: HashSet<Move> = last.iter().map(|report| report.pv[0]).collect();
                assert_eq!(firsts.len(), multi_pv);
                assert!(last.iter().map(|report| report.multi_pv).eq(1..=multi_pv));
                assert!(last.is_sorted_by_key(|report| std::cmp::Reverse(report.score)));
                assert_eq!(outcome.best, BestMove::Move(last[0].pv[0]));
                if let (BestMove::Move(best), Some(ponder)) = (outcome.best, outcome.ponder) {
                    assert_legal(&position, &[best, ponder]);
                }
            }
        }
    }
}

/// Finished iterations are reported whole, also when the report comes in the middle of the next
/// one; in an interrupted one no deeper line stands below a shallower one, and the first is played.
#[test]
fn multipv_lines_belong_to_one_iteration() {
    const LINES: usize = 4;
    for report_interval in [0, 5, 20] {
        let settings = Settings { multi_pv: LINES, report_interval, ..Settings::default() };
        for limit in (10_000..60_000).step_by(2_500) {
            let mut searcher = Searcher::new(&Resources::new(8, 1)).unwrap();
            let (outcome, reports) = search(&mut searcher, &Position::startpos(), &nodes(limit), &settings);
            let (finished, last) = reports.split_at(reports.len() - LINES);
            for block in finished.chunks(LINES) {
                assert!(block.iter().map(|report| report.multi_pv).eq(1..=LINES), "{block:?}");
                assert!(block.iter().all(|report| report.depth == block[0].depth), "{block:?}");
                assert!(block.is_sorted_by_key(|report| std::cmp::Reverse(report.score)), "{block:?}");
            }
            assert!(last.is_sorted_by_key(|report| std::cmp::Reverse((report.depth, report.score))), "{last:?}");
            assert_eq!(outcome.best, BestMove::Move(last[0].pv[0]), "{limit}");
        }
    }
}

/// Bounds are reported after the given time, and neither in consideration mode nor with several
/// lines.
#[test]
fn bounds_are_reported_where_wanted() {
    let at_once = Settings { report_interval: 0, report_bounds: Some(Duration::ZERO), ..Settings::default() };
    let bounds = |settings: &Settings| {
        let reports = MIDDLE_GAMES.map(|sfen| {
            let mut searcher = Searcher::new(&Resources::new(8, 1)).unwrap();
            search(&mut searcher, &position(sfen), &nodes(50_000), settings).1
        });
        reports.iter().flatten().filter(|report| report.bound != Bound::Exact).count()
    };
    assert!(bounds(&at_once) > 0);
    for report_bounds in [None, Some(Duration::from_secs(60))] {
        assert_eq!(bounds(&Settings { report_bounds, ..at_once.clone() }), 0);
    }
    assert_eq!(bounds(&Settings { consideration: true, ..at_once.clone() }), 0);
    assert_eq!(bounds(&Settings { multi_pv: 2, ..at_once }), 0);
}

#[test]
fn mate_scores_are_exact_with_warm_tables() {
    // Longer ones from nshogi (MIT, see tests/fixtures/nshogi.LICENSE).
    for (sfen, plies) in [
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 1),
        ("ln1gkg1nl/6+P2/2sppps1p/2p3p2/p8/P1P1P3P/2NP1PP2/3s1KSR1/L1+b2G1NL w R2Pbgp 42", 3),
        ("l3kgsnl/9/p1pS+Bp3/7pp/6PP1/9/PPPPPPn1P/1B1GG2+r1/LNS1K3L w RG3Psnp 54", 3),
        ("l2gkg2l/2s3s2/p1nppp1pp/2p3p2/P4P1P1/4n3P/1PPPG1N2/1BKS2+s2/LN3+r3 w RBgl3p 72", 5),
    ] {
        let position = position(sfen);
        let mut searcher = Searcher::new(&Resources::new(8, 1)).unwrap();
        for _ in 0..2 {
            let (outcome, reports) = search(&mut searcher, &position, &depth(12), &Settings::default());
            assert_eq!(outcome.score.mate_plies(), Some(plies), "{sfen}");
            let line = &reports.last().unwrap().pv;
            assert_eq!(line.len(), plies as usize, "{sfen}: {line:?}");
            let mut end = position.clone();
            line.iter().for_each(|&mv| end.play(mv));
            assert!(end.in_check() && !has_legal_move(&end), "{sfen}: {line:?}");
        }
    }
}

#[test]
fn searchmoves_restrict_the_root() {
    let start = Position::startpos();
    let wanted: Vec<Move> = ["9g9f", "1g1f"].iter().map(|word| word.parse().unwrap()).collect();
    let mut searcher = Searcher::new(&Resources::new(8, 1)).unwrap();
    let limits = Limits { search_moves: wanted.clone(), ..depth(6) };
    let (outcome, _) = search(&mut searcher, &start, &limits, &Settings::default());
    assert!(matches!(outcome.best, BestMove::Move(mv) if wanted.contains(&mv)));
    // Useless non-promotions, which the search omits, may be requested.
    let position = position("4k4/9/9/9/9/9/9/1B7/4K4 b - 1");
    let declined: Move = "8h2b".parse().unwrap();
    let limits = Limits { search_moves: vec![declined], ..depth(4) };
    let (outcome, _) = search(&mut searcher, &position, &limits, &Settings::default());
    assert_eq!(outcome.best, BestMove::Move(declined));
}

#[test]
fn stop_before_start_gives_a_move() {
    let signals = Signals::default();
    signals.stop();
    let mut searcher = Searcher::new(&Resources::new(8, 2)).unwrap();
    for sfen in MIDDLE_GAMES {
        let position = position(sfen);
        let limits = Limits { infinite: true, ..Limits::unlimited(Instant::now()) };
        let start = Instant::now();
        let outcome = searcher.search(&position, &limits, &Settings::default(), &signals, &mut |_| {});
        assert!(start.elapsed() < Duration::from_secs(1));
        assert!(matches!(outcome.best, BestMove::Move(mv) if legal_moves(&position).contains(&mv)));
    }
}

#[test]
fn rules_decide_before_search() {
    let mut searcher = Searcher::new(&Resources::new(8, 1)).unwrap();
    let mated = position("8k/8G/7G1/9/9/9/9/9/4K4 w - 1");
    assert_eq!(search(&mut searcher, &mated, &depth(5), &Settings::default()).0.best, BestMove::Mated);
    let entered = position("K1+R+R+B+B3/PPPPPPPPP/9/9/9/9/9/9/4k4 b 9P 1");
    let by_points = search(&mut searcher, &entered, &depth(5), &Settings::default()).0;
    assert_eq!(by_points.best, BestMove::Declare);
    let off = Settings { entering_king: EnteringKingRule::None, ..Settings::default() };
    assert!(matches!(search(&mut searcher, &entered, &depth(3), &off).0.best, BestMove::Move(_)));
}

#[test]
fn searchmoves_exclude_wins_by_rule() {
    let mut searcher = Searcher::new(&Resources::new(8, 1)).unwrap();
    let by_try = Settings { entering_king: EnteringKingRule::Try, ..Settings::default() };
    for (sfen, settings, word) in [
        ("9/4K4/9/9/9/9/9/9/4k4 b - 1", &by_try, "5b4b"),
        ("9/4K4/9/9/9/9/9/9/4k4 b - 1", &by_try, "5b5a"),
        ("K1+R+R+B+B3/PPPPPPPPP/9/9/9/9/9/9/4k4 b 9P 1", &Settings::default(), "9a8a"),
    ] {
        let mv: Move = word.parse().unwrap();
        let limits = Limits { search_moves: vec![mv], ..depth(4) };
        let (outcome, _) = search(&mut searcher, &position(sfen), &limits, settings);
        assert_eq!(outcome.best, BestMove::Move(mv), "{sfen}");
    }
}

/// Black has 28 points; two more pieces must enter the camp with the king.
#[test]
fn entering_king_points_affect_the_score() {
    let near = position("+R+B+P+P+PK+P2/+P+P7/9/9/8k/9/9/9/9 b 12P 1");
    let score = |entering_king| {
        let mut searcher = Searcher::new(&Resources::new(8, 1)).unwrap();
        let settings = Settings { entering_king, ..Settings::default() };
        search(&mut searcher, &near, &depth(1), &settings).0.score.get()
    };
    let none = score(EnteringKingRule::None);
    assert_eq!(score(EnteringKingRule::Try), none);
    assert!(score(EnteringKingRule::Points27) > none + 100);
    // Four points are missing.
    assert!(score(EnteringKingRule::Points27) > score(EnteringKingRule::Points24));
}

#[test]
fn max_moves_is_a_draw_unless_mate() {
    let mut searcher = Searcher::new(&Resources::new(8, 1)).unwrap();
    let settings = Settings { max_moves: Some(100), draw_value: [0; 2], ..Settings::default() };
    let ahead = position("k8/9/9/9/9/9/9/4R4/4K4 b G 100");
    assert!(search(&mut searcher, &ahead, &depth(5), &settings).0.score.get().abs() < 50);
    let mate = position("4k4/9/4P4/9/9/9/9/9/4K4 b G 100");
    assert!(search(&mut searcher, &mate, &depth(5), &settings).0.score.is_mate_win());
}

/// Far ahead, with a mate in three by checks.
const MATE_IN_THREE: &str = "4k4/6S2/2G6/9/9/9/9/9/4K4 b 2G 1";

#[test]
fn mate_is_proved_at_once() {
    let mut searcher = Searcher::new(&Resources::new(1, 1)).unwrap();
    let root = position(MATE_IN_THREE);
    let settings = Settings::default();
    let (outcome, reports) = search(&mut searcher, &root, &Limits::unlimited(Instant::now()), &settings);
    let last = reports.last().unwrap();
    assert!(last.proved && last.score == Score::mate_in(3) && last.pv.len() == 3 && outcome.nodes < 10_000, "{last:?}");
    let mut end = root.clone();
    last.pv.iter().for_each(|&mv| end.play(mv));
    assert!(end.in_check() && !has_legal_move(&end));

    // With MultiPV the search continues, and the first line is still the mate.
    let several = Settings { multi_pv: 3, report_interval: 0, ..Settings::default() };
    let (_, reports) = search(&mut searcher, &root, &depth(5), &several);
    let ranks: Vec<usize> = reports.iter().rev().take(3).map(|report| report.multi_pv).collect();
    assert_eq!(ranks, [3, 2, 1]);
    assert!(
        reports.iter().rev().any(|report| report.multi_pv == 1 && report.proved && report.score == Score::mate_in(3))
    );
}

/// The shortest mate by checks begins with a rook that does not promote, which the search does not
/// generate.
#[test]
fn mate_by_not_promoting_is_played() {
    let root = position("4l1l1k/6p2/5R3/4p2S1/6+P1+P/9/9/9/K8 b P 1");
    for multi_pv in [1, 3] {
        let settings = Settings { multi_pv, ..Settings::default() };
        let mut searcher = Searcher::new(&Resources::new(8, 1)).unwrap();
        let (outcome, reports) = search(&mut searcher, &root, &nodes(20_000), &settings);
        // Several lines are searched further, and there is a shorter mate with a quiet move.
        assert!(outcome.score >= Score::mate_in(7), "{:?}", outcome.score);
        assert!(multi_pv > 1 || outcome.best == BestMove::Move("4c1c".parse().unwrap()));
        reports.iter().for_each(|report| assert_legal(&root, &report.pv));
    }
}

/// The rook that does not promote, which the search does not generate, makes the dropped pawn an
/// illegal mate.
#[test]
fn loss_is_avoided_by_not_promoting() {
    let root = position("6r2/1R5gK/8P/5b1g1/9/9/9/9/4k4 b B2G4Sp 1");
    let mut searcher = Searcher::new(&Resources::new(1, 1)).unwrap();
    let (outcome, reports) = search(&mut searcher, &root, &nodes(20_000), &Settings::default());
    assert!(!reports.iter().any(|report| report.proved));
    assert_eq!(outcome.best, BestMove::Move("8b2b".parse().unwrap()));
    assert!(!outcome.score.is_mate_loss());
}

#[test]
fn mate_outside_searchmoves_is_not_reported() {
    let mut searcher = Searcher::new(&Resources::new(1, 1)).unwrap();
    let root = position(MATE_IN_THREE);
    let all = [&depth(6), &Limits { search_moves: vec!["5i5h".parse().unwrap()], ..depth(6) }];
    let first = |reports: &[Report]| reports.last().map(|report| (report.score, report.pv[0].to_string()));
    let answer = first(&search(&mut searcher, &root, all[0], &Settings::default()).1);
    assert_eq!(answer, Some((Score::mate_in(3), "G*6b".to_owned())));
    // The quiet move of `searchmoves` leads to a mate too.
    let answer = first(&search(&mut searcher, &root, all[1], &Settings::default()).1);
    assert_eq!(answer, Some((Score::mate_in(5), "5i5h".to_owned())));
    // The game ends with its second or third move.
    for (last, proved) in [(2, false), (3, true)] {
        searcher.new_game();
        let settings = Settings { max_moves: Some(last), ..Settings::default() };
        let reports = search(&mut searcher, &root, &depth(6), &settings).1;
        assert_eq!(reports.last().map(|report| report.proved), Some(proved), "{last}");
    }
}

/// Mates in which the side that mates makes a quiet move, counted from the side to move.
const QUIET_MATES: [(&str, i32); 6] = [
    ("6G1k/9/9/5G3/9/9/9/9/4K4 b S 1", 1),
    ("7k1/9/6S1l/8G/9/9/9/9/4K4 b P 1", 3),
    ("8k/4S4/9/4S2G1/9/9/9/9/4K4 b G 1", 3),
    ("4G4/8k/9/6N2/9/9/9/9/4K4 b S 1", 5),
    ("7k1/9/7+R1/9/9/9/9/9/4K4 w S 1", -4),
    ("9/8k/9/5G1S1/9/9/9/9/4K4 w S 1", -6),
];

/// Whether the side to move mates within `plies` plies, with any moves.
fn mates_within(position: &mut Position, plies: i32) -> bool {
    legal_moves(position).iter().any(|&mv| {
        position.play(mv);
        let mates = is_mated_within(position, plies - 1);
        position.undo();
        mates
    })
}

/// Whether the side to move is mated within `plies` plies, whatever it plays.
fn is_mated_within(position: &mut Position, plies: i32) -> bool {
    if plies <= 0 {
        return !has_legal_move(position);
    }
    legal_moves(position).iter().all(|&mv| {
        position.play(mv);
        let mates = mates_within(position, plies - 1);
        position.undo();
        mates
    })
}

#[test]
fn mates_with_quiet_moves_are_proved() {
    let mut searcher = Searcher::new(&Resources::new(1, 1)).unwrap();
    let mut solver = MateSolver::new(1).unwrap();
    for (sfen, plies) in QUIET_MATES {
        let mut root = position(sfen);
        let checks = solver.solve(&root, &MateQuestion::about(&root), &mut |_| true).0;
        assert_eq!(checks, MateResult::NoMate, "{sfen} is a mate by checks");
        // Longer ones take too long without a search.
        let is_true = match plies {
            1..=3 => mates_within(&mut root, plies),
            -4..=0 => is_mated_within(&mut root, -plies),
            _ => true,
        };
        assert!(is_true, "{sfen}");
        let score = if plies > 0 { Score::mate_in(plies as usize) } else { Score::mated_in(-plies as usize) };
        searcher.new_game();
        let (_, reports) = search(&mut searcher, &root, &nodes(50_000), &Settings::default());
        let last = reports.last().unwrap();
        assert!(last.proved && last.score == score, "{sfen} {last:?}");
        assert_eq!(last.pv.len(), plies.unsigned_abs() as usize, "{sfen}");
        let mut end = root.clone();
        last.pv.iter().for_each(|&mv| end.play(mv));
        assert!(!has_legal_move(&end), "{sfen}");
        // Where the game ends before, there is no mate to prove.
        searcher.new_game();
        let settings =
            Settings { max_moves: Some(plies.unsigned_abs() - 1).filter(|&last| last > 0), ..Settings::default() };
        let (_, reports) = search(&mut searcher, &root, &nodes(5_000), &settings);
        assert!(plies == 1 || !reports.last().unwrap().proved, "{sfen}");
    }
}

/// From games of shallow searches: a two-ply search without mate probes prefers a move after which
/// the opponent mates by checks.
const WALKS_INTO_MATE: [(&str, &str); 4] = [
    ("1+R4sk1/4gg3/2ps1pp+Nl/p3p2pp/1plp5/P1n4l+r/1PNPPPP2/2GBG4/L1K1S4 w BNs3p 68", "1f1h"),
    ("ln2Sg3/8k/p1g1+R2pl/1pp2pg1p/5n3/2P4n1/P2P1PP1P/L1S6/3G1K+bNL b BS6Prs 89", "4i3i"),
    ("l6r1/4g1k1l/2n1gpnp1/ppp1p1p2/3p1n2p/PPP2GPP1/2NP1P+b1P/1R2ss1G1/L1S2s1KL b Bp 93", "B*8b"),
    ("ln6+R/1ks6/pppgpsr2/3p1p1p1/P1P5p/7P1/1P2PP2L/1BS2Ks2/LN1G1G1+b1 b GLP2n3p 71", "4i5h"),
];

#[test]
fn avoids_moves_into_mate() {
    let mut solver = MateSolver::new(1).unwrap();
    let question = MateQuestion { nodes: Some(200), plies: None, shortest: false, as_problem: false };
    let mut mates_after = |root: &Position, mv: Move| {
        let after = root.after(mv);
        matches!(solver.solve(&after, &question, &mut |_| true).0, MateResult::Mate(_))
    };
    for (sfen, blunder) in WALKS_INTO_MATE {
        let root = position(sfen);
        assert!(mates_after(&root, blunder.parse().unwrap()), "{sfen}");
        // Which moves need a probe depends on the evaluation, so this one stays the same.
        let evaluation = Evaluation::embedded(EvalType::HandCrafted);
        let mut searcher = Searcher::with_evaluation(&Resources::new(1, 1), evaluation).unwrap();
        let BestMove::Move(best) = search(&mut searcher, &root, &depth(2), &Settings::default()).0.best else {
            panic!("{sfen}")
        };
        assert!(!mates_after(&root, best), "{sfen} {best}");
    }
}

/// Middlegames.
const GAMES: [&str; 4] = [
    "2g2f 8c8d 7g7f 4a3b 6i7h 8d8e 8h7g 3c3d 7i8h 4c4d 2f2e 2b3c 3i4h 3a4b 5i6i 4b4c 5g5f 7a6b 7g6h 6a5b 3g3f 5c5d 4i5h 7c7d \
     4h3g 5a4a 8h7g 8a7c 6g6f 6c6d",
    "2g2f 3c3d 7g7f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d 2b3c 3d3f 8f8d 3f2f 3a2b P*8g 7a7b 5i5h 5a6b \
     4i3h 1c1d 3i4h 1d1e 7f7e 6b5b 8h3c+ 2a3c 8i7g",
    "7g7f 8c8d 7i6h 8d8e 6h7g 3c3d 2g2f 7a6b 2f2e 7c7d 2e2d 2c2d 2h2d 4a3b 2d3d 2b4d 3d2d 3a2b 6i7h 8a7c 5i6i 6a7b 3i4h 2a3c \
     4i5i 5a5b 3g3f 2b2c 2d2h 8b8a 2i3g P*2f 7f7e 7b8c 7e7d 8c7d 7g6f 5c5d 5g5f 8a2a 5f5e 2c3d P*2e 3c2e 3g2e 2a2e N*3g 2e2a",
    "7g7f 4a3b 6i7h 8b7b 2g2f 7c7d 2f2e 7d7e 7f7e 7b7e 2e2d 2c2d 2h2d P*2c 2d2h 7a6b 5i6i 9c9d 3i4h 9d9e 5g5f 7e7d 4i5h 5a4a \
     6g6f 8a7c 7i6h 3c3d 5h6g 5c5d 4h5g 3a4b",
];

fn after(moves: &str) -> Position {
    before_end(moves, 0)
}

/// The position this many plies before the end.
fn before_end(moves: &str, plies: usize) -> Position {
    let words: Vec<&str> = moves.split_whitespace().collect();
    Position::startpos().with_moves(words[..words.len() - plies].iter().copied()).unwrap()
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::unlimited(Instant::now()) }
}

/// PVs show a continuation, not only the next move.
#[test]
fn exact_pvs_are_long() {
    for (multi_pv, limit) in [(1, 150_000), (4, 400_000)] {
        let settings = Settings { multi_pv, report_interval: 0, ..Settings::default() };
        let mut lines = Vec::new();
        // Twelve positions: the lines of four differ much from network to network.
        let roots = GAMES.iter().flat_map(|moves| [0, 8, 16].map(|plies| before_end(moves, plies)));
        for root in roots {
            let mut searcher = Searcher::new(&Resources::new(16, 1)).unwrap();
            let (_, reports) = search(&mut searcher, &root, &nodes(limit), &settings);
            let deep = reports.iter().filter(|report| report.bound == Bound::Exact && report.depth >= 8);
            lines.extend(deep.map(|report| report.pv.len()));
        }
        lines.sort_unstable();
        let short = lines.iter().filter(|&&plies| plies <= 3).count();
        let median = lines[lines.len() / 2];
        assert!(
            short * 10 <= lines.len() && median >= 10,
            "{multi_pv}: {short} short ones, median {median}: {lines:?}"
        );
    }
}

/// At any interruption the last line is exact, has the best move, and is not repeated.
#[test]
fn last_report_is_the_exact_pv_of_bestmove() {
    let settings = Settings { report_interval: 0, ..Settings::default() };
    for threads in [1, 3] {
        let mut searcher = Searcher::new(&Resources::new(16, threads)).unwrap();
        for limit in (10_000..30_000).step_by(1_000) {
            let (outcome, reports) = search(&mut searcher, &after(GAMES[limit as usize % 4]), &nodes(limit), &settings);
            let last = reports.last().unwrap();
            assert_eq!((last.bound, last.score), (Bound::Exact, outcome.score), "{limit}");
            assert_eq!(outcome.best, BestMove::Move(last.pv[0]), "{limit}");
            let said = |report: &Report| (report.depth, report.score, report.bound, report.pv.clone());
            assert!(reports.windows(2).all(|pair| said(&pair[0]) != said(&pair[1])), "{limit}");
        }
    }
}

/// A helper thread may reach the limit before the main thread has searched anything.
#[test]
fn bestmove_comes_from_helper_thread() {
    let mut searcher = Searcher::new(&Resources::new(1, 24)).unwrap();
    let root = position(MIDDLE_GAMES[1]);
    for multi_pv in [1, 3] {
        let settings = Settings { multi_pv, ..Settings::default() };
        for _ in 0..60 {
            let time = TimeControl::MoveTime(1);
            let limits = Limits { time, ..Limits::unlimited(Instant::now()) };
            let (outcome, reports) = search(&mut searcher, &root, &limits, &settings);
            let reported = reports.iter().rfind(|report| report.multi_pv == 1).and_then(|report| report.pv.first());
            assert_eq!(reported.copied().map(BestMove::Move), Some(outcome.best), "{multi_pv} lines");
        }
    }
}

#[test]
fn proved_mate_ends_iterative_deepening() {
    // White has one move, and is mated after it.
    let mated = position("8k/9/7G1/9/9/9/9/9/4K4 w G 1");
    let mut searcher = Searcher::new(&Resources::new(1, 1)).unwrap();
    for limits in [nodes(1_000_000), Limits::unlimited(Instant::now())] {
        let (outcome, _) = search(&mut searcher, &mated, &limits, &Settings::default());
        assert_eq!(outcome.score, Score::mated_in(2));
        assert!(outcome.depth < 15, "{outcome:?}");
    }
}
