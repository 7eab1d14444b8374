//! Feature trace of an evaluation.

use super::king::castle_name;
use super::weights::{CASTLE, COUNT, FeatureVisitor, Group, Pair, Weights};
use super::{MAX_PHASE, add_features, finish, phase, phase_units, taper};
use sabi_shogi::{Color, Position};
use std::fmt;

/// Count of a weight in a position: Black minus White.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Index into [`Weights`].
    pub index: u16,
    /// Never 0.
    pub count: i16,
}

const _: () = assert!(COUNT <= u16::MAX as usize + 1);

/// The evaluation of one position: its features, and its terms by group.
///
/// With `s = sum(count * weight)` over the features, the value for Black is `(s.mg * (MAX_PHASE
/// - phase) + s.eg * phase) / MAX_PHASE`, see [`MAX_PHASE`].
#[derive(Clone, Debug)]
pub struct Trace {
    /// The features with a nonzero count, by index.
    pub features: Vec<Feature>,
    groups: [[Pair; 2]; Group::COUNT],
    /// Matching castles of both sides.
    castles: [Vec<usize>; 2],
    /// The phase, 0 (opening) to [`MAX_PHASE`] (endgame).
    pub phase: i32,
    /// The side to move.
    pub side: Color,
    /// The value in centipawns for the side to move.
    pub value: i32,
}

/// Records features.
struct Recorder<'w> {
    weights: &'w Weights,
    counts: Vec<Feature>,
    groups: [[Pair; 2]; Group::COUNT],
    castles: [Vec<usize>; 2],
}

impl FeatureVisitor for Recorder<'_> {
    fn add(&mut self, color: Color, index: usize, count: i32) {
        self.counts.push(Feature { index: index as u16, count: (color.sign() * count) as i16 });
        if let (Some(weight), Some(group)) = (self.weights.get(index), Weights::group(index)) {
            self.groups[group as usize][color] += Pair::times(weight, count);
        }
        if (CASTLE.start..CASTLE.end()).contains(&index) {
            self.castles[color].push(index - CASTLE.start);
        }
    }
}

impl Trace {
    /// Traces the evaluation of a position.
    pub fn new(position: &Position, weights: &Weights) -> Self {
        let mut recorder = Recorder {
            weights,
            counts: Vec::with_capacity(256),
            groups: Default::default(),
            castles: Default::default(),
        };
        add_features(position, &mut recorder);
        let Recorder { mut counts, groups, castles, .. } = recorder;
        counts.sort_unstable_by_key(|feature| feature.index);
        let mut features: Vec<Feature> = Vec::with_capacity(counts.len());
        for feature in counts {
            match features.last_mut() {
                Some(last) if last.index == feature.index => last.count += feature.count,
                _ => features.push(feature),
            }
        }
        features.retain(|feature| feature.count != 0);
        let phase = phase(phase_units(position));
        let mut trace = Self { features, groups, castles, phase, side: position.side_to_move(), value: 0 };
        trace.value = finish(position, trace.sum(weights), phase);
        trace
    }

    /// The terms of a group for one side.
    pub fn group(&self, group: Group, color: Color) -> Pair {
        self.groups[group as usize][color]
    }

    /// The sum of the features with other weights, for Black.
    pub fn sum(&self, weights: &Weights) -> Pair {
        let term = |feature: &Feature| {
            weights.get(feature.index.into()).map(|weight| Pair::times(weight, feature.count.into()))
        };
        self.features.iter().filter_map(term).fold(Pair::ZERO, |sum, term| sum + term)
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, name: &dyn fmt::Display, [black, white]: [Pair; 2]| {
            let both = black - white;
            let cells = [black, white, both]
                .map(|pair| format!("{:>7} {:>7} {:>7}", pair.mg, pair.eg, taper(pair, self.phase)));
            writeln!(f, "{name:<10} |{} |{} |{}", cells[0], cells[1], cells[2])
        };
        writeln!(f, "{:<10} |{:^23} |{:^23} |{:^23}", "", "Black", "White", "Black - White")?;
        let heads = format!("{:>7} {:>7} {:>7}", "middle", "end", "now");
        writeln!(f, "{:<10} |{heads} |{heads} |{heads}", "")?;
        let mut total = [Pair::ZERO; 2];
        for group in Group::ALL {
            let terms = self.groups[group as usize];
            total = [total[0] + terms[0], total[1] + terms[1]];
            row(f, &group, terms)?;
        }
        row(f, &"total", total)?;
        for color in Color::ALL {
            let names: Vec<_> = self.castles[color].iter().filter_map(|&number| castle_name(number)).collect();
            if !names.is_empty() {
                writeln!(f, "castle of {color:?}: {}", names.join(", "))?;
            }
        }
        let Self { phase, value, side, .. } = self;
        write!(f, "phase {phase} of {}; {value} cp for {side:?} to move", MAX_PHASE)
    }
}
