//! What the output of a network is worth.
//!
//! Networks differ in the size of their outputs, and every margin of the search is a number of centipawns. So the outputs are
//! divided by a scale that brings their median size, over a fixed set of positions, to one value.

use super::Network;
use crate::position::Position;

/// Positions of games that the engine played against itself from eight random moves, at plies 16 to 95, nobody in check.
const POSITIONS: &str = include_str!("scale.sfen");
/// The median size of the outputs of the network for which the constants of the search were found, which is divided by 16.
const REFERENCE: i32 = 5670;

impl Network {
    /// The scale that makes scores as large as the search takes them to be:
    /// `16 * median(|output|) / REFERENCE`, from 1 to 128; 16 where the network tells no position from another.
    pub fn measured_scale(&self) -> i32 {
        let outputs = POSITIONS.lines().filter_map(|line| Position::from_sfen(line).ok());
        let mut sizes: Vec<i32> = outputs.map(|position| self.output(&position).abs()).collect();
        sizes.sort_unstable();
        match sizes.get(sizes.len() / 2) {
            Some(&median) if median > 0 => {
                ((Self::USUAL_SCALE * median + REFERENCE / 2) / REFERENCE).clamp(1, Self::MAX_SCALE)
            }
            _ => Self::USUAL_SCALE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::{Parameters, Shape};

    fn measured(change: impl FnOnce(&mut Parameters)) -> i32 {
        let file = include_bytes!("../../../nets/kp.bin");
        let mut parameters = Parameters::from_bytes(file).unwrap();
        assert_eq!(parameters.shape, Shape::KP);
        change(&mut parameters);
        Network::new(&parameters).unwrap().measured_scale()
    }

    #[test]
    fn the_size_of_outputs_decides() {
        assert_eq!(POSITIONS.lines().filter(|line| Position::from_sfen(line).is_ok()).count(), 128);
        let shipped = measured(|_| {});
        assert!((14..=18).contains(&shipped), "{shipped}");
        let halved = measured(|parameters| {
            parameters.dense[2].weights.iter_mut().for_each(|weight| *weight /= 2);
            parameters.dense[2].bias[0] /= 2;
        });
        assert!((shipped / 2 - 1..=shipped / 2 + 1).contains(&halved), "{halved} of {shipped}");
        let silent = measured(|parameters| {
            parameters.dense[2].weights.fill(0);
            parameters.dense[2].bias[0] = 0;
        });
        assert_eq!(silent, Network::USUAL_SCALE);
    }
}
