//! Shape of a network, and its parameters in file order.

use super::buckets::{Buckets, Progress};
use super::features::Features;
use sabi_shogi::excerpt;
use std::fmt;

/// Rows of the small layers are padded to a multiple of this.
pub(super) const GROUP: usize = 32;

/// Features and layer sizes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Input features.
    pub features: Features,
    /// Feature transformer outputs per perspective.
    pub width: usize,
    /// Outputs of the two hidden layers. The last layer has one.
    pub hidden: [usize; 2],
    /// Selection of the layer stack.
    pub buckets: Buckets,
    /// Properties of an "SFNN", if it is one.
    pub sfnn: Option<Sfnn>,
}

/// Properties of networks with products and squares ("SFNN").
///
/// The feature transformer output is `a * b` of the two halves of each accumulator; the second
/// layer passes on squared and plain outputs. Unless its number of outputs is a multiple of 8, one
/// additional output is added to that of the network (shortcut).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Sfnn {
    /// Sparse inputs of the second layer, if any.
    pub shards: Option<Shards>,
}

/// Sparse layer: every output takes the common inputs and those of its group.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Shards {
    /// Inputs of all outputs.
    pub common: u16,
    /// Inputs of a group of outputs.
    pub size: u16,
    /// Groups of outputs.
    pub groups: u16,
}

impl Shards {
    /// Whether output `output` of `outputs` takes an input.
    pub(super) fn takes(&self, output: usize, outputs: usize, input: usize) -> bool {
        let [common, size, groups] = [self.common, self.size, self.groups].map(usize::from);
        input < common || (input - common) / size == output * groups / outputs
    }
}

impl Shape {
    /// The small one: 893,917 bytes.
    pub const KP: Self =
        Self { features: Features::Kp, width: 256, hidden: [32, 32], buckets: Buckets::NONE, sfnn: None };
    /// The usual one: 64,217,066 bytes.
    pub const HALF_KP: Self = Self { features: Features::HalfKp, ..Self::KP };

    /// The first one with layer stacks.
    pub const SFNN_1536: Self = Self {
        features: Features::HalfKaHm2,
        width: 1536,
        hidden: [15, 32],
        buckets: Buckets::K3K3,
        sfnn: Some(Sfnn { shards: None }),
    };

    /// Common shapes, recognised by file size if the text is incomplete.
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

    /// Display name, as `K+P 256x2-32-32 K9K9Z` or `SFNN HalfKA_hm2 1536-15-32 K3K3`.
    pub fn short_name(&self) -> String {
        let Self { features, width, hidden: [first, second], buckets, sfnn } = self;
        let (name, buckets) = (features.short_name(), buckets.to_string().replace('_', " "));
        match sfnn {
            None => format!("{name} {width}x2-{first}-{second}{buckets}"),
            Some(sfnn) => {
                format!("SFNN {name} {width}-{first}-{second}{}{buckets}", sfnn.to_string().replace('_', " "))
            }
        }
    }

    /// Inputs and outputs of the three dense layers.
    pub const fn dense(&self) -> [(usize, usize); 3] {
        let [first, second] = self.hidden;
        match self.sfnn {
            None => [(2 * self.width, first), (first, second), (second, 1)],
            Some(_) => [(self.width, first + self.has_shortcut() as usize), (2 * first, second), (second, 1)],
        }
    }

    /// Whether an additional output of the second layer is added to that of the network.
    pub(super) const fn has_shortcut(&self) -> bool {
        self.sfnn.is_some() && !self.hidden[0].is_multiple_of(8)
    }

    /// Bytes of a file after the text, without compression of the weights of king zones. The
    /// compressed feature transformer of an SFNN network is not counted.
    pub(super) fn bytes(&self) -> usize {
        let first = if self.sfnn.is_some() { 4 } else { 4 + 2 * self.width * (1 + self.features.inputs()) };
        let progress = if self.buckets.have_progress() { 8 + 4 * Progress::WEIGHTS } else { 0 };
        let dense = self.dense().map(|(inputs, outputs)| outputs * (4 + inputs.next_multiple_of(GROUP)));
        first + progress + self.buckets.count() * (4 + dense.iter().sum::<usize>())
    }

