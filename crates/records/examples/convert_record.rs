//! Reads a record of any format and prints its games in another.
//!
//! `cargo run -p sabi-records --example convert_record -- game.kif csa`

use sabi_records::{Notation, read_file};
use std::path::PathBuf;
use std::{env, process};

fn main() {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let (Some(file), Some(format)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: convert FILE csa|kif|usi");
        process::exit(2);
    };
    // The formats are known by the extensions of their files.
    let Some(notation) = Notation::of_path(&PathBuf::from("a").with_extension(&format)) else {
        eprintln!("'{}' is none of csa, kif and usi", format.display());
        process::exit(2);
    };
    let mut failed = false;
    for (at, game) in read_file(file).enumerate() {
        match game {
            Ok(game) => {
                let separator = if at > 0 { notation.separator() } else { "" };
                println!("{separator}{}", notation.write(&game));
            }
            Err(error) => {
                eprintln!("{error}");
                failed = true;
            }
        }
    }
    process::exit(failed.into());
}
