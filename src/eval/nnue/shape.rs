//! The shape of a network, and its parameters as files hold them.

use super::buckets::Buckets;
use super::features::Features;
use super::progress::Progress;
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
    /// What makes it a network with layer stacks.
    pub sfnn: Option<Sfnn>,
}

/// What networks with layer stacks ("SFNN") have besides.
///
/// Outputs of the first layer are multiplied with each other, those of the first half with those of
/// the second; the layer behind it hands on squares, too; one more output of it is added to that of
/// the network, where the others are not a multiple of 8.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Sfnn {
    /// Which stack computes a position.
    pub buckets: Buckets,
    /// Which inputs the second layer takes, if not all.
    pub shards: Option<Shards>,
}

/// Outputs of a layer take the first inputs and, by groups, some of the others.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Shards {
    /// Inputs that all outputs take.
    pub common: u16,
    /// Inputs that a group of outputs takes.
    pub size: u16,
    /// Groups of outputs.
    pub groups: u16,
}

impl Shards {
    /// Whether an output of so many takes an input.
    pub(super) fn takes(&self, output: usize, outputs: usize, input: usize) -> bool {
        let [common, size, groups] = [self.common, self.size, self.groups].map(usize::from);
        input < common || (input - common) / size == output * groups / outputs
    }
}

impl Shape {
    /// The small one: 893,917 bytes.
    pub const KP: Self = Self { features: Features::Kp, width: 256, hidden: [32, 32], sfnn: None };
    /// The usual one: 64,217,066 bytes.
    pub const HALF_KP: Self = Self { features: Features::HalfKp, width: 256, hidden: [32, 32], sfnn: None };

    /// The first one with layer stacks.
    pub const SFNN_1536: Self = Self {
        features: Features::HalfKaHm2,
        width: 1536,
        hidden: [15, 32],
        sfnn: Some(Sfnn { buckets: Buckets::K3K3, shards: None }),
    };

    /// Shapes that are met, to be recognised by their size where the text of a file does not tell
    /// them.
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

    /// What people call it, as `K+P 256x2-32-32` or `SFNN HalfKA_hm2 1536-15-32 K3K3`.
    pub fn short_name(&self) -> String {
        let Self { features, width, hidden: [first, second], .. } = self;
        let name = features.short_name();
        match self.sfnn {
            None => format!("{name} {width}x2-{first}-{second}"),
            Some(sfnn) => format!("SFNN {name} {width}-{first}-{second}{}", sfnn.to_string().replace('_', " ")),
        }
    }

    /// Inputs and outputs of the three layers that are not the first.
    pub const fn dense(&self) -> [(usize, usize); 3] {
        let [first, second] = self.hidden;
        match self.sfnn {
            None => [(2 * self.width, first), (first, second), (second, 1)],
            Some(_) => [(self.width, first + self.has_shortcut() as usize), (2 * first, second), (second, 1)],
        }
    }

    /// Whether one more output of the second layer is added to that of the network.
    pub(super) const fn has_shortcut(&self) -> bool {
        self.sfnn.is_some() && !self.hidden[0].is_multiple_of(8)
    }

    /// How many stacks of layers there are behind the first.
    pub fn stacks(&self) -> usize {
        self.sfnn.map_or(1, |sfnn| sfnn.buckets.count())
    }

    /// Whether layers depend on the progress of the game.
    pub fn has_progress(&self) -> bool {
        self.sfnn.is_some_and(|sfnn| sfnn.buckets.have_progress())
    }

    /// Bytes of a file from the first section on, behind its text. Those of the first layer of a
    /// network with layer stacks, which is packed, do not count.
    pub(super) fn bytes(&self) -> usize {
        let first = if self.sfnn.is_some() { 4 } else { 4 + 2 * self.width * (1 + self.features.inputs()) };
        let progress = if self.has_progress() { 8 + 4 * Progress::WEIGHTS } else { 0 };
        let dense = self.dense().map(|(inputs, outputs)| outputs * (4 + inputs.next_multiple_of(GROUP)));
        first + progress + self.stacks() * (4 + dense.iter().sum::<usize>())
    }

    /// The hash that files have for the first layer.
    pub(super) const fn first_hash(&self) -> u32 {
        if self.sfnn.is_some() { 0x5F13_4AB8 } else { self.features.hash() ^ (2 * self.width) as u32 }
    }

    /// The hash that files have for the progress of the game.
    pub(super) const PROGRESS_HASH: u32 = 0x6F50_524F;

    /// The hash that files begin with.
    pub(super) fn hash(&self) -> u32 {
        let progress = if self.has_progress() { Self::PROGRESS_HASH } else { 0 };
        self.first_hash() ^ self.dense_hash() ^ progress
    }

