//! The mating line: best play of both sides, from the proved nodes.

use super::estimate::{ENDLESS, Estimate, Plies, hand_after, longer, shorter};
use super::is_mate_after;
use super::search::{Poll, Search};
use sabi_shogi::{Move, MoveList, NonPromotions, checking_moves, has_legal_move, legal_moves};

/// A defence and the mate length after it.
type Evasion = (Move, Plies);

impl Search<'_> {
    /// The line of a proved mate in `plies` from the current position. If only useless
    /// interpositions are left, it continues to the actual mate. With `exact` the defence is
    /// verified to be the longest. `None` when interrupted.
    pub(super) fn line(&mut self, plies: Plies, exact: bool, poll: Poll<'_>) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let found = self.extend_line(plies, exact, &mut line, poll);
        line.iter().for_each(|_| self.undo());
        found.map(|()| line)
    }

    fn extend_line(&mut self, plies: Plies, exact: bool, line: &mut Vec<Move>, poll: Poll<'_>) -> Option<()> {
        let mut plies = plies;
        loop {
            let mv = self.best_check(plies, poll)?;
            self.go(mv, line);
            while has_legal_move(&self.position) {
                match self.best_evasion(shorter(plies), exact, poll)? {
                    Some((mv, left)) => {
                        self.go(mv, line);
                        plies = left;
                        break;
                    }
                    None => self.extend_with_useless(line)?,
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

    /// Interposes and captures, if possible so that no further interposition follows.
    fn extend_with_useless(&mut self, line: &mut Vec<Move>) -> Option<()> {
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

    /// Known or searched mate within `bound` after a move.
    fn probe_or_search(&mut self, mv: Move, bound: Plies, poll: Poll<'_>) -> Estimate {
        let key = self.position.keys_after(mv).board;
        let attacking = self.position.side_to_move() == self.attacker;
        let hand = if attacking { hand_after(&self.position, mv) } else { self.hand() };
        match self.table.probe(key, hand, bound).filter(Estimate::is_proof) {
            Some(known) => known,
            None => {
                self.play(mv);
                let found = self.solve(bound, poll);
                self.undo();
                found
            }
        }
    }

    /// The shortest mating check within `plies`.
    fn best_check(&mut self, plies: Plies, poll: Poll<'_>) -> Option<Move> {
        let info = self.position.check_info();
        let mut checks = MoveList::new();
        checking_moves(&self.position, &info, NonPromotions::All, &mut checks);
        if let Some(&mv) = checks.iter().find(|&&mv| is_mate_after(&self.position, mv)) {
            return Some(mv);
        }
        self.known_check(&checks, plies).or_else(|| {
            // The entry was evicted: search again.
            self.solve(plies, poll);
            self.known_check(&checks, plies)
        })
    }

    /// The check with the shortest known mate.
    fn known_check(&self, checks: &[Move], plies: Plies) -> Option<Move> {
        let known = |&mv: &Move| {
            let key = self.position.keys_after(mv).board;
            let known = self.table.probe(key, hand_after(&self.position, mv), shorter(plies));
            known.filter(Estimate::is_proof).map(|known| (known.plies, mv))
        };
        checks.iter().filter_map(known).min_by_key(|&(plies, _)| plies).map(|(_, mv)| mv)
    }

    /// The longest defence against a mate within `plies`; the inner `None` if all are useless
    /// interpositions.
    fn best_evasion(&mut self, plies: Plies, exact: bool, poll: Poll<'_>) -> Option<Option<Evasion>> {
        let (mut drops, others): (Vec<Move>, Vec<Move>) =
            legal_moves(&self.position).iter().partition(|mv| mv.is_drop());
        let longest = self.longest(&others, plies, exact, poll)?;
        let length = longest.map_or(0, |(_, plies)| longer(plies));
        drops.retain(|&mv| !(self.problem && self.is_useless(mv, length)));
        let drop = self.longest(&drops, plies, exact, poll)?;
        Some(if drop.is_some_and(|(_, plies)| longer(plies) > length) { drop } else { longest })
    }

    /// The longest of some defences.
    fn longest(&mut self, moves: &[Move], plies: Plies, exact: bool, poll: Poll<'_>) -> Option<Option<Evasion>> {
        let mut answers: Vec<Evasion> = Vec::new();
        for &mv in moves {
            let found = self.probe_or_search(mv, shorter(plies), poll);
            // A useless interposition and its capture do not count.
            let found = if found.is_proof() { found } else { self.probe_or_search(mv, ENDLESS, poll) };
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
            // The known mate may not be the shortest: disprove all shorter ones.
            let closer = self.probe_or_search(mv, known - 2, poll);
            if !closer.is_proof() {
                return Some(Some((mv, known)));
            }
            answers[at].1 = closer.plies;
        }
    }
}
