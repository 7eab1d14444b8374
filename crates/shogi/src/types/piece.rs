//! The two sides, pieces of either, and pieces in hand.

use PieceKind as K;
use bytemuck::{Pod, Zeroable};
use std::num::NonZeroU8;
use std::ops::Not;

/// A side. Black (sente, shitate) moves first from the start position and plays towards rank `a`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    /// Sente.
    Black = 0,
    /// Gote.
    White = 1,
}

impl Color {
    /// Both sides, Black first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side, usable in constants.
    #[inline]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// +1 for Black, -1 for White: converts between Black's and this side's view.
    #[inline]
    pub const fn sign(self) -> i32 {
        1 - 2 * (self as i32)
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        self.opponent()
    }
}

super::index_by!(Color, 2);

/// The fourteen kinds. A promoted kind is its base kind plus 8.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are the pieces")]
pub enum PieceKind {
    Pawn = 0,
    Lance,
    Knight,
    Silver,
    Bishop,
    Rook,
    Gold,
    King,
    ProPawn,
    ProLance,
    ProKnight,
    ProSilver,
    Horse,
    Dragon,
}

impl PieceKind {
    /// Number of kinds.
    pub const COUNT: usize = 14;

    /// All kinds by index.
    pub const ALL: [Self; Self::COUNT] = {
        use K::*;
        [Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, ProPawn, ProLance, ProKnight, ProSilver, Horse, Dragon]
    };

    /// The kind with this index.
    ///
    /// # Safety
    /// `number` must be below 14.
    #[inline]
    const unsafe fn new_unchecked(number: u8) -> Self {
        debug_assert!((number as usize) < Self::COUNT);
        // SAFETY: the numbers of the kinds are 0 to 13, and the caller promises one of them.
        unsafe { std::mem::transmute(number) }
    }

    /// 0 to 13.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether this kind has a promoted side and is not on it.
    #[inline]
    pub const fn can_promote(self) -> bool {
        (self as u8) < K::Gold as u8
    }

    /// Whether this is a promoted kind.
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self as u8 >= K::ProPawn as u8
    }

    /// The promoted kind; kinds that cannot promote are unchanged.
    #[inline]
    pub const fn promoted(self) -> Self {
        // SAFETY: the kinds that can promote are numbers 0 to 5.
        if self.can_promote() { unsafe { Self::new_unchecked(self as u8 + 8) } } else { self }
    }

    /// The unpromoted kind.
    #[inline]
    pub const fn unpromoted(self) -> Self {
        // SAFETY: the promoted kinds are numbers 8 to 13.
        if self.is_promoted() { unsafe { Self::new_unchecked(self as u8 - 8) } } else { self }
    }

    /// The kind in hand after capture; `None` for the king.
    #[inline]
    pub const fn in_hand(self) -> Option<HandKind> {
        match self.unpromoted() {
            K::King => None,
            // SAFETY: the unpromoted kinds below the king are numbers 0 to 6.
            base => Some(unsafe { HandKind::new_unchecked(base as u8) }),
        }
    }

    /// Whether it moves like a gold: gold, promoted pawn, lance, knight, silver.
    #[inline]
    pub const fn moves_like_gold(self) -> bool {
        matches!(self, K::Gold | K::ProPawn | K::ProLance | K::ProKnight | K::ProSilver)
    }

    /// Whether it is a minor piece: lance, knight, silver, gold, or a promoted one.
    #[inline]
    pub const fn is_minor(self) -> bool {
        matches!(self.unpromoted(), K::Lance | K::Knight | K::Silver | K::Gold)
    }

    /// Number of farthest ranks where this kind must not stay unpromoted: 1 for pawn and lance, 2
    /// for the knight.
    #[inline]
    pub const fn dead_ranks(self) -> u8 {
        match self {
            K::Pawn | K::Lance => 1,
            K::Knight => 2,
            _ => 0,
        }
    }

    /// SFEN letter, upper case; promoted kinds have a `+` before it.
    pub const fn letter(self) -> char {
        ['P', 'L', 'N', 'S', 'B', 'R', 'G', 'K'][self.unpromoted() as usize]
    }

    /// The unpromoted kind of an upper-case letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        // The unpromoted kinds come first.
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

super::index_by!(PieceKind, PieceKind::COUNT);

/// A kind that can be held in hand and dropped. Indices agree with [`PieceKind`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are the pieces")]
pub enum HandKind {
    Pawn = 0,
    Lance,
    Knight,
    Silver,
    Bishop,
    Rook,
    Gold,
}

