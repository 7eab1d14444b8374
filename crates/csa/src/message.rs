//! Server messages.

use std::time::Duration;

/// A server message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Message<'a> {
    /// A signed move with its time, which servers send in seconds whatever their `Time_Unit`.
    Move { text: &'a str, time: Option<Duration> },
    /// A special move, without `%`.
    Special { word: &'a str },
    /// A line that begins with `#`: end reason or result.
    End { word: &'a str },
    /// The login is accepted.
    LoginOk,
    /// The login is rejected.
    LoginIncorrect,
    /// The logout is confirmed.
    LogoutCompleted,
    /// A game is offered; `Game_Summary` begins.
    Summary,
    /// The game begins.
    Start { id: &'a str },
    /// A player rejected the game.
    Reject { reason: &'a str },
    /// Anything else.
    Other,
}

/// Parses a line.
pub(super) fn parse(line: &str) -> Message<'_> {
    let line = line.trim();
    match line.as_bytes() {
        [b'+' | b'-', _, ..] => {
            let (text, rest) = line.split_once(',').unwrap_or((line, ""));
            let seconds = rest.split(',').find_map(|part| part.strip_prefix('T')?.parse().ok());
            Message::Move { text, time: seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) }
        }
        [b'%', word, ..] if *word != b'%' => {
            Message::Special { word: line[1..].split_once(',').map_or(&line[1..], |(word, _)| word) }
        }
        [b'#', next, ..] if *next != b'#' => Message::End { word: &line[1..] },
        _ => parse_words(line),
    }
}

fn parse_words(line: &str) -> Message<'_> {
    if line == "BEGIN Game_Summary" {
        Message::Summary
    } else if line == "LOGOUT:completed" {
        Message::LogoutCompleted
    } else if line == "LOGIN:incorrect" {
        Message::LoginIncorrect
    } else if line.starts_with("LOGIN:") && line.ends_with(" OK") {
        Message::LoginOk
    } else if let Some(id) = line.strip_prefix("START:") {
        Message::Start { id }
    } else if let Some(reason) = line.strip_prefix("REJECT:") {
        Message::Reject { reason }
    } else {
        Message::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_every_server_message() {
        for (line, message) in [
            ("+7776FU,T12", Message::Move { text: "+7776FU", time: Some(Duration::from_secs(12)) }),
            ("-0055KA", Message::Move { text: "-0055KA", time: None }),
            ("+7776FU,T1.5\r", Message::Move { text: "+7776FU", time: Some(Duration::from_millis(1500)) }),
            ("+7776FU,'* 30 -3334FU,T3", Message::Move { text: "+7776FU", time: Some(Duration::from_secs(3)) }),
            ("+7776FU,T-1", Message::Move { text: "+7776FU", time: None }),
            ("+7776FU,Tinf", Message::Move { text: "+7776FU", time: None }),
            ("%TORYO,T4", Message::Special { word: "TORYO" }),
            ("#TIME_UP", Message::End { word: "TIME_UP" }),
            ("##[CHAT]hello", Message::Other),
            ("LOGIN:sabi OK", Message::LoginOk),
            ("LOGIN:incorrect", Message::LoginIncorrect),
            ("LOGOUT:completed", Message::LogoutCompleted),
            ("BEGIN Game_Summary", Message::Summary),
            ("START:20261122-1", Message::Start { id: "20261122-1" }),
            ("REJECT:20261122-1 by gote", Message::Reject { reason: "20261122-1 by gote" }),
            ("", Message::Other),
            ("+", Message::Other),
            ("%", Message::Other),
            ("#", Message::Other),
            ("%%LIST", Message::Other),
        ] {
            assert_eq!(parse(line), message, "{line}");
        }
    }
}
