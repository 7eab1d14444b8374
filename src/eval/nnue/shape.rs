//! The shape of a network, and its parameters as files hold them.

use super::features::Features;
use std::fmt;

/// Inputs of the small layers come in groups of so many; files pad rows to it with zeros.
pub(super) const GROUP: usize = 32;

/// Which features, and how large the layers are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What goes in.
    pub features: Features,
    /// Outputs of the first layer for each side.
    pub width: usize,
    /// Outputs of the two layers that follow. The last layer has one.
    pub hidden: [usize; 2],
}

impl Shape {
    /// The small one: 893,917 bytes.
    pub const KP: Self = Self { features: Features::Kp, width: 256, hidden: [32, 32] };
    /// The usual one: 64,217,066 bytes.
    pub const HALF_KP: Self = Self { features: Features::HalfKp, width: 256, hidden: [32, 32] };

    /// Shapes that are met, to be recognised by their size where a file does not tell.
    const KNOWN: [(usize, [usize; 2]); 8] = [
        (256, [32, 32]),
        (512, [32, 32]),
        (512, [16, 32]),
        (512, [8, 64]),
        (512, [8, 96]),
        (768, [16, 64]),
        (1024, [8, 32]),
        (1024, [8, 64]),
    ];

    /// What people call it, as `K+P 256x2-32-32`.
    pub fn short_name(&self) -> String {
        let Self { features, width, hidden: [first, second] } = self;
        let name = features.short_name();
        format!("{name} {width}x2-{first}-{second}")
    }

    /// Inputs and outputs of the three layers that are not the first.
    pub const fn dense(&self) -> [(usize, usize); 3] {
        let [first, second] = self.hidden;
        [(2 * self.width, first), (first, second), (second, 1)]
    }

    /// Bytes of a file from the first section on, behind its text.
    pub(super) fn bytes(&self) -> usize {
        let first = 4 + 2 * self.width * (1 + self.features.inputs());
        let dense = self.dense().map(|(inputs, outputs)| outputs * (4 + inputs.next_multiple_of(GROUP)));
        first + 4 + dense.iter().sum::<usize>()
    }

    /// The hash that files have for the first layer.
    pub(super) const fn first_hash(&self) -> u32 {
        self.features.hash() ^ (2 * self.width) as u32
    }

    /// The hash that files have for the other layers.
    pub(super) fn dense_hash(&self) -> u32 {
        let slice = 0xEC42_E90D ^ (2 * self.width) as u32;
        let affine = |before: u32, outputs: usize| {
            let hash = 0xCC03_DAE4_u32.wrapping_add(outputs as u32);
            hash ^ before >> 1 ^ before << 31
        };
        let clipped = |before: u32| before.wrapping_add(0x538D_24C7);
        let [first, second] = self.hidden;
        affine(clipped(affine(clipped(affine(slice, first)), second)), 1)
    }

    /// The shape that the text of a file tells, if it is one of ours.
    ///
    /// # Errors
    /// What is told instead, where that is another kind of network.
    pub(super) fn of_text(text: &str, bytes: u64) -> Result<Self, String> {
        let first = text.split_once("Features=").and_then(|(_, rest)| numbers_of(rest, "->", "x2]"));
        let Some((name, inputs, width)) = first else {
            // Some trainers tell less than this.
            let candidates = Features::ALL
                .into_iter()
                .flat_map(|features| Self::KNOWN.map(|(width, hidden)| Self { features, width, hidden }));
            let fits = |shape: &Self| shape.bytes() as u64 == bytes;
            return candidates.into_iter().find(fits).ok_or_else(|| excerpt(text));
        };
        let features = Features::ALL.into_iter().find(|features| features.inputs() == inputs);
        let features = features.ok_or_else(|| format!("{} with {inputs} inputs", excerpt(name)))?;
        let mut layers = Vec::new();
        let mut rest = text;
        while let Some((_, behind)) = rest.split_once("AffineTransform") {
            match numbers_of(behind, "<-", "]") {
                // The last layer stands first.
                Some((_, outputs, inputs)) => layers.insert(0, (inputs, outputs)),
                None => return Err(excerpt(text)),
            }
            rest = behind;
        }
        match layers[..] {
            [(inputs, first), (_, second), (_, 1)] if inputs == 2 * width => {
                let shape = Self { features, width, hidden: [first, second] };
                if shape.dense()[..] == layers[..] && shape.is_sensible() { Ok(shape) } else { Err(excerpt(text)) }
            }
            _ => Err(format!("{} with the layers {layers:?}", features.name())),
        }
    }

    /// Whether such a network can be computed here.
    fn is_sensible(&self) -> bool {
        let fits = |layer: usize| (1..=256).contains(&layer);
        self.width.is_multiple_of(GROUP) && (GROUP..=4096).contains(&self.width) && self.hidden.into_iter().all(fits)
    }
}

/// Reads `name[1<2]…`, with other signs between the numbers and behind them, from the beginning of a text.
fn numbers_of<'t>(text: &'t str, between: &str, behind: &str) -> Option<(&'t str, usize, usize)> {
    let (name, rest) = text.split_once('[')?;
    let (left, rest) = rest.split_once(between)?;
    let (right, _) = rest.split_once(behind)?;
    Some((name, left.parse().ok()?, right.parse().ok()?))
}

/// Enough of a foreign text to recognise it by, fit to be shown.
fn excerpt(text: &str) -> String {
    let shown: String = text.chars().take(60).map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' }).collect();
    format!("'{shown}'")
}

/// The text that files have for a shape.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { features, width, hidden: [first, second] } = self;
        let (name, inputs, both) = (features.name(), features.inputs(), 2 * width);
        write!(f, "Features={name}[{inputs}->{width}x2],")?;
        write!(f, "Network=AffineTransform[1<-{second}](ClippedReLU[{second}](AffineTransform[{second}<-{first}]")?;
        write!(f, "(ClippedReLU[{first}](AffineTransform[{first}<-{both}](InputSlice[{both}(0:{both})])))))")
    }
}

/// A layer: `bias + weights * input`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense {
    /// One for each output.
    pub bias: Vec<i32>,
    /// A row for each output, of as many as there are inputs.
    pub weights: Vec<i8>,
}

/// Everything a network has learnt, in the order of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Of what shape.
    pub shape: Shape,
    /// Of the first layer, [`Shape::width`].
    pub bias: Vec<i16>,
    /// Of the first layer: `width` for each input.
    pub columns: Vec<i16>,
    /// The other layers.
    pub dense: [Dense; 3],
}