impl HandKind {
    /// Number of kinds.
    pub const COUNT: usize = 7;
    /// Ascending by value, the order of packed positions and of other programs' books.
    pub const ASCENDING: [Self; Self::COUNT] =
        [Self::Pawn, Self::Lance, Self::Knight, Self::Silver, Self::Gold, Self::Bishop, Self::Rook];

    /// All kinds by index.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Pawn, Self::Lance, Self::Knight, Self::Silver, Self::Bishop, Self::Rook, Self::Gold];

    /// The kind with this index.
    ///
    /// # Safety
    /// `number` must be below 7.
    #[inline]
    pub(super) const unsafe fn new_unchecked(number: u8) -> Self {
        debug_assert!((number as usize) < Self::COUNT);
        // SAFETY: the numbers of the kinds are 0 to 6, and the caller promises one of them.
        unsafe { std::mem::transmute(number) }
    }

    /// 0 to 6.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind on the board.
    #[inline]
    pub const fn on_board(self) -> PieceKind {
        // SAFETY: 0 to 6, which are kinds of pieces too.
        unsafe { PieceKind::new_unchecked(self as u8) }
    }

    /// Count of the kind in a full set of 40 pieces.
    #[inline]
    pub const fn full_set_count(self) -> u8 {
        [18, 4, 4, 4, 2, 2, 4][self as usize]
    }
}

super::index_by!(HandKind, HandKind::COUNT);

/// A piece of one side. Low four bits: kind + 1; bit 4: White. Never 0, so that `Option<Piece>` is
/// one byte.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

const _: () = assert!(size_of::<Option<Piece>>() == 1);

impl Piece {
    /// Length of tables indexed by [`Piece::index`].
    pub const COUNT: usize = 2 * PieceKind::COUNT;

    /// The piece of this side and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        match NonZeroU8::new(((color as u8) << 4) | (kind as u8 + 1)) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// Its side.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0.get() & 16 == 0 { Color::Black } else { Color::White }
    }

    /// Its kind.
    #[inline]
    pub const fn kind(self) -> PieceKind {
        // SAFETY: the only constructor sets these bits to a kind's number plus 1.
        unsafe { PieceKind::new_unchecked((self.0.get() & 15) - 1) }
    }

    /// A number from 1 to 31, as the piece is stored.
    #[inline]
    pub const fn code(self) -> u8 {
        self.0.get()
    }

    /// The piece with this code; `None` for 0.
    #[inline]
    pub fn of_code(code: u8) -> Option<Self> {
        NonZeroU8::new(code).map(Self)
    }

    /// 0 to 27: kind, plus 14 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self.kind() as usize + PieceKind::COUNT * self.color() as usize
    }

    /// The promoted piece.
    #[inline]
    pub const fn promoted(self) -> Self {
        Self::new(self.color(), self.kind().promoted())
    }

    /// The same kind of the other side.
    #[inline]
    pub const fn flipped(self) -> Self {
        Self::new(self.color().opponent(), self.kind())
    }
}

/// Pieces in hand of one side, packed into 32 bits with a spare bit above each count: comparing two
/// hands is one subtraction.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Zeroable, Pod)]
#[repr(transparent)]
pub struct Hand(u32);

/// First bit of each count: five bits for pawns, three for the others, one spare bit above each.
const SHIFT: [u32; HandKind::COUNT] = [0, 6, 10, 14, 18, 21, 24];
/// Unshifted mask of each count.
const MASK: [u32; HandKind::COUNT] = [31, 7, 7, 7, 3, 3, 7];
const BORROW: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 20 | 1 << 23 | 1 << 27;

impl Hand {
    /// Nothing in hand.
    pub const EMPTY: Self = Self(0);

    /// Number of pieces of this kind.
    #[inline]
    pub const fn count(self, kind: HandKind) -> u8 {
        ((self.0 >> SHIFT[kind as usize]) & MASK[kind as usize]) as u8
    }

    /// Whether a piece of this kind is held.
    #[inline]
    pub const fn has(self, kind: HandKind) -> bool {
        self.0 & (MASK[kind as usize] << SHIFT[kind as usize]) != 0
    }

    /// Whether nothing is held.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether anything but pawns is held.
    #[inline]
    pub const fn has_more_than_pawns(self) -> bool {
        self.0 & !MASK[0] != 0
    }

