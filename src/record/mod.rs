//! Floor 4: game records of other programs: CSA, KIF, KI2 and USI lines.
//!
//! [`read_file`] yields the games of one file, [`read_tree`] those of a whole directory tree. Headers are read
//! forgivingly; moves strictly, each against the rules. A bad game is one [`RecordError`] with file, line and reason, and
//! the games after it are still read.

mod builder;
mod csa;
mod error;
mod files;
mod foul;
mod game;
mod kakinoki;
mod setup;
mod text;
mod usi;

pub use error::{Fault, RecordError};
pub use files::{Games, read_bytes, read_file, read_list, read_tree, record_files};
pub use foul::Foul;
pub use game::{EndReason, Game, GameResult};
