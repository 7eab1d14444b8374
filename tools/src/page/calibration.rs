//! Calibration: predicted score against the score achieved.

use super::charts::{self, Bin, ChartError};
use super::html::{collapsed, figure, table};
use sabi::util::escape_html as escape;

/// Number of bins of equal width.
const BINS: usize = 20;

/// All samples, binned by prediction.
pub type Bins = [Bin; BINS];

/// Bins samples of (prediction, result), both from 0 to 1.
pub fn calibration(samples: impl IntoIterator<Item = (f64, f64)>) -> Bins {
    let mut bins = Bins::default();
    for (predicted, real) in samples {
        // A prediction of 1 belongs to the last bin.
        let bin = &mut bins[((predicted * BINS as f64) as usize).min(BINS - 1)];
        bin.count += 1;
        bin.predicted += predicted;
        bin.real += real;
    }
    for bin in &mut bins {
        bin.predicted /= bin.count.max(1) as f64;
        bin.real /= bin.count.max(1) as f64;
    }
    bins
}

/// Expected calibration error: mean distance between prediction and result over all samples.
pub fn calibration_error(bins: &Bins) -> f64 {
    let count: usize = bins.iter().map(|bin| bin.count).sum();
    let sum: f64 = bins.iter().map(|bin| bin.count as f64 * (bin.predicted - bin.real).abs()).sum();
    sum / count.max(1) as f64
}

/// Two named calibrations side by side: a chart, and a collapsed table.
///
/// # Errors
/// When the drawing fails.
pub fn calibration_figure(names: [&str; 2], bins: [&Bins; 2]) -> Result<String, ChartError> {
    let [first, second] = names.map(escape);
    let legend = format!(
        "<span class=\"before\">○</span> {first}, <span class=\"after\">●</span> {second}; \
         larger with more positions, and on the line where the prediction is right"
    );
    let [first_error, second_error] = bins.map(|bins| 100.0 * calibration_error(bins));
    Ok(format!(
        "{}<p>Mean distance between predicted and real share: {first_error:.2} % {first}, {second_error:.2} % {second}.</p>\n{}",
        figure(&charts::calibration(bins[0], bins[1])?, &legend),
        collapsed("In numbers", &as_table(names, bins))
    ))
}

fn as_table(names: [&str; 2], [first, second]: [&Bins; 2]) -> String {
    let rows = first.iter().zip(second).enumerate().map(|(at, (first, second))| {
        let edge = |at: usize| 100 * at / BINS;
        let share =
            |bin: &Bin, share: f64| if bin.count == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * share) };
        let numbers = |bin: &Bin| [bin.count.to_string(), share(bin, bin.predicted), share(bin, bin.real)];
        let name = format!("{}–{} %", edge(at), edge(at + 1));
        [&[name], &numbers(first)[..], &numbers(second)[..]].concat()
    });
    let [first, second] = names.map(|name| format!("samples {name}"));
    table(&["predicted", &first, "predicted", "real", &second, "predicted", "real"], rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_samples() {
        let bins = calibration([(0.0, 0.5), (0.5, 1.0), (0.73, 1.0), (0.73, 0.5), (0.74, 0.0), (1.0, 1.0)]);
        let counts: Vec<usize> = bins.iter().map(|bin| bin.count).collect();
        let mut expected = vec![0; BINS];
        (expected[0], expected[10], expected[14], expected[19]) = (1, 1, 3, 1);
        assert_eq!(counts, expected);
        assert!(
            (bins[14].predicted - 2.2 / 3.0).abs() < 1e-12 && (bins[14].real - 0.5).abs() < 1e-12,
            "{:?}",
            bins[14]
        );
        assert_eq!((bins[10].predicted, bins[10].real), (0.5, 1.0));
        assert_eq!((bins[0].real, bins[19].real, bins[1]), (0.5, 1.0, Bin::default()));
        let error = (3.0 * (2.2 / 3.0 - 0.5) + 0.5 + 0.5) / 6.0;
        assert!((calibration_error(&bins) - error).abs() < 1e-12);
        assert_eq!(calibration_error(&calibration([])), 0.0);
    }

    #[test]
    fn shows_both_calibrations() {
        let (first, second) = (calibration([(0.3, 0.2)]), calibration([(0.3, 0.3), (0.9, 1.0)]));
        let html = calibration_figure(["before", "<after>"], [&first, &second]).unwrap();
        assert_eq!(html.matches("<circle").count(), 3);
        assert!(html.contains("10.00 % before, 5.00 % &lt;after&gt;.") && !html.contains("<after>"), "{html}");
        assert!(html.contains("30–35 %</th><td>1</td><td>30.0 %</td><td>20.0 %</td><td>1</td>"), "{html}");
    }
}
