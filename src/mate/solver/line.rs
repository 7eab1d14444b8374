//! The line of a mate: best play on both sides, read from what is proved.

use super::child::hand_after;
use super::estimate::{ENDLESS, Estimate, Plies, longer, shorter};
use super::search::{GoOn, Search};
use crate::mate::is_mate_after;
use crate::movegen::{MoveList, Promotions, checking_moves, has_legal_move, legal_moves};
use crate::types::Move;

/// An answer, and in how many plies the attacker then mates.
type Answer = (Move, Plies);

impl Search<'_> {
    /// The line of a mate in `plies`, which has been proved for the present position. Where all that is left are useless
    /// interpositions it goes on to the real mate. With `exact` the defence is made sure to be the longest there is. `None` when
    /// interrupted on the way.
    pub(super) fn line(&mut self, plies: Plies, exact: bool, go_on: GoOn<'_>) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let found = self.extend_line(plies, exact, &mut line, go_on);
        line.iter().for_each(|_| self.undo());
        found.map(|()| line)
    }

    fn extend_line(&mut self, plies: Plies, exact: bool, line: &mut Vec<Move>, go_on: GoOn<'_>) -> Option<()> {
        let mut plies = plies;
        loop {
            let mv = self.best_check(plies, go_on)?;
            self.go(mv, line);
            while has_legal_move(&self.position) {
                match self.best_answer(shorter(plies), exact, go_on)? {
                    Some((mv, left)) => {
                        self.go(mv, line);
                        plies = left;
                        break;
                    }
                    None => self.go_on_with_useless(line)?,
                }
            }
            if !has_legal_move(&self.position) {
                return Some(());
            }
        }
    }

    fn go(&mut self, mv: Move, line: &mut Vec<Move>) {
        self.play(mv);
        line.push(mv);
    }

    /// Drops something in the way and takes it, if possible so that nothing can be dropped after that.
    fn go_on_with_useless(&mut self, line: &mut Vec<Move>) -> Option<()> {
        let mut choice = None;
        for &drop in &legal_moves(&self.position) {
            if !self.is_useless(drop, 0) {
                continue;
            }
            let capture = self.capture_of(drop)?;
            choice = Some((drop, capture));
            self.position.play(drop);
            let mates = is_mate_after(&self.position, capture);
            self.position.undo();
            if mates {
                break;
            }
        }
        let (drop, capture) = choice?;
        self.go(drop, line);
        self.go(capture, line);
        Some(())
    }

    /// The mate within `bound` that is known behind a move, or else what a search for one finds.
    fn look(&mut self, mv: Move, bound: Plies, go_on: GoOn<'_>) -> Estimate {
        let key = self.position.keys_after(mv).board;
        let attacking = self.position.side_to_move() == self.attacker;
        let hand = if attacking { hand_after(&self.position, mv) } else { self.hand() };
        match self.table.probe(key, hand, bound).filter(Estimate::is_proof) {
            Some(known) => known,
            None => {
                self.play(mv);
                let found = self.decide(bound, go_on);
                self.undo();
                found
            }
        }
    }

    /// The check that mates soonest, within `plies`.
    fn best_check(&mut self, plies: Plies, go_on: GoOn<'_>) -> Option<Move> {
        let info = self.position.check_info();
        let mut checks = MoveList::new();
        checking_moves(&self.position, &info, Promotions::All, &mut checks);
        if let Some(&mv) = checks.iter().find(|&&mv| is_mate_after(&self.position, mv)) {
            return Some(mv);
        }
        self.known_check(&checks, plies).or_else(|| {
            // It was thrown away and has to be found again.
            self.decide(plies, go_on);
            self.known_check(&checks, plies)
        })
    }

    /// The check of which it is known that it mates soonest.
    fn known_check(&self, checks: &[Move], plies: Plies) -> Option<Move> {
        let known = |&mv: &Move| {
            let key = self.position.keys_after(mv).board;
            let known = self.table.probe(key, hand_after(&self.position, mv), shorter(plies));
            known.filter(Estimate::is_proof).map(|known| (known.plies, mv))
        };
        checks.iter().filter_map(known).min_by_key(|&(plies, _)| plies).map(|(_, mv)| mv)
    }

    /// The answer that lasts longest, against a mate within `plies`; the inner `None` when there are only useless ones.
    fn best_answer(&mut self, plies: Plies, exact: bool, go_on: GoOn<'_>) -> Option<Option<Answer>> {
        let (drops, others): (Vec<Move>, Vec<Move>) = legal_moves(&self.position).iter().partition(|mv| mv.is_drop());
        let longest = self.longest(&others, plies, exact, go_on)?;
        let length = longest.map_or(0, |(_, plies)| longer(plies));
        let mut useful = Vec::new();
        for mv in drops {
            if !(self.problem && self.is_useless(mv, length)) {
                useful.push(mv);
            }
        }
        let drop = self.longest(&useful, plies, exact, go_on)?;
        Some(if drop.is_some_and(|(_, plies)| longer(plies) > length) { drop } else { longest })
    }

    /// The one of some answers that lasts longest.
    fn longest(&mut self, moves: &[Move], plies: Plies, exact: bool, go_on: GoOn<'_>) -> Option<Option<Answer>> {
        let mut answers: Vec<Answer> = Vec::new();
        for &mv in moves {
            let found = self.look(mv, shorter(plies), go_on);
            // A useless drop takes two plies that do not count.
            let found = if found.is_proof() { found } else { self.look(mv, ENDLESS, go_on) };
            if !found.is_proof() {
                return None;
            }
            answers.push((mv, found.plies));
        }
        loop {
            let Some(at) = (0..answers.len()).rev().max_by_key(|&at| answers[at].1) else { return Some(None) };
            let (mv, known) = answers[at];
            if !exact || known <= 1 {
                return Some(Some((mv, known)));
            }
            // What is known may be more than it takes: only that there is nothing shorter makes it sure.
            let closer = self.look(mv, known - 2, go_on);
            if !closer.is_proof() {
                return Some(Some((mv, known)));
            }
            answers[at].1 = closer.plies;
        }
    }
}
