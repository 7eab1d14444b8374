//! Tests of the library.

mod eval;
mod floors;
mod fuzz_corpus;
mod nets;
mod options;
mod mates;
mod search;
mod weights;
