//! Openings and castles by name: a table of patterns, and where each player's stand in a game.
//!
//! `formations.txt` is the table, and describes the language at its head.

use super::game::Game;
use sabi_shogi::{Bitboard, Color, File, HandKind, PieceKind, Position, Rank, Square, excerpt};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// What a formation is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FormationKind {
    /// An opening: 戦型.
    Opening,
    /// A castle: 囲い.
    Castle,
}

/// An opening or castle of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formation {
    /// What it is.
    pub kind: FormationKind,
    /// Its name in Japanese.
    pub japanese: String,
    /// Its name in English.
    pub english: String,
    /// Number of moves of the game after which it first stands.
    pub ply: usize,
    /// Number of moves after which one of the player takes its place, as 美濃囲い that of 片美濃囲い: its
    /// own `ply` where it never counted.
    pub replaced: Option<usize>,
}

/// The patterns of openings and castles.
#[derive(Clone, Debug, Default)]
pub struct FormationTable {
    patterns: Vec<Pattern>,
}

/// A line of a table that is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct FormationError {
    /// The line, from 1.
    pub line: usize,
    reason: String,
}

#[derive(Clone, Debug)]
struct Pattern {
    /// `None`: a mark, that only other patterns see.
    kind: Option<FormationKind>,
    japanese: String,
    english: String,
    /// Line of its name, and whether it is of the text that is being read.
    line: usize,
    is_new: bool,
    ways: Vec<Conditions>,
    /// Indices of all patterns that it replaces.
    replaces: Vec<usize>,
    /// Of the patterns of a group only the first one of a player is not replaced.
    group: Option<String>,
}

/// Conditions that hold together. Sides are a player's own, then the opponent's; squares are seen by
/// Black.
#[derive(Clone, Debug)]
struct Conditions {
    color: Option<Color>,
    plies: RangeInclusive<usize>,
    pieces: Vec<PieceCondition>,
    hands: Vec<HandCondition>,
    /// Whether each player has captured a bishop; with `Some(false)` nobody has.
    exchanged: Option<bool>,
    last_move: Option<MoveCondition>,
    others: Vec<OtherCondition>,
}

#[derive(Clone, Debug)]
struct PieceCondition {
    side: Side,
    kinds: Vec<PieceKind>,
    squares: Vec<Square>,
    wanted: bool,
}

#[derive(Clone, Debug)]
struct HandCondition {
    side: Side,
    kind: HandKind,
    wanted: bool,
}

#[derive(Clone, Debug)]
struct MoveCondition {
    kinds: Vec<PieceKind>,
    from: Vec<Square>,
    captures: bool,
    to: Vec<Square>,
}

/// One of these patterns stands, or stood.
#[derive(Clone, Debug)]
struct OtherCondition {
    side: Side,
    patterns: Vec<usize>,
    wanted: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Side {
    Own,
    Foe,
}

impl Side {
    fn of(self, color: Color) -> Color {
        if self == Self::Own { color } else { !color }
    }
}

/// Where everything stands in a game so far.
struct Progress {
    /// The ply of each pattern, by colour.
    stands: [Vec<Option<usize>>; 2],
    /// Who has captured a bishop.
    bishops: [bool; 2],
}

impl FormationTable {
    /// The table of this crate.
    ///
    /// # Panics
    /// Never: the table is tested.
    pub fn standard() -> &'static Self {
        static STANDARD: LazyLock<FormationTable> = LazyLock::new(|| {
            let table = FormationTable::default().with(include_str!("formations.txt"));
            table.unwrap_or_else(|error| unreachable!("formations.txt: {error}"))
        });
        &STANDARD
    }

