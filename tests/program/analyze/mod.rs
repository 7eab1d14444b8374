//! `sabi analyze`: from records to pages, records and JSON.
//!
//! Pages in browsers and records in other readers are tested by hand: see `README.md` beside this
//! file.

mod formats;
mod helpers;
mod inputs;
mod problems;
mod rejections;
mod resuming;
