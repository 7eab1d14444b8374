//! Progress and results of a match.

use sabi_records::{Game, GameResult};
use sabi_shogi::Color;
use sabi_tools::matches::statistics::{EloEstimate, Hypothesis, OpponentResults, Reasons, Sprt};
use sabi_tools::matches::{Pairing, PlayedGame, SearchStats, engine_label};
use std::fmt;

/// Results so far.
pub struct MatchResults {
    /// Engine names, A first.
    names: Vec<String>,
    /// Results by opponent.
    opponents: Vec<OpponentResults>,
    /// Search statistics of each engine in this run.
    search_stats: Vec<SearchStats>,
    sprt: Option<Sprt>,
    /// Decision of the SPRT, and after how many games. Later games do not change it, as in any
    /// sequential test.
    decision: Option<(Hypothesis, u64)>,
}

impl MatchResults {
    pub fn new(names: Vec<String>, sprt: Option<Sprt>) -> Self {
        let opponents = vec![OpponentResults::default(); names.len() - 1];
        let search_stats = vec![SearchStats::default(); names.len()];
        Self { names, opponents, search_stats, sprt, decision: None }
    }

    fn label(&self, engine: usize) -> String {
        engine_label(engine, self.names.len())
    }

    /// Names of A and of an opponent.
    pub fn names(&self, opponent: usize) -> [&str; 2] {
        [&self.names[0], &self.names[opponent + 1]]
    }

    /// Adds a game of this run or of an earlier one.
    pub fn count(&mut self, pairing: &Pairing, game: &Game) {
        let results = &mut self.opponents[pairing.opponent];
        results.add(pairing, game);
        if self.decision.is_none() {
            let decision = self.sprt.and_then(|sprt| sprt.decision(&results.pairs));
            self.decision = decision.map(|hypothesis| (hypothesis, results.counts.games()));
        }
    }

    /// Adds a game of this run.
    pub fn add(&mut self, pairing: &Pairing, played: &PlayedGame) {
        self.count(pairing, &played.game);
        self.search_stats[0].merge(&played.search_stats[pairing.color]);
        self.search_stats[pairing.opponent + 1].merge(&played.search_stats[pairing.color.opponent()]);
    }

    /// Whether the SPRT is decided.
    pub fn is_decided(&self) -> bool {
        self.decision.is_some()
    }

    /// Progress line of a game.
    pub fn line(&self, pairing: &Pairing, played: &PlayedGame) -> String {
        let [a, b] = [0, pairing.opponent + 1].map(|engine| self.label(engine));
        let (black, white) = if pairing.color == Color::Black { (a, b) } else { (b, a) };
        let result = match played.game.result {
            GameResult::BlackWins => "1-0",
            GameResult::WhiteWins => "0-1",
            GameResult::Draw | GameResult::Unknown => "1/2",
        };
        let (number, detail, moves) = (pairing.number + 1, &played.detail, played.game.moves.len());
        format!("game {number} {black}-{white} {result} {detail} ({moves} moves); {}", self.score(pairing.opponent))
    }

    /// Short score against an opponent.
    pub fn score(&self, opponent: usize) -> String {
        let results = &self.opponents[opponent];
        let mut text = results.counts.to_string();
        if let Some(estimate) = results.estimate() {
            text += &format!(" Elo {}", elo(&estimate));
        }
        if let Some(sprt) = &self.sprt {
            text += &format!(" LLR {:.2}", sprt.log_likelihood_ratio(&results.pairs));
        }
        text
    }

    fn write_opponent(&self, opponent: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (results, [a, b]) = (&self.opponents[opponent], self.names(opponent));
        let label = self.label(opponent + 1);
        writeln!(f, "{a} against {b}")?;
        write!(f, "  {} games, {} (W-D-L)", results.counts.games(), results.counts)?;
        if let Some(estimate) = results.estimate() {
            writeln!(f, ", score {:.3}", estimate.score)?;
            write!(f, "  Elo {} (95 %), ", elo(&estimate))?;
            write!(f, "likelihood of superiority {:.1} %", 100.0 * estimate.superiority)?;
        }
        let [p0, p1, p2, p3, p4] = results.pairs.0;
        writeln!(f, "\n  pairs by points 0 to 2: {p0}-{p1}-{p2}-{p3}-{p4}")?;
        if let Some(sprt) = &self.sprt {
            self.write_test(sprt, results, f)?;
        }
        writeln!(f, "  draws: {}", list(&results.draws))?;
        writeln!(f, "  lost by A: {}", list(&results.losses[0]))?;
        writeln!(f, "  lost by {label}: {}", list(&results.losses[1]))?;
        let [mine, yours] = results.time_losses();
        writeln!(f, "  time losses: A {mine}, {label} {yours}")
    }

    fn write_test(&self, sprt: &Sprt, results: &OpponentResults, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([lower, upper], ratio) = (sprt.bounds(), sprt.log_likelihood_ratio(&results.pairs));
        let decision = match self.decision {
            Some((hypothesis, games)) => format!("{hypothesis:?} accepted after {games} games"),
            None => "undecided".to_owned(),
        };
        let (elo0, elo1) = (sprt.elo0, sprt.elo1);
        writeln!(f, "  SPRT of {elo0} against {elo1}: LLR {ratio:.2} in [{lower:.2}, {upper:.2}], {decision}")
    }
}

impl fmt::Display for MatchResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.opponents.len()).try_for_each(|opponent| self.write_opponent(opponent, f))?;
        write!(f, "this run:")?;
        for (engine, stats) in self.search_stats.iter().enumerate() {
            let speed = stats.speed().map_or("-".to_owned(), |speed| format!("{speed:.0}"));
            let depth = stats.depth().map_or("-".to_owned(), |depth| format!("{depth:.1}"));
            write!(f, "\n  {}: {speed} nodes a second, depth {depth}", self.label(engine))?;
        }
        Ok(())
    }
}

fn elo(estimate: &EloEstimate) -> String {
    let [low, high] = estimate.interval;
    format!("{:+.1} [{low:+.1}, {high:+.1}]", estimate.elo)
}

fn list(reasons: &Reasons) -> String {
    let parts: Vec<String> = reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}
