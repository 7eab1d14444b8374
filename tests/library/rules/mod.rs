//! The rules of shogi against independent counts (`tests/fixtures`, made by `make_fixtures.py` with other libraries), against
//! another Rust library, and against themselves.

mod algebra;
mod counts;
mod declaration;
mod exchange;
mod fixtures;
mod legality;
mod mates;
mod oracle;
mod repetition;
mod sfen;
