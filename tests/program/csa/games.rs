//! Games from login to the end.

use super::server::{EVEN, FISCHER, PASSWORD, Server, summary};
use sabi_records::{EndReason, Game, GameResult, csa_move, read_csa, read_csa_move};
use sabi_shogi::Position;
use std::time::{Duration, Instant};

/// Receives a move of the program, which must be legal.
fn play(position: &mut Position, line: &str) {
    let text = line.split(',').next().expect("a word");
    let mv = read_csa_move(position, text).unwrap_or_else(|fault| panic!("{line}: {fault}"));
    position.play(mv);
}

fn some_move(position: &Position) -> String {
    csa_move(position, sabi_shogi::legal_moves(position)[0])
}

fn read(text: &str) -> Game {
    read_csa(text.trim_end().trim_end_matches('/')).expect("a record")
}

#[test]
fn plays_and_records_a_game() {
    let server = Server::new();
    let sabi = server.sabi("games = 1\ncomments = true");
    let mut peer = server.logged_in();
    peer.begin(&summary('+', FISCHER, EVEN));
    let mut position = Position::startpos();
    for _ in 0..4 {
        let line = peer.repeat(2);
        assert!(line.contains(",'* "), "floodgate wants a comment: {line}");
        play(&mut position, &line);
        let reply = some_move(&position);
        play(&mut position, &reply);
        peer.send(format!("{reply},T3\n"));
    }
    let _ = peer.repeat(1);
    peer.send("%TORYO,T1\n#RESIGN\n#WIN\n");
    peer.log_out();
    let exited = sabi.exited();
    assert!(exited.success, "{}", exited.stderr);
    assert!(exited.stdout.contains("won by resign after 9 moves"), "{}", exited.stdout);
    assert!(exited.stdout.contains("LOGIN sabi ***\n"), "{}", exited.stdout);
    assert_eq!(exited.records.len(), 1);
    let (name, text) = &exited.records[0];
    assert_eq!(name, "g-1.csa");
    let game = read(text);
    assert_eq!((game.moves.len(), game.result, game.end), (9, GameResult::BlackWins, EndReason::Resign));
    assert_eq!(game.times[..2], [Some(Duration::from_secs(2)), Some(Duration::from_secs(3))]);
    assert_eq!(game.headers.names, [Some("black".to_owned()), Some("white".to_owned())]);
    assert!(game.scores[0].is_some() && game.scores[1].is_none(), "only own moves have scores: {text}");
}

/// The opponent plays the predicted move: the ponder search becomes that of the move.
#[test]
fn ponder_hit() {
    let server = Server::new();
    let sabi = server.sabi("games = 1\ncomments = true");
    let mut peer = server.logged_in();
    peer.begin(&summary('+', FISCHER, EVEN));
    let mut position = Position::startpos();
    let mut hits = 0;
    for _ in 0..6 {
        let line = peer.repeat(1);
        play(&mut position, &line);
        let expected = line.split(' ').nth(2).map(str::to_owned);
        hits += u32::from(expected.is_some());
        // After the search has had time to start.
        std::thread::sleep(Duration::from_millis(100));
        let reply = expected.unwrap_or_else(|| some_move(&position));
        play(&mut position, &reply);
        peer.send(format!("{reply},T1\n"));
    }
    assert!(hits >= 3, "no line goes beyond the move itself");
    let _ = peer.repeat(1);
    peer.send("#CHUDAN\n");
    peer.log_out();
    assert!(sabi.exited().success);
}

/// Declaration and resignation depend on the board only.
#[test]
fn declares_and_resigns() {
    let camp = "P+51OU11HI21HI31KI41KI61KI71KI81GI91GI12KA22KA00FU00FU00FU\nP-59OU\n+\n";
    let mated = "P+19OU\nP-51OU18KI17KI\n+\n";
    for (position, word, ending, reported) in [
        (camp, "%KACHI", "#JISHOGI\n#WIN\n", "won by declaration"),
        (mated, "%TORYO", "#RESIGN\n#LOSE\n", "lost by resign"),
    ] {
        let server = Server::new();
        let sabi = server.sabi("games = 1");
        let mut peer = server.logged_in();
        peer.begin(&summary('+', FISCHER, position));
        assert_eq!(peer.repeat(1), word);
        peer.send(ending);
        peer.log_out();
        let exited = sabi.exited();
        assert!(exited.success && exited.stdout.contains(reported), "{}", exited.stdout);
    }
}

