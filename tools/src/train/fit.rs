//! Training: epochs of batches with a falling learning rate, and the validation loss after each.

use super::adam::{Adam, LearningRate};
use super::descent::Descent;
use super::model::{Model, UnknownShape};
use super::samples::{Samples, TargetSettings};
use super::source::{Share, Source};
use super::validation::mean_loss;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use sabi::eval::nnue::{Features, Parameters, Shape};
use sabi::record::RecordError;
use sabi::util::MemoryError;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Samples in memory at a time, for training and for validation.
const WINDOW: usize = 4 << 20;
/// The part of all batches in which the rate rises.
const WARM_UP: f64 = 0.01;
/// What is left of the rate in the end.
const COLD: f64 = 0.01;

/// What is to be trained, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// What goes in.
    pub features: Features,
    /// Outputs of the first layer for each side.
    pub width: usize,
    /// The share of the search's score in the target; the rest is the result of the game.
    pub score_share: f64,
    /// Scale of the win rate: `p = 1 / (1 + exp(-cp / scale))`.
    pub scale: f64,
    /// Epochs.
    pub epochs: usize,
    /// Samples of a step.
    pub batch: usize,
    /// How far the first steps go.
    pub rate: f64,
    /// The part of every number that goes away for each unit of the rate.
    pub decay: f64,
    /// The share of games in the validation set.
    pub validation: f64,
    /// Of everything random.
    pub seed: u64,
}

impl Plan {
    pub(super) fn shape(&self) -> Shape {
        Shape { features: self.features, width: self.width, ..Shape::KP }
    }

    fn target_settings(&self) -> TargetSettings {
        TargetSettings { score_share: self.score_share, scale: self.scale }
    }

    /// How far a step goes after this part of all steps.
    fn rate_after(&self, part: f64) -> f64 {
        if part < WARM_UP {
            return self.rate * (part / WARM_UP).max(0.01);
        }
        let cosine = (1.0 + (std::f64::consts::PI * ((part - WARM_UP) / (1.0 - WARM_UP)).min(1.0)).cos()) / 2.0;
        self.rate * (COLD + (1.0 - COLD) * cosine)
    }
}

/// What an epoch came to.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Mean training loss.
    pub training: f64,
    /// Mean validation loss.
    pub validation: f64,
    /// How far the last step went.
    pub rate: f64,
}

/// Why training cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// A game cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The training set or the validation set is empty.
    #[error("the files hold {training} training and {validation} validation positions: both are needed")]
    TooFew {
        /// Training samples.
        training: usize,
        /// Validation samples.
        validation: usize,
    },
    /// The files are not those that training began with.
    #[error("training began with {then} training positions, and now there are {now}")]
    OtherSamples {
        /// When it began.
        then: usize,
        /// Now.
        now: usize,
    },
    /// Such a network is not trained.
    #[error(transparent)]
    Shape(#[from] UnknownShape),
    /// The network to begin with has another shape.
    #[error("the network to begin with is {}, not {}", start.short_name(), plan.short_name())]
    OtherShape {
        /// That of the network.
        start: Shape,
        /// That of the plan.
        plan: Shape,
    },
    /// A number became infinite: the rate is too high.
    #[error("the network has become infinite: a lower rate is needed")]
    Diverged,
    /// There is no memory for the network.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// A network in training: everything that is needed to go on, in the state after some window of samples.
#[derive(Clone, Serialize, Deserialize)]
pub struct Fit {
    plan: Plan,
    numbers: Vec<f32>,
    adam: Adam,
    /// Training samples in the files.
    samples: usize,
    /// Windows done of this epoch, batches done in all.
    windows: usize,
    batches: usize,
    /// Sum of the losses of this epoch so far.
    loss: f64,
    epochs: Vec<Epoch>,
}

/// The data that a fit works on.
pub struct TrainingData<'a> {
    source: Source<'a>,
    pub(super) validation: Samples,
    training: usize,
    /// How many windows the training samples make, and which is read next.
    windows: usize,
    next: usize,
}

impl<'a> TrainingData<'a> {
    /// Looks through the files.
    ///
    /// # Errors
    /// When they cannot be read, or hold too little.
    pub fn new(files: &'a [PathBuf], plan: &Plan) -> Result<Self, FitError> {
        let mut source = Source::new(files, plan.target_settings(), plan.validation, plan.seed);
        let mut validation = Samples::default();
        source.fill(&mut validation, WINDOW, Share::Validation)?;
        source.rewind();
        let (mut window, mut training, mut windows) = (Samples::default(), 0, 0);
        loop {
            source.fill(&mut window, WINDOW, Share::Training)?;
            if window.is_empty() {
                break;
            }
            training += window.len();
            windows += 1;
        }
        if training == 0 || validation.is_empty() {
            return Err(FitError::TooFew { training, validation: validation.len() });
        }
        // The end has been reached.
        Ok(Self { source, validation, training, windows, next: windows })
    }