    /// File hash of the feature transformer.
    pub(super) const fn first_hash(&self) -> u32 {
        if self.sfnn.is_some() { 0x5F13_4AB8 } else { self.features.hash() ^ (2 * self.width) as u32 }
    }

    /// File hash of the progress section.
    pub(super) const PROGRESS_HASH: u32 = 0x6F50_524F;

    /// File hash of the header.
    pub(super) fn hash(&self) -> u32 {
        let progress = if self.buckets.have_progress() { Self::PROGRESS_HASH } else { 0 };
        self.first_hash() ^ self.dense_hash() ^ progress
    }

    /// File hash of a layer stack.
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

    /// Parses the architecture text of a file.
    ///
    /// # Errors
    /// The text, shortened, if it is another architecture.
    pub(super) fn of_text(text: &str, bytes: u64) -> Result<Self, String> {
        let first = text.split_once("Features=").and_then(|(_, rest)| numbers_of(rest, "->", "x2]"));
        let Some((name, inputs, width)) = first else {
            // Some trainers write an incomplete text.
            return Self::of_bytes(bytes).ok_or_else(|| quoted(text));
        };
        let features = Features::ALL.into_iter().find(|features| features.inputs() == inputs);
        let features = features.ok_or_else(|| format!("{} with {inputs} inputs", quoted(name)))?;
        if let Some((_, network)) = text.split_once("Network=SFNN") {
            let shape = Self::of_sfnn(features, width, network).filter(Self::is_sensible);
            return shape.ok_or_else(|| format!("{} with {}", features.name(), quoted(&format!("SFNN{network}"))));
        }
        let mut layers = Vec::new();
        let mut rest = text;
        while let Some((_, behind)) = rest.split_once("AffineTransform") {
            match numbers_of(behind, "<-", "]") {
                // The last layer comes first in the text.
                Some((_, outputs, inputs)) => layers.insert(0, (inputs, outputs)),
                None => return Err(quoted(text)),
            }
            rest = behind;
        }
        match layers[..] {
            [(inputs, first), (_, second), (_, 1)] if inputs == 2 * width => {
                let buckets = Self::buckets_of(text).ok_or_else(|| quoted(text))?;
                let shape = Self { features, width, hidden: [first, second], buckets, sfnn: None };
                if shape.dense()[..] != layers[..] || !shape.is_sensible() {
                    return Err(quoted(text));
                }
                // Some trainers write the same text for all networks.
                let is_told = shape.bytes() as u64 == bytes || features.have_zones();
                Ok(if is_told { shape } else { Self::of_bytes(bytes).unwrap_or(shape) })
            }
            _ => Err(format!("{} with the layers {layers:?}", features.name())),
        }
    }

    /// Parses the buckets at the end of a text, as `{LayerStack=81}_K9K9Z`; none if there are no
    /// layer stacks.
    fn buckets_of(text: &str) -> Option<Buckets> {
        let Some((_, rest)) = text.split_once("{LayerStack=") else { return Some(Buckets::NONE) };
        let (stacks, names) = rest.split_once("}_")?;
        let buckets = Buckets::of_names(names.split('_'))?;
        (stacks.parse() == Ok(buckets.count())).then_some(buckets)
    }

    /// The common shape with this file length after the text.
    fn of_bytes(bytes: u64) -> Option<Self> {
        let of_features = |features| Self::KNOWN.map(|(width, hidden)| Self { features, width, hidden, ..Self::KP });
        Features::ALL.into_iter().flat_map(of_features).find(|shape| shape.bytes() as u64 == bytes)
    }

