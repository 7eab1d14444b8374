//! Which games are learnt from, and which only judge what was learnt. Positions of one game resemble each other too much to be parted.

use super::samples::Samples;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

/// The games of each part, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// To learn from.
    pub train: Vec<usize>,
    /// To tell when to stop.
    pub validation: Vec<usize>,
    /// To judge the result. Nothing is chosen by them.
    pub test: Vec<usize>,
}

impl Split {
    /// Parts the games by chance: `test` of them, from 0 to 1, judge, and as many of the rest tell when to stop.
    pub fn new(samples: &Samples, test: f64, seed: u64) -> Self {
        let mut games = shuffled(samples, seed);
        let part = |games: &[usize]| (games.len() as f64 * test).round() as usize;
        let test = games.split_off(games.len() - part(&games));
        let validation = games.split_off(games.len() - part(&games));
        Self { train: sorted(games), validation: sorted(validation), test: sorted(test) }
    }

    /// The games in `folds` parts; each part in turn tells when to stop and judges what was learnt from the others.
    pub fn folds(&self, folds: usize, seed: u64) -> Vec<Self> {
        let mut games: Vec<usize> = self.train.iter().chain(&self.validation).copied().collect();
        games.sort_unstable();
        games.shuffle(&mut SmallRng::seed_from_u64(seed));
        let fold = |number: usize| {
            let (held, rest): (Vec<_>, Vec<_>) = games.iter().enumerate().partition(|(at, _)| at % folds == number);
            let numbers = |part: Vec<(usize, &usize)>| sorted(part.into_iter().map(|(_, &game)| game).collect());
            let held = numbers(held);
            Self { train: numbers(rest), validation: held.clone(), test: held }
        };
        (0..folds).map(fold).collect()
    }
}

fn shuffled(samples: &Samples, seed: u64) -> Vec<usize> {
    let mut games: Vec<usize> = (0..samples.game_count()).collect();
    games.shuffle(&mut SmallRng::seed_from_u64(seed));
    games
}

fn sorted(mut games: Vec<usize>) -> Vec<usize> {
    games.sort_unstable();
    games
}
