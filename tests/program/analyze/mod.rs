//! `sabi analyze`, from records to pages, records and data.
//!
//! What only other programs can tell, whether a browser plays the pages and whether other readers
//! open the records, is tested by hand: see `README.md` beside this file.

mod formats;
mod helpers;
mod inputs;
mod refusals;
mod resuming;
