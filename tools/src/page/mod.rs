//! HTML pages and charts.
//!
//! Pages are self-contained: `html` has the parts, `charts` draws SVG, `calibration` compares
//! predictions with results. Equal input gives equal bytes.

mod calibration;
mod charts;
#[cfg(test)]
mod check;
mod html;

pub use calibration::{Bins, calibration, calibration_error, calibration_figure};
pub use charts::{Bin, ChartError, curves};
#[cfg(test)]
pub(crate) use check::check_page;
pub use html::{collapsed, figure, key_values, page, section, table};
