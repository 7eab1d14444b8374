//! Formatting of the engine's output.

use crate::engine::{Answer, BenchResult, MateReport, OptionKind, OptionRow};
use crate::mate::solver::MateProgress;
use crate::search::Report;
use sabi_shogi::{Bound, Move, usi_score};
use std::fmt::Write;

/// `option` line.
pub(super) fn option(row: &OptionRow) -> String {
    let mut line = format!("option name {} type {}", row.name, row.kind.name());
    if let Some(default) = row.kind.default_text() {
        line += &format!(" default {default}");
    }
    match &row.kind {
        OptionKind::Spin { min, max, .. } | OptionKind::MachineSpin { min, max, .. } => {
            line += &format!(" min {min} max {max}")
        }
        #[cfg(feature = "tune")]
        OptionKind::Tune(tunable) => line += &format!(" min {} max {}", tunable.min, tunable.max),
        OptionKind::Combo { .. } => row.kind.choice_names().for_each(|name| line += &format!(" var {name}")),
        _ => {}
    }
    line
}

/// `info` line. `pv` takes the rest of the line, so it comes last.
pub(super) fn report(report: &Report) -> String {
    let milliseconds = report.time.as_millis();
    let speed = u128::from(report.nodes) * 1000 / milliseconds.max(1);
    let bound = match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {speed} hashfull {} time {milliseconds}",
        report.depth,
        report.seldepth.max(report.depth),
        report.multi_pv,
        usi_score(report.score, report.proved),
        report.nodes,
        report.hashfull,
    );
    if !report.pv.is_empty() {
        line += " pv";
        push_moves(&mut line, &report.pv);
    }
    line
}

/// `info` line of a mate search.
pub(super) fn mate_report(report: &MateReport<'_>) -> String {
    let MateReport { progress: MateProgress { nodes, fill, best }, time } = *report;
    let milliseconds = time.as_millis();
    let speed = u128::from(nodes) * 1000 / milliseconds.max(1);
    let effort = format!("nodes {nodes} nps {speed} hashfull {fill} time {milliseconds}");
    let Some(mate) = best else { return format!("info {effort}") };
    let mut line = format!("info depth {0} seldepth {1} score mate {0} {effort} pv", mate.plies, mate.line.len());
    push_moves(&mut line, &mate.line);
    line
}

/// The lines of an answer; `None` if it has none.
pub(super) fn answer(answer: &Answer) -> Option<String> {
    Some(match answer {
        Answer::GameOver => return None,
        Answer::Ready => "readyok".to_owned(),
        Answer::Cleared => "info string tables and histories cleared".to_owned(),
        Answer::Best { best, ponder: None } => format!("bestmove {best}"),
        Answer::Best { best, ponder: Some(ponder) } => format!("bestmove {best} ponder {ponder}"),
        Answer::Resign => "bestmove resign".to_owned(),
        Answer::Declare => "bestmove win".to_owned(),
        Answer::Mate(moves) => {
            let mut line = "checkmate".to_owned();
            push_moves(&mut line, moves);
            line
        }
        Answer::NoMate => "checkmate nomate".to_owned(),
        Answer::MateUnknown => "checkmate timeout".to_owned(),
        Answer::Perft(Some(leaves)) => format!("Nodes searched: {leaves}"),
        Answer::Bench(Some(total)) => bench_result_text(total),
        Answer::Bench(None) => "info string the bench was stopped".to_owned(),
        Answer::Perft(None) => "info string perft was stopped".to_owned(),
    })
}

/// The last lines of a bench, the signature last.
pub fn bench_result_text(result: &BenchResult) -> String {
    let BenchResult { nodes, time } = result;
    format!("nodes {nodes}\ntime {} ms\nnps {}\nBench: {nodes}", time.as_millis(), result.speed())
}

fn push_moves(line: &mut String, moves: &[Move]) {
    for mv in moves {
        // Writing to a string cannot fail.
        let _ = write!(line, " {mv}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options;
    use sabi_shogi::Score;
    use std::time::Duration;

    #[test]
    fn reports() {
        let pv = ["7g7f", "3c3d"].map(|mv| mv.parse().unwrap()).to_vec();
        let mut thought = Report {
            depth: 5,
            seldepth: 9,
            nodes: 5000,
            time: Duration::from_millis(20),
            hashfull: 3,
            ..Report::without_search(Score::cp(-34), pv)
        };
        assert_eq!(
            report(&thought),
            "info depth 5 seldepth 9 multipv 1 score cp -34 nodes 5000 nps 250000 hashfull 3 time 20 pv 7g7f 3c3d"
        );
        thought.bound = Bound::Lower;
        thought.pv.clear();
        thought.time = Duration::ZERO;
        assert!(report(&thought).contains("score cp -34 lowerbound nodes") && report(&thought).ends_with("time 0"));
    }

    #[test]
    fn formats_option_lines() {
        let line = |name: &str| options().find(|row| row.name == name).map(option);
        assert_eq!(line("MultiPV").as_deref(), Some("option name MultiPV type spin default 1 min 1 max 600"));
        assert_eq!(line("USI_Ponder").as_deref(), Some("option name USI_Ponder type check default false"));
        assert_eq!(line("DebugLogFile").as_deref(), Some("option name DebugLogFile type filename default <empty>"));
        assert_eq!(
            line("MateLimitUnit").as_deref(),
            Some("option name MateLimitUnit type combo default milliseconds var milliseconds var plies")
        );
    }
}
