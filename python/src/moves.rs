//! Moves and pieces: immutable objects that exist once, so that a list of moves allocates nothing
//! but the list, and `is` compares as `==` does.

use crate::{Int, value_error};
use arrayvec::ArrayVec;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyIterator, PyList, PyString};
use sabi_shogi::{Color, HandKind, Move as RulesMove, Piece as RulesPiece, PieceKind, Square, piece_text};

/// A move on the board or a drop. Moves are immutable and exist once: `is` compares as `==` does.
///
/// `Move("7g7f")` reads USI; `ValueError` if the text is no move.
#[pyclass(frozen, module = "sabi")]
pub(crate) struct Move(pub RulesMove);

/// A piece of one side. Pieces are immutable and exist once.
///
/// `Piece("P")` reads a piece as in SFEN: `P`, `+p`, `K` …; `ValueError` for another text.
#[pyclass(frozen, module = "sabi")]
pub(crate) struct Piece(pub RulesPiece);

/// The objects of moves by their 16 bits, and of pieces by their codes. Where there is none, another
/// one fills the place.
struct Objects {
    moves: Vec<Py<Move>>,
    pieces: Vec<Py<Piece>>,
}

static OBJECTS: PyOnceLock<Objects> = PyOnceLock::new();

fn objects(py: Python<'_>) -> PyResult<&'static Objects> {
    OBJECTS.get_or_try_init(py, || {
        let filler = Py::new(py, Move(RulesMove::drop(HandKind::Pawn, Square::clamped(0))))?;
        let of_bits =
            |bits| RulesMove::from_bits(bits).map_or_else(|| Ok(filler.clone_ref(py)), |mv| Py::new(py, Move(mv)));
        let filler = Py::new(py, Piece(RulesPiece::new(Color::Black, PieceKind::Pawn)))?;
        let mut pieces: Vec<_> = (0..32).map(|_| filler.clone_ref(py)).collect();
        for piece in Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| RulesPiece::new(color, kind))) {
            pieces[usize::from(piece.code())] = Py::new(py, Piece(piece))?;
        }
        Ok(Objects { moves: (0..1 << 15).map(of_bits).collect::<PyResult<_>>()?, pieces })
    })
}

/// The object of a move.
pub(crate) fn move_object(py: Python<'_>, mv: RulesMove) -> PyResult<Py<Move>> {
    Ok(objects(py)?.moves[usize::from(mv.bits())].clone_ref(py))
}

/// A list of move objects.
pub(crate) fn move_list<'py>(py: Python<'py>, moves: &[RulesMove]) -> PyResult<Bound<'py, PyList>> {
    let objects = objects(py)?;
    PyList::new(py, moves.iter().map(|mv| objects.moves[usize::from(mv.bits())].bind(py)))
}

/// The object of a piece.
pub(crate) fn piece_object(py: Python<'_>, piece: RulesPiece) -> PyResult<Py<Piece>> {
    Ok(objects(py)?.pieces[usize::from(piece.code())].clone_ref(py))
}

/// Most positions have no more moves than this.
const FEW: usize = 112;

/// Moves of a position, in the order of generation: a sequence, made into objects only when they are
/// asked for. `m in moves` and `len(moves)` are cheap.
#[pyclass(frozen, sequence, module = "sabi")]
pub(crate) struct Moves(Storage);

/// Few moves are in the object itself, which Python allocates faster than memory of its own.
#[expect(clippy::large_enum_variant, reason = "that is its purpose")]
enum Storage {
    Few(ArrayVec<RulesMove, FEW>),
    Many(Box<[RulesMove]>),
}

impl Moves {
    pub(crate) fn new(moves: &[RulesMove]) -> Self {
        Self(ArrayVec::try_from(moves).map_or_else(|_| Storage::Many(moves.into()), Storage::Few))
    }

    fn moves(&self) -> &[RulesMove] {
        match &self.0 {
            Storage::Few(moves) => moves,
            Storage::Many(moves) => moves,
        }
    }
}

#[pymethods]
impl Moves {
    fn __len__(&self) -> usize {
        self.moves().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        move_list(py, self.moves())?.try_iter()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        move_list(py, self.moves())?.as_any().get_item(index)
    }

    fn __contains__(&self, given: &Bound<'_, PyAny>) -> bool {
        any_move(given).is_ok_and(|mv| self.moves().contains(&mv))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) => Ok(other.get().moves() == self.moves()),
            Err(_) => move_list(py, self.moves())?.eq(other),
        }
    }

    /// The number of moves.
    fn count(&self) -> usize {
        self.moves().len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(move_list(py, self.moves())?.repr()?.to_string())
    }
}

/// A move given as object, in USI, or as its 16 bits.
pub(crate) fn any_move(given: &Bound<'_, PyAny>) -> PyResult<RulesMove> {
    if let Ok(mv) = given.cast::<Move>() {
        return Ok(mv.get().0);
    }
    if let Ok(text) = given.cast::<PyString>() {
        return text.to_cow()?.parse().map_err(value_error);
    }
    let Int(bits) = given.extract()?;
    let mv = u16::try_from(bits).ok().and_then(RulesMove::from_bits);
    mv.ok_or_else(|| value_error(format!("{bits} is not a move of 16 bits")))
}

/// A square by number or name, `76` in 0..81 or `"7f"`.
pub(crate) fn any_square(given: &Bound<'_, PyAny>) -> PyResult<Square> {
    if let Ok(text) = given.cast::<PyString>() {
        let text = text.to_cow()?;
        return Square::from_usi(&text).ok_or_else(|| value_error(format!("{text:?} is not a square")));
    }
    let Int(number) = given.extract()?;
    let square = usize::try_from(number).ok().and_then(Square::new);
    square.ok_or_else(|| value_error(format!("{number} is not a square: they are 0 to 80")))
}

