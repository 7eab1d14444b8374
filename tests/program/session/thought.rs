//! One search as a client sees it: `info` lines, `bestmove`, and time.

use std::time::{Duration, Instant};

use super::client::Line;
use super::info::{Info, Score};
use super::rules::Board;

pub struct Thought {
    /// From `go` to the answer.
    pub took: Duration,
    lines: Vec<Line>,
}

impl Thought {
    /// `lines` ends with the answer.
    pub fn new(asked: Instant, lines: Vec<Line>) -> Self {
        let took = lines.last().map_or(Duration::ZERO, |line| line.at.saturating_duration_since(asked));
        Self { took, lines }
    }

    /// `7g7f`, `resign` or `win`.
    pub fn best(&self) -> &str {
        self.words().nth(1).expect("checked on arrival")
    }

    /// Ponder move.
    pub fn ponder(&self) -> Option<&str> {
        self.words().nth(3)
    }

    pub fn infos(&self) -> Vec<Info> {
        infos(&self.lines)
    }

    /// Texts of `info string` lines.
    pub fn strings(&self) -> Vec<String> {
        self.infos().into_iter().filter_map(|info| info.string).collect()
    }

    /// Nodes of the whole search.
    pub fn nodes(&self) -> u64 {
        self.infos().into_iter().rev().find_map(|info| info.nodes).expect("a count of nodes")
    }

    /// Lines with a PV and a score, in order.
    pub fn variations(&self) -> Vec<Info> {
        variations(&self.lines)
    }

    /// Last score of the first PV: the one a GUI keeps.
    pub fn score(&self) -> Score {
        let infos = self.infos().into_iter().rev();
        let mut scores = infos.filter(|info| info.multipv.unwrap_or(1) == 1).filter_map(|info| info.score);
        scores.next().expect("no score before the answer")
    }

    /// Deepest reported iteration.
    pub fn depth(&self) -> u64 {
        self.infos().iter().filter_map(|info| info.depth).max().expect("no depth before the answer")
    }

    /// Time of the first `info` after `go`.
    pub fn lead(&self) -> Duration {
        let answer = self.lines.last().map(|line| line.at);
        let first = self.lines.iter().find(|line| line.text.starts_with("info depth")).map(|line| line.at);
        answer.zip(first).map_or(Duration::ZERO, |(end, start)| end.saturating_duration_since(start))
    }

    /// Requirements on every search.
    pub fn assert_valid(&self, board: &Board) {
        let variations = self.variations();
        assert_variations_valid(&variations, board);
        match self.best() {
            "resign" | "win" => return,
            best => assert!(board.is_legal(best), "bestmove {best} is illegal in {board}"),
        }
        if let Some(reply) = self.ponder() {
            let next = board.after(self.best());
            assert!(next.is_legal(reply), "ponder {reply} is illegal in {next}");
        }
        // cshogi matches the score of a bestmove by the first PV move.
        let last = variations.iter().rfind(|info| info.multipv.unwrap_or(1) == 1);
        let first = last.and_then(|info| info.pv.first());
        assert_eq!(first.map(String::as_str), Some(self.best()), "the last variation is not the bestmove's");
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.lines.last().expect("an answer").text.split(' ')
    }
}

pub fn infos(lines: &[Line]) -> Vec<Info> {
    let rests = lines.iter().filter_map(|line| line.text.strip_prefix("info "));
    rests.map(|rest| Info::parse(rest).expect("checked on arrival")).collect()
}

pub fn variations(lines: &[Line]) -> Vec<Info> {
    infos(lines).into_iter().filter(|info| !info.pv.is_empty()).collect()
}

/// Legal PVs, with monotonic numbers.
pub fn assert_variations_valid(variations: &[Info], board: &Board) {
    for info in variations {
        let illegal = board.first_illegal(&info.pv);
        assert_eq!(illegal, None, "illegal in pv {:?} of {board}", info.pv.join(" "));
        let complete = info.score.is_some() && info.nodes.is_some() && info.time.is_some();
        assert!(complete && info.depth.is_some() && info.seldepth.is_some(), "a pv line lacks numbers: {info:?}");
    }
    let first_lines: Vec<_> = variations.iter().filter(|info| info.multipv.unwrap_or(1) == 1).collect();
    for pair in first_lines.windows(2) {
        let backwards = pair[0].depth > pair[1].depth || pair[0].nodes > pair[1].nodes;
        assert!(!backwards, "depth or nodes run backwards: {pair:?}");
    }
}
