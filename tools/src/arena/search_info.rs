//! `info` lines of engines.

use sabi_shogi::Score;

/// Last value of each kind in the `info` lines before a `bestmove`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchInfo {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes per second.
    pub speed: Option<u64>,
    /// Score for the side to move, of the first PV.
    pub score: Option<Score>,
}

impl SearchInfo {
    /// Parses a line that starts with `info`. Unknown or malformed parts are ignored.
    pub fn parse_line(&mut self, info: &str) {
        let mut parsed = *self;
        let mut best_line = true;
        let mut words = info.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => parsed.depth = number(words.next()).or(parsed.depth),
                "nps" => parsed.speed = number(words.next()).or(parsed.speed),
                "multipv" => best_line = words.next() == Some("1"),
                "score" => {
                    let (kind, value) = (words.next(), words.next());
                    parsed.score = kind.zip(value).and_then(|(kind, value)| score(kind, value)).or(parsed.score);
                }
                // Both extend to the end of the line.
                "pv" | "string" => break,
                _ => {}
            }
        }
        if best_line {
            *self = parsed;
        }
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

/// A mate without a distance, or in 0, counts as the shortest.
fn score(kind: &str, value: &str) -> Option<Score> {
    match kind {
        "cp" => value.parse().ok().map(Score::cp),
        "mate" => {
            let plies = value.trim_start_matches(['+', '-']).parse().unwrap_or(1).clamp(1, 199);
            Some(if value.starts_with('-') { Score::mated_in(plies) } else { Score::mate_in(plies) })
        }
        _ => None,
    }
}

/// Mean speed and depth.
#[derive(Copy, Clone, Debug, Default)]
pub struct SearchStats {
    depths: u64,
    deep_moves: u64,
    speeds: f64,
    timed_moves: u64,
}

impl SearchStats {
    /// Adds a move. Book moves (depth 0) do not count, nor mate scores: such searches reach any
    /// depth at once.
    pub fn add(&mut self, info: &SearchInfo) {
        let is_search = |depth: &u32| *depth > 0 && !info.score.is_some_and(Score::is_decisive);
        if let Some(depth) = info.depth.filter(is_search) {
            self.depths += u64::from(depth);
            self.deep_moves += 1;
        }
        if let Some(speed) = info.speed.filter(|&speed| speed > 0) {
            self.speeds += speed as f64;
            self.timed_moves += 1;
        }
    }

    /// Adds the moves of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.depths += other.depths;
        self.deep_moves += other.deep_moves;
        self.speeds += other.speeds;
        self.timed_moves += other.timed_moves;
    }

    /// Mean depth in plies; `None` without a value.
    pub fn depth(&self) -> Option<f64> {
        (self.deep_moves > 0).then(|| self.depths as f64 / self.deep_moves as f64)
    }

    /// Mean nodes per second; `None` without a value.
    pub fn speed(&self) -> Option<f64> {
        (self.timed_moves > 0).then(|| self.speeds / self.timed_moves as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(lines: &[&str]) -> SearchInfo {
        let mut info = SearchInfo::default();
        lines.iter().for_each(|line| info.parse_line(line));
        info
    }

    #[test]
    fn last_values_of_first_pv_count() {
        let info = parsed(&[
            "info depth 5 seldepth 9 multipv 1 score cp 31 nodes 900 nps 1000 pv 7g7f 3c3d",
            "info depth 6 multipv 2 score cp -400 nps 7 pv 2g2f",
            "info depth 6 score cp 12 lowerbound nps 2000 pv 2g2f depth 99",
            "info string depth 77 score cp 5",
            "info hashfull 3",
        ]);
        assert_eq!(info, SearchInfo { depth: Some(6), speed: Some(2000), score: Some(Score::cp(12)) });
    }

    #[test]
    fn mate_score_spellings() {
        for (text, score) in [
            ("5", Score::mate_in(5)),
            ("+5", Score::mate_in(5)),
            ("-4", Score::mated_in(4)),
            ("+", Score::mate_in(1)),
            ("-", Score::mated_in(1)),
            ("0", Score::mate_in(1)),
            ("99999999999999999999999", Score::mate_in(1)),
            ("100000", Score::mate_in(199)),
        ] {
            assert_eq!(parsed(&[&format!("info score mate {text}")]).score, Some(score), "{text}");
        }
    }

    #[test]
    fn malformed_info_is_ignored() {
        for line in ["info", "info depth", "info depth x nps -3 score", "info score cp", "info score lower 3"] {
            assert_eq!(parsed(&[line]), SearchInfo::default(), "{line}");
        }
    }

    #[test]
    fn means_exclude_missing_values() {
        let mut stats = SearchStats::default();
        assert_eq!((stats.depth(), stats.speed()), (None, None));
        // A book move has depth 0.
        for (depth, speed) in [(Some(4), Some(100)), (Some(7), Some(0)), (None, Some(300)), (Some(0), None)] {
            stats.add(&SearchInfo { depth, speed, score: None });
        }
        // Mate scores are excluded.
        for score in [Score::mate_in(3), Score::cp(-31_990)] {
            stats.add(&SearchInfo { depth: Some(199), speed: None, score: Some(score) });
        }
        let mut both = SearchStats::default();
        both.merge(&stats);
        assert_eq!((both.depth(), both.speed()), (Some(5.5), Some(200.0)));
    }
}
