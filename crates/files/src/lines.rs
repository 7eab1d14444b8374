//! Lines in bounded memory.

use std::io::{self, BufRead, Read};

/// Reads the next line, with its end, into `line`; of a longer one only the first `max` bytes are
/// kept. Returns false at the end.
///
/// # Errors
/// Those of the source.
pub fn read_line(source: &mut (impl BufRead + ?Sized), max: usize, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = Read::take(&mut *source, max as u64).read_until(b'\n', line)?;
    if read == max && !line.ends_with(b"\n") {
        source.skip_until(b'\n')?;
    }
    Ok(read > 0)
}

/// Text without a byte order mark of UTF-8.
pub fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
