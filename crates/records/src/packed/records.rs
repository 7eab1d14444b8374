//! Files of packed records, streamed.

use super::{PackedFormat, TrainingPosition};
use crate::error::{Fault, Located, RecordError};
use sabi_files::open_regular;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

/// The records of a stream, each with its number from 1.
pub(crate) struct Records {
    format: PackedFormat,
    /// `None` after the end.
    reader: Option<Box<dyn BufRead + Send>>,
    /// Number of the last record.
    pub number: usize,
    /// Move number of the last record as written; `None` if the format has none.
    pub move_number: Option<u16>,
}

impl Records {
    pub(crate) fn new(format: PackedFormat, reader: Box<dyn BufRead + Send>) -> Self {
        Self { format, reader: Some(reader), number: 0, move_number: None }
    }
}

impl Iterator for Records {
    type Item = Result<TrainingPosition, Located>;

    fn next(&mut self) -> Option<Self::Item> {
        let size = self.format.record_bytes();
        let mut record = Vec::with_capacity(size);
        let found = self.reader.as_mut()?.take(size as u64).read_to_end(&mut record);
        self.number += 1;
        self.move_number = self.format.move_number(&record);
        let read = match found {
            Ok(0) => {
                self.reader = None;
                return None;
            }
            Ok(_) => {
                if record.len() < size {
                    self.reader = None;
                }
                self.format.read(&record)
            }
            Err(error) => {
                self.reader = None;
                Err(error.into())
            }
        };
        Some(read.map_err(|fault| fault.at(self.number)))
    }
}

/// The positions of a file of packed training data, in order. A bad record is one error, and later
/// ones are still read.
pub struct Positions {
    file: PathBuf,
    records: Records,
}

impl Positions {
    /// The positions of a stream; `name` is used in errors.
    pub fn new(name: impl AsRef<Path>, format: PackedFormat, stream: impl Read + Send + 'static) -> Self {
        let records = Records::new(format, Box::new(BufReader::new(stream)));
        Self { file: name.as_ref().to_owned(), records }
    }
}

impl Iterator for Positions {
    type Item = Result<TrainingPosition, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let error = |Located { line, fault }| RecordError { file: self.file.clone(), line, fault };
        self.records.next().map(|position| position.map_err(error))
    }
}

/// The positions of a file of packed training data. The format is detected by content.
///
/// # Errors
/// When the file cannot be read, or its first records are in neither format.
pub fn read_positions(path: impl AsRef<Path>) -> Result<Positions, RecordError> {
    let path = path.as_ref();
    let error = |fault: Fault| RecordError { file: path.to_owned(), line: 0, fault };
    let open = || -> Result<_, Fault> {
        let mut file = open_regular(path)?;
        let (head, length) = head(&mut file)?;
        let format = PackedFormat::detect(&head, length).ok_or(Fault::UnknownFormat)?;
        Ok((format, file))
    };
    let (format, file) = open().map_err(error)?;
    Ok(Positions::new(path, format, file))
}

/// What a binary format is recognised by: the start of a file, and its length; the file is rewound.
pub(crate) fn head(file: &mut File) -> io::Result<(Vec<u8>, u64)> {
    let mut head = Vec::new();
    file.take(PackedFormat::SNIFFED_BYTES).read_to_end(&mut head)?;
    file.rewind()?;
    Ok((head, file.metadata()?.len()))
}
