//! Game records of shogi, read and written: KIF, KI2, CSA, JKF, PGN and USI lines; packed training
//! data, `hcpe` and PSV; and [`sabg`], self-play games with a score for each move.
//!
//! [`read_file`] yields the games of one file, [`read_tree`] those of a directory tree, and
//! [`read_bytes`] those of a file in memory; name or content give the format. Headers are parsed
//! tolerantly; moves strictly, each against the rules. A bad game is one [`RecordError`] with file,
//! line and reason, and later games are still read. [`BadGames`] counts the faults of a long run.
//! A line that a reader does not understand, and that is not ignored by design, is among the
//! [`Warnings`] of its game and file.
//!
//! [`Notation`] writes games. [`read_positions`] yields the positions of training data one by one,
//! [`PackedFormat`] writes them, and [`Game::training_positions`] makes them from a game.
//! [`read_problems`] reads mate problems. [`FormationTable`] names openings and castles.
//!
//! ```
//! use sabi_records::{GameResult, Notation, read_bytes};
//!
//! let text = "手合割：平手\n先手：先手の人\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 投了\n";
//! let game = read_bytes("game.kif", text.as_bytes().to_vec()).next().expect("a game")?;
//! assert_eq!(game.usi(), "startpos moves 7g7f 3c3d 8h2b+");
//! assert_eq!(game.result, GameResult::BlackWins);
//! assert!(Notation::Csa.write(&game).contains("\n+8822UM\n%TORYO\n"));
//! # Ok::<(), sabi_records::RecordError>(())
//! ```

#![warn(missing_docs)]

mod builder;
mod csa;
mod csa_write;
mod error;
mod files;
mod formations;
mod game;
mod japanese;
mod jkf;
mod ki2;
mod kif;
mod kif_write;
mod notation;
mod pgn;
mod problem;
pub mod sabg;
mod text;
mod training;
mod usi;

pub use csa::{read_csa, read_csa_move};
pub use csa_write::{csa_line, csa_move};
pub use error::{BadGames, Fault, IllegalReason, RecordError, Warning, Warnings};
pub use files::{Games, read_bytes, read_file, read_list, read_stream, read_tree, record_files};
pub use formations::{Formation, FormationError, FormationKind, FormationTable};
pub use game::{Branch, Clock, EndReason, Game, GameResult, Headers, usi_line};
pub use japanese::is_handicap;
pub use ki2::japanese_move;
pub use kif_write::kif_line;
pub use notation::{Notation, file_content};
pub use problem::{Problem, ProblemError, ProblemFault, read_problem_bytes, read_problems};
pub use text::comment_score;
pub use training::{PackError, PackedFormat, Positions, TrainingPosition, read_positions};

/// Tests the example of the page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;
