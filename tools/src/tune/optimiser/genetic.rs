//! A genetic algorithm: elitism, tournament selection, uniform crossover, mutation. It needs no
//! gradient, but many more evaluations.

use super::Function;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi_shogi::split_mix;
use serde::{Deserialize, Serialize};

const POPULATION: usize = 40;
/// Best individuals kept unchanged.
const ELITE: usize = 4;
const TOURNAMENT: usize = 3;
/// Mutation rate.
const MUTATION_RATE: f64 = 0.2;
/// Factor of the mutation size after a generation without and with improvement.
const SHRINKAGE: f64 = 0.93;
const GROWTH: f64 = 1.15;

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Genetic {
    /// Individuals with values, best first; values are missing in the first generation.
    pub population: Vec<(Vec<f64>, Option<f64>)>,
    /// Standard deviation of a mutation, approximately.
    sigma: f64,
    seed: u64,
    generation: u64,
}

impl Genetic {
    pub fn new(start: Vec<f64>, sigma: f64, seed: u64) -> Self {
        Self { population: vec![(start, None)], sigma, seed, generation: 0 }
    }

    pub fn step(&mut self, function: &dyn Function) -> f64 {
        // A generator for each generation, so that its state need not be saved.
        let mut random = SmallRng::seed_from_u64(split_mix(self.seed, self.generation));
        self.generation += 1;
        let before = self.population[0].1;
        let mut next: Vec<(Vec<f64>, Option<f64>)> = self.population.iter().take(ELITE).cloned().collect();
        while next.len() < POPULATION {
            let child = self.child(&mut random);
            next.push((child, None));
        }
        for (point, value) in &mut next {
            value.get_or_insert_with(|| function.value(point));
        }
        let cost = |value: Option<f64>| value.unwrap_or(f64::INFINITY);
        next.sort_by(|a, b| cost(a.1).total_cmp(&cost(b.1)));
        self.population = next;
        let best = cost(self.population[0].1);
        self.sigma *= if before.is_none_or(|before| best < before) { GROWTH } else { SHRINKAGE };
        best
    }

    fn child(&self, random: &mut SmallRng) -> Vec<f64> {
        let [first, second] = [self.parent(random), self.parent(random)];
        let mut child: Vec<f64> =
            first.iter().zip(second).map(|(a, b)| if random.random_bool(0.5) { *a } else { *b }).collect();
        for number in &mut child {
            if random.random_bool(MUTATION_RATE) {
                // A sum of uniform values approximates a normal distribution.
                let chance: f64 = (0..4).map(|_| random.random_range(-1.0..1.0)).sum();
                *number += self.sigma * chance;
            }
        }
        child
    }

    /// Tournament selection: the population is sorted, so the lowest index wins.
    fn parent(&self, random: &mut SmallRng) -> &[f64] {
        let places = (0..TOURNAMENT).map(|_| random.random_range(0..self.population.len()));
        &self.population[places.min().unwrap_or(0)].0
    }
}
