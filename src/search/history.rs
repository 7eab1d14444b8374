//! Histories: of moves, to order and reduce them, and of the errors of the static eval.
//!
//! Every update is `x += b - x * |b| / LIMIT`, which keeps `|x| <= LIMIT`.

use super::params as p;
use crate::machine::{HugeSlice, MemoryError, filled, prefetch};
use bytemuck::{Pod, Zeroable};
use sabi_shogi::{Color, HandKind, Move, Piece, PieceKind, Position, Square};

/// A history value bounded by `LIMIT` with initial value `START`. Stored relative to `START`, so
/// that zeroed memory is an initial table.
#[derive(Copy, Clone, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct HistoryEntry<const LIMIT: i32, const START: i32 = 0>(i16);

impl<const LIMIT: i32, const START: i32> HistoryEntry<LIMIT, START> {
    const FITS: () = assert!(LIMIT + START.abs() <= i16::MAX as i32);

    #[inline]
    pub(super) fn get(self) -> i32 {
        i32::from(self.0) + START
    }

    #[inline]
    pub(super) fn add(&mut self, bonus: i32) {
        const { Self::FITS }
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        self.0 += (bonus - self.get() * bonus.abs() / LIMIT) as i16;
    }
}

/// Index of a piece and its target square; the last index means "no move".
pub(super) type PieceTo = usize;

/// Number of piece-target pairs.
const PIECE_TO: usize = Piece::COUNT * Square::COUNT;
/// Index of "no move".
pub(super) const NO_MOVE: PieceTo = PIECE_TO;

/// Index of a piece and target square.
#[inline]
pub(super) fn piece_to(piece: Piece, to: Square) -> PieceTo {
    piece.index() * Square::COUNT + to.index()
}

/// Row of the continuation history: indexed by the earlier move.
pub(super) type ContHistIndex = usize;

/// Row of "no move". Never written.
pub(super) const NO_CONT_HIST: ContHistIndex = 4 * PIECE_TO;

/// Row of a move: the table is split by in check and by capture.
#[inline]
pub(super) fn cont_hist_index(in_check: bool, capture: bool, moved: PieceTo) -> ContHistIndex {
    (2 * usize::from(in_check) + usize::from(capture)) * PIECE_TO + moved
}

/// Rows of the moves one to six plies back.
pub(super) type ContHistIndices = [ContHistIndex; 6];

/// Number of move codes: source, target and promotion.
const MOVE_CODES: usize = 1 << 15;
/// Move codes of one source.
const SOURCE_CODES: usize = 1 << 7;
/// Plies from the root with their own history.
const LOW_PLIES: usize = 5;
/// Number of kinds as captured: without promotion.
const CAPTURED_KINDS: usize = 8;
/// Number of pawn history slots.
const PAWN_SLOTS: usize = 1 << 10;

type Main = HistoryEntry<7168>;
type LowPly = HistoryEntry<7168, 100>;
type Capture = HistoryEntry<10_752, -680>;

/// A table of rows of `LEN`, by default indexed by piece and target. Clearing resets only the rows
/// written since the last clear.
struct RowTable<const LIMIT: i32, const START: i32, const LEN: usize = PIECE_TO> {
    values: HugeSlice<HistoryEntry<LIMIT, START>>,
    written: Box<[bool]>,
}

impl<const LIMIT: i32, const START: i32, const LEN: usize> RowTable<LIMIT, START, LEN> {
    fn new(rows: usize) -> Result<Self, MemoryError> {
        Ok(Self { values: HugeSlice::zeroed(rows * LEN)?, written: filled(false, rows)? })
    }

    const fn bytes(rows: usize) -> usize {
        rows * (LEN * size_of::<HistoryEntry<LIMIT, START>>() + 1)
    }

    #[inline]
    fn row(&self, row: usize) -> &[HistoryEntry<LIMIT, START>; LEN] {
        self.values[row * LEN..].first_chunk().expect("rows are whole")
    }

    #[inline]
    fn get(&self, row: usize, column: usize) -> i32 {
        self.values[row * LEN + column].get()
    }

    #[inline]
    fn add(&mut self, row: usize, column: usize, bonus: i32) {
        self.written[row] = true;
        self.values[row * LEN + column].add(bonus);
    }

    fn clear(&mut self) {
        for (row, written) in self.values.chunks_exact_mut(LEN).zip(&mut self.written) {
            if std::mem::take(written) {
                row.fill(HistoryEntry::default());
            }
        }
    }
}

