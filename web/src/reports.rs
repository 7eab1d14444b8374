//! Questions of a page about analyses, by the code of `sabi analyze`:
//!
//! - `analyze {"position": …, "played": …, "nodes": …, "multipv": …}`: one position, reached by its
//!   game and left by the move `played`, if any. This takes as long as the search: it is for a
//!   worker of its own;
//! - `report {"game": …, "positions": [answer to `analyze` or null, …], "language": "ja", "format":
//!   …}`: the analysed game as an object, with the names of the classes, or as the text of a page or
//!   an annotated record (`html`, `kif`, `csa`).

use crate::questions::{DescribedGame, parse, position};
use sabi::analysis::{
    AnalyzedGame, Analyzer, Budget, Class, Language, PositionAnalysis, Scope, annotated, game_page, to_json,
};
use sabi::engine::Options;
use sabi::search::{Resources, Signals};
use sabi_records::Notation;
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::RefCell;

thread_local! {
    /// The analyzer with its nodes and lines: its tables are kept for the next position.
    static ANALYZER: RefCell<Option<((u64, usize), Analyzer)>> = const { RefCell::new(None) };
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    position: String,
    played: Option<String>,
    nodes: u64,
    multipv: usize,
}

pub(crate) fn analyze(text: &[u8]) -> Result<Value, String> {
    let Task { position, played, nodes, multipv } = parse(text)?;
    let position = self::position(position.as_bytes())?;
    let played = match played {
        Some(mv) => Some(mv.parse().ok().filter(|&mv| position.is_legal(mv)).ok_or("the move is illegal")?),
        None => None,
    };
    if nodes == 0 || !(1..=20).contains(&multipv) {
        return Err("at least one node, and 1 to 20 lines".to_owned());
    }
    ANALYZER.with_borrow_mut(|kept| {
        let settings = (nodes, multipv);
        if kept.as_ref().is_none_or(|(known, _)| *known != settings) {
            *kept = Some((settings, analyzer(nodes, multipv)?));
        }
        let (_, analyzer) = kept.as_mut().ok_or("there is no analyzer")?;
        let found = analyzer.analyze(&position, played, &Signals::default());
        serde_json::to_value(found).map_err(|error| error.to_string())
    })
}

fn analyzer(nodes: u64, multipv: usize) -> Result<Analyzer, String> {
    let budget = Budget::Nodes(nodes);
    let mut options = Options { resources: Resources::new(budget.hash_mb(), 1), ..Options::default() };
    options.search.multi_pv = multipv;
    let evaluation = options.eval.evaluation().map_err(|error| error.to_string())?;
    Analyzer::new(&options, evaluation, budget).map_err(|error| error.to_string())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    game: DescribedGame,
    positions: Vec<Option<PositionAnalysis>>,
    language: String,
    #[serde(default)]
    format: String,
    /// Engine and settings, for a page.
    #[serde(default)]
    made_by: String,
}

pub(crate) fn report(text: &[u8]) -> Result<Value, String> {
    let Request { game, positions, language, format, made_by } = parse(text)?;
    let game = game.game()?;
    let fits = |(ply, found): (usize, &Option<PositionAnalysis>)| {
        found.as_ref().is_none_or(|found| found.fits(&game.position_at(ply)))
    };
    if positions.len() != game.moves.len() + 1 || !positions.iter().enumerate().all(fits) {
        return Err("the positions are not those of the game".to_owned());
    }
    let language = Language::ALL.into_iter().find(|known| known.code() == language);
    let language = language.ok_or("there is no such language")?;
    let options = Options::default();
    let book = options.book.open().map_err(|error| error.to_string())?;
    let analyzed = AnalyzedGame::new(game, positions, &Scope::default(), book.as_ref(), options.search.entering_king);
    let record = |notation: Notation| {
        let (game, branches) = annotated(&analyzed, notation, language, concat!("Sabi ", env!("CARGO_PKG_VERSION")));
        notation.write_with(&game, &branches)
    };
    let classes = Class::ALL.map(|class| [class.name(), language.class(class)]);
    Ok(match format.as_str() {
        "" => json!({ "report": to_json(&analyzed, language), "classes": classes }),
        "html" => json!({ "text": game_page(&analyzed, language, &made_by) }),
        "kif" => json!({ "text": record(Notation::Kif) }),
        "csa" => json!({ "text": record(Notation::Csa) }),
        _ => return Err("there is no such format".to_owned()),
    })
}