    /// This table with the patterns of a text, in the language that the head of the standard table
    /// describes. A pattern with the Japanese name of one of this table takes its place.
    ///
    /// ```
    /// use sabi_records::{FormationTable, Game};
    /// use sabi_shogi::Position;
    ///
    /// let table = FormationTable::standard().with("opening 飛先 = Rook pawn first\n  ply: 1-1\n  own: P26\n")?;
    /// let game = Game::before(&Position::startpos().with_moves("2g2f 3c3d".split(' '))?);
    /// let [black, _] = table.formations(&game);
    /// assert_eq!((black[0].english.as_str(), black[0].ply), ("Rook pawn first", 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first line that is not understood.
    pub fn with(&self, text: &str) -> Result<Self, FormationError> {
        let mut table = self.clone();
        let mut current: Option<usize> = None;
        for (line, content) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let content = content.split('#').next().unwrap_or_default();
            let read = match (content.trim(), current) {
                ("", _) => Ok(()),
                (content, at) if !content.contains(':') && content != "or" => match at {
                    Some(at) if table.patterns[at].is_empty() => {
                        Err("the pattern before it has no condition".to_owned())
                    }
                    _ => table.begin(content, line).map(|at| current = Some(at)),
                },
                (_, None) => Err("this stands before the first pattern".to_owned()),
                (content, Some(at)) => table.read(at, content),
            };
            read.map_err(|reason| FormationError { line, reason })?;
        }
        if let Some(last) = current.map(|at| &table.patterns[at]).filter(|last| last.is_empty()) {
            return Err(FormationError { line: last.line, reason: "this pattern has no condition".to_owned() });
        }
        table.patterns.iter_mut().for_each(|pattern| pattern.is_new = false);
        Ok(table)
    }

    /// The names of the openings and castles, in Japanese and in English.
    pub fn names(&self) -> impl Iterator<Item = (FormationKind, &str, &str)> {
        self.patterns.iter().filter_map(|one| Some((one.kind?, one.japanese.as_str(), one.english.as_str())))
    }

    /// The openings and castles of both players, Black first, in the order in which they stand.
    pub fn formations(&self, game: &Game) -> [Vec<Formation>; 2] {
        let mut progress =
            Progress { stands: Color::ALL.map(|_| vec![None; self.patterns.len()]), bishops: [false; 2] };
        let mut position = game.start.clone();
        self.look(&position, 0, &mut progress);
        for (ply, &mv) in (1..).zip(&game.moves) {
            position.play(mv);
            if position.captured().is_some_and(|piece| piece.kind().unpromoted() == PieceKind::Bishop) {
                progress.bishops[!position.side_to_move()] = true;
            }
            self.look(&position, ply, &mut progress);
        }
        progress.stands.map(|stands| self.listed(&stands))
    }

    fn look(&self, position: &Position, ply: usize, progress: &mut Progress) {
        for (at, pattern) in self.patterns.iter().enumerate() {
            for color in Color::ALL {
                if progress.stands[color][at].is_none()
                    && pattern.ways.iter().any(|way| way.hold(position, color, ply, progress))
                {
                    progress.stands[color][at] = Some(ply);
                }
            }
        }
    }

    fn listed(&self, stands: &[Option<usize>]) -> Vec<Formation> {
        let mut stood: Vec<(usize, &Pattern, usize)> = Vec::new();
        stood.extend(
            self.patterns.iter().zip(stands).enumerate().filter_map(|(at, (one, ply))| Some((at, one, (*ply)?))),
        );
        stood.sort_by_key(|&(_, _, ply)| ply);
        let mut groups: Vec<&str> = Vec::new();
        let mut listed = Vec::new();
        for &(at, pattern, ply) in &stood {
            // In the order of their plies.
            let replacing = stood.iter().find(|(_, other, _)| other.replaces.contains(&at));
            let mut replaced = replacing.map(|&(_, _, other)| other.max(ply));
            if let Some(group) = pattern.group.as_deref().filter(|_| replaced.is_none()) {
                replaced = groups.contains(&group).then_some(ply);
                groups.push(group);
            }
            let [japanese, english] = [&pattern.japanese, &pattern.english].map(String::clone);
            listed.extend(pattern.kind.map(|kind| Formation { kind, japanese, english, ply, replaced }));
        }
        listed
    }

    /// Begins the pattern of a line, `castle 美濃囲い = Mino castle`.
    fn begin(&mut self, content: &str, line: usize) -> Result<usize, String> {
        let (kind, names) = content.split_once(char::is_whitespace).unwrap_or((content, ""));
        let kind = match kind {
            "opening" => Some(FormationKind::Opening),
            "castle" => Some(FormationKind::Castle),
            "mark" => None,
            _ => {
                return Err(format!(
                    "'{}' begins no pattern (opening, castle, mark), and is no condition",
                    excerpt(kind)
                ));
            }
        };
        let (japanese, english) = names.split_once('=').unwrap_or((names, names));
        let [japanese, english] = [japanese, english].map(|name| name.trim().to_owned());
        for name in [&japanese, &english] {
            if name.is_empty() || name.contains(|c: char| "/,、".contains(c) || c.is_control()) {
                return Err(format!("'{}' is no name: there must be one, without / and commas", excerpt(name)));
            }
        }
        let has = |one: &Pattern, name: &str| one.japanese == name || one.english == name;
        let same = self.patterns.iter().position(|one| has(one, &japanese) || has(one, &english));
        // Only the whole name takes the place of one that stood here before.
        if let Some(old) = same.map(|at| &self.patterns[at]).filter(|old| old.is_new || old.japanese != japanese) {
            let line = if old.is_new { format!(" of line {}", old.line) } else { String::new() };
            return Err(format!("'{}' is a name of '{}'{line}", excerpt(&english), excerpt(&old.japanese)));
        }
        let pattern = Pattern {
            kind,
            japanese,
            english,
            line,
            is_new: true,
            ways: vec![Conditions::of(kind)],
            replaces: Vec::new(),
            group: None,
        };
        let at = same.unwrap_or(self.patterns.len());
        if at < self.patterns.len() {
            self.patterns[at] = pattern;
        } else {
            self.patterns.push(pattern);
        }
        Ok(at)
    }

    /// Reads a line of conditions.
    fn read(&mut self, at: usize, content: &str) -> Result<(), String> {
        let kind = self.patterns[at].kind;
        if content == "or" {
            if self.patterns[at].ways.last().is_some_and(Conditions::is_empty) {
                return Err("there is no condition before this 'or'".to_owned());
            }
            self.patterns[at].ways.push(Conditions::of(kind));
            return Ok(());
        }
        let (key, value) = content.split_once(':').unwrap_or((content, ""));
        let (key, value) = (key.trim_end(), value.trim());
        if value.is_empty() {
            return Err(format!("'{}:' has no value", excerpt(key)));
        }
        if key == "replaces" {
            for name in value.split([',', '、']) {
                let other = self.find(name)?;
                let mut all = self.patterns[other].replaces.clone();
                all.push(other);
                let own = &mut self.patterns[at].replaces;
                all.retain(|other| *other != at && !own.contains(other));
                own.append(&mut all);
            }
            return Ok(());
        }
        if key == "first of" {
            self.patterns[at].group = Some(value.to_owned());
            return Ok(());
        }
        let others = match key {
            "with" => self.others(Side::Own, true, value)?,
            "without" => self.others(Side::Own, false, value)?,
            "foe with" => self.others(Side::Foe, true, value)?,
            "foe without" => self.others(Side::Foe, false, value)?,
            _ => Vec::new(),
        };
        let Some(way) = self.patterns[at].ways.last_mut() else { return Ok(()) };
        match key {
            "with" | "without" | "foe with" | "foe without" => way.others.extend(others),
            "own" => way.pieces.extend(each(value, |word| PieceCondition::read(Side::Own, word))?),
            "foe" => way.pieces.extend(each(value, |word| PieceCondition::read(Side::Foe, word))?),
            "hand" => way.hands.extend(each(value, |word| HandCondition::read(Side::Own, word))?),
            "foe hand" => way.hands.extend(each(value, |word| HandCondition::read(Side::Foe, word))?),
            "side" => {
                way.color = Some(match value {
                    "black" => Color::Black,
                    "white" => Color::White,
                    _ => return Err(format!("'{}' is neither black nor white", excerpt(value))),
                });
            }
            "ply" => way.plies = plies(value)?,
            "bishops" => {
                way.exchanged = Some(match value {
                    "exchanged" => true,
                    "kept" => false,
                    _ => return Err(format!("'{}' is neither exchanged nor kept", excerpt(value))),
                });
            }
            "move" => way.last_move = Some(MoveCondition::read(value)?),
            _ => return Err(format!("'{}' is no condition", excerpt(key))),
        }
        Ok(())
    }

    fn others(&self, side: Side, wanted: bool, value: &str) -> Result<Vec<OtherCondition>, String> {
        let read = |names: &str| {
            let patterns = names.split('/').map(|name| self.find(name)).collect::<Result<_, _>>()?;
            Ok(OtherCondition { side, patterns, wanted })
        };
        value.split([',', '、']).map(read).collect()
    }

    fn find(&self, name: &str) -> Result<usize, String> {
        let name = name.trim();
        let found = self.patterns.iter().position(|one| one.japanese == name || one.english == name);
        found.ok_or_else(|| format!("there is no '{}' above this line", excerpt(name)))
    }
}