/// All histories of one thread.
pub(super) struct Histories {
    /// Quiet moves by side and move.
    main: Box<[Main]>,
    /// Quiet moves near the root, by ply and move.
    low_ply: RowTable<7168, 100, SOURCE_CODES>,
    /// Captures by piece, target and kind captured.
    capture: Box<[Capture]>,
    /// Quiet moves by piece and target after an earlier move.
    continuation: RowTable<30_000, -520>,
    /// Quiet moves by pawn structure, piece and target.
    pawn: RowTable<8192, -1240>,
    /// How often the tt move is best.
    pub tt_move: HistoryEntry<8192>,
    /// Correction histories.
    pub corrections: Corrections,
}

/// A quiet move as history index.
#[derive(Copy, Clone)]
pub(super) struct Quiet {
    pub mv: Move,
    pub moved: PieceTo,
}

/// The history context of a node's quiet moves.
#[derive(Copy, Clone)]
pub(super) struct QuietContext {
    pub color: Color,
    pub in_check: bool,
    pub ply: usize,
    pub pawn_slot: usize,
    pub cont_hist: ContHistIndices,
}

/// The table rows that score a node's quiet moves.
pub(super) struct QuietOrder<'a> {
    main: &'a [Main],
    pawn: &'a [HistoryEntry<8192, -1240>; PIECE_TO],
    continuation: [&'a [HistoryEntry<30_000, -520>; PIECE_TO]; 5],
    low_ply: Option<&'a [LowPly]>,
    low_ply_divisor: i32,
}

const FIRST: Square = Square::clamped(0);

/// Weights of the continuation histories in the ordering score, in 16ths.
const CONTINUATION_WEIGHTS: [i32; 5] = [19, 15, 20, 20, 13];

/// A number for each square that a piece may go to.
type BySquare = [i32; Square::COUNT];

impl QuietOrder<'_> {
    /// Ordering score of a quiet move, without the bonus for threats.
    #[inline(always)]
    pub(super) fn score(&self, Quiet { mv, moved }: Quiet) -> i32 {
        let code = usize::from(mv.bits()) % MOVE_CODES;
        let mut continuation = 0;
        for (at, weight) in CONTINUATION_WEIGHTS.iter().enumerate() {
            continuation += weight * self.continuation[at][moved].get();
        }
        let low_ply = self.low_ply.map_or(0, |table| self.low_ply_score(table[code]));
        (32 * (self.main[code].get() + self.pawn[moved].get()) + continuation) / 16 + low_ply
    }

    /// The scores of a drop on every square, legal or not: sums of rows, which vectorise.
    #[inline]
    pub(super) fn drop_scores(&self, color: Color, kind: HandKind) -> BySquare {
        let code = usize::from(Move::drop(kind, FIRST).bits());
        let moved = piece_to(Piece::new(color, kind.on_board()), FIRST);
        let mut scores = [0; Square::COUNT];
        add_row(&mut scores, 32, &self.main[code..]);
        add_row(&mut scores, 32, &self.pawn[moved..]);
        for (row, weight) in self.continuation.iter().zip(CONTINUATION_WEIGHTS) {
            add_row(&mut scores, weight, &row[moved..]);
        }
        scores.iter_mut().for_each(|score| *score /= 16);
        if let Some(table) = self.low_ply {
            for (score, value) in scores.iter_mut().zip(&table[code..]) {
                *score += self.low_ply_score(*value);
            }
        }
        scores
    }

    #[inline]
    fn low_ply_score(&self, value: LowPly) -> i32 {
        7 * value.get() / self.low_ply_divisor
    }
}

#[inline]
fn add_row<const LIMIT: i32, const START: i32>(scores: &mut BySquare, factor: i32, row: &[HistoryEntry<LIMIT, START>]) {
    scores.iter_mut().zip(row).for_each(|(score, value)| *score += factor * value.get());
}

/// Share of a bonus for the continuation histories one to six plies back, in 1024ths.
const CONTINUATION_SHARES: [i32; 6] = [1133, 563, 270, 546, 130, 355];

impl Histories {
    /// Empty histories, their pages touched before the clock runs.
    ///
    /// # Errors
    /// When out of memory.
    pub(super) fn new() -> Result<Self, MemoryError> {
        Ok(Self {
            main: filled(Main::default(), 2 * MOVE_CODES)?,
            low_ply: RowTable::new(LOW_PLIES * MOVE_CODES / SOURCE_CODES)?,
            capture: filled(Capture::default(), PIECE_TO * CAPTURED_KINDS)?,
            continuation: RowTable::new(NO_CONT_HIST + 1)?,
            pawn: RowTable::new(PAWN_SLOTS)?,
            tt_move: HistoryEntry::default(),
            corrections: Corrections::new()?,
        })
    }