    /// The hash that files have for the other layers.
    pub(super) fn dense_hash(&self) -> u32 {
        if self.sfnn.is_some() {
            return 0x6333_718A;
        }
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
            return Self::of_bytes(bytes).ok_or_else(|| excerpt(text));
        };
        let features = Features::ALL.into_iter().find(|features| features.inputs() == inputs);
        let features = features.ok_or_else(|| format!("{} with {inputs} inputs", excerpt(name)))?;
        if let Some((_, network)) = text.split_once("Network=SFNN") {
            let shape = Self::of_sfnn(features, width, network).filter(Self::is_sensible);
            return shape.ok_or_else(|| format!("{} with {}", features.name(), excerpt(&format!("SFNN{network}"))));
        }
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
                let shape = Self { features, width, hidden: [first, second], sfnn: None };
                if shape.dense()[..] != layers[..] || !shape.is_sensible() {
                    return Err(excerpt(text));
                }
                // Some trainers tell the same of all networks.
                let is_told = shape.bytes() as u64 == bytes;
                Ok(if is_told { shape } else { Self::of_bytes(bytes).unwrap_or(shape) })
            }
            _ => Err(format!("{} with the layers {layers:?}", features.name())),
        }
    }

    /// The shape whose files have this length behind their text, if it is one that is met.
    fn of_bytes(bytes: u64) -> Option<Self> {
        let of_features = |features| Self::KNOWN.map(|(width, hidden)| Self { features, width, hidden, sfnn: None });
        Features::ALL.into_iter().flat_map(of_features).find(|shape| shape.bytes() as u64 == bytes)
    }

    /// The shape that the text of a file tells behind `Network=SFNN`:
    /// `_HALFKA2_1024_7_64_K3K3{LayerStack=9}` or, for the first of these networks,
    /// `-1536{LayerStack=9}`.
    fn of_sfnn(features: Features, width: usize, text: &str) -> Option<Self> {
        let (name, rest) = text.split_once("{LayerStack=")?;
        let (stacks, _) = rest.split_once('}')?;
        let shape =
            if name.starts_with("-1536") { Self::SFNN_1536 } else { Self::of_sfnn_name(features, width, name)? };
        let fits = shape.features == features && shape.width == width && Ok(shape.stacks()) == stacks.parse();
        fits.then_some(shape)
    }

    /// The shape with such a name: `_features_width_hidden_hidden`, shards, and buckets.
    fn of_sfnn_name(features: Features, width: usize, name: &str) -> Option<Self> {
        let name = name.strip_prefix('_')?.to_ascii_uppercase();
        let mut parts = name.split('_').peekable();
        let of_features = features.key() == parts.next()?;
        let mut number = || parts.next()?.parse::<u16>().ok().map(usize::from);
        let (named_width, hidden) = (number()?, [number()?, number()?]);
        let is_common = |part: &&str| part.starts_with('C');
        let shards = match parts.next_if(is_common) {
            None => None,
            Some(common) => {
                let (size, groups) = parts.next()?.strip_prefix('S')?.split_once('X')?;
                let [common, size, groups] = [&common[1..], size, groups].map(|number| number.parse().ok());
                Some(Shards { common: common?, size: size?, groups: groups? })
            }
        };
        let buckets = Buckets::of_names(parts)?;
        let shape = Self { features, width, hidden, sfnn: Some(Sfnn { buckets, shards }) };
        (of_features && named_width == width).then_some(shape)
    }

    /// Whether such a network can be computed here.
    fn is_sensible(&self) -> bool {
        let fits = |layer: usize| (1..=256).contains(&layer);
        let is_known = match self.sfnn {
            None => true,
            Some(Sfnn { shards, .. }) => {
                let [(inputs, outputs), ..] = self.dense();
                let fits = |Shards { common, size, groups }: Shards| {
                    let [common, size, groups] = [common, size, groups].map(usize::from);
                    let is_split = groups > 0 && size > 0 && outputs.is_multiple_of(groups);
                    is_split && common + size * groups == inputs
                };
                // What is multiplied with each other are whole lines.
                self.width.is_multiple_of(2 * GROUP) && matches!(self.hidden[0] % 8, 0 | 7) && shards.is_none_or(fits)
            }
        };
        let widths = GROUP..=8192;
        is_known
            && self.width.is_multiple_of(GROUP)
            && widths.contains(&self.width)
            && self.hidden.into_iter().all(fits)
    }
}

/// Reads `name[1<2]…`, with other signs between the numbers and behind them, from the beginning of a text.
fn numbers_of<'t>(text: &'t str, between: &str, behind: &str) -> Option<(&'t str, usize, usize)> {
    let (name, rest) = text.split_once('[')?;
    let (left, rest) = rest.split_once(between)?;
    let (right, _) = rest.split_once(behind)?;
    let [left, right] = [left, right].map(|number| number.parse::<u32>().ok());
    Some((name, left? as usize, right? as usize))
}

/// Enough of a foreign text to recognise it by, fit to be shown.
fn excerpt(text: &str) -> String {
    let shown: String = text.chars().take(60).map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' }).collect();
    format!("'{shown}'")
}

/// The text that files have for a shape.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { features, width, hidden: [first, second], sfnn } = self;
        let (name, inputs, both) = (features.name(), features.inputs(), 2 * width);
        f.write_str(if sfnn.is_some() { "ModelType=SFNNWithoutPsqt;" } else { "" })?;
        write!(f, "Features={name}[{inputs}->{width}x2],")?;
        if let Some(sfnn) = sfnn {
            match *self == Self::SFNN_1536 {
                true => write!(f, "Network=SFNN-1536")?,
                false => write!(f, "Network=SFNN_{}_{width}_{first}_{second}{sfnn}", features.key())?,
            }
            return write!(f, "{{LayerStack={}}}", self.stacks());
        }
        write!(f, "Network=AffineTransform[1<-{second}](ClippedReLU[{second}](AffineTransform[{second}<-{first}]")?;
        write!(f, "(ClippedReLU[{first}](AffineTransform[{first}<-{both}](InputSlice[{both}(0:{both})])))))")
    }
}

/// Shards and buckets as architectures have them.
impl fmt::Display for Sfnn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Shards { common, size, groups }) = self.shards {
            write!(f, "_C{common}_S{size}X{groups}")?;
        }
        self.buckets.fmt(f)
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
    /// What tells the progress of the game, where it counts.
    pub progress: Option<Progress>,
    /// The other layers: [`Shape::stacks`].
    pub stacks: Vec<[Dense; 3]>,
}
