//! `book_builder` and `book_tools`.

mod builder;
mod failures;
mod helpers;
mod learning;
mod openings;
mod rescoring;
mod tools;
