//! The board: a position with the moves that led to it.

use crate::moves::{Move, Moves, Piece, any_color, any_move, any_square, move_list, move_object, piece_object};
use crate::{Int, bytes_of, draw, value_error, write_bytes};
use numpy::{PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sabi::mate::mate_in_one;
use sabi::usi::parse_position;
use sabi_books::book_key;
use sabi_records::{Game as Record, IllegalReason, Notation, csa_move, japanese_move, kif_line, read_bytes};
use sabi_shogi::{
    Color, Declaration, EnteringKingRule, HandKind, HuffmanCodedPos, MAX_GAME_MOVES, Move as RulesMove, MoveList,
    NonPromotions, PackedSfen, PackedSfenError, PerftMode, Piece as RulesPiece, Position, Repetition, Square,
    checking_moves, count_legal, divide, has_legal_move, moves,
};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// A shogi position with the moves that led to it.
///
/// `Board()` is the start position; `Board(text)` reads an SFEN or what follows `position` in USI
/// (`startpos moves 7g7f`). Squares are numbered from 0 (1a) file by file to 80 (9i), or named as
/// in USI. Boards are equal if pieces, hands and side to move are.
///
/// Raises `ValueError` if the text is no possible position, or a move is illegal.
#[pyclass(module = "sabi")]
pub(crate) struct Board {
    pub position: Position,
}

/// The rules of declaration by their names in the option `EnteringKingRule`.
const RULES: [(&str, EnteringKingRule); 6] = [
    ("NoEnteringKing", EnteringKingRule::None),
    ("CSARule24", EnteringKingRule::Points24),
    ("CSARule24H", EnteringKingRule::Points24Handicap),
    ("CSARule27", EnteringKingRule::Points27),
    ("CSARule27H", EnteringKingRule::Points27Handicap),
    ("TryRule", EnteringKingRule::Try),
];

/// Deeper trees than this have more leaves than can be counted.
const MAX_PERFT: u32 = 40;

/// Interval at which long work looks for Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(50);

fn rule(name: &str) -> PyResult<EnteringKingRule> {
    let known = RULES.iter().find(|(known, _)| *known == name).map(|&(_, rule)| rule);
    known.ok_or_else(|| {
        value_error(format!("{name:?} is no entering king rule: they are {}", RULES.map(|(known, _)| known).join(", ")))
    })
}

/// Reads a position with its moves.
pub(crate) fn read_position(text: &str) -> PyResult<Position> {
    let text = text.trim();
    parse_position(text.strip_prefix("position ").unwrap_or(text)).map_err(value_error)
}

impl Board {
    /// A legal move, given as object, in USI, or as 16 bits.
    fn legal(&self, given: &Bound<'_, PyAny>) -> PyResult<RulesMove> {
        let mv = any_move(given)?;
        match IllegalReason::of(&self.position, mv) {
            None => Ok(mv),
            Some(reason) => Err(value_error(format!("the move {mv} is illegal: {reason}"))),
        }
    }

    fn play(&mut self, mv: RulesMove) -> PyResult<()> {
        if self.position.plies_played() >= MAX_GAME_MOVES {
            return Err(value_error(format!("there are more than {MAX_GAME_MOVES} moves")));
        }
        self.position.play(mv);
        Ok(())
    }

    /// A move in a notation that depends on the position, read as the next of a record.
    fn read_move(&self, text: &str, file: &str) -> PyResult<RulesMove> {
        // 同 needs the move before.
        let mut start = self.position.clone();
        let last = self.position.last_move();
        if last.is_some() {
            start.undo();
        }
        let mut game = Record::new(start.without_history().unwrap_or(start));
        if let Some(last) = last {
            game.push(last, None, None);
        }
        let number = game.moves.len() + 1;
        let line = text.trim();
        if line.contains(['\n', '\r']) || line.is_empty() {
            return Err(value_error("a move is expected"));
        }
        // With its number it is a move of KIF.
        let line = if file.ends_with("kif") { format!("{number:>4} {line}\n") } else { format!("{line}\n") };
        let record = Notation::Kif.write(&game) + &line;
        let read = read_bytes(file, record.into_bytes()).next();
        let game = read.ok_or_else(|| value_error("a move is expected"))?;
        let game = game.map_err(|error| value_error(error.fault))?;
        match game.moves.get(number - 1) {
            Some(&mv) if game.moves.len() == number => Ok(mv),
            _ => Err(value_error(format!("{text:?} is not a legal move"))),
        }
    }
}

fn unpacked(position: Result<Position, PackedSfenError>) -> PyResult<Board> {
    Ok(Board { position: position.map_err(value_error)? })
}

fn word(repetition: Repetition) -> &'static str {
    match repetition {
        Repetition::Draw => "draw",
        Repetition::Win => "win",
        Repetition::Loss => "loss",
        Repetition::Superior => "superior",
        Repetition::Inferior => "inferior",
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (sfen = None))]
    fn new(sfen: Option<&str>) -> PyResult<Self> {
        Ok(Self { position: sfen.map_or_else(|| Ok(Position::startpos()), read_position)? })
    }

    /// Sets up the start position.
    fn reset(&mut self) {
        self.position = Position::startpos();
    }

    /// Sets up an SFEN. Raises `ValueError`, and changes nothing, if it is no possible position.
    fn set_sfen(&mut self, sfen: &str) -> PyResult<()> {
        self.position = read_position(sfen)?;
        Ok(())
    }

    /// Sets up what follows `position` in USI, with its moves: `startpos moves 7g7f 3c3d`.
    ///
    /// Raises `ValueError`, and changes nothing, if it is no position or a move is illegal.
    fn set_position(&mut self, text: &str) -> PyResult<()> {
        self.set_sfen(text)
    }

    /// The SFEN with the move number.
    fn sfen(&self) -> String {
        self.position.sfen()
    }

    /// First position and moves as after `position` in USI: `startpos moves 7g7f`.
    fn usi_position(&self) -> String {
        Record::before(&self.position).usi()
    }

    /// `BLACK` or `WHITE`.
    #[getter]
    fn turn(&self) -> usize {
        self.position.side_to_move().index()
    }

    /// The number of the next move, 1 at the start of a game.
    #[getter]
    fn move_number(&self) -> u32 {
        self.position.ply()
    }

    /// All legal moves: a sequence that stays as it is when the board changes.
    #[getter]
    fn legal_moves(&self) -> Moves {
        // Not `legal_moves`, which would copy the list.
        let mut list = MoveList::new();
        moves(&self.position, NonPromotions::All, &mut list);
        Moves::new(&list)
    }

    /// The legal moves that give check: a sequence that stays as it is when the board changes.
    #[getter]
    fn checking_moves(&self) -> Moves {
        let mut list = MoveList::new();
        checking_moves(&self.position, &self.position.check_info(), NonPromotions::All, &mut list);
        Moves::new(&list)
    }

    /// The number of legal moves.
    fn count_legal_moves(&self) -> u64 {
        count_legal(&self.position)
    }

    /// Whether a move is legal, repetition aside.
    #[pyo3(name = "is_legal")]
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.position.is_legal(any_move(r#move)?))
    }

    /// Whether a legal move gives check. Raises `ValueError` if it is illegal.
    fn gives_check(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mv = self.legal(r#move)?;
        Ok(self.position.gives_check(mv, &self.position.check_info()))
    }

    /// Whether a move takes a piece.
    fn is_capture(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.position.is_capture(any_move(r#move)?))
    }

    /// Plays a legal move, a `Move` or its USI.
    ///
    /// Raises `ValueError`, and changes nothing, if it is illegal or the game has 10,000 moves.
    fn push(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let mv = match r#move.cast::<Move>() {
            Ok(mv) if self.position.is_legal(mv.get().0) => mv.get().0,
            _ => self.legal(r#move)?,
        };
        self.play(mv)
    }

    /// Reads and plays a move in USI, and returns it.
    fn push_usi(&mut self, py: Python<'_>, usi: &str) -> PyResult<Py<Move>> {
        let mv = self.parse_usi(py, usi)?;
        self.play(mv.get().0)?;
        Ok(mv)
    }

    /// Reads and plays a move in CSA, and returns it.
    fn push_csa(&mut self, py: Python<'_>, csa: &str) -> PyResult<Py<Move>> {
        let mv = self.parse_csa(py, csa)?;
        self.play(mv.get().0)?;
        Ok(mv)
    }

    /// Reads and plays a move in KIF or KI2, and returns it.
    fn push_kif(&mut self, py: Python<'_>, kif: &str) -> PyResult<Py<Move>> {
        let mv = self.parse_kif(py, kif)?;
        self.play(mv.get().0)?;
        Ok(mv)
    }

    /// Takes the last move back and returns it. Raises `ValueError` if there is none.
    fn pop(&mut self, py: Python<'_>) -> PyResult<Py<Move>> {
        let last = self.position.last_move().ok_or_else(|| value_error("there is no move to take back"))?;
        self.position.undo();
        move_object(py, last)
    }

    /// The last move; `None` in the first position.
    fn peek(&self, py: Python<'_>) -> PyResult<Option<Py<Move>>> {
        self.position.last_move().map(|mv| move_object(py, mv)).transpose()
    }

    /// The moves played, a new list.
    #[getter]
    fn move_stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        move_list(py, &Record::before(&self.position).moves)
    }

    /// The board before the first of the moves played.
    fn root(&self) -> Self {
        Self { position: Record::before(&self.position).start }
    }

    /// The legal move of a USI text. Raises `ValueError` if it is no legal move.
    fn parse_usi(&self, py: Python<'_>, usi: &str) -> PyResult<Py<Move>> {
        let mv: RulesMove = usi.parse().map_err(value_error)?;
        match IllegalReason::of(&self.position, mv) {
            None => move_object(py, mv),
            Some(reason) => Err(value_error(format!("the move {mv} is illegal: {reason}"))),
        }
    }

    /// The legal move of a CSA text, `+7776FU` or `7776FU`. Raises `ValueError` if it is no legal move.
    fn parse_csa(&self, py: Python<'_>, csa: &str) -> PyResult<Py<Move>> {
        let signed = csa.starts_with(['+', '-']);
        let sign = if self.position.side_to_move() == Color::Black { "+" } else { "-" };
        let text = if signed { csa.to_owned() } else { format!("{sign}{csa}") };
        move_object(py, sabi_records::read_csa_move(&self.position, &text).map_err(value_error)?)
    }

    /// The legal move of a KIF text, `７六歩(77)`, or a KI2 text, `▲７六歩` or `５八金右`.
    ///
    /// Raises `ValueError` if it is no legal move.
    fn parse_kif(&self, py: Python<'_>, kif: &str) -> PyResult<Py<Move>> {
        let text = kif.trim();
        let is_marked = text.starts_with(['▲', '△', '▼', '▽', '☗', '☖']);
        let with_source = text.ends_with(')');
        let mv = if with_source && !is_marked {
            self.read_move(text, "move.kif")?
        } else {
            let mark = if self.position.side_to_move() == Color::Black { '▲' } else { '△' };
            let text = if is_marked { text.to_owned() } else { format!("{mark}{text}") };
            self.read_move(&text, "move.ki2")?
        };
        move_object(py, mv)
    }

    /// A legal move in CSA, `+7776FU`. Raises `ValueError` if it is illegal.
    fn csa(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(csa_move(&self.position, self.legal(r#move)?))
    }

    /// A legal move in KIF, `７六歩(77)` or `同　歩(33)`. Raises `ValueError` if it is illegal.
    fn kif(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        let mv = self.legal(r#move)?;
        let mut before = self.position.clone();
        // Of a line every move but the first may say 同, and every move begins with a mark.
        let line = match self.position.last_move() {
            Some(last) if last.to() == mv.to() => {
                before.undo();
                kif_line(&before, &[last, mv])
            }
            _ => kif_line(&before, &[mv]),
        };
        let text = line.rsplit(['▲', '△']).next().unwrap_or_default();
        Ok(text.to_owned())
    }

    /// A legal move in KI2, `▲７六歩`, `△同　銀`, `▲５八金右`. Raises `ValueError` if it is illegal.
    fn ki2(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(japanese_move(&self.position, self.legal(r#move)?))
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.position.in_check()
    }

    /// The squares of the pieces that give check.
    fn checkers(&self) -> Vec<usize> {
        self.position.checkers().into_iter().map(Square::index).collect()
    }

    /// The squares of the pieces of a side that attack a square.
    fn attackers(&self, color: Int, square: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let (color, square) = (any_color(color)?, any_square(square)?);
        Ok(self.position.attackers(color, square, self.position.occupied()).into_iter().map(Square::index).collect())
    }

    /// Whether the side to move is in check and has no legal move.
    fn is_checkmate(&self) -> bool {
        self.position.in_check() && !has_legal_move(&self.position)
    }

    /// Whether the side to move has no legal move without being in check. It loses all the same.
    fn is_stalemate(&self) -> bool {
        !self.position.in_check() && !has_legal_move(&self.position)
    }

    /// Whether there is no legal move, or the position occurs for the fourth time.
    fn is_game_over(&self) -> bool {
        !has_legal_move(&self.position) || self.position.repetition().is_some()
    }

    /// How the game is over, and the winner (`None`: draw): `("checkmate", BLACK)`, `("stalemate", …)`,
    /// `("repetition", None)`, `("perpetual check", …)`. `None` while it goes on.
    fn outcome(&self) -> Option<(&'static str, Option<usize>)> {
        let us = self.position.side_to_move();
        if !has_legal_move(&self.position) {
            let reason = if self.position.in_check() { "checkmate" } else { "stalemate" };
            return Some((reason, Some(us.opponent().index())));
        }
        match self.position.repetition()? {
            Repetition::Win => Some(("perpetual check", Some(us.index()))),
            Repetition::Loss => Some(("perpetual check", Some(us.opponent().index()))),
            _ => Some(("repetition", None)),
        }
    }

    /// The fourth occurrence of the position for the side to move: `"draw"`, `"win"` or `"loss"`
    /// (perpetual check); `None` before.
    fn repetition(&self) -> Option<&'static str> {
        self.position.repetition().map(word)
    }

    /// Whether the position occurs for the fourth time.
    fn is_fourfold_repetition(&self) -> bool {
        self.position.repetition().is_some()
    }

    /// How the side to move wins at once by an entering king rule: `"declare"`, by the move to play
    /// (`TryRule`), or `None`.
    ///
    /// The rule is one of the option `EnteringKingRule`. Raises `ValueError` for another.
    #[pyo3(signature = (rule = "CSARule27"))]
    fn declaration(&self, py: Python<'_>, rule: &str) -> PyResult<Option<Py<PyAny>>> {
        Ok(match self.position.declaration(self::rule(rule)?) {
            None => None,
            Some(Declaration::Points) => Some("declare".into_pyobject(py)?.into_any().unbind()),
            Some(Declaration::Try(mv)) => Some(move_object(py, mv)?.into_any()),
        })
    }

    /// Whether the side to move may declare a win, by default with 27 points.
    #[pyo3(signature = (rule = "CSARule27"))]
    fn is_nyugyoku(&self, rule: &str) -> PyResult<bool> {
        Ok(matches!(self.position.declaration(self::rule(rule)?), Some(Declaration::Points)))
    }

    /// How far a side is from a declaration: `points`, `points_needed`, `pieces_in_camp`,
    /// `king_in_camp`. `None` unless the rule counts points.
    #[pyo3(signature = (color, rule = "CSARule27"))]
    fn declaration_progress<'py>(
        &self,
        py: Python<'py>,
        color: Int,
        rule: &str,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let progress = self.position.declaration_progress(any_color(color)?, self::rule(rule)?);
        let Some(progress) = progress else { return Ok(None) };
        let values = PyDict::new(py);
        values.set_item("points", progress.points)?;
        values.set_item("points_needed", progress.points_needed)?;
        values.set_item("pieces_in_camp", progress.pieces_in_camp)?;
        values.set_item("king_in_camp", progress.king_in_camp)?;
        Ok(Some(values))
    }

    /// A move that mates at once; `None` if there is none.
    fn mate_move_in_1ply(&self, py: Python<'_>) -> PyResult<Option<Py<Move>>> {
        let found = mate_in_one(&self.position, &self.position.check_info());
        found.map(|mv| move_object(py, mv)).transpose()
    }

    /// The number of leaves of the tree of legal moves, at most 40 deep. The interpreter's lock is
    /// released, and Ctrl-C stops.
    ///
    /// Raises `ValueError` for a depth that is negative or above 40.
    fn perft(&self, py: Python<'_>, depth: Int) -> PyResult<u64> {
        self.count_leaves(py, depth, |_, _| ())
    }

    /// The leaves by root move, a dict. See `perft`.
    fn divide<'py>(&self, py: Python<'py>, depth: Int) -> PyResult<Bound<'py, PyDict>> {
        let mut leaves = Vec::new();
        self.count_leaves(py, depth, |mv, count| leaves.push((mv, count)))?;
        let by_move = PyDict::new(py);
        for (mv, count) in leaves {
            by_move.set_item(move_object(py, mv)?, count)?;
        }
        Ok(by_move)
    }

    /// The key of squares, hands and side to move, 64 bits. It may differ between versions.
    fn zobrist_hash(&self) -> u64 {
        self.position.key()
    }

    /// The key of books in Sabi's format, 64 bits. It never changes.
    fn book_key(&self) -> u64 {
        book_key(&self.position)
    }

    /// The piece on a square as the number of cshogi: 0 for none, the type, plus 16 for White.
    fn piece(&self, square: &Bound<'_, PyAny>) -> PyResult<u8> {
        Ok(self.position.piece_at(any_square(square)?).map_or(0, RulesPiece::code))
    }

    /// The piece on a square; `None` if it is empty.
    fn piece_at(&self, py: Python<'_>, square: &Bound<'_, PyAny>) -> PyResult<Option<Py<Piece>>> {
        self.position.piece_at(any_square(square)?).map(|piece| piece_object(py, piece)).transpose()
    }

    /// The pieces of all 81 squares as numbers: see `piece`.
    #[getter]
    fn pieces(&self) -> Vec<u32> {
        // Of `u8` it would be `bytes`.
        self.position.board().iter().map(|piece| piece.map_or(0, |piece| piece.code().into())).collect()
    }

    /// The numbers of pieces in hand, Black first, each pawn, lance, knight, silver, gold, bishop, rook.
    #[getter]
    fn pieces_in_hand(&self) -> ([u32; HandKind::COUNT], [u32; HandKind::COUNT]) {
        let counts = |color| HandKind::ASCENDING.map(|kind| u32::from(self.position.hand(color).count(kind)));
        (counts(Color::Black), counts(Color::White))
    }

    /// The pieces in hand of a side by type, without those of which there are none.
    fn hand<'py>(&self, py: Python<'py>, color: Int) -> PyResult<Bound<'py, PyDict>> {
        let held = PyDict::new(py);
        for (kind, count) in self.position.hand(any_color(color)?).iter() {
            held.set_item(kind.index() + 1, count)?;
        }
        Ok(held)
    }

    /// The square of a king; `None` if it is missing.
    fn king_square(&self, color: Int) -> PyResult<Option<usize>> {
        Ok(self.position.king(any_color(color)?).map(Square::index))
    }

    /// The position rotated by 180° with the sides exchanged, without its moves.
    fn rotated(&self) -> Self {
        Self { position: self.position.rotated() }
    }

    /// A copy with its moves.
    fn copy(&self) -> Self {
        Self { position: self.position.clone() }
    }

    /// The position in 32 bytes as in `hcp` and `hcpe`. With `out`, a writable array of 32 `uint8`,
    /// it is written there instead, and `None` returned.
    ///
    /// Raises `ValueError` if a king is missing and the position does not fit.
    #[pyo3(signature = (out = None))]
    fn to_hcp(&self, out: Option<&Bound<'_, PyAny>>) -> PyResult<Option<[u8; 32]>> {
        let packed = HuffmanCodedPos::of(&self.position).ok_or_else(does_not_fit)?.0;
        match out {
            Some(out) => write_bytes(out, &packed).map(|()| None),
            None => Ok(Some(packed)),
        }
    }

    /// The position in 32 bytes as in PSV files (`PackedSfen`). See `to_hcp`.
    #[pyo3(signature = (out = None))]
    fn to_psfen(&self, out: Option<&Bound<'_, PyAny>>) -> PyResult<Option<[u8; 32]>> {
        let packed = PackedSfen::of(&self.position).ok_or_else(does_not_fit)?.0;
        match out {
            Some(out) => write_bytes(out, &packed).map(|()| None),
            None => Ok(Some(packed)),
        }
    }

    /// Sets up 32 bytes as in `hcp` and `hcpe`, `bytes` or an array.
    ///
    /// Raises `ValueError`, and changes nothing, if they are no position.
    fn set_hcp(&mut self, packed: &Bound<'_, PyAny>) -> PyResult<()> {
        *self = unpacked(HuffmanCodedPos(bytes_of(packed)?).position(1))?;
        Ok(())
    }

    /// Sets up 32 bytes as in PSV files, `bytes` or an array.
    ///
    /// Raises `ValueError`, and changes nothing, if they are no position.
    fn set_psfen(&mut self, packed: &Bound<'_, PyAny>) -> PyResult<()> {
        *self = unpacked(PackedSfen(bytes_of(packed)?).position(1))?;
        Ok(())
    }

    /// The board of 32 bytes as in `hcp` and `hcpe`.
    #[staticmethod]
    fn from_hcp(packed: &Bound<'_, PyAny>) -> PyResult<Self> {
        unpacked(HuffmanCodedPos(bytes_of(packed)?).position(1))
    }

    /// The board of 32 bytes as in PSV files.
    #[staticmethod]
    fn from_psfen(packed: &Bound<'_, PyAny>) -> PyResult<Self> {
        unpacked(PackedSfen(bytes_of(packed)?).position(1))
    }

    /// Writes the pieces into planes, `float32 [28, 9, 9]`: by type, Black's first, and by file and rank.
    fn piece_planes(&self, planes: &Bound<'_, PyArray3<f32>>) -> PyResult<()> {
        let mut planes = planes.try_readwrite().map_err(value_error)?;
        let planes = planes.as_slice_mut().map_err(value_error)?;
        if planes.len() != 28 * Square::COUNT {
            return Err(value_error("the planes must be float32 of the shape [28, 9, 9]"));
        }
        planes.fill(0.0);
        for square in self.position.occupied() {
            if let Some(piece) = self.position.piece_at(square) {
                planes[piece.index() * Square::COUNT + square.index()] = 1.0;
            }
        }
        Ok(())
    }

    /// The board as SVG, with the last move highlighted.
    fn svg(&self) -> String {
        draw::svg(&self.position)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        draw::text(&self.position)
    }

    fn __repr__(&self) -> String {
        format!("Board({:?})", self.usi_position())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let same = |other: &Self| {
            let (ours, theirs) = (&self.position, &other.position);
            ours.key() == theirs.key()
                && ours.side_to_move() == theirs.side_to_move()
                && ours.board() == theirs.board()
                && Color::ALL.into_iter().all(|color| ours.hand(color) == theirs.hand(color))
        };
        other.cast::<Self>().is_ok_and(|other| other.try_borrow().is_ok_and(|other| same(&other)))
    }

    fn __hash__(&self) -> u64 {
        self.position.key()
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyAny>, (String,)) {
        (py.get_type::<Self>().into_any().unbind(), (self.usi_position(),))
    }
}

fn does_not_fit() -> PyErr {
    value_error("a king is missing, and the position does not fit into 32 bytes")
}

impl Board {
    fn count_leaves(&self, py: Python<'_>, depth: Int, mut each: impl FnMut(RulesMove, u64) + Send) -> PyResult<u64> {
        let depth = u32::try_from(depth.0).ok().filter(|depth| *depth <= MAX_PERFT);
        let depth = depth.ok_or_else(|| value_error(format!("the depth is from 0 to {MAX_PERFT}")))?;
        let mut position = self.position.clone();
        let (leaves, interrupt) = py.detach(|| {
            let (interrupt, checked) = (Cell::new(None), Cell::new(Instant::now()));
            let stop = || {
                if checked.get().elapsed() < SIGNALS {
                    return false;
                }
                checked.set(Instant::now());
                let result = Python::attach(|py| py.check_signals());
                let stop = result.is_err();
                interrupt.set(result.err());
                stop
            };
            let leaves = divide(&mut position, depth, PerftMode::Bulk, &stop, &mut each);
            (leaves, interrupt.take())
        });
        leaves.ok_or_else(|| interrupt.unwrap_or_else(|| value_error("perft was stopped")))
    }
}
