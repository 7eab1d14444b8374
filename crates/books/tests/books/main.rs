//! Opening books: our format, those of other programs, and learning.

mod formats;
mod shob;
