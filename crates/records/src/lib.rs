//! Floor 4: game records: CSA, KIF, KI2, JKF, PGN and USI lines; packed training data, `hcpe` and
//! PSV; and [`compact`], self-play games with a score for each move.
//!
//! [`read_file`] yields the games of one file, [`record_files`] lists the files of a directory
//! tree. Headers are parsed tolerantly; moves strictly, each against the rules. A bad game is one
//! [`RecordError`] with file, line and reason, and later games are still read. [`BadGames`] counts
//! the faults of a long run.
//!
//! [`Notation`] writes games. [`read_positions`] yields the positions of training data one by one,
//! [`PackedFormat`] writes them, and [`Game::training_positions`] makes them from a game.
//! [`read_problems`] reads mate problems.
//!
//! ```
//! use sabi_records::{GameResult, read_bytes};
//!
//! let text = "手合割：平手\n先手：先手の人\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 投了\n";
//! let game = read_bytes("game.kif", text.as_bytes().to_vec()).next().expect("a game")?;
//! assert_eq!(game.usi(), "startpos moves 7g7f 3c3d 8h2b+");
//! assert_eq!(game.result, GameResult::BlackWins);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod bad_games;
mod branch;
mod builder;
mod clock;
mod comment;
pub mod compact;
mod csa;
mod error;
mod files;
mod game;
mod illegal;
mod jkf;
mod kakinoki;
mod notation;
mod packed;
mod pgn;
mod problem;
mod setup;
mod text;
mod usi;
mod usi_line;

pub use bad_games::BadGames;
pub use branch::Branch;
pub use clock::Clock;
pub use comment::score as comment_score;
pub use csa::{csa_move, read_csa_move};
pub use error::{Fault, RecordError};
pub use files::{Games, read_bytes, read_file, read_list, read_stream, read_tree, record_files};
pub use game::{EndReason, Game, GameResult, Headers};
pub use illegal::IllegalReason;
pub use kakinoki::{is_handicap, japanese_move, kif_line};
pub use notation::{Notation, csa_line, file_content, read_csa};
pub use packed::{PackError, PackedFormat, Positions, TrainingPosition, read_positions};
pub use problem::{Problem, ProblemError, ProblemFault, read_problem_bytes, read_problems};
pub use usi_line::usi_line;
