//! Training: epochs of batches with a learning rate schedule, validation after each.

use super::features::{FeatureIndexing, Layout};
use super::gradient::{Backprop, mean_loss};
use super::model::{Model, UnknownShape};
use super::samples::{FirstPass, SampleReader, Samples, TrainingSettings};
use super::training_step::{AdamW, StepSettings, TrainingStep};
use crate::checkpoint::Checkpoint;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use sabi::eval::nnue::{Buckets, Features, Network, Parameters, Shape};
use sabi::machine::MemoryError;
use sabi_files::crc32;
use sabi_records::RecordError;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;
use std::path::PathBuf;

/// Samples in memory at a time, for training and for validation.
const SHUFFLE_BUFFER: usize = 4 << 20;

/// Maximum number of samples of the quantisation error.
const MAX_SAMPLES: usize = 1 << 16;

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
pub enum TrainingError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(
        "the files hold {training} training and {validation} validation positions in {games} games, and both are needed: {advice}"
    )]
    TooFew { games: usize, training: usize, validation: usize, advice: String },
    #[error("the games differ from those at the beginning: {now} training positions, {then} then")]
    OtherSamples { then: usize, now: usize },
    #[error("the games changed during the training")]
    Changed,
    #[error("training began with another start network")]
    OtherStart,
    #[error(transparent)]
    Shape(#[from] UnknownShape),
    #[error("the start network is {}, not {}", start.short_name(), wanted.short_name())]
    OtherShape { start: Shape, wanted: Shape },
    #[error("training diverged: try a lower learning rate")]
    Diverged,
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error("the start network cannot be written")]
    Network(#[source] io::Error),
}

/// State of a training run after a buffer of samples; all that is needed to resume.
#[derive(Clone, Serialize, Deserialize)]
pub struct Training {
    settings: TrainingSettings,
    values: Vec<f32>,
    adam: AdamW,
    /// Number of training samples; 0 before the beginning.
    pub(super) samples: usize,
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
    /// Number of positions of the validation games that are neither validated nor trained on,
    /// because the validation set is full.
    pub unused: usize,
    training: usize,
    /// Batches in an epoch.
    batches: usize,
    /// CRC of the games.
    games_crc: u32,
    /// CRC of each buffer of training samples, and the next one to read.
    buffer_crcs: Vec<u32>,
    next_buffer: usize,
}

/// CRC of a network as a file.
fn network_crc(network: &Parameters) -> Result<u32, TrainingError> {
    let mut bytes = Vec::new();
    network.write(&mut bytes).map_err(TrainingError::Network)?;
    Ok(crc32(&bytes))
}

/// What to do when the training or validation set is empty; `shares` are the smallest and the
/// greatest validation share that still leave a game on the other side.
fn advice(share: f64, training: usize, validation: usize, [least, most]: [f64; 2]) -> String {
    // In steps that take the game in question.
    let [more, less] = [(least * 1000.0).floor() / 1000.0 + 0.001, (most * 1000.0).floor() / 1000.0];
    match (training, validation) {
        (1.., 0) if least >= share => format!("--validation {share} takes none of them, it must be {more:.3} or more"),
        (0, 1..) if most < share => format!("--validation {share} takes all of them, it must be {less:.3} or less"),
        (0, 0) => "no game has a quiet position with a score".to_owned(),
        _ => format!("the games that --validation {share} leaves on one side have no quiet position with a score"),
    }
}

impl<'a> TrainingData<'a> {
    /// Reads all games: counts the samples and loads the validation set.
    ///
    /// # Errors
    /// When files cannot be read, or a set is empty.
    pub fn new(files: &'a [PathBuf], settings: &TrainingSettings) -> Result<Self, TrainingError> {
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
        let FirstPass { validation, unused, games_crc, games, shares } = first_pass;
        if training == 0 || validation.is_empty() {
            let validation = validation.len();
            let advice = advice(settings.validation_share, training, validation, shares);
            return Err(TrainingError::TooFew { games, training, validation, advice });
        }
        // Window 0 follows the end of the files.
        let next_buffer = buffer_crcs.len();
        Ok(Self { reader, validation, unused, training, batches, games_crc, buffer_crcs, next_buffer })
    }

    /// Reads a buffer. Sequential access reads each once.
    fn buffer(&mut self, number: usize, buffer: &mut Samples) -> Result<(), TrainingError> {
        if self.next_buffer > number {
            self.reader.rewind();
            self.next_buffer = 0;
        }
        while self.next_buffer <= number {
            self.reader.fill(buffer, SHUFFLE_BUFFER, None)?;
            if self.buffer_crcs.get(self.next_buffer) != Some(&buffer.checksum()) {
                return Err(TrainingError::Changed);
            }
            self.next_buffer += 1;
        }
        Ok(())
    }

    /// Number of training and validation samples.
    pub fn counts(&self) -> (usize, usize) {
        (self.training, self.validation.len())
    }
}

