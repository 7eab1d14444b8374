//! The book binaries as a user meets them.

mod builder;
mod failures;
mod helpers;
mod learning;
mod rescoring;
mod tools;