    /// The hand with one more piece, if a full set has that many.
    #[inline]
    pub const fn checked_add(self, kind: HandKind) -> Option<Self> {
        if self.count(kind) < kind.full_set_count() { Some(self.plus(kind)) } else { None }
    }

    /// The hand with one more piece. Counts beyond a full set are meaningless.
    #[inline]
    pub const fn plus(self, kind: HandKind) -> Self {
        debug_assert!(self.count(kind) < kind.full_set_count());
        Self(self.0 + (1 << SHIFT[kind as usize]))
    }

    /// The hand with one piece less. The kind must be held.
    #[inline]
    pub const fn minus(self, kind: HandKind) -> Self {
        debug_assert!(self.has(kind));
        Self(self.0 - (1 << SHIFT[kind as usize]))
    }

    /// Whether this hand holds at least as many of every kind as `other`.
    #[inline]
    pub const fn is_superior_or_equal(self, other: Self) -> bool {
        ((self.0 | BORROW).wrapping_sub(other.0)) & BORROW == BORROW
    }

    /// The hand with this count of a kind, at most that of a full set.
    #[inline]
    pub const fn with(self, kind: HandKind, count: u8) -> Self {
        debug_assert!(count <= kind.full_set_count());
        let shift = SHIFT[kind as usize];
        Self(self.0 & !(MASK[kind as usize] << shift) | (count as u32) << shift)
    }

    /// Maximum count of each kind.
    pub fn union(self, other: Self) -> Self {
        let larger = |hand: Self, kind| hand.with(kind, self.count(kind).max(other.count(kind)));
        HandKind::ALL.into_iter().fold(Self::EMPTY, larger)
    }

    /// Minimum count of each kind.
    pub fn intersection(self, other: Self) -> Self {
        let smaller = |hand: Self, kind| hand.with(kind, self.count(kind).min(other.count(kind)));
        HandKind::ALL.into_iter().fold(Self::EMPTY, smaller)
    }

    /// The kinds held with their counts, pawns first.
    pub fn iter(self) -> impl Iterator<Item = (HandKind, u8)> {
        HandKind::ALL.into_iter().map(move |kind| (kind, self.count(kind))).filter(|&(_, count)| count > 0)
    }

    /// Total number of pieces.
    pub fn total(self) -> u32 {
        self.iter().map(|(_, count)| u32::from(count)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kind_and_color_round_trip() {
        for (number, kind) in PieceKind::ALL.into_iter().enumerate() {
            assert_eq!(kind.index(), number);
            assert_eq!(kind.promoted().unpromoted(), kind.unpromoted());
            assert_eq!(kind.can_promote(), kind.promoted() != kind);
            for color in Color::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!((piece.color(), piece.kind()), (color, kind));
                assert_eq!(piece.flipped().flipped(), piece);
            }
        }
        for kind in HandKind::ALL {
            assert_eq!(kind.on_board().in_hand(), Some(kind));
            assert_eq!(kind.on_board().promoted().in_hand(), Some(kind));
        }
        assert_eq!(PieceKind::King.in_hand(), None);
    }

    fn hand(counts: [u8; 7]) -> Hand {
        let mut hand = Hand::EMPTY;
        for kind in HandKind::ALL {
            (0..counts[kind]).for_each(|_| hand = hand.checked_add(kind).unwrap());
        }
        hand
    }

    #[test]
    fn full_set_fits() {
        let full = hand([18, 4, 4, 4, 2, 2, 4]);
        assert_eq!(full.total(), 38);
        for kind in HandKind::ALL {
            assert_eq!(full.count(kind), kind.full_set_count());
            assert_eq!(full.checked_add(kind), None);
            assert_eq!(full.minus(kind).plus(kind), full);
        }
    }

    #[test]
    fn superior_compares_every_kind() {
        for (a, b, expected) in [
            ([1, 0, 0, 0, 0, 0, 0], [0; 7], true),
            ([0; 7], [1, 0, 0, 0, 0, 0, 0], false),
            ([18, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0], false),
            ([3, 1, 0, 2, 1, 2, 4], [3, 1, 0, 2, 1, 2, 4], true),
            ([3, 1, 0, 2, 1, 1, 4], [3, 1, 0, 2, 1, 2, 4], false),
            ([18, 4, 4, 4, 2, 2, 4], [17, 4, 4, 4, 2, 2, 3], true),
        ] {
            assert_eq!(hand(a).is_superior_or_equal(hand(b)), expected, "{a:?} {b:?}");
        }
    }
}
