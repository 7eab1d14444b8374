//! Expansion of king zones to king squares.

use super::features::Features;
use super::shape::{Parameters, Shape};
use sabi_shogi::Square;

impl Parameters {
    /// The same network with weights for each own king square, readable by other engines: HalfKA_z15
    /// becomes HalfKA1, anything else is unchanged.
    #[must_use]
    pub fn expand_zones(self) -> Self {
        if self.shape.features != Features::HalfKaZ15 {
            return self;
        }
        let (zones, squares) = (Features::HalfKaZ15, Features::HalfKa1);
        let width = self.shape.width;
        let feature_weights = (0..Square::COUNT)
            .flat_map(|king| {
                let perspective = zones.perspective_from(king);
                (0..squares.bucket_inputs()).map(move |number| perspective.input(number))
            })
            .flat_map(|input| &self.feature_weights[input * width..][..width])
            .copied()
            .collect();
        Self { shape: Shape { features: squares, ..self.shape }, feature_weights, ..self }
    }
}
