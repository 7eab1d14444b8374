//! Game clocks: the `go` line and time used, without measuring time.

use sabi_records::Clock;
use sabi_shogi::Color;
use std::time::Duration;

/// Limit of the searches of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum SearchLimit {
    /// Main time, increment and byoyomi. The increment is added before each move.
    Clock(Clock),
    /// Time for each move.
    MoveTime(Duration),
    /// Nodes for each move.
    Nodes(u64),
    /// Depth for each move.
    Depth(u32),
}

impl SearchLimit {
    /// Parses seconds with an optional increment: `10+0.1`.
    pub fn parse_clock(text: &str) -> Option<(Duration, Duration)> {
        let seconds = |text: &str| {
            // No sum of such times overflows.
            let seconds = text.parse().ok().filter(|&seconds: &f64| (0.0..1e9).contains(&seconds))?;
            // The protocol counts milliseconds.
            Some(Duration::from_millis((seconds * 1000.0).round() as u64))
        };
        let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
        Some((seconds(main)?, seconds(increment)?)).filter(|&(main, increment)| !(main + increment).is_zero())
    }
}

/// Clocks of a game.
#[derive(Clone, Debug)]
pub struct MatchClocks {
    limit: SearchLimit,
    /// Remaining main time by colour, without the next increment.
    left: [Duration; 2],
}

impl MatchClocks {
    /// The clocks before the first move.
    pub const fn new(limit: SearchLimit) -> Self {
        let main = match limit {
            SearchLimit::Clock(clock) => clock.main,
            _ => Duration::ZERO,
        };
        Self { limit, left: [main; 2] }
    }

    /// The `go` line.
    pub fn go(&self) -> String {
        let [black, white] = self.left.map(|left| left.as_millis());
        match self.limit {
            SearchLimit::Clock(Clock { increment, .. }) if !increment.is_zero() => {
                let increment = increment.as_millis();
                format!("go btime {black} wtime {white} binc {increment} winc {increment}")
            }
            SearchLimit::Clock(Clock { byoyomi, .. }) => {
                format!("go btime {black} wtime {white} byoyomi {}", byoyomi.as_millis())
            }
            SearchLimit::MoveTime(time) => format!("go movetime {}", time.as_millis()),
            SearchLimit::Nodes(nodes) => format!("go nodes {nodes}"),
            SearchLimit::Depth(depth) => format!("go depth {depth}"),
        }
    }

    /// Maximum time for the next move of `color`; `None` without a clock.
    pub fn allowed(&self, color: Color) -> Option<Duration> {
        match self.limit {
            SearchLimit::Clock(Clock { increment, byoyomi, .. }) => Some(self.left[color] + increment + byoyomi),
            SearchLimit::MoveTime(time) => Some(time),
            SearchLimit::Nodes(_) | SearchLimit::Depth(_) => None,
        }
    }

    /// Subtracts the time of a move of `color`, down to zero.
    pub fn spend(&mut self, color: Color, time: Duration) {
        if let SearchLimit::Clock(Clock { increment, .. }) = self.limit {
            self.left[color] = (self.left[color] + increment).saturating_sub(time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    const fn clocks(main: u64, increment: u64, byoyomi: u64) -> MatchClocks {
        MatchClocks::new(SearchLimit::Clock(Clock { main: ms(main), increment: ms(increment), byoyomi: ms(byoyomi) }))
    }

    #[test]
    fn parses_clock() {
        assert_eq!(SearchLimit::parse_clock("10+0.1"), Some((ms(10_000), ms(100))));
        assert_eq!(SearchLimit::parse_clock("0.5"), Some((ms(500), ms(0))));
        for bad in ["", "+", "x", "10+", "-1", "1e400", "nan", "inf", "0", "0+0", "1+2+3", "1e19+1e19"] {
            assert_eq!(SearchLimit::parse_clock(bad), None, "{bad}");
        }
    }

    #[test]
    fn increment_is_added_before_the_move() {
        let mut clocks = clocks(1000, 100, 0);
        assert_eq!(clocks.go(), "go btime 1000 wtime 1000 binc 100 winc 100");
        assert_eq!(clocks.allowed(Color::Black), Some(ms(1100)));
        clocks.spend(Color::Black, ms(300));
        assert_eq!(clocks.go(), "go btime 800 wtime 1000 binc 100 winc 100");
        clocks.spend(Color::White, ms(50));
        assert_eq!(clocks.allowed(Color::White), Some(ms(1150)));
    }

    #[test]
    fn byoyomi_after_main_time() {
        let mut clocks = clocks(1000, 0, 500);
        clocks.spend(Color::White, ms(1300));
        assert_eq!(clocks.go(), "go btime 1000 wtime 0 byoyomi 500");
        assert_eq!(clocks.allowed(Color::White), Some(ms(500)));
        assert_eq!(clocks.allowed(Color::Black), Some(ms(1500)));
    }

    #[test]
    fn no_limit_without_clock() {
        for (limit, go, allowed) in [
            (SearchLimit::MoveTime(ms(100)), "go movetime 100", Some(ms(100))),
            (SearchLimit::Nodes(20_000), "go nodes 20000", None),
            (SearchLimit::Depth(6), "go depth 6", None),
        ] {
            let mut clocks = MatchClocks::new(limit);
            clocks.spend(Color::Black, ms(60_000));
            assert_eq!((clocks.go().as_str(), clocks.allowed(Color::Black)), (go, allowed));
        }
    }
}
