//! Lost connections and protocol violations.

use super::server::{EVEN, FISCHER, Peer, Server, summary};
use sabi_records::{EndReason, read_csa};
use sabi_test_support::at_the_same_time;

/// Server actions before it disconnects.
type Act<'a> = dyn Fn(&mut Peer) + Sync + 'a;

/// After a disconnect the client reconnects, and after several failures it gives up with one
/// message.
#[test]
fn reconnects_in_every_state() {
    let offer = summary('+', FISCHER, EVEN);
    let half = &offer[..offer.len() / 2];
    let states: [(&str, &Act<'_>); 8] = [
        ("before the login", &|_| {}),
        ("in the midst of an answer", &|peer| peer.send("LOGIN:sa")),
        ("after the login", &|peer| peer.send("LOGIN:sabi OK\n")),
        ("in the midst of the description", &|peer| peer.send(format!("LOGIN:sabi OK\n{half}"))),
        ("after the description", &|peer| peer.send(format!("LOGIN:sabi OK\n{offer}"))),
        ("by a line without an end", &|peer| peer.send([b'x'; 100_000])),
        ("by a description without an end", &|peer| {
            peer.send(format!("LOGIN:sabi OK\nBEGIN Game_Summary\n{}", "x:y\n".repeat(10_000)));
        }),
        ("by an impossible position", &|peer| {
            let offer = summary('+', FISCHER, "P1nonsense\n+\n");
            peer.send(format!("LOGIN:sabi OK\n{offer}"));
            let _ = peer.line();
            assert_eq!(peer.line(), "REJECT g-1");
        }),
    ];
    at_the_same_time(&states, |&(state, act)| {
        let server = Server::new();
        let sabi = server.sabi("");
        for _ in 0..4 {
            let mut peer = server.accept();
            act(&mut peer);
            if state.starts_with("by ") {
                assert!(peer.is_closed(), "{state}: the program stays");
            }
        }
        let exited = sabi.exited();
        assert!(!exited.success && exited.stderr.starts_with("error: "), "{state}: {}", exited.stderr);
        assert!(exited.stdout.contains("trying again in 1 s"), "{state}: {}", exited.stdout);
        assert!(exited.records.is_empty(), "{state}: no game was played");
    });
}

#[test]
fn rejected_login_is_final() {
    let server = Server::new();
    let sabi = server.sabi("");
    let mut peer = server.accept();
    let _ = peer.line();
    peer.send("LOGIN:incorrect\n");
    let exited = sabi.exited();
    assert!(!exited.success && exited.stderr.contains("login rejected"), "{}", exited.stderr);
}

#[test]
fn check_logs_in_and_out() {
    let server = Server::new();
    let sabi = server.checking();
    server.logged_in().log_out();
    let exited = sabi.exited();
    assert!(exited.success, "{}", exited.stderr);
    assert!(exited.stdout.contains("LOGOUT") && exited.records.is_empty(), "{}", exited.stdout);
    let sabi = server.checking();
    let mut peer = server.accept();
    peer.line();
    peer.send("LOGIN:incorrect\n");
    let exited = sabi.exited();
    assert!(!exited.success && exited.stderr.contains("login rejected"), "{}", exited.stderr);
}

/// The server offers the interrupted game again with the moves played meanwhile, and without the
/// time of the first.
#[test]
fn resumes_interrupted_game() {
    let server = Server::new();
    let (sabi, peer, first) = server.in_game("games = 1", 5);
    drop(peer);
    // A server that has not noticed the disconnect rejects the login.
    let mut peer = server.accept();
    let _ = peer.line();
    peer.send("LOGIN:incorrect\n");
    drop(peer);
    let offer = summary('+', FISCHER, &format!("{EVEN}{first}\n-8384FU,T7\n"));
    // The offer itself may be interrupted.
    let mut peer = server.logged_in();
    peer.send(&offer);
    assert_eq!(peer.line(), "AGREE g-1");
    drop(peer);
    let mut peer = server.logged_in();
    peer.send(&offer);
    assert_eq!(peer.line(), "AGREE g-1");
    // Some servers send START here, this one does not.
    let second = peer.repeat(4);
    assert!(second.starts_with('+'));
    peer.send("#TIME_UP\n#WIN\n");
    peer.log_out();
    let exited = sabi.exited();
    assert!(exited.success, "{}", exited.stderr);
    assert!(
        exited.stdout.contains("game 1 continues") && exited.stdout.contains("game 1 over: won"),
        "{}",
        exited.stdout
    );
    assert_eq!(exited.records.len(), 1, "one game, one record");
    let text = exited.records[0].1.trim_end().trim_end_matches('/');
    let game = read_csa(text).expect("a record");
    let seconds: Vec<u64> = game.times.iter().map(|time| time.expect("a time").as_secs()).collect();
    assert_eq!((seconds, game.end), (vec![5, 7, 4], EndReason::Timeout));
    assert_eq!(game.scores.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
}

/// The lines behind the offer arrive before the client is ready for them, and in this order.
#[test]
fn resumed_game_ends_at_once() {
    let server = Server::new();
    let (sabi, peer, first) = server.in_game("games = 1", 5);
    drop(peer);
    let mut peer = server.logged_in();
    let offer = summary('+', FISCHER, &format!("{EVEN}{first},T5\n"));
    peer.send(format!("{offer}-8384FU,T7\n#TIME_UP\n#LOSE\n"));
    assert_eq!(peer.line(), "AGREE g-1");
    peer.log_out();
    let exited = sabi.exited();
    assert!(exited.success, "{}", exited.stderr);
    let game = read_csa(exited.records[0].1.trim_end().trim_end_matches('/')).expect("a record");
    assert_eq!((game.times.len(), game.end), (2, EndReason::Timeout));
}

/// The server has dropped the game: it is recorded without a result.
#[test]
fn interrupted_game_without_result() {
    let server = Server::new();
    let (sabi, mut peer, _) = server.in_game("games = 2", 5);
    peer.send("-83");
    drop(peer);
    let mut peer = server.logged_in();
    peer.send(summary('+', FISCHER, EVEN).replace("g-1", "g-2"));
    assert_eq!(peer.line(), "AGREE g-2");
    peer.send("START:g-2\n");
    let _ = peer.repeat(5);
    peer.send("#RESIGN\n#WIN\n");
    peer.log_out();
    let exited = sabi.exited();
    assert!(exited.success, "{}", exited.stderr);
    assert!(exited.stdout.contains("won 1, lost 0, drawn 0, without a result 1"), "{}", exited.stdout);
    let ends: Vec<EndReason> = exited
        .records
        .iter()
        .map(|(_, text)| read_csa(text.trim_end().trim_end_matches('/')).expect("a record").end)
        .collect();
    assert_eq!(ends, [EndReason::Aborted, EndReason::Resign]);
}

/// The game that was dropped was the last one.
#[test]
fn no_game_after_the_last_was_dropped() {
    let server = Server::new();
    let (sabi, peer, _) = server.in_game("games = 1", 5);
    drop(peer);
    let mut peer = server.logged_in();
    peer.send(summary('+', FISCHER, EVEN).replace("g-1", "g-2"));
    assert_eq!(peer.line(), "REJECT g-2");
    peer.log_out();
    let exited = sabi.exited();
    assert!(exited.success, "{}", exited.stderr);
    assert!(exited.stdout.contains("won 0, lost 0, drawn 0, without a result 1"), "{}", exited.stdout);
    assert_eq!(exited.records.len(), 1);
}

/// Illegal moves from both sides, invalid messages, and binary data: no move is played on a wrong
/// board.
#[test]
fn invalid_messages_end_the_connection() {
    let invalid = ["-3333FU,T1\n", "+2726FU,T1\n", "-9999XX\n", "-3334FU\n-3435FU\n"];
    at_the_same_time(&invalid, |nonsense| {
        let server = Server::new();
        let sabi = server.sabi("games = 1");
        let mut peer = server.logged_in();
        peer.begin(&summary('+', FISCHER, EVEN));
        let _ = peer.repeat(1);
        peer.send(b"\xff\xfe\x00garbage\n##chat\n%%x\n#NO_SUCH_WORD\n\r\n");
        peer.send(*nonsense);
        assert!(peer.is_closed(), "{nonsense}");
        // It reconnects, and the server resends the state.
        let mut peer = server.logged_in();
        peer.begin(&summary('+', FISCHER, EVEN));
        let _ = peer.repeat(1);
        peer.send("#CHUDAN\n");
        peer.log_out();
        assert!(sabi.exited().success);
    });
}

/// The last line without a line end counts.
#[test]
fn last_line_without_line_end() {
    let server = Server::new();
    let (sabi, mut peer, _) = server.in_game("games = 1", 1);
    peer.send("#RESIGN\n#WIN");
    drop(peer);
    let exited = sabi.exited();
    assert!(exited.success && exited.stdout.contains("won by resign"), "{}", exited.stdout);
}

/// A server that is silent, or stops within a description, times out after half a minute.
#[test]
fn silent_server_times_out() {
    let server = Server::new();
    let sabis = [(); 2].map(|()| server.sabi(""));
    let mut mute = server.accept();
    let mut slow = server.accept();
    let _ = slow.line();
    slow.send("LOGIN:sabi OK\nBEGIN Game_Summary\nProtocol_Ver");
    assert!(mute.is_closed() && slow.is_closed());
    drop(sabis);
}
