//! The charts: curves and calibration, as SVG.

use plotters::prelude::*;
use std::io;
use std::ops::Range;

/// A chart could not be drawn.
pub type ChartError = DrawingAreaErrorKind<io::Error>;

/// Samples with nearly the same prediction.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Bin {
    /// Number of samples.
    pub count: usize,
    /// Mean prediction, 0 to 1; 0 without samples.
    pub predicted: f64,
    /// Mean result, 0 to 1; 0 without samples.
    pub real: f64,
}

/// Narrow enough to be read on a phone.
const SIZE: (u32, u32) = (480, 340);

// The style sheet of the page matches these colours, and has others for the dark mode.
const INK: RGBColor = RGBColor(0x33, 0x33, 0x33);
const LINE: RGBColor = RGBColor(0xDD, 0xDD, 0xDD);
const BEFORE: RGBColor = RGBColor(0xD5, 0x5E, 0x00);
const AFTER: RGBColor = RGBColor(0x00, 0x72, 0xB2);
const BEST: RGBColor = RGBColor(0x00, 0x7A, 0x5A);

/// Values above this are outliers (a diverged run): they are not drawn, so that the rest stays
/// visible.
const MAX_VALUE: f64 = 1e6;

type Chart<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

/// A chart over steps or epochs: a solid line, a dashed line and the best point. A curve without
/// points is not drawn.
///
/// # Errors
/// When the drawing fails.
pub fn curves(
    [x_name, y_name]: [&str; 2],
    solid: &[(f64, f64)],
    dashed: &[(f64, f64)],
    best: Option<(f64, f64)>,
) -> Result<String, ChartError> {
    let steps = solid.iter().chain(dashed).map(|point| point.0).fold(1.0, f64::max);
    let sane = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        points.iter().copied().filter(|(_, value)| value.abs() < MAX_VALUE).collect()
    };
    let (solid, dashed, best) = (sane(solid), sane(dashed), sane(best.as_slice()));
    let range = range_around(solid.iter().chain(&dashed).chain(&best).map(|point| point.1));
    chart_with_axes(0.0..steps, range.clone(), [x_name, y_name], |chart| {
        chart.draw_series(LineSeries::new(solid, AFTER.stroke_width(2)))?;
        chart.draw_series(DashedLineSeries::new(dashed, 6, 3, BEFORE.stroke_width(2)))?;
        for best in best {
            let line = [(best.0, range.start), (best.0, range.end)];
            chart.draw_series(DashedLineSeries::new(line, 2, 4, BEST.stroke_width(1)))?;
            chart.draw_series([Circle::new(best, 5, BEST.filled())])?;
        }
        Ok(())
    })
}

/// Result over prediction, as rings and as discs whose size grows with the number of samples.
pub(super) fn calibration(rings: &[Bin], discs: &[Bin]) -> Result<String, ChartError> {
    let most = rings.iter().chain(discs).map(|bin| bin.count).max().unwrap_or(0).max(1) as f64;
    let circles = |bins: &[Bin], style: ShapeStyle| {
        let full = bins.iter().filter(|bin| bin.count > 0).copied().collect::<Vec<Bin>>();
        let radius = move |bin: &Bin| (3.0 + 6.0 * (bin.count as f64 / most).sqrt()).round() as i32;
        full.into_iter().map(move |bin| Circle::new((bin.predicted, bin.real), radius(&bin), style))
    };
    chart_with_axes(0.0..1.0, 0.0..1.0, ["predicted share", "real share"], |chart| {
        chart.draw_series(LineSeries::new([(0.0, 0.0), (1.0, 1.0)], INK.stroke_width(1)))?;
        chart.draw_series(circles(discs, AFTER.filled()))?;
        chart.draw_series(circles(rings, BEFORE.stroke_width(2)))?;
        Ok(())
    })
}

/// A chart with axes, filled by `draw`.
fn chart_with_axes(
    across: Range<f64>,
    up: Range<f64>,
    [x_name, y_name]: [&str; 2],
    draw: impl FnOnce(&mut Chart<'_, '_>) -> Result<(), ChartError>,
) -> Result<String, ChartError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut builder = ChartBuilder::on(&area);
        builder.margin(12).x_label_area_size(44).y_label_area_size(76);
        let digits = decimals(&up);
        let across_digits = decimals(&across);
        let mut chart = builder.build_cartesian_2d(across, up)?;
        chart
            .configure_mesh()
            .axis_style(INK)
            .bold_line_style(LINE)
            .light_line_style(TRANSPARENT)
            .label_style(("sans-serif", 15))
            .axis_desc_style(("sans-serif", 15))
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|x| format!("{x:.across_digits$}"))
            .y_label_formatter(&|y| format!("{y:.digits$}"))
            .x_desc(x_name)
            .y_desc(y_name)
            .draw()?;
        draw(&mut chart)?;
        area.present()?;
    }
    Ok(svg)
}

/// A range around all values with a margin, never empty.
fn range_around(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return 0.0..1.0;
    }
    let room = (0.05 * (high - low)).max(1e-6 * high.abs()).max(1e-9);
    low - room..high + room
}

/// Decimal places that tell the labels of a range apart.
fn decimals(range: &Range<f64>) -> usize {
    (1.0 - (range.end - range.start).log10()).ceil().clamp(0.0, 9.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_values_and_are_not_empty() {
        for values in [vec![], vec![0.1], vec![0.25, 0.2, 0.3], vec![0.0, 0.0], vec![-1e6, 1e6], vec![1e-9, 2e-9]] {
            let range = range_around(values.iter().copied());
            assert!(range.start < range.end && range.end - range.start > 1e-10, "{range:?}");
            assert!(values.iter().all(|value| range.contains(value)), "{values:?} in {range:?}");
        }
    }

    #[test]
    fn label_decimals() {
        for (span, digits) in [(1.0, 1), (0.2, 2), (0.004, 4), (100.0, 0), (5000.0, 0), (1e-30, 9)] {
            assert_eq!(decimals(&(0.0..span)), digits, "{span}");
        }
    }

    #[test]
    fn outliers_are_not_drawn() {
        let chart = |solid: &[(f64, f64)], best| curves(["steps", "loss"], solid, &[], best).unwrap();
        let good = chart(&[(1.0, 0.2), (2.0, 0.1)], Some((2.0, 0.1)));
        assert_eq!((good.matches("<circle").count(), good.matches("<polyline").count() > 1), (1, true), "{good}");
        assert_eq!(good, chart(&[(1.0, 0.2), (1.5, 1e9), (1.7, f64::NAN), (2.0, 0.1)], Some((2.0, 0.1))));
        assert_eq!(chart(&[], Some((3.0, f64::INFINITY))).matches("<circle").count(), 0);
    }

    #[test]
    fn draws_non_empty_bins() {
        let bin = |count: usize, predicted: f64, real: f64| Bin { count, predicted, real };
        let (before, after) = ([bin(4, 0.3, 0.2), bin(0, 0.0, 0.0)], [bin(1, 0.2, 0.2), bin(9, 0.9, 1.0)]);
        let svg = calibration(&before, &after).unwrap();
        assert_eq!(svg.matches("<circle").count(), 3, "{svg}");
        assert_eq!(calibration(&before, &after).unwrap(), svg);
        assert!(svg.contains("r=\"9\"") && svg.contains("r=\"5\"") && svg.contains("r=\"7\""), "{svg}");
        assert_eq!(calibration(&[], &[]).unwrap().matches("<circle").count(), 0);
    }
}