/// A side: 0 is Black, 1 White.
pub(crate) fn any_color(Int(number): Int) -> PyResult<Color> {
    match number {
        0 => Ok(Color::Black),
        1 => Ok(Color::White),
        _ => Err(value_error(format!("{number} is no side: BLACK is 0, WHITE is 1"))),
    }
}

#[pymethods]
impl Move {
    #[new]
    fn new(py: Python<'_>, usi: &str) -> PyResult<Py<Self>> {
        move_object(py, usi.parse().map_err(value_error)?)
    }

    /// The move of a USI text, `7g7f`, `8h2b+` or `P*5e`.
    ///
    /// Raises `ValueError` if the text is no move.
    #[staticmethod]
    fn from_usi(py: Python<'_>, usi: &str) -> PyResult<Py<Self>> {
        Self::new(py, usi)
    }

    /// The move of 16 bits as in `hcpe`: target + 128 · source (81 + kind for drops) + 2^14 if it promotes.
    ///
    /// Raises `ValueError` if the bits are no move.
    #[staticmethod]
    fn from_move16(py: Python<'_>, bits: Int) -> PyResult<Py<Self>> {
        let mv = u16::try_from(bits.0).ok().and_then(RulesMove::from_bits);
        move_object(py, mv.ok_or_else(|| value_error(format!("{} is not a move of 16 bits", bits.0)))?)
    }

    /// The move of 16 bits as in PSV files of YaneuraOu.
    ///
    /// Raises `ValueError` if the bits are no move.
    #[staticmethod]
    fn from_psv(py: Python<'_>, bits: Int) -> PyResult<Py<Self>> {
        let mv = u16::try_from(bits.0).ok().and_then(RulesMove::from_yaneuraou);
        move_object(py, mv.ok_or_else(|| value_error(format!("{} is not a move of a PSV file", bits.0)))?)
    }

    /// The move in USI.
    fn usi(&self) -> String {
        self.0.to_string()
    }

    /// The source square, 0 to 80; `None` for a drop.
    #[getter]
    #[pyo3(name = "from_square")]
    fn source_square(&self) -> Option<usize> {
        self.0.from().map(Square::index)
    }

    /// The target square, 0 to 80.
    #[getter]
    fn to_square(&self) -> usize {
        self.0.to().index()
    }

    /// Whether the piece promotes.
    #[getter]
    fn promotion(&self) -> bool {
        self.0.is_promotion()
    }

    /// The type of the piece dropped, `PAWN` to `GOLD`; `None` for a move on the board.
    #[getter]
    fn drop_piece_type(&self) -> Option<usize> {
        self.0.drop_kind().map(|kind| kind.index() + 1)
    }

    /// Whether it is a drop.
    #[getter]
    fn is_drop(&self) -> bool {
        self.0.is_drop()
    }

    /// The 16 bits as in `hcpe`.
    #[getter]
    fn move16(&self) -> u16 {
        self.0.bits()
    }

    /// The 16 bits as in PSV files of YaneuraOu.
    #[getter]
    fn psv(&self) -> u16 {
        self.0.to_yaneuraou()
    }

    /// The move with the board rotated by 180°.
    fn rotate(&self, py: Python<'_>) -> PyResult<Py<Self>> {
        move_object(py, self.0.rotated())
    }

    fn __int__(&self) -> u16 {
        self.0.bits()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        self.0.bits().into()
    }

    fn __str__(&self) -> String {
        self.usi()
    }

    fn __repr__(&self) -> String {
        format!("Move({:?})", self.usi())
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyAny>, (String,)) {
        (py.get_type::<Self>().into_any().unbind(), (self.usi(),))
    }
}

/// Names in Japanese by kind.
const JAPANESE: [&str; PieceKind::COUNT] =
    ["歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "杏", "圭", "全", "馬", "龍"];

/// The name of a piece in one character.
pub(crate) const fn japanese(kind: PieceKind) -> &'static str {
    JAPANESE[kind.index()]
}

#[pymethods]
impl Piece {
    #[new]
    fn new(py: Python<'_>, symbol: &str) -> PyResult<Py<Self>> {
        let all = Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| RulesPiece::new(color, kind)));
        let piece = all.into_iter().find(|&piece| piece_text(piece) == symbol);
        piece_object(py, piece.ok_or_else(|| value_error(format!("{symbol:?} is not a piece")))?)
    }

    /// The piece of a text as in SFEN.
    #[staticmethod]
    fn from_symbol(py: Python<'_>, symbol: &str) -> PyResult<Py<Self>> {
        Self::new(py, symbol)
    }

    /// `BLACK` or `WHITE`.
    #[getter]
    fn color(&self) -> usize {
        self.0.color().index()
    }

    /// `PAWN` to `PROM_ROOK`, 1 to 14.
    #[getter]
    fn piece_type(&self) -> usize {
        self.0.kind().index() + 1
    }

    /// The piece as in SFEN.
    fn symbol(&self) -> String {
        piece_text(self.0)
    }

    /// The name in one Japanese character.
    fn japanese_symbol(&self) -> &'static str {
        japanese(self.0.kind())
    }

    /// The number of cshogi: the type, plus 16 for White.
    fn __int__(&self) -> u8 {
        self.0.code()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        self.0.code().into()
    }

    fn __str__(&self) -> String {
        self.symbol()
    }

    fn __repr__(&self) -> String {
        format!("Piece({:?})", self.symbol())
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyAny>, (String,)) {
        (py.get_type::<Self>().into_any().unbind(), (self.symbol(),))
    }
}
