//! Tests of the library.

mod book;
mod book_formats;
mod eval;
mod floors;
mod fuzz_corpus;
mod nets;
mod options;
mod record;
mod rules;
mod search;
mod weights;
