//! HTML pages and charts.
//!
//! Pages are self-contained: `html` has the parts, `charts` draws SVG, `calibration` compares
//! predictions with results. Equal input gives equal bytes.

mod calibration;
mod charts;
mod html;
#[cfg(test)]
mod whole;

pub use calibration::{Bins, calibration, calibration_error, calibration_figure};
pub use charts::{Bin, ChartError, curves};
pub use html::{facts, figure, folded, page, section, table};
#[cfg(test)]
pub(crate) use whole::check_whole;