    /// Reads a window. In their order each is read once.
    fn window(&mut self, number: usize, window: &mut Samples) -> Result<(), RecordError> {
        if self.next > number {
            self.source.rewind();
            self.next = 0;
        }
        while self.next <= number {
            self.source.fill(window, WINDOW, Share::Training)?;
            self.next += 1;
        }
        Ok(())
    }

    /// Training and validation samples.
    pub fn counts(&self) -> (usize, usize) {
        (self.training, self.validation.len())
    }
}

/// Whether what a network of one shape has learnt can be learnt on by another, which sees more.
fn grows_into(from: &Shape, to: &Shape) -> bool {
    *from == Shape { features: Features::Kp, ..*to } && to.features == Features::HalfKaZones
}

impl Fit {
    /// A network that knows nothing yet, or that goes on from `start`.
    ///
    /// # Errors
    /// When such a network is not trained.
    pub fn new(plan: Plan, data: &TrainingData<'_>, start: Option<&Parameters>) -> Result<Self, FitError> {
        let model = match start {
            None => Model::new(plan.shape(), plan.seed)?,
            Some(start) if start.shape != plan.shape() && !grows_into(&start.shape, &plan.shape()) => {
                return Err(FitError::OtherShape { start: start.shape, plan: plan.shape() });
            }
            Some(start) => Model::from_parameters(start, plan.shape(), plan.scale)?,
        };
        let adam = Adam::new(model.numbers().len());
        let samples = data.training;
        Ok(Self {
            plan,
            numbers: model.numbers().to_vec(),
            adam,
            samples,
            windows: 0,
            batches: 0,
            loss: 0.0,
            epochs: Vec::new(),
        })
    }

    /// What is trained, and how.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The epochs so far.
    pub fn epochs(&self) -> &[Epoch] {
        &self.epochs
    }

    /// Whether everything that was planned is done.
    pub fn is_over(&self) -> bool {
        self.epochs.len() >= self.plan.epochs
    }

    /// Training samples.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Fails where the material is not what it was begun with.
    pub(super) fn check(&self, data: &TrainingData<'_>) -> Result<(), FitError> {
        match data.training == self.samples {
            true => Ok(()),
            false => Err(FitError::OtherSamples { then: self.samples, now: data.training }),
        }
    }

    /// Whether it can be gone on with; a file may hold anything.
    pub(super) fn is_sound(&self) -> bool {
        let Plan { score_share, scale, epochs, batch, validation, .. } = self.plan;
        let share = 0.0..=1.0;
        self.model().is_ok()
            && self.adam.len() == self.numbers.len()
            && share.contains(&score_share)
            && share.contains(&validation)
            && scale > 0.0
            && epochs > 0
            && batch > 0
            && self.samples > 0
    }

    /// Steps of an epoch, about.
    fn batches_of_epoch(&self) -> usize {
        self.samples.div_ceil(self.plan.batch)
    }

    pub(super) fn model(&self) -> Result<Model, FitError> {
        Ok(Model::of_numbers(self.plan.shape(), &self.numbers).ok_or(UnknownShape)?)
    }

    /// The quantised network.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn parameters(&self) -> Result<Parameters, FitError> {
        Ok(self.model()?.parameters(self.plan.scale))
    }

    /// Goes on to the end of the next window of samples, which may be that of an epoch. `step` gets the number of samples trained on.
    ///
    /// # Errors
    /// When a game cannot be read, or the network diverges.
    pub fn advance(
        &mut self,
        data: &mut TrainingData<'_>,
        threads: usize,
        step: &mut dyn FnMut(usize),
    ) -> Result<(), FitError> {
        self.check(data)?;
        let mut model = self.model()?;
        let mut window = Samples::default();
        data.window(self.windows, &mut window)?;
        let mut order: Vec<u32> = (0..window.len() as u32).collect();
        let (epoch, part) = (self.epochs.len() as u64, self.windows as u64);
        let mut rng = SmallRng::seed_from_u64(self.plan.seed ^ epoch << 40 ^ part << 20);
        order.shuffle(&mut rng);
        window.mirror_some(&mut rng);
        let mut descent = Descent::new(&model, self.plan.scale, threads);
        let mut rate = 0.0;
        for batch in order.chunks(self.plan.batch) {
            let part = self.batches as f64 / (self.plan.epochs * self.batches_of_epoch()) as f64;
            rate = self.plan.rate_after(part);
            let learning_rate =
                LearningRate { share: 1.0 / batch.len() as f32, rate: rate as f32, decay: self.plan.decay as f32 };
            self.loss += descent.step(&mut model, &mut self.adam, &window, batch, learning_rate);
            self.batches += 1;
            step(batch.len());
        }
        if !self.loss.is_finite() || model.numbers().iter().any(|number| !number.is_finite()) {
            return Err(FitError::Diverged);
        }
        self.numbers.copy_from_slice(model.numbers());
        self.windows += 1;
        if self.windows >= data.windows {
            let validation = mean_loss(&model.rounded(self.plan.scale), &data.validation, threads);
            let training = self.loss / self.samples as f64;
            self.epochs.push(Epoch { training, validation, rate });
            (self.windows, self.loss) = (0, 0.0);
        }
        Ok(())
    }
}
