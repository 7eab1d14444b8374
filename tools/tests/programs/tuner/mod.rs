//! `tuner`.

mod failures;
mod helpers;
mod report;
mod runs;
