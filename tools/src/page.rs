//! HTML pages and charts.
//!
//! Pages are self-contained: the parts of a page, charts as SVG, and the calibration of predictions,
//! the score achieved against the predicted one. Equal input gives equal bytes.

use anyhow::Context;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use sabi::analysis::{escape_html as escape, html_page};
use std::io;
use std::ops::Range;

/// Colours follow the reader's light or dark mode; charts use these CSS variables.
const STYLE: &str = include_str!("page/style.css");

/// A whole page; `style` adds rules to the common style sheet.
pub fn page(title: &str, style: &str, body: &str) -> String {
    html_page("en", title, &format!("{STYLE}{style}"), body)
}

/// A part of the page under its own heading.
pub fn section(title: &str, body: &str) -> String {
    format!("<section>\n<h2>{}</h2>\n{body}</section>\n", escape(title))
}

/// A collapsed section.
pub fn collapsed(summary: &str, body: &str) -> String {
    format!("<details>\n<summary>{}</summary>\n{body}</details>\n", escape(summary))
}

/// Name and value pairs. Both are text.
pub fn key_values(rows: &[(&str, String)]) -> String {
    let rows: String =
        rows.iter().map(|(name, value)| format!("<dt>{}</dt><dd>{}</dd>\n", escape(name), escape(value))).collect();
    format!("<dl>\n{rows}</dl>\n")
}

/// A table; the first cell of each row is its head. Cells are text.
pub fn table(heads: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let heads: String = heads.iter().map(|head| format!("<th scope=\"col\">{}</th>", escape(head))).collect();
    let cell = |(at, cell): (usize, &String)| match at {
        0 => format!("<th scope=\"row\">{}</th>", escape(cell)),
        _ => format!("<td>{}</td>", escape(cell)),
    };
    let row = |row: Vec<String>| format!("<tr>{}</tr>\n", row.iter().enumerate().map(cell).collect::<String>());
    let rows: String = rows.into_iter().map(row).collect();
    format!(
        "<div class=\"wide\"><table class=\"list\">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

/// A chart with its legend; `legend` is markup.
pub fn figure(svg: &str, legend: &str) -> String {
    format!("<figure>\n{svg}<figcaption>{legend}</figcaption>\n</figure>\n")
}

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

type DrawingError = DrawingAreaErrorKind<io::Error>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

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
) -> anyhow::Result<String> {
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
fn calibration_chart(rings: &[Bin], discs: &[Bin]) -> anyhow::Result<String> {
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
    draw: impl FnOnce(&mut Chart<'_, '_>) -> Result<(), DrawingError>,
) -> anyhow::Result<String> {
    let mut svg = String::new();
    let drawn = || -> Result<(), DrawingError> {
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
        area.present()
    };
    drawn().context("a chart could not be drawn")?;
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
pub fn calibration_figure(names: [&str; 2], bins: [&Bins; 2]) -> anyhow::Result<String> {
    let [first, second] = names.map(escape);
    let legend = format!(
        "<span class=\"before\">○</span> {first}, <span class=\"after\">●</span> {second}; \
         larger with more positions, and on the line where the prediction is right"
    );
    let [first_error, second_error] = bins.map(|bins| 100.0 * calibration_error(bins));
    Ok(format!(
        "{}<p>Mean distance between predicted and real share: {first_error:.2} % {first}, {second_error:.2} % {second}.</p>\n{}",
        figure(&calibration_chart(bins[0], bins[1])?, &legend),
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
pub(crate) use tests::check_page;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let name = "<script>\"a\" & 'b'</script>";
        assert_eq!(escape(name), "&lt;script&gt;&quot;a&quot; &amp; 'b'&lt;/script&gt;");
        for html in [
            page(name, "", ""),
            section(name, ""),
            collapsed(name, ""),
            key_values(&[(name, name.to_owned())]),
            table(&[name], [vec![name.to_owned(), name.to_owned()]]),
        ] {
            assert!(html.contains("&lt;script&gt;") && !html.contains("<script"), "{html}");
        }
    }

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
        let svg = calibration_chart(&before, &after).unwrap();
        assert_eq!(svg.matches("<circle").count(), 3, "{svg}");
        assert_eq!(calibration_chart(&before, &after).unwrap(), svg);
        assert!(svg.contains("r=\"9\"") && svg.contains("r=\"5\"") && svg.contains("r=\"7\""), "{svg}");
        assert_eq!(calibration_chart(&[], &[]).unwrap().matches("<circle").count(), 0);
    }

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

    /// Checks that a page is well formed, self-contained, of modest size and without NaN or infinity.
    pub(crate) fn check_page(html: &str) {
        check_tags(html);
        assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
        assert!(html.len() < 1 << 20, "{} bytes", html.len());
        // No external resources and no scripts. The SVG namespace is an address that is never opened.
        let inside = html.replace("http://www.w3.org/2000/svg", "");
        for word in ["http", "src=", "href=", "<script", "url(", "@import", "NaN", "inf"] {
            assert!(!inside.contains(word), "{word}");
        }
    }

    /// Checks that tags are closed in the right order.
    fn check_tags(html: &str) {
        let mut open: Vec<&str> = Vec::new();
        for tag in html.split('<').skip(1) {
            let (tag, text) = tag.split_once('>').unwrap_or_else(|| panic!("'<{tag}' has no end"));
            assert!(!text.contains('>') || open.last() == Some(&"style"), "a stray '>' after <{tag}>: {text}");
            assert!(tag.matches('"').count() % 2 == 0, "<{tag}>");
            let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap_or_default();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name), "</{name}>");
            } else if !tag.starts_with('!') && !tag.ends_with('/') && name != "meta" {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "not closed: {open:?}");
    }

    #[test]
    fn detects_bad_tags() {
        for html in ["<p>", "<p><b></p></b>", "</p>", "<p", "<a b=\"></a>", "<p>a > b</p>"] {
            assert!(std::panic::catch_unwind(|| check_tags(html)).is_err(), "{html}");
        }
        check_tags("<!DOCTYPE html>\n<p a=\"b\">x<br/></p>");
    }
}
