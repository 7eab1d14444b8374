//! Floor 4: evaluation.

use crate::position::{Observer, Position};
use crate::types::{Color, HandKind, PieceKind};

/// Weights.
#[derive(Debug)]
pub struct Weights {}

static W: Weights = Weights {};

impl Weights {
    /// embedded
    pub fn embedded() -> &'static Self {
        &W
    }
}

/// Evaluator.
pub struct Evaluator {}

impl Evaluator {
    /// new
    pub fn new(_weights: &'static Weights) -> Self {
        Self {}
    }
    /// reset
    pub fn reset(&mut self, _position: &Position) {}
    /// push
    pub fn push(&mut self) {}
    /// pop
    pub fn pop(&mut self) {}
    /// evaluate
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let mut sum = 0;
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                if kind != PieceKind::King {
                    sum += color.sign() * kind.exchange_value() * position.pieces(color, kind).count() as i32;
                }
            }
            for kind in HandKind::ALL {
                sum += color.sign() * kind.on_board().exchange_value() * i32::from(position.hand(color).count(kind));
            }
        }
        sum * position.side_to_move().sign()
    }
}

impl Observer for Evaluator {}
