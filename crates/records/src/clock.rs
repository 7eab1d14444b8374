//! Time settings of records.

use super::text::plain;
use std::time::Duration;

/// Time settings of one player.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Main time.
    pub main: Duration,
    /// Byoyomi.
    pub byoyomi: Duration,
    /// Increment.
    pub increment: Duration,
}

impl Clock {
    /// Parses `600+10+0`, main time, byoyomi and increment in seconds, of CSA 3.0; and `00:25+30`,
    /// hours, minutes and seconds of byoyomi, of CSA 2.2.
    pub(super) fn read_csa(text: &str) -> Option<Self> {
        Self::read(text, 60)
    }

    /// Parses `各1時間30分+30秒`, with 追加 after an increment; `15:00+30`, minutes, seconds and seconds
    /// of byoyomi, of ShogiHome; and the form of CSA 3.0.
    pub(super) fn read_kif(text: &str) -> Option<Self> {
        Self::read(text, 1)
    }

    /// Parses all of these; `colon` is the unit of the number after a colon, in seconds.
    fn read(text: &str, colon: u32) -> Option<Self> {
        let text: String = text.trim().chars().map(plain).collect();
        let parts: Vec<&str> = text.split('+').collect();
        match parts[..] {
            [main, byoyomi, increment] if !text.contains('秒') => {
                Some(Self { main: seconds(main)?, byoyomi: seconds(byoyomi)?, increment: seconds(increment)? })
            }
            [main, byoyomi] if main.contains(':') => {
                let (large, small) = main.split_once(':')?;
                let main = seconds(large)?.checked_mul(60)?.checked_add(seconds(small)?)?.checked_mul(colon)?;
                Some(Self { main, byoyomi: seconds(byoyomi)?, ..Self::default() })
            }
            [main, ref more @ ..] => {
                let main = main.trim_start_matches('各').trim_end_matches("切れ負け");
                let mut clock = Self { main: amount(main)?, ..Self::default() };
                for part in more {
                    match part.strip_suffix("追加").or(part.strip_suffix("加算")) {
                        Some(increment) => clock.increment = amount(increment)?,
                        None => clock.byoyomi = amount(part)?,
                    }
                }
                Some(clock)
            }
            [] => None,
        }
    }

    /// In CSA 3.0 format.
    pub(super) fn csa(&self) -> String {
        [self.main, self.byoyomi, self.increment].map(|time| time.as_secs_f64().to_string()).join("+")
    }

    /// In KIF format.
    pub(super) fn kif(&self) -> String {
        let minutes = self.main.as_secs() / 60;
        let rest = self.main - Duration::from_secs(60 * minutes);
        let part = |number: f64, unit: &str| if number > 0.0 { format!("{number}{unit}") } else { String::new() };
        let main =
            part((minutes / 60) as f64, "時間") + &part((minutes % 60) as f64, "分") + &part(rest.as_secs_f64(), "秒");
        let more =
            [(self.byoyomi, "秒"), (self.increment, "秒追加")].map(|(time, unit)| part(time.as_secs_f64(), unit));
        let more = more.iter().filter(|part| !part.is_empty()).map(|part| format!("+{part}"));
        let main = if main.is_empty() { "0分".to_owned() } else { main };
        main + &more.collect::<String>()
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let text = text.trim();
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.parse().ok().filter(|_| is_plain).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

/// A time with units: `1時間30分`.
pub(super) fn amount(text: &str) -> Option<Duration> {
    let mut rest: String = text.trim().chars().map(plain).collect();
    let mut total = None;
    for (unit, length) in [("時間", 3600), ("分", 60), ("秒", 1)] {
        if let Some((number, tail)) = rest.split_once(unit) {
            let time = seconds(number)?.checked_mul(length)?;
            total = Some(total.unwrap_or(Duration::ZERO).checked_add(time)?);
            rest = tail.to_owned();
        }
    }
    total.filter(|_| rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn clock(main: u64, byoyomi: u64, increment: u64) -> Clock {
        Clock {
            main: Duration::from_millis(main),
            byoyomi: Duration::from_millis(byoyomi),
            increment: Duration::from_millis(increment),
        }
    }

    #[test]
    fn parses_every_spelling() {
        for (text, expected) in [
            ("600+10+0", clock(600_000, 10_000, 0)),
            (" 300.5+0+0.1", clock(300_500, 0, 100)),
            ("00:25+00", clock(1_500_000, 0, 0)),
            ("01:30+60", clock(5_400_000, 60_000, 0)),
            ("８時間", clock(28_800_000, 0, 0)),
            ("各５時間", clock(18_000_000, 0, 0)),
            ("1時間30分", clock(5_400_000, 0, 0)),
            ("15分＋60秒", clock(900_000, 60_000, 0)),
            ("0分+10秒", clock(0, 10_000, 0)),
            ("5分+5秒追加", clock(300_000, 0, 5_000)),
            ("5分+30秒+5秒加算", clock(300_000, 30_000, 5_000)),
            ("3分切れ負け", clock(180_000, 0, 0)),
        ] {
            assert_eq!(Clock::read_csa(text), Some(expected), "{text}");
        }
        assert_eq!(Clock::read_kif("15:00+30"), Some(clock(900_000, 30_000, 0)));
        assert_eq!(Clock::read_kif("600+10+0"), Some(clock(600_000, 10_000, 0)));
    }

    #[test]
    fn rejects_other_texts() {
        let nines = "9".repeat(400);
        let long = [nines.clone(), format!("{nines}時間"), format!("{nines}:00+00"), "9".repeat(19) + "時間"];
        let short = ["", "+", "++", "+++", "x", "60", "1+2", "-1+0+0", "nan+0+0", "1e3+0+0", "各", "分", "10回"];
        let others = ["15分+30秒+10回", "::+", "1:2:3+4", "30分1時間", "1分2分", "1..5秒", "早指し"];
        for text in short.into_iter().chain(others).chain(long.iter().map(String::as_str)) {
            assert_eq!(Clock::read_kif(text), None, "{text}");
        }
    }

    #[test]
    fn clock_round_trips() {
        for clock in [
            clock(0, 0, 0),
            clock(0, 500, 0),
            clock(10_000, 0, 100),
            clock(60_000, 0, 0),
            clock(3_600_000, 60_000, 0),
            clock(3_661_001, 30_000, 5_000),
        ] {
            assert_eq!(Clock::read_csa(&clock.csa()), Some(clock), "{}", clock.csa());
            assert_eq!(Clock::read_kif(&clock.kif()), Some(clock), "{}", clock.kif());
        }
        assert_eq!(
            (clock(10_000, 0, 100).csa().as_str(), clock(10_000, 0, 100).kif().as_str()),
            ("10+0+0.1", "10秒+0.1秒追加")
        );
        assert_eq!(clock(5_400_000, 30_000, 0).kif(), "1時間30分+30秒");
    }
}
