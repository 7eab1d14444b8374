//! Appends a line to a log that other processes may be writing, and counts its lines:
//! `cargo run -p sabi-files --example append_log -- FILE WORD...`

use sabi_files::{append_line, open_regular, read_line};
use std::env;
use std::io::{self, BufReader};
use std::path::Path;

/// Longer lines are counted, but not kept in memory.
const MAX_LINE: usize = 4096;

fn main() -> io::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [path, text @ ..] = words.as_slice() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "usage: append_log FILE WORD..."));
    };
    let path = Path::new(path);
    append_line(path, &text.join(" "))?;
    let (mut log, mut line, mut count) = (BufReader::new(open_regular(path)?), Vec::new(), 0);
    while read_line(&mut log, MAX_LINE, &mut line)? {
        count += 1;
    }
    println!("{count} lines; the last: {}", String::from_utf8_lossy(&line).trim_end());
    Ok(())
}
