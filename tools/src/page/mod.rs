//! HTML pages and charts.
//!
//! A page needs nothing beside its file: `html` has the pieces it is made of, `charts` draws as SVG, and `calibration` sets what was
//! predicted against what came true. The same numbers give the same bytes.

mod calibration;
mod charts;
mod html;
#[cfg(test)]
mod whole;

pub use calibration::{Bin, Bins, calibration, calibration_error, calibration_figure};
pub use charts::{ChartError, curves};
pub use html::{facts, figure, folded, page, section, table};
#[cfg(test)]
pub(crate) use whole::check_whole;
