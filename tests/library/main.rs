//! Tests of the library.

mod eval;
mod floors;
mod fuzz_corpus;
mod mates;
mod nets;
mod options;
mod search;
mod weights;
