//! Training: epochs of batches with a learning rate schedule, validation after each.

use super::adam::{Adam, StepSettings};
use super::feature_indexing::Layout;
use super::model::{Model, UnknownShape};
use super::sample_reader::{FirstPass, SampleReader};
use super::samples::Samples;
use super::settings::TrainingSettings;
use super::training_step::TrainingStep;
use super::validation::mean_loss;
use crate::checkpoint::Checkpoint;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use sabi::eval::nnue::{Buckets, Features, Parameters, Shape};
use sabi::util::MemoryError;
use sabi_files::crc32;
use sabi_records::RecordError;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;
use std::path::PathBuf;

/// Samples in memory at a time, for training and for validation.
const SHUFFLE_BUFFER: usize = 4 << 20;

/// Results of an epoch.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Mean training loss.
    pub training_loss: f64,
    /// Mean validation loss.
    pub validation_loss: f64,
    /// Learning rate of the last step.
    pub learning_rate: f64,
}

/// Training cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// Invalid game file.
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
    /// The files differ from those that training began with.
    #[error("the games differ from those at the beginning: {now} training positions, {then} then")]
    OtherSamples {
        /// Number at the beginning.
        then: usize,
        /// Number now.
        now: usize,
    },
    /// The files changed while they were read again.
    #[error("the games changed during the training")]
    Changed,
    /// The start network differs from that of the beginning.
    #[error("training began with another start network")]
    OtherStart,
    /// The shape is not supported.
    #[error(transparent)]
    Shape(#[from] UnknownShape),
    /// The start network has another shape.
    #[error("the start network is {}, not {}", start.short_name(), wanted.short_name())]
    OtherShape {
        /// Shape of the network.
        start: Shape,
        /// Shape of the settings.
        wanted: Shape,
    },
    /// Diverged: the learning rate is too high.
    #[error("training diverged: try a lower learning rate")]
    Diverged,
    /// Insufficient memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The start network cannot be written as a file.
    #[error("the start network cannot be written")]
    Network(#[source] io::Error),
}

/// State of a training run after a buffer of samples; all that is needed to resume.
#[derive(Clone, Serialize, Deserialize)]
pub struct Fit {
    settings: TrainingSettings,
    values: Vec<f32>,
    adam: Adam,
    /// Number of training samples.
    samples: usize,
    /// CRC of the games, and of the start network.
    games_crc: u32,
    start_crc: Option<u32>,
    /// Finished buffers of this epoch, finished batches of all epochs.
    buffers: usize,
    batches: usize,
    /// Sum of losses of this epoch.
    loss_sum: f64,
    epochs: Vec<Epoch>,
}

/// Data of a training run.
pub struct TrainingData<'a> {
    reader: SampleReader<'a>,
    pub(super) validation: Samples,
    /// Validation samples without room.
    unused: usize,
    training: usize,
    /// Batches in an epoch.
    batches: usize,
    /// CRC of the games.
    games_crc: u32,
    /// CRC of each buffer of training samples, and the next one to read.
    buffer_crcs: Vec<u32>,
    next_buffer: usize,
}

/// What training starts with: a random network or a given one.
pub struct Start {
    settings: TrainingSettings,
    model: Model,
    /// CRC of the given network.
    crc: Option<u32>,
}

impl Start {
    /// Random weights without a network.
    ///
    /// # Errors
    /// When the shape is not supported, or the network has another one.
    pub fn new(settings: TrainingSettings, network: Option<&Parameters>) -> Result<Self, FitError> {
        let shape = settings.shape();
        let model = match network {
            None => Model::new(shape, settings.seed)?,
            Some(network) if network.shape != shape && !can_start(&network.shape, &shape) => {
                return Err(FitError::OtherShape { start: network.shape, wanted: shape });
            }
            Some(network) => Model::from_parameters(network, shape, settings.scale)?,
        };
        Ok(Self { settings, model, crc: network.map(network_crc).transpose()? })
    }
}

/// CRC of a network as a file.
fn network_crc(network: &Parameters) -> Result<u32, FitError> {
    let mut bytes = Vec::new();
    network.write(&mut bytes).map_err(FitError::Network)?;
    Ok(crc32(&bytes))
}

