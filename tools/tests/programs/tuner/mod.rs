//! `tuner` as a user meets it.

mod failures;
mod helpers;
mod runs;
