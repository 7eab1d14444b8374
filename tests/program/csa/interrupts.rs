//! Ctrl-C.

use super::server::Server;
use std::thread;
use std::time::Duration;

#[test]
fn first_interrupt_exits_after_the_game() {
    let server = Server::new();
    let (sabi, mut peer, _) = server.in_game("", 1);
    sabi.interrupt();
    thread::sleep(Duration::from_millis(300));
    peer.send("-3334FU,T1\n");
    let _ = peer.repeat(1);
    peer.send("#TIME_UP\n#WIN\n");
    peer.log_out();
    let exited = sabi.exited();
    assert!(exited.success && exited.stdout.contains("quitting after this game"), "{}", exited.stdout);
}

#[test]
fn second_interrupt_ends_the_game() {
    let server = Server::new();
    let (sabi, mut peer, _) = server.in_game("", 1);
    sabi.interrupt();
    thread::sleep(Duration::from_millis(300));
    sabi.interrupt();
    assert_eq!(peer.line(), "%CHUDAN");
    peer.send("#CHUDAN\n");
    peer.log_out();
    assert!(sabi.exited().success);
}

/// It does not wait for another try, which would not be made.
#[test]
fn lost_connection_after_an_interrupt_exits() {
    let server = Server::new();
    let (sabi, peer, _) = server.in_game("", 1);
    sabi.interrupt();
    thread::sleep(Duration::from_millis(300));
    drop(peer);
    let exited = sabi.exited();
    assert!(exited.success && exited.stdout.contains("connection lost"), "{}", exited.stdout);
    assert!(!exited.stdout.contains("trying again"), "{}", exited.stdout);
}

#[test]
fn interrupt_while_waiting_exits() {
    let server = Server::new();
    let sabi = server.sabi("");
    let mut peer = server.logged_in();
    thread::sleep(Duration::from_millis(300));
    sabi.interrupt();
    peer.log_out();
    assert!(sabi.exited().success);
}