impl Pattern {
    /// Whether its last way has no condition.
    fn is_empty(&self) -> bool {
        self.ways.last().is_none_or(Conditions::is_empty)
    }
}

impl Conditions {
    fn of(kind: Option<FormationKind>) -> Self {
        let last = if kind == Some(FormationKind::Castle) { 100 } else { 50 };
        let (pieces, hands, others) = Default::default();
        Self { color: None, plies: 0..=last, pieces, hands, exchanged: None, last_move: None, others }
    }

    fn is_empty(&self) -> bool {
        self.pieces.is_empty()
            && self.hands.is_empty()
            && self.others.is_empty()
            && self.exchanged.is_none()
            && self.last_move.is_none()
    }

    fn hold(&self, position: &Position, color: Color, ply: usize, progress: &Progress) -> bool {
        let bishops = match self.exchanged {
            Some(true) => progress.bishops == [true; 2],
            Some(false) => progress.bishops == [false; 2],
            None => true,
        };
        let stood = |other: &OtherCondition| {
            let stands = &progress.stands[other.side.of(color)];
            other.patterns.iter().any(|&pattern| stands[pattern].is_some()) == other.wanted
        };
        bishops
            && self.color.is_none_or(|wanted| wanted == color)
            && self.plies.contains(&ply)
            && self.pieces.iter().all(|one| one.holds(position, color))
            && self.hands.iter().all(|one| position.hand(one.side.of(color)).has(one.kind) == one.wanted)
            && self.others.iter().all(stood)
            && self.last_move.as_ref().is_none_or(|last| last.holds(position, color))
    }
}