impl<'a> TrainingData<'a> {
    /// Reads all games: counts the samples and loads the validation set.
    ///
    /// # Errors
    /// When files cannot be read, or a set is empty.
    pub fn new(files: &'a [PathBuf], settings: &TrainingSettings) -> Result<Self, FitError> {
        let mut reader = SampleReader::new(files, settings);
        let mut first_pass = FirstPass::default();
        let (mut buffer, mut training, mut batches, mut buffer_crcs) = (Samples::default(), 0, 0, Vec::new());
        loop {
            reader.fill(&mut buffer, SHUFFLE_BUFFER, Some(&mut first_pass))?;
            if buffer.is_empty() {
                break;
            }
            training += buffer.len();
            batches += buffer.len().div_ceil(settings.batch_size);
            buffer_crcs.push(buffer.checksum());
        }
        let FirstPass { validation, unused, games_crc } = first_pass;
        if training == 0 || validation.is_empty() {
            return Err(FitError::TooFew { training, validation: validation.len() });
        }
        // Window 0 follows the end of the files.
        let next_buffer = buffer_crcs.len();
        Ok(Self { reader, validation, unused, training, batches, games_crc, buffer_crcs, next_buffer })
    }

    /// Reads a buffer. Sequential access reads each once.
    fn buffer(&mut self, number: usize, buffer: &mut Samples) -> Result<(), FitError> {
        if self.next_buffer > number {
            self.reader.rewind();
            self.next_buffer = 0;
        }
        while self.next_buffer <= number {
            self.reader.fill(buffer, SHUFFLE_BUFFER, None)?;
            if self.buffer_crcs.get(self.next_buffer) != Some(&buffer.checksum()) {
                return Err(FitError::Changed);
            }
            self.next_buffer += 1;
        }
        Ok(())
    }

    /// Number of training and validation samples.
    pub fn counts(&self) -> (usize, usize) {
        (self.training, self.validation.len())
    }

    /// Number of positions of the validation games that are neither validated nor trained on,
    /// because the validation set is full.
    pub fn unused(&self) -> usize {
        self.unused
    }
}

/// Whether training can start from a network with fewer inputs or layer stacks.
fn can_start(from: &Shape, to: &Shape) -> bool {
    let fewer_inputs = from.features == Features::Kp && to.features == Features::HalfKaZ15;
    *from == Shape { features: from.features, buckets: from.buckets, ..*to }
        && (from.features == to.features || fewer_inputs)
        && (from.buckets == to.buckets || from.buckets == Buckets::NONE)
}

impl Checkpoint for Fit {
    const MAGIC: [u8; 8] = *b"SABITRAN";
    const VERSION: u32 = 7;
    const NAME: &str = "saved training";

    fn is_valid(&self) -> bool {
        let TrainingSettings { score_share, lambda, scale, epochs, batch_size, validation_share, .. } = self.settings;
        let share = 0.0..=1.0;
        let layout = Layout(self.settings.features);
        self.model().is_ok()
            && self.adam.fits(self.values.len(), layout.sparse_features())
            && share.contains(&score_share)
            && share.contains(&lambda)
            && share.contains(&validation_share)
            && TrainingSettings::SCALES.contains(&scale)
            && epochs > 0
            && batch_size > 0
            && self.samples > 0
    }
}

impl Fit {
    /// Training on these data, before the first step.
    pub fn new(start: Start, data: &TrainingData<'_>) -> Self {
        let Start { settings, model, crc } = start;
        let features = Layout(settings.features).sparse_features();
        Self {
            settings,
            values: model.values().to_vec(),
            adam: Adam::new(model.values().len(), features),
            samples: data.training,
            games_crc: data.games_crc,
            start_crc: crc,
            buffers: 0,
            batches: 0,
            loss_sum: 0.0,
            epochs: Vec::new(),
        }
    }

    /// Fails when training did not start from this network.
    ///
    /// # Errors
    /// When it did not.
    pub fn check_start(&self, network: &Parameters) -> Result<(), FitError> {
        if self.start_crc == Some(network_crc(network)?) { Ok(()) } else { Err(FitError::OtherStart) }
    }

    /// Settings.
    pub fn settings(&self) -> &TrainingSettings {
        &self.settings
    }