    /// Parses the text after `Network=SFNN`: `_HALFKA2_1024_7_64_K3K3{LayerStack=9}` or, for the
    /// first of these networks, `-1536{LayerStack=9}`.
    fn of_sfnn(features: Features, width: usize, text: &str) -> Option<Self> {
        let (name, rest) = text.split_once("{LayerStack=")?;
        let (stacks, _) = rest.split_once('}')?;
        let shape =
            if name.starts_with("-1536") { Self::SFNN_1536 } else { Self::of_sfnn_name(features, width, name)? };
        let fits = shape.features == features && shape.width == width && Ok(shape.buckets.count()) == stacks.parse();
        fits.then_some(shape)
    }

    /// Parses a name: `_features_width_hidden_hidden`, shards, and buckets.
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
        let shape = Self { features, width, hidden, buckets, sfnn: Some(Sfnn { shards }) };
        (of_features && named_width == width).then_some(shape)
    }

    /// Whether such a network is supported.
    fn is_sensible(&self) -> bool {
        let fits = |layer: usize| (1..=256).contains(&layer);
        let is_known = match self.sfnn {
            None => true,
            Some(Sfnn { shards }) => {
                let [(inputs, outputs), ..] = self.dense();
                let fits = |Shards { common, size, groups }: Shards| {
                    let [common, size, groups] = [common, size, groups].map(usize::from);
                    let is_split = groups > 0 && size > 0 && outputs.is_multiple_of(groups);
                    is_split && common + size * groups == inputs
                };
                // Pairwise products need full cache lines.
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

/// Parses `name[1<2]…`, with the given separators, from the start of a text.
fn numbers_of<'t>(text: &'t str, between: &str, behind: &str) -> Option<(&'t str, usize, usize)> {
    let (name, rest) = text.split_once('[')?;
    let (left, rest) = rest.split_once(between)?;
    let (right, _) = rest.split_once(behind)?;
    let [left, right] = [left, right].map(|number| number.parse::<u32>().ok());
    Some((name, left? as usize, right? as usize))
}

fn quoted(text: &str) -> String {
    format!("'{}'", excerpt(text))
}

/// The architecture text of files.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { features, width, hidden: [first, second], buckets, sfnn } = self;
        let (name, inputs, both) = (features.name(), features.inputs(), 2 * width);
        f.write_str(if sfnn.is_some() { "ModelType=SFNNWithoutPsqt;" } else { "" })?;
        write!(f, "Features={name}[{inputs}->{width}x2],")?;
        if let Some(sfnn) = sfnn {
            match *self == Self::SFNN_1536 {
                true => write!(f, "Network=SFNN-1536")?,
                false => write!(f, "Network=SFNN_{}_{width}_{first}_{second}{sfnn}{buckets}", features.key())?,
            }
            return write!(f, "{{LayerStack={}}}", self.buckets.count());
        }
        write!(f, "Network=AffineTransform[1<-{second}](ClippedReLU[{second}](AffineTransform[{second}<-{first}]")?;
        write!(f, "(ClippedReLU[{first}](AffineTransform[{first}<-{both}](InputSlice[{both}(0:{both})])))))")?;
        // Layer stacks of a network of this kind are read by no other engine.
        if *buckets == Buckets::NONE { Ok(()) } else { write!(f, "{{LayerStack={}}}{buckets}", self.buckets.count()) }
    }
}

/// Shards as in architecture names.
impl fmt::Display for Sfnn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shards {
            Some(Shards { common, size, groups }) => write!(f, "_C{common}_S{size}X{groups}"),
            None => Ok(()),
        }
    }
}

/// A dense layer: `bias + weights * input`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense {
    /// `[outputs]`.
    pub bias: Vec<i32>,
    /// `[outputs, inputs]`.
    pub weights: Vec<i8>,
}

/// All parameters of a network, in file order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Of what shape.
    pub shape: Shape,
    /// Feature transformer bias, `[width]`.
    pub bias: Vec<i16>,
    /// Feature transformer weights, `[inputs, width]`.
    pub feature_weights: Vec<i16>,
    /// Progress weights, if used.
    pub progress: Option<Progress>,
    /// Dense layers by stack: [`Buckets::count`] of them.
    pub stacks: Vec<[Dense; 3]>,
}
