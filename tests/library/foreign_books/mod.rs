//! Books of other programs: real ones in every format, one made by hand for each trap, and bytes that mean no good.

mod binary;
mod helpers;
mod hostile;
mod json;
mod lookup;
mod openings;
mod text;
mod writing;