    /// Finished epochs.
    pub fn epochs(&self) -> &[Epoch] {
        &self.epochs
    }

    /// Whether all epochs are finished.
    pub fn is_over(&self) -> bool {
        self.epochs.len() >= self.settings.epochs
    }

    /// Number of training samples.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Fails when the data differ from those at the beginning.
    ///
    /// # Errors
    /// When they do.
    pub fn check(&self, data: &TrainingData<'_>) -> Result<(), FitError> {
        match (data.training, data.games_crc) == (self.samples, self.games_crc) {
            true => Ok(()),
            false => Err(FitError::OtherSamples { then: self.samples, now: data.training }),
        }
    }

    pub(super) fn model(&self) -> Result<Model, FitError> {
        Ok(Model::from_values(self.settings.shape(), &self.values).ok_or(UnknownShape)?)
    }

    /// The quantised network.
    ///
    /// # Errors
    /// When the parameters are invalid.
    pub fn parameters(&self) -> Result<Parameters, FitError> {
        Ok(self.model()?.parameters(self.settings.scale))
    }

    /// Trains on the next buffer, which may end an epoch. `step` is called with the number of
    /// samples of each batch.
    ///
    /// # Errors
    /// When a game cannot be read, or training diverges.
    pub fn advance(
        &mut self,
        data: &mut TrainingData<'_>,
        threads: usize,
        step: &mut dyn FnMut(usize),
    ) -> Result<(), FitError> {
        self.check(data)?;
        let mut model = self.model()?;
        let mut buffer = Samples::default();
        data.buffer(self.buffers, &mut buffer)?;
        let mut order: Vec<u32> = (0..buffer.len() as u32).collect();
        let (epoch, part) = (self.epochs.len() as u64, self.buffers as u64);
        let mut rng = SmallRng::seed_from_u64(self.settings.seed ^ epoch << 40 ^ part << 20);
        order.shuffle(&mut rng);
        buffer.mirror_some(&self.settings.buckets, &mut rng);
        let mut training_step = TrainingStep::new(&model, self.settings.scale, threads);
        let mut learning_rate = 0.0;
        for batch in equal_parts(order.len(), self.settings.batch_size) {
            let batch = &order[batch];
            // The middle of the step, so that the first is not the last of a short schedule.
            let part = (self.batches as f64 + 0.5) / (self.settings.epochs * data.batches) as f64;
            learning_rate = self.settings.learning_rate_at(part);
            let step_settings = StepSettings {
                gradient_scale: 1.0 / batch.len() as f32,
                learning_rate: learning_rate as f32,
                weight_decay: self.settings.weight_decay as f32,
            };
            self.loss_sum += training_step.run(&mut model, &mut self.adam, &buffer, batch, step_settings);
            self.batches += 1;
            step(batch.len());
        }
        if !self.loss_sum.is_finite() || model.values().iter().any(|number| !number.is_finite()) {
            return Err(FitError::Diverged);
        }
        self.values.copy_from_slice(model.values());
        self.buffers += 1;
        if self.buffers >= data.buffer_crcs.len() {
            let validation_loss = mean_loss(&model.quantised(self.settings.scale), &data.validation, threads);
            let training_loss = self.loss_sum / self.samples as f64;
            self.epochs.push(Epoch { training_loss, validation_loss, learning_rate });
            (self.buffers, self.loss_sum) = (0, 0.0);
        }
        Ok(())
    }
}

/// Divides this many samples into as few parts of at most `most` as possible, of about equal
/// length: a batch of the few remaining ones would be a step as large as the others.
fn equal_parts(count: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    let parts = count.div_ceil(most);
    (0..parts).map(move |part| count * part / parts..count * (part + 1) / parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_equal() {
        for (count, most, wanted) in
            [(0, 4, 0), (4, 4, 1), (5, 4, 2), (4097, 4096, 2), (1000, 256, 4), (1 << 22, 1000, 4195)]
        {
            let parts: Vec<_> = equal_parts(count, most).collect();
            assert_eq!(parts.len(), wanted);
            assert!(parts.iter().all(|part| part.len() <= most && part.len() * wanted + wanted > count));
            assert!(parts.iter().cloned().flatten().eq(0..count));
        }
    }
}