/// Whether training can start from a network with fewer inputs or layer stacks.
fn can_start(from: &Shape, to: &Shape) -> bool {
    let fewer_inputs = from.features == Features::Kp && to.features == Features::HalfKaZ15;
    *from == Shape { features: from.features, buckets: from.buckets, ..*to }
        && (from.features == to.features || fewer_inputs)
        && (from.buckets == to.buckets || from.buckets == Buckets::NONE)
}

impl Checkpoint for Training {
    const MAGIC: [u8; 8] = *b"SABITRAN";
    const VERSION: u32 = 7;
    const NAME: &str = "saved training";

    fn is_valid(&self) -> bool {
        let TrainingSettings { score_share, lambda, scale, epochs, batch_size, validation_share, .. } = self.settings;
        self.model().is_ok()
            && self.adam.fits(self.values.len(), Layout(self.settings.features).sparse_features())
            && [score_share, lambda, validation_share].iter().all(|share| (0.0..=1.0).contains(share))
            && TrainingSettings::SCALES.contains(&scale)
            && epochs > 0
            && batch_size > 0
            && self.samples > 0
    }
}

impl Training {
    /// Before the first step: with random weights, or from a network.
    ///
    /// # Errors
    /// When the shape is not supported, or the network has another one.
    pub fn new(settings: TrainingSettings, network: Option<&Parameters>) -> Result<Self, TrainingError> {
        let shape = settings.shape();
        let model = match network {
            None => Model::new(shape, settings.seed)?,
            Some(network) if network.shape != shape && !can_start(&network.shape, &shape) => {
                return Err(TrainingError::OtherShape { start: network.shape, wanted: shape });
            }
            Some(network) => Model::from_parameters(network, shape, settings.scale)?,
        };
        let start_crc = network.map(network_crc).transpose()?;
        let (values, features) = (model.values().to_vec(), Layout(settings.features).sparse_features());
        let adam = AdamW::new(values.len(), features);
        let (samples, games_crc, buffers, batches, loss_sum, epochs) = Default::default();
        Ok(Self { settings, values, adam, samples, games_crc, start_crc, buffers, batches, loss_sum, epochs })
    }

    /// Begins with these data, or fails when they differ from those at the beginning.
    ///
    /// # Errors
    /// When they do.
    pub fn begin(&mut self, data: &TrainingData<'_>) -> Result<(), TrainingError> {
        if self.samples == 0 {
            (self.samples, self.games_crc) = (data.training, data.games_crc);
        }
        self.check(data)
    }

    /// Fails when training did not start from this network.
    ///
    /// # Errors
    /// When it did not.
    pub fn check_start(&self, network: &Parameters) -> Result<(), TrainingError> {
        if self.start_crc == Some(network_crc(network)?) { Ok(()) } else { Err(TrainingError::OtherStart) }
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

    /// Fails when the data differ from those at the beginning.
    pub(super) fn check(&self, data: &TrainingData<'_>) -> Result<(), TrainingError> {
        match (data.training, data.games_crc) == (self.samples, self.games_crc) {
            true => Ok(()),
            false => Err(TrainingError::OtherSamples { then: self.samples, now: data.training }),
        }
    }

    pub(super) fn model(&self) -> Result<Model, TrainingError> {
        Ok(Model::from_values(self.settings.shape(), &self.values).ok_or(UnknownShape)?)
    }

    /// The quantised network.
    ///
    /// # Errors
    /// When the parameters are invalid.
    pub fn parameters(&self) -> Result<Parameters, TrainingError> {
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
    ) -> Result<(), TrainingError> {
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
            return Err(TrainingError::Diverged);
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

    /// The difference between integer and floating-point arithmetic with the same rounded weights,
    /// in centipawns over the first validation positions, at most 65,536: mean and maximum.
    ///
    /// # Errors
    /// When the network is damaged, or memory is insufficient.
    pub fn quantisation_error(&self, data: &TrainingData<'_>) -> Result<(f64, f64), TrainingError> {
        let model = self.model()?;
        let network = Network::new(&model.parameters(self.settings().scale))?;
        let model = model.quantised(self.settings().scale);
        let indexing = FeatureIndexing::new(model.shape.features);
        let chosen: Vec<u32> = (0..data.validation.len().min(MAX_SAMPLES) as u32).collect();
        let backprop = Backprop::new(&model, &indexing);
        let outputs = backprop.outputs(&data.validation, &chosen, &mut backprop.scratch());
        let (mut sum, mut most) = (0.0, 0.0_f64);
        for (&at, output) in chosen.iter().zip(outputs) {
            let inputs = indexing.active_features(&data.validation.feature_indices[at as usize]).map(|active| {
                active.iter().map(|&feature| indexing.layout.input_of(feature as usize)).collect::<Vec<_>>()
            });
            let stack = data.validation.stack(&[at]);
            let whole = f64::from(network.output_of(inputs.each_ref().map(Vec::as_slice), stack))
                / f64::from(Network::DEFAULT_FV_SCALE)
                / 0.9;
            let off = (whole - f64::from(output) * self.settings().scale).abs();
            (sum, most) = (sum + off, most.max(off));
        }
        Ok((sum / chosen.len() as f64, most))
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
