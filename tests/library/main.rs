//! Tests of the library.

mod book;
mod eval;
mod floors;
mod foreign_books;
mod fuzz_corpus;
mod nets;
mod options;
mod record;
mod rules;
mod search;
mod weights;