    /// Size of the large tables in bytes.
    pub(super) const BYTES: usize = size_of::<i16>() * ((2 + LOW_PLIES) * MOVE_CODES + PIECE_TO * CAPTURED_KINDS)
        + RowTable::<0, 0>::bytes(NO_CONT_HIST + 1 + PAWN_SLOTS)
        + Corrections::BYTES;

    /// Clears all histories.
    pub(super) fn clear(&mut self) {
        self.main.fill(Main::default());
        self.low_ply.clear();
        self.capture.fill(Capture::default());
        self.continuation.clear();
        self.pawn.clear();
        self.tt_move = HistoryEntry::default();
        self.corrections.clear();
    }

    /// Prepares for a new root: clears the low-ply history.
    pub(super) fn new_search(&mut self) {
        self.low_ply.clear();
    }

    /// Pawn history slot of the position.
    #[inline]
    pub(super) fn pawn_slot(position: &Position) -> usize {
        position.pawn_key() as usize % PAWN_SLOTS
    }

    #[inline]
    fn main_index(color: Color, mv: Move) -> usize {
        color.index() * MOVE_CODES + usize::from(mv.bits()) % MOVE_CODES
    }

    /// Main history of a quiet move.
    #[inline]
    pub(super) fn main(&self, color: Color, mv: Move) -> i32 {
        self.main[Self::main_index(color, mv)].get()
    }

    #[inline]
    pub(super) fn continuation(&self, index: ContHistIndex, moved: PieceTo) -> i32 {
        self.continuation.get(index, moved)
    }

    #[inline]
    pub(super) fn pawn(&self, pawn_slot: usize, moved: PieceTo) -> i32 {
        self.pawn.get(pawn_slot, moved)
    }

    /// The table rows that score a node's quiet moves.
    #[inline]
    pub(super) fn quiet_order(&self, context: &QuietContext) -> QuietOrder<'_> {
        let color = context.color.index() * MOVE_CODES;
        let low_ply = (context.ply < LOW_PLIES).then(|| {
            let ply = context.ply * MOVE_CODES;
            &self.low_ply.values[ply..ply + MOVE_CODES]
        });
        QuietOrder {
            main: &self.main[color..color + MOVE_CODES],
            pawn: self.pawn.row(context.pawn_slot),
            continuation: [0, 1, 2, 3, 5].map(|back| self.continuation.row(context.cont_hist[back])),
            low_ply,
            low_ply_divisor: 1 + context.ply as i32,
        }
    }

    /// Stat score of a quiet move, for reductions.
    #[inline]
    pub(super) fn quiet_stat_score(&self, quiet: Quiet, context: &QuietContext) -> i32 {
        7 * self.main(context.color, quiet.mv) / 4
            + self.continuation(context.cont_hist[0], quiet.moved)
            + self.continuation(context.cont_hist[1], quiet.moved)
    }

    /// Adds a bonus (a malus if negative) to all histories of a quiet move.
    pub(super) fn update_quiet(&mut self, quiet: Quiet, context: &QuietContext, bonus: i32) {
        self.add_main(context.color, quiet.mv, bonus);
        if context.ply < LOW_PLIES {
            let index = context.ply * MOVE_CODES + usize::from(quiet.mv.bits()) % MOVE_CODES;
            self.low_ply.add(index / SOURCE_CODES, index % SOURCE_CODES, bonus * 3 / 4);
        }
        self.update_continuation(quiet.moved, context.in_check, &context.cont_hist, bonus * 63 / 64);
        let share = if bonus > 0 { 850 } else { 550 };
        self.add_pawn(context.pawn_slot, quiet.moved, bonus * share / 1024);
    }

    #[inline]
    pub(super) fn add_main(&mut self, color: Color, mv: Move, bonus: i32) {
        self.main[Self::main_index(color, mv)].add(bonus);
    }

    #[inline]
    pub(super) fn add_pawn(&mut self, pawn_slot: usize, moved: PieceTo, bonus: i32) {
        self.pawn.add(pawn_slot, moved, bonus);
    }

    /// Adds a bonus to the continuation histories of a move; in check only one and two plies back.
    pub(super) fn update_continuation(
        &mut self,
        moved: PieceTo,
        in_check: bool,
        indices: &ContHistIndices,
        bonus: i32,
    ) {
        let plies = if in_check { 2 } else { indices.len() };
        for (back, (&index, share)) in indices.iter().zip(CONTINUATION_SHARES).take(plies).enumerate() {
            if index != NO_CONT_HIST {
                self.continuation.add(index, moved, bonus * share / 1024 + 98 * i32::from(back == 0));
            }
        }
    }

    #[inline]
    fn capture_index(moved: PieceTo, captured: PieceKind) -> usize {
        // The number of a promoted kind is larger by as much.
        moved * CAPTURED_KINDS + captured as usize % CAPTURED_KINDS
    }

    /// Capture history; a pawn promotion counts as capturing a pawn.
    #[inline]
    pub(super) fn capture(&self, moved: PieceTo, captured: PieceKind) -> i32 {
        self.capture[Self::capture_index(moved, captured)].get()
    }

    /// Adds a bonus (a malus if negative) to the capture history.
    pub(super) fn update_capture(&mut self, moved: PieceTo, captured: PieceKind, bonus: i32) {
        self.capture[Self::capture_index(moved, captured)].add(bonus);
    }
}