impl PieceCondition {
    /// Reads `K28`, `GS58/47`, `-P2*`: one of the pieces on one of the squares, or none.
    fn read(side: Side, word: &str) -> Result<Self, String> {
        let (wanted, text) = word.strip_prefix('-').map_or((true, word), |text| (false, text));
        let (kinds, rest) = kinds(text);
        if kinds.is_empty() || rest.is_empty() {
            return Err(format!("'{}' is not pieces and squares, as K28 or GS58/47", excerpt(word)));
        }
        Ok(Self { side, kinds, squares: squares(rest)?, wanted })
    }

    fn holds(&self, position: &Position, color: Color) -> bool {
        let owner = self.side.of(color);
        let pieces = self.kinds.iter().fold(Bitboard::EMPTY, |all, &kind| all | position.pieces(owner, kind));
        self.squares.iter().any(|&square| pieces.has(square.relative_to(color))) == self.wanted
    }
}

impl HandCondition {
    fn read(side: Side, word: &str) -> Result<Self, String> {
        let (wanted, text) = word.strip_prefix('-').map_or((true, word), |text| (false, text));
        let (kinds, rest) = kinds(text);
        match kinds[..] {
            [kind] if rest.is_empty() => {
                let kind = kind.in_hand().ok_or_else(|| format!("'{}' cannot be in hand", excerpt(word)))?;
                Ok(Self { side, kind, wanted })
            }
            _ => Err(format!("'{}' is not a piece in hand, as B or -B", excerpt(word))),
        }
    }
}

