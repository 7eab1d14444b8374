//! Expansion of king zones to king squares.

use super::features::Features;
use super::shape::{Parameters, Shape};
use crate::types::Square;

impl Parameters {
    /// The same network with weights for each own king square, readable by other engines: HalfKA
    /// with zones becomes HalfKA1, anything else is unchanged.
    #[must_use]
    pub fn spread(self) -> Self {
        if self.shape.features != Features::HalfKaZones {
            return self;
        }
        let (zones, squares) = (Features::HalfKaZones, Features::HalfKa1);
        let width = self.shape.width;
        let columns = (0..Square::COUNT)
            .flat_map(|king| {
                let view = zones.view_from(king);
                (0..squares.bucket_inputs()).map(move |number| view.input(number))
            })
            .flat_map(|input| &self.columns[input * width..][..width])
            .copied()
            .collect();
        Self { shape: Shape { features: squares, ..self.shape }, columns, ..self }
    }
}