type Correction = HistoryEntry<1024>;

/// Number of indices of a table for each side to move.
const SLOTS: usize = 1 << 16;

/// Index features: pawn key, minor piece key, hands, non-pawn key of each side, and the last move
/// paired with the moves two and four plies back.
const FEATURES: usize = 7;

/// Share of a bonus for each feature, in 1024ths.
const SHARES: [i32; FEATURES] = [1024, 1200, 1024, 1501, 1501, 1072, 500];

/// Table indices of a position, one for each feature.
#[derive(Copy, Clone, Debug)]
pub(super) struct CorrectionIndices([u32; FEATURES]);

/// Correction history by side to move and feature.
pub(super) struct Corrections {
    tables: [Box<[Correction]>; FEATURES],
}

/// The moves one, two and four plies back.
type LastMoves = [PieceTo; 3];

impl Corrections {
    /// Size of all tables in bytes.
    pub(super) const BYTES: usize = size_of::<Correction>() * FEATURES * 2 * SLOTS;

    /// All zero.
    ///
    /// # Errors
    /// When out of memory.
    pub(super) fn new() -> Result<Self, MemoryError> {
        let one = || filled(Correction::default(), 2 * SLOTS);
        Ok(Self { tables: [one()?, one()?, one()?, one()?, one()?, one()?, one()?] })
    }

    /// Clears all tables.
    pub(super) fn clear(&mut self) {
        self.tables.iter_mut().for_each(|table| table.fill(Correction::default()));
    }

    /// The correction of the static evaluation, in 1024ths of a centipawn.
    #[inline]
    pub(super) fn value(&self, indices: &CorrectionIndices) -> i32 {
        let weights = [
            p::correction_pawn(),
            p::correction_minor(),
            p::correction_hand(),
            p::correction_non_pawn(),
            p::correction_non_pawn(),
            p::correction_continuation(),
            p::correction_continuation(),
        ];
        let mut sum = 0;
        for (at, weight) in weights.iter().enumerate() {
            sum += weight * self.tables[at][indices.0[at] as usize].get();
        }
        sum
    }

    /// Prefetches the entries of a position.
    #[inline]
    pub(super) fn prefetch(&self, indices: &CorrectionIndices) {
        for (table, slot) in self.tables.iter().zip(indices.0) {
            prefetch(&table[slot as usize]);
        }
    }

    /// Adds `bonus`, derived from `search score - static eval`, to all features.
    pub(super) fn update(&mut self, indices: &CorrectionIndices, bonus: i32) {
        let bonus = bonus.clamp(-256, 256);
        for ((table, slot), share) in self.tables.iter_mut().zip(indices.0).zip(SHARES) {
            table[slot as usize].add(bonus * share / 1024);
        }
    }
}

impl CorrectionIndices {
    /// Indices of no position.
    pub(super) const NONE: Self = Self([0; FEATURES]);

