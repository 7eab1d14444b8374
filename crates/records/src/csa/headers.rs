//! CSA headers, and server comments.

use super::keywords::{UNKNOWN, reason};
use crate::builder::{Ending, Outcome};
use crate::clock::Clock;
use crate::game::Headers;
use sabi_shogi::Color;

/// Headers before the moves.
#[derive(Default)]
pub(super) struct HeaderReader {
    pub(super) headers: Headers,
    summary: Option<String>,
}

impl HeaderReader {
    /// A player name, without `N` and the sign.
    pub(super) fn read_name(&mut self, color: Color, name: &str) {
        self.headers.names[color] = filled(name);
    }

    /// A line that began with `$`.
    pub(super) fn read_header(&mut self, header: &str) {
        match header.split_once(':') {
            Some(("EVENT", event)) => self.headers.event = filled(event),
            Some(("START_TIME", date)) => self.headers.date = filled(date),
            Some(("TIME" | "TIME_LIMIT", time)) => self.headers.clocks = [Clock::read_csa(time); 2],
            Some(("TIME+", time)) => self.headers.clocks[Color::Black] = Clock::read_csa(time),
            Some(("TIME-", time)) => self.headers.clocks[Color::White] = Clock::read_csa(time),
            _ => {}
        }
    }

    /// A line that began with an apostrophe.
    pub(super) fn read_comment(&mut self, comment: &str) {
        if let Some(rating) = comment.strip_prefix("black_rate:") {
            self.headers.ratings[Color::Black] = last_number(rating);
        } else if let Some(rating) = comment.strip_prefix("white_rate:") {
            self.headers.ratings[Color::White] = last_number(rating);
        } else if let Some(summary) = comment.strip_prefix("summary:") {
            self.summary = Some(summary.to_owned());
        }
    }

    /// The end by the summary: `toryo:NAME win:NAME lose`. Names identify the sides; equal names
    /// are in order.
    pub(super) fn ending(&self) -> Option<Ending> {
        let mut parts = self.summary.as_deref()?.trim().split(':');
        let reason = reason(parts.next()?);
        for (at, part) in parts.enumerate() {
            let (name, result) = part.rsplit_once(' ')?;
            let is = |color: Color| self.headers.names[color].as_deref() == Some(name);
            let color = match (is(Color::Black), is(Color::White)) {
                (true, false) => Color::Black,
                (false, true) => Color::White,
                _ if at == 0 => Color::Black,
                _ => Color::White,
            };
            match result {
                "win" => return Some((reason, Outcome::Wins(color))),
                "lose" => return Some((reason, Outcome::Wins(!color))),
                "draw" => return Some((reason, Outcome::Draw)),
                _ => {}
            }
        }
        Some((reason, Outcome::Unknown))
    }

    /// Whether the summary says that the reason is unknown, which no special move says.
    pub(super) fn has_unknown_reason(&self) -> bool {
        self.summary.as_deref().is_some_and(|summary| summary.trim().split(':').next() == Some(UNKNOWN))
    }
}

fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The number after the last colon, as in `NAME+hash:3345.0`.
fn last_number(text: &str) -> Option<f64> {
    text.rsplit(':').next()?.trim().parse().ok().filter(|number: &f64| number.is_finite())
}
