//! Opening book: keys, packed positions, file format, damage and killed writers.

mod changed;
mod damage;
mod golden;
mod keys;
mod learning;
mod names;
mod packed;
mod replace;
mod round_trip;
mod support;
mod threads;