    /// The indices of a position after its last moves.
    #[inline]
    pub(super) fn new(position: &Position, [last, second, fourth]: LastMoves) -> Self {
        let us = position.side_to_move();
        let pair = |earlier: PieceTo| {
            let number = if last == NO_MOVE { 0 } else { 1 + last * (PIECE_TO + 1) + earlier };
            (number as u32).wrapping_mul(0x9e37_79b9) >> 13
        };
        let side = us.index() * SLOTS;
        let keys = [
            position.pawn_key(),
            position.minor_key(),
            position.hand_key() as u32,
            position.non_pawn_key(us),
            position.non_pawn_key(!us),
            pair(second),
            pair(fourth),
        ];
        Self(keys.map(|key| side as u32 + key % SLOTS as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_stays_within_its_limit() {
        let mut value = HistoryEntry::<1024, -100>::default();
        assert_eq!(value.get(), -100);
        for _ in 0..10_000 {
            value.add(700);
            assert!(value.get() <= 1024);
        }
        assert!(value.get() > 1000);
        for _ in 0..100 {
            value.add(-5000);
            assert!(value.get() >= -1024);
        }
    }

    #[test]
    fn bonus_is_largest_in_same_context() {
        let position = Position::startpos();
        let mut histories = Histories::new().unwrap();
        let mv = position.legal_from_usi("7g7f").unwrap();
        let quiet = Quiet { mv, moved: piece_to(position.moved_piece_after(mv).unwrap(), mv.to()) };
        let here = QuietContext {
            color: Color::Black,
            in_check: false,
            ply: 0,
            pawn_slot: Histories::pawn_slot(&position),
            cont_hist: [
                cont_hist_index(false, false, 5),
                NO_CONT_HIST,
                NO_CONT_HIST,
                NO_CONT_HIST,
                NO_CONT_HIST,
                NO_CONT_HIST,
            ],
        };
        let elsewhere = QuietContext { cont_hist: [NO_CONT_HIST; 6], ..here };
        let before = histories.quiet_stat_score(quiet, &elsewhere);
        histories.update_quiet(quiet, &here, 800);
        assert!(histories.quiet_stat_score(quiet, &here) > histories.quiet_stat_score(quiet, &elsewhere));
        assert!(histories.quiet_stat_score(quiet, &elsewhere) > before);
        let order = |histories: &Histories, ply| histories.quiet_order(&QuietContext { ply, ..here }).score(quiet);
        let near_root = order(&histories, 0);
        assert!(near_root > order(&histories, LOW_PLIES));
        histories.new_search();
        assert!(order(&histories, 0) < near_root);
        histories.clear();
        assert_eq!(histories.quiet_stat_score(quiet, &here), before);
    }

    #[test]
    fn drop_scores_match_single_scores() {
        let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b RBGSNLP 1").unwrap();
        let mut histories = Histories::new().unwrap();
        for ply in [0, 1, LOW_PLIES] {
            let context = QuietContext {
                color: Color::Black,
                in_check: false,
                ply,
                pawn_slot: Histories::pawn_slot(&position),
                cont_hist: [11, 12, 13, 14, 15, 16],
            };
            let drops = sabi_shogi::legal_moves(&position);
            let quiets = || drops.iter().filter_map(|&mv| Some((mv, mv.drop_kind()?, position.moved_piece_after(mv)?)));
            for (number, (mv, _, piece)) in (0..).zip(quiets()) {
                let quiet = Quiet { mv, moved: piece_to(piece, mv.to()) };
                histories.update_quiet(quiet, &context, 37 * number % 1500 - 700);
            }
            let order = histories.quiet_order(&context);
            for (mv, kind, piece) in quiets() {
                let single = order.score(Quiet { mv, moved: piece_to(piece, mv.to()) });
                assert_eq!(order.drop_scores(Color::Black, kind)[mv.to().index()], single, "{mv} at ply {ply}");
            }
        }
    }

    #[test]
    fn corrections_apply_to_similar_positions() {
        let mut corrections = Corrections::new().unwrap();
        let here = Position::startpos();
        let indices = CorrectionIndices::new(&here, [5, 7, NO_MOVE]);
        for _ in 0..50 {
            corrections.update(&indices, 120);
        }
        let told = corrections.value(&indices);
        assert!(told > 0);
        // Less similar after other moves, least on another board with the other side to move.
        let others = [4, 7, NO_MOVE];
        let after_others = corrections.value(&CorrectionIndices::new(&here, others));
        assert!((1..told).contains(&after_others));
        let mut there = Position::startpos();
        there.play(there.legal_from_usi("7g7f").unwrap());
        assert!(corrections.value(&CorrectionIndices::new(&there, others)) < after_others);
        corrections.clear();
        assert_eq!(corrections.value(&indices), 0);
    }
}
