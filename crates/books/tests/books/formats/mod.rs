//! Books of other programs: real ones in every format, hand-made ones, and invalid bytes.

mod binary;
mod helpers;
mod hostile;
mod json;
mod lookup;
mod openings;
mod text;
mod writing;
