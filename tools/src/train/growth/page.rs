//! Elo curve, losses and matches as a self-contained HTML page.

use super::event::{Matched, Trained};
use super::history::{Generation, History};
use crate::page::{ChartError, curves, figure, key_values, page, section, table};

const STRENGTH: &str = "Elo points over the first network, as the sum of matches: \
    <span class=\"after\">──</span> best network; <span class=\"before\">╌╌</span> each tested network";

/// Page of a history. Equal histories give equal bytes.
///
/// # Errors
/// When a chart cannot be drawn.
pub fn growth_page(history: &History) -> Result<String, ChartError> {
    let points = points(history);
    let strength = |name, x: fn(&Point) -> f64| {
        let begin = [(0.0, 0.0)].into_iter();
        let best: Vec<_> = begin.clone().chain(points.iter().map(|point| (x(point), point.best))).collect();
        let tested: Vec<_> = begin.chain(points.iter().map(|point| (x(point), point.tested))).collect();
        curves([name, "Elo"], &best, &tested, None).map(|svg| figure(&svg, STRENGTH))
    };
    let body = [
        section("State", &state(history)),
        section("Strength by generation", &strength("generations", |point| point.generation)?),
        section("Strength by positions", &strength("million positions", |point| point.positions)?),
        section("Strength by time", &strength("hours", |point| point.hours)?),
        section("Losses", &losses(history)?),
        section("Generations", &generations(history)),
    ];
    Ok(page("Growth of a network", "", &body.concat()))
}

/// A finished generation in the charts.
struct Point {
    generation: f64,
    positions: f64,
    hours: f64,
    best: f64,
    tested: f64,
}

fn points(history: &History) -> Vec<Point> {
    let (mut positions, mut best) = (0, 0.0);
    let point = |generation: &Generation| {
        positions += generation.played.as_ref().map_or(0, |played| played.positions);
        let tested = history.elo(generation.config.generation);
        if generation.adopted? {
            best = tested;
        }
        Some(Point {
            generation: generation.config.generation.into(),
            positions: positions as f64 / 1e6,
            hours: hours(generation.active_seconds),
            best,
            tested,
        })
    };
    history.generations.iter().filter_map(point).collect()
}

fn hours(seconds: u64) -> f64 {
    seconds as f64 / 3600.0
}

fn state(history: &History) -> String {
    let count = |adopted| history.generations.iter().filter(|generation| generation.adopted == adopted).count();
    let positions: u64 =
        history.generations.iter().filter_map(|generation| Some(generation.played.as_ref()?.positions)).sum();
    let now = match (&history.failure, history.paused, history.unfinished()) {
        (Some(failure), ..) => format!("ended: {failure}"),
        (_, true, _) => "paused".to_owned(),
        (_, _, Some(generation)) => {
            let step = generation.commands.keys().next_back().map_or("planned", |step| step.name());
            format!("generation {}: {step}", generation.config.generation)
        }
        (_, _, None) => "between generations".to_owned(),
    };
    key_values(&[
        ("best network", format!("generation {}", history.best())),
        ("strength", format!("{:+.0} Elo over the first network", history.elo(history.best()))),
        ("generations", format!("{} adopted, {} rejected", count(Some(true)), count(Some(false)))),
        ("positions", positions.to_string()),
        ("hours", format!("{:.1}", hours(history.active_seconds))),
        ("now", now),
    ])
}

/// Losses of the last epoch.
fn losses(history: &History) -> Result<String, ChartError> {
    let curve = |which: usize| -> Vec<(f64, f64)> {
        let loss = |generation: &Generation| {
            let last = generation.trained.as_ref()?.losses.last()?;
            Some((f64::from(generation.config.generation), last[which]))
        };
        history.generations.iter().filter_map(loss).collect()
    };
    Ok(figure(
        &curves(["generations", "loss"], &curve(0), &curve(1), None)?,
        "Mean squared error in the last epoch: <span class=\"after\">──</span> training set; <span class=\"before\">╌╌</span> \
         validation set. Each generation has other positions, so that losses of two generations do not compare.",
    ))
}

fn generations(history: &History) -> String {
    let heads = [
        "generation",
        "network",
        "played by",
        "games",
        "positions",
        "trained on",
        "losses",
        "W-D-L",
        "Elo",
        "LLR",
        "hours",
    ];
    table(&heads, history.generations.iter().rev().map(row))
}

fn row(generation: &Generation) -> Vec<String> {
    let Generation { config, played, trained, matched, adopted, active_seconds, .. } = generation;
    let none = || "–".to_owned();
    let network = match adopted {
        Some(true) => "adopted",
        Some(false) => "rejected",
        None => "in progress",
    };
    let last = |trained: &Trained| {
        trained.losses.last().map(|[training, validation]| format!("{training:.6}, {validation:.6}"))
    };
    vec![
        config.generation.to_string(),
        network.to_owned(),
        format!("generation {}", config.best),
        played.as_ref().map_or_else(none, |played| played.games.to_string()),
        played.as_ref().map_or_else(none, |played| played.positions.to_string()),
        trained.as_ref().map_or_else(none, |trained| trained.positions.to_string()),
        trained.as_ref().and_then(last).unwrap_or_else(none),
        matched.as_ref().map_or_else(none, |Matched { wins, draws, losses, .. }| format!("{wins}-{draws}-{losses}")),
        matched.as_ref().map_or_else(none, elo),
        matched.as_ref().map_or_else(none, |matched| format!("{:.2}", matched.llr)),
        format!("{:.2}", hours(*active_seconds)),
    ]
}

/// Elo difference with interval.
fn elo(matched: &Matched) -> String {
    // Infinite bounds of an infinite difference have its sign.
    let [low, high] = match matched.elo {
        Some(_) => ["-∞", "∞"],
        None if matched.wins > matched.losses => ["∞"; 2],
        None => ["-∞"; 2],
    };
    let number = |number: Option<f64>, infinite: &str| {
        number.map_or_else(|| infinite.to_owned(), |number| format!("{number:+.0}"))
    };
    format!("{} [{}, {}]", number(matched.elo, low), number(matched.low, low), number(matched.high, high))
}