impl MoveCondition {
    /// Reads `R68`, `B88x22`, `R2*-34`: pieces, squares from, `-` or `x` for a capture, squares to.
    fn read(value: &str) -> Result<Self, String> {
        let (kinds, rest) = kinds(value);
        if kinds.is_empty() {
            return Err(format!("'{}' is not a move, as R68 or B88x22", excerpt(value)));
        }
        let (from, captures, to) = match rest.split_once(['-', 'x']) {
            Some((from, to)) => (from, rest.contains('x'), to),
            None => ("**", false, rest),
        };
        let from = if from.is_empty() { "**" } else { from };
        Ok(Self { kinds, from: squares(from)?, captures, to: squares(to)? })
    }

    fn holds(&self, position: &Position, color: Color) -> bool {
        let Some(mv) = position.last_move().filter(|_| position.side_to_move() != color) else { return false };
        let moved = position.piece_at(mv.to()).map(|piece| piece.kind().unpromoted());
        moved.is_some_and(|kind| self.kinds.contains(&kind))
            && self.to.contains(&mv.to().relative_to(color))
            && (!self.captures || position.captured().is_some())
            && mv.from().is_some_and(|from| self.from.contains(&from.relative_to(color)))
    }
}

/// Reads each word.
fn each<T>(value: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    value.split_whitespace().map(read).collect()
}

/// The kinds at the start of a word, as in `GS58` or `+R23`, and the rest. `X` is any piece.
fn kinds(word: &str) -> (Vec<PieceKind>, &str) {
    let mut kinds = Vec::new();
    let mut rest = word;
    loop {
        let (plus, letters) = rest.strip_prefix('+').map_or((false, rest), |rest| (true, rest));
        let Some(letter) = letters.chars().next() else { break };
        match PieceKind::from_letter(letter) {
            Some(kind) if plus && kind.can_promote() => kinds.push(kind.promoted()),
            Some(kind) if !plus => kinds.push(kind),
            None if letter == 'X' && !plus => kinds.extend(PieceKind::ALL),
            _ => break,
        }
        rest = &letters[1..];
    }
    (kinds, rest)
}

/// Squares as file and rank, `28` or `58/47`; `*` is every file or rank.
fn squares(text: &str) -> Result<Vec<Square>, String> {
    let mut squares = Vec::new();
    for name in text.split('/') {
        let digits = |c: char| match c {
            '*' => Some(0..=8u8),
            '1'..='9' => Some(c as u8 - b'1'..=c as u8 - b'1'),
            _ => None,
        };
        let chars: Vec<_> = name.chars().map(digits).collect();
        let [Some(files), Some(ranks)] = &chars[..] else {
            return Err(format!("'{}' is not a square, as 28, 2* or *8", excerpt(name)));
        };
        for file in files.clone() {
            squares.extend(ranks.clone().filter_map(|rank| Square::at(file as File, rank as Rank)));
        }
    }
    Ok(squares)
}

/// Reads `3-40` or `-40`.
fn plies(value: &str) -> Result<RangeInclusive<usize>, String> {
    let bounds = value.split_once('-').and_then(|(first, last)| {
        let first = if first.trim().is_empty() { 0 } else { first.trim().parse().ok()? };
        Some((first, last.trim().parse().ok()?))
    });
    let bounds = bounds.filter(|(first, last)| first <= last);
    bounds.map(|(first, last)| first..=last).ok_or_else(|| format!("'{}' is not a range, as 1-40", excerpt(value)))
}
