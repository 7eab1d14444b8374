//! Writing games in the formats that can be read.

use super::files::{Format, format_of_text};
use super::game::{Branch, Game};
use super::text::decode_lossy;
use super::{csa_write, kif_write};
use encoding_rs::SHIFT_JIS;
use std::path::Path;

/// Format of a game in a file.
///
/// ```
/// use sabi_records::{Notation, read_bytes};
///
/// let list = b"startpos moves 7g7f 3c3d resign\n".to_vec();
/// let game = read_bytes("games.usi", list).next().expect("a game")?;
/// let kif = Notation::Kif.write(&game);
/// assert!(kif.ends_with("   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\nまで2手で後手の勝ち\n"));
/// # Ok::<(), sabi_records::RecordError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Notation {
    /// CSA in UTF-8: names, ratings, clocks, times to the millisecond, comments, scores as
    /// floodgate comments; version 3.0 where the game has a clock or fractions of a second, or
    /// ends by the maximum number of moves, else 2.2.
    Csa,
    /// KIF: names, clocks, times in full seconds, comments, scores as ShogiHome comments.
    Kif,
    /// A line of [`Game::list_line`]: ratings, but neither names nor times.
    UsiList,
}

impl Notation {
    /// The notation of a file extension.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csa" => Some(Self::Csa),
            "kif" | "kifu" => Some(Self::Kif),
            "usi" | "sfen" => Some(Self::UsiList),
            _ => None,
        }
    }

    /// Whether a file that starts like this has games in this notation.
    pub fn detect(self, head: &[u8]) -> bool {
        let format = match self {
            Self::Csa => Format::Csa,
            Self::Kif => Format::Kif,
            Self::UsiList => Format::UsiLines,
        };
        format_of_text(&decode_lossy(head)) == Some(format)
    }

    /// A game as text, without the end of its last line; games with that and a
    /// [`separator`](Self::separator) in between make a file.
    pub fn write(self, game: &Game) -> String {
        self.write_with(game, &[])
    }

    /// The same with branches, if the notation supports them.
    pub fn write_with(self, game: &Game, branches: &[Branch]) -> String {
        match self {
            Self::Csa => csa_write::write(game),
            Self::Kif => kif_write::write(game, branches),
            Self::UsiList => game.list_line(),
        }
    }

    /// Text between two games of a file. After the last one it would start an empty game.
    pub fn separator(self) -> &'static str {
        if self == Self::Csa { "/\n" } else { "" }
    }

    /// Length of the part of `text`, a file in this notation, that consists of complete games with
    /// their separators.
    pub fn complete_len(self, text: &str) -> usize {
        let after_last = |end: &str| text.rfind(end).map_or(0, |at| at + end.len());
        match self {
            Self::Csa => {
                let line = |at: usize| text[at..].find('\n').map(|length| at + length + 1);
                let mut summaries = text.rmatch_indices("\n'summary:");
                let game = summaries.find_map(|(at, _)| line(at + 1)).unwrap_or(0);
                let separated =
                    if text[game..].starts_with(self.separator()) { game + self.separator().len() } else { game };
                separated.max(after_last("\n/\n"))
            }
            Self::Kif => after_last("\n\n"),
            Self::UsiList => after_last("\n"),
        }
    }
}

/// A record as the content of a file. A `.kif` is Shift_JIS by its specification and a `.kifu`
/// UTF-8; a text with other characters stays UTF-8, which is what its header says.
pub fn file_content(path: &Path, text: String) -> Vec<u8> {
    if path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("kif")) {
        return text.into_bytes();
    }
    let renamed = text.replace("#KIF version=2.0 encoding=UTF-8", "#KIF version=2.0 encoding=Shift_JIS");
    match SHIFT_JIS.encode(&renamed) {
        (bytes, _, false) => bytes.into_owned(),
        (_, _, true) => text.into_bytes(),
    }
}
