//! Game clocks: the `go` line and time used, without measuring time.

use sabi::record::Clock;
use sabi::types::Color;
use std::time::Duration;

/// Time control.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// Main time, increment and byoyomi. The increment is added before each move.
    Clock(Clock),
    /// Time for each move.
    MoveTime(Duration),
    /// Nodes for each move.
    Nodes(u64),
    /// Depth for each move.
    Depth(u32),
}

impl TimeControl {
    /// Parses seconds with an optional increment: `10+0.1`.
    pub fn parse_clock(text: &str) -> Option<(Duration, Duration)> {
        let seconds = |text: &str| {
            // No sum of such times overflows.
            let seconds = text.parse().ok().filter(|&seconds: &f64| seconds < 1e9)?;
            Duration::try_from_secs_f64(seconds).ok()
        };
        let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
        Some((seconds(main)?, seconds(increment)?)).filter(|&(main, increment)| !(main + increment).is_zero())
    }
}

/// Clocks of a game.
#[derive(Clone, Debug)]
pub struct Clocks {
    control: TimeControl,
    /// Remaining main time by colour, without the next increment.
    left: [Duration; 2],
}

impl Clocks {
    /// The clocks before the first move.
    pub const fn new(control: TimeControl) -> Self {
        let main = match control {
            TimeControl::Clock(clock) => clock.main,
            _ => Duration::ZERO,
        };
        Self { control, left: [main; 2] }
    }

    /// The `go` line.
    pub fn go(&self) -> String {
        let [black, white] = self.left.map(|left| left.as_millis());
        match self.control {
            TimeControl::Clock(Clock { increment, .. }) if !increment.is_zero() => {
                let increment = increment.as_millis();
                format!("go btime {black} wtime {white} binc {increment} winc {increment}")
            }
            TimeControl::Clock(Clock { byoyomi, .. }) => {
                format!("go btime {black} wtime {white} byoyomi {}", byoyomi.as_millis())
            }
            TimeControl::MoveTime(time) => format!("go movetime {}", time.as_millis()),
            TimeControl::Nodes(nodes) => format!("go nodes {nodes}"),
            TimeControl::Depth(depth) => format!("go depth {depth}"),
        }
    }

    /// Maximum time for the next move of `color`; `None` without a clock.
    pub fn allowed(&self, color: Color) -> Option<Duration> {
        match self.control {
            TimeControl::Clock(Clock { increment, byoyomi, .. }) => Some(self.left[color] + increment + byoyomi),
            TimeControl::MoveTime(time) => Some(time),
            TimeControl::Nodes(_) | TimeControl::Depth(_) => None,
        }
    }

    /// Subtracts the time of a move of `color`, down to zero.
    pub fn spend(&mut self, color: Color, time: Duration) {
        if let TimeControl::Clock(Clock { increment, .. }) = self.control {
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

    const fn clocks(main: u64, increment: u64, byoyomi: u64) -> Clocks {
        Clocks::new(TimeControl::Clock(Clock { main: ms(main), increment: ms(increment), byoyomi: ms(byoyomi) }))
    }

    #[test]
    fn parses_clock() {
        assert_eq!(TimeControl::parse_clock("10+0.1"), Some((ms(10_000), ms(100))));
        assert_eq!(TimeControl::parse_clock("0.5"), Some((ms(500), ms(0))));
        for bad in ["", "+", "x", "10+", "-1", "1e400", "nan", "inf", "0", "0+0", "1+2+3", "1e19+1e19"] {
            assert_eq!(TimeControl::parse_clock(bad), None, "{bad}");
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
        for (control, go, allowed) in [
            (TimeControl::MoveTime(ms(100)), "go movetime 100", Some(ms(100))),
            (TimeControl::Nodes(20_000), "go nodes 20000", None),
            (TimeControl::Depth(6), "go depth 6", None),
        ] {
            let mut clocks = Clocks::new(control);
            clocks.spend(Color::Black, ms(60_000));
            assert_eq!((clocks.go().as_str(), clocks.allowed(Color::Black)), (go, allowed));
        }
    }
}