/// All end statements, one game after another on one connection.
#[test]
fn all_end_statements() {
    let endings = [
        ("%TORYO,T1\n#RESIGN\n#WIN\n", "won by resign", GameResult::BlackWins, EndReason::Resign),
        ("#RESIGN\n#LOSE\n", "lost by resign", GameResult::WhiteWins, EndReason::Resign),
        ("#TIME_UP\n#LOSE\n", "lost by timeout", GameResult::WhiteWins, EndReason::Timeout),
        ("#ILLEGAL_MOVE\n#WIN\n", "won by illegal", GameResult::BlackWins, EndReason::Illegal),
        ("#SENNICHITE\n#DRAW\n", "drawn by sennichite", GameResult::Draw, EndReason::Repetition),
        ("#OUTE_SENNICHITE\n#WIN\n", "won by sennichite", GameResult::BlackWins, EndReason::Repetition),
        ("%KACHI,T1\n#JISHOGI\n#LOSE\n", "lost by declaration", GameResult::WhiteWins, EndReason::Declaration),
        ("#JISHOGI\n#DRAW\n", "drawn by jishogi", GameResult::Draw, EndReason::Impasse),
        ("#MAX_MOVES\n#CENSORED\n", "drawn by max_moves", GameResult::Draw, EndReason::MaxMoves),
        ("#CHUDAN\n", "without a result by aborted", GameResult::Unknown, EndReason::Aborted),
    ];
    let server = Server::new();
    let sabi = server.sabi(&format!("games = {}\nlogin_every_game = false", endings.len()));
    let mut peer = server.logged_in();
    for (text, ..) in endings {
        peer.begin(&summary('+', FISCHER, EVEN));
        let _ = peer.repeat(1);
        peer.send(text);
    }
    peer.log_out();
    let exited = sabi.exited();
    assert!(exited.success, "{}", exited.stdout);
    assert!(exited.stdout.contains("won 3, lost 3, drawn 3, without a result 1"), "{}", exited.stdout);
    assert_eq!(exited.records.len(), endings.len());
    for (number, (_, reported, result, end)) in (1..).zip(endings) {
        assert!(
            exited.stdout.contains(&format!("game {number} over: {reported} after 1 moves")),
            "{reported}: {}",
            exited.stdout
        );
        let name = if number == 1 { "g-1.csa".to_owned() } else { format!("g-1-{number}.csa") };
        let (_, text) = exited.records.iter().find(|(file, _)| *file == name).expect("a record");
        let game = read(text);
        assert_eq!(game.moves.len(), 1, "{reported}");
        // A record of one move contains no repetition, and its reader relies on the board.
        if end != EndReason::Repetition {
            assert_eq!((game.result, game.end), (result, end), "{text}");
        }
    }
}

/// No flag falls for all forms of time, with and without the margin.
#[test]
fn clock() {
    let position = format!("{EVEN}+2726FU,T1\n");
    for (time, most) in [
        ("Total_Time:0\nByoyomi:2\n", 2000),
        ("Total_Time:0\nIncrement:2\n", 2000),
        ("Total_Time:2\n", 1000),
        ("Total_Time:3\nDelay:1\nTime_Roundup:YES\n", 2000),
        ("Total_Time:60\nByoyomi:1\nRemaining_Time-:0\n", 1000),
    ] {
        let server = Server::new();
        let sabi = server.sabi_with("games = 1", "NetworkDelay = 200\nNetworkDelay2 = 600");
        let mut peer = server.logged_in();
        peer.send(summary('-', time, &position));
        assert_eq!(peer.line(), "AGREE g-1");
        let start = Instant::now();
        peer.send("START:g-1\n");
        let line = peer.line();
        let taken = start.elapsed();
        assert!(line.starts_with('-') && taken < Duration::from_millis(most), "{time}: {taken:?}");
        peer.send("#CHUDAN\n");
        peer.log_out();
        assert!(sabi.exited().success);
    }
}

/// After a rejection the server may offer another game on the same connection.
#[test]
fn waits_for_another_game_after_a_rejection() {
    let server = Server::new();
    let sabi = server.sabi("games = 1");
    let mut peer = server.logged_in();
    peer.send(summary('+', FISCHER, EVEN));
    assert_eq!(peer.line(), "AGREE g-1");
    peer.send("REJECT:g-1 by white\n");
    peer.begin(&summary('+', FISCHER, EVEN));
    let _ = peer.repeat(1);
    peer.send("%TORYO,T1\n#RESIGN\n#WIN\n");
    peer.log_out();
    let exited = sabi.exited();
    assert!(exited.success && exited.stdout.contains("the game was rejected: g-1 by white"), "{}", exited.stdout);
    assert_eq!(exited.records.len(), 1);
}

#[test]
fn relogin_and_keepalive() {
    let server = Server::new();
    let sabi = server.sabi("games = 2\nkeep_alive = 1\ngame = 'floodgate-300-10F'");
    for _ in 0..2 {
        let mut peer = server.accept();
        let login = peer.line();
        assert_eq!(login, format!("LOGIN sabi floodgate-300-10F,{PASSWORD}"));
        peer.send(format!("LOGIN:sabi OK\n##[echo] {login}\n\n"));
        assert_eq!(peer.any_line(), "", "a server waits for a sign of life");
        peer.begin(&summary('-', FISCHER, EVEN));
        assert_eq!(peer.any_line(), "");
        peer.send("+7776FU,T1\n");
        let line = peer.line();
        assert!(line.starts_with('-') && !line.contains(','), "no comment where none is asked for: {line}");
        peer.send("#ILLEGAL_MOVE\n#LOSE\n");
        peer.log_out();
    }
    let exited = sabi.exited();
    assert!(exited.success && exited.stdout.contains("lost 2"), "{}", exited.stdout);
    assert!(exited.stdout.contains("< ##[echo] LOGIN sabi floodgate-300-10F,***\n"), "{}", exited.stdout);
}
