//! `tuner`.

mod failures;
mod helpers;
mod runs;
