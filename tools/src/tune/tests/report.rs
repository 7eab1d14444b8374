//! Reports of small fits.

use super::settings;
use crate::page::{calibration, calibration_error, check_page};
use crate::tune::samples::Label;
use crate::tune::weights::kind_name;
use crate::tune::*;
use sabi::eval::{Feature, Group, Weights};
use sabi_shogi::PieceKind;

/// Ten games of three positions each; material decides all but one.
fn samples() -> Samples {
    let mut samples = Samples::default();
    for game in 0..10_u8 {
        for position in 0..3_i16 {
            let count = if game % 2 == 0 { 1 + position } else { -1 - position };
            let features = [Feature { index: 3, count }, Feature { index: 200, count: 1 }];
            let half_points = if game == 4 { 1 } else { 2 * ((game + 1) % 2) };
            samples.push(&features, i32::from(game), Label { half_points, score: None });
        }
        samples.end_game();
    }
    samples
}

fn saved(samples: &Samples, steps: u32) -> Saved {
    let adam = settings(OptimiserKind::Adam);
    let settings = FitSettings { iterations: steps, regularization: 0.001, score_share: 0.0, seed: 7, ..adam };
    let split = Split::new(samples, 0.2, settings.seed);
    let data = FitData::new(samples, &split, 1);
    let mut fit = Fit::new(&data, weight_values(&Weights::untuned()), settings);
    while fit.advance(&data).is_none() {}
    Saved { fit, samples: samples.fingerprint(), test_split: 0.2 }
}

#[test]
fn page_is_well_formed() {
    let samples = samples();
    let html = report("weights <&\"> x", &saved(&samples, 12), &samples, 2).unwrap();
    check_page(&html);
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<h1>weights &lt;&amp;&quot;&gt; x</h1>"));
    for group in Group::ALL {
        assert!(html.contains(&format!("<th scope=\"row\">{group}</th>")), "{group}");
    }
    for kind in PieceKind::ALL {
        assert!(html.contains(&format!("<h3>{}</h3>", kind_name(kind))), "{kind:?}");
    }
    assert_eq!(html.matches("<svg").count(), 2);
    // Four boards of each kind, and two times four distance tables of all kinds but the king.
    assert_eq!(html.matches("class=\"board\"").count(), 4 * 14);
    assert_eq!(html.matches("class=\"board far\"").count(), 8 * 13);
}

#[test]
fn equal_input_gives_equal_bytes() {
    let samples = samples();
    let first = report("x", &saved(&samples, 5), &samples, 1).unwrap();
    assert!(report("x", &saved(&samples, 5), &samples, 3).unwrap() == first);
    assert!(report("x", &saved(&samples, 6), &samples, 1).unwrap() != first);
}

#[test]
fn report_without_steps() {
    let samples = samples();
    let html = report("x", &saved(&samples, 0), &samples, 1).unwrap();
    check_page(&html);
    assert!(html.contains("No weight changed") && html.contains("after 0 steps"));
}

#[test]
fn page_has_fit_results() {
    let samples = samples();
    let saved = saved(&samples, 12);
    let html = report("x", &saved, &samples, 1).unwrap();
    let best = saved.fit.best();
    assert!(html.contains(&format!("after {} steps, validation loss {:.6}", best.0, best.1)));
    assert!(html.contains("30 of 10 games, 0 with a score") && html.contains("<dd>7</dd>"));
    let (split, start, target) = (Split::new(&samples, 0.2, 7), saved.fit.start(), saved.fit.target());
    let test = SampleSet::new(&samples, &split.test, 1).loss(start, &target);
    assert!(html.contains(&format!("test, mean square</th><td>{test:.6}</td>")));
    let test = split.test.iter().flat_map(|&game| samples.of_game(game));
    let bins = calibration(test.map(|at| (target.expected(samples.value(at, start)), samples.result(at))));
    assert!(html.contains(&format!(" {:.2} % before, ", 100.0 * calibration_error(&bins))));
    // 6 training, 2 validation, 2 test games.
    for part in ["train</th><td>6</td><td>18", "validation</th><td>2</td><td>6", "test</th><td>2</td><td>6"] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn rejects_mismatched_samples() {
    let samples = samples();
    let good = saved(&samples, 2);
    let rejected = |saved: &Saved| report("x", saved, &samples, 1).err().map(|error| error.to_string());
    assert_eq!(rejected(&good), None);
    let other = Saved { samples: good.samples ^ 1, ..good.clone() };
    assert_eq!(rejected(&other).as_deref(), Some("it was fitted to other samples"));
    for test_split in [f64::NAN, -0.1, 7.0] {
        assert_eq!(rejected(&Saved { test_split, ..good.clone() }).as_deref(), Some("it is damaged"));
    }
    let mut short = serde_json::to_value(&good).unwrap();
    short["fit"]["start"].as_array_mut().unwrap().pop();
    let short: Saved = serde_json::from_value(short).unwrap();
    assert_eq!(rejected(&short).as_deref(), Some("it was fitted to an evaluation with other terms"));
}
