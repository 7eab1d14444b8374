//! Gradients against finite differences, optimiser steps, quantisation.

use super::{SCALE, samples, samples_by, small};
use crate::train::features::{FeatureIndexing, Layout, TouchedFeatures};
use crate::train::gradient::Backprop;
use crate::train::model::{LANES, Lanes, Model, PartRanges, StackRanges, add_rows, values_of};
use crate::train::samples::Samples;
use crate::train::training_step::{AdamW, StepSettings, TrainingStep};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi::eval::nnue::{Features, Shape};

/// The network without shared weights: [`Model::quantised`] without rounding.
fn unshared(model: &Model) -> Model {
    let (layout, width) = (Layout(model.shape.features), model.shape.width);
    let mut whole = model.clone();
    if layout.is_factorised() {
        let feature_weights = whole.part_ranges.feature_weights.clone();
        for group in whole.values_mut()[feature_weights].chunks_exact_mut(layout.group() * width) {
            let (own, shared) = group.split_at_mut((layout.group() - 1) * width);
            own.chunks_exact_mut(width).for_each(|own| own.iter_mut().zip(&*shared).for_each(|(own, by)| *own += by));
            shared.fill(0.0);
        }
    }
    let PartRanges { shared, own, .. } = whole.part_ranges.clone();
    let (values, by) = (whole.values_mut(), &model.values()[shared.whole()]);
    for own in own {
        values[own.whole()].iter_mut().zip(by).for_each(|(own, by)| *own += by);
    }
    whole
}

/// Gradient of all parameters; feature gradients summed from perspectives where they are separate.
fn gradient_of(model: &Model, samples: &Samples, chosen: &[u32]) -> (f64, Vec<f32>) {
    let indexing = FeatureIndexing::new(model.shape.features);
    let whole = unshared(model);
    let computed = Backprop::new(&whole, &indexing);
    let feature_weights = model.part_ranges.feature_weights.start / LANES;
    let width = model.shape.width / LANES;
    let mut gradient = vec![Lanes::ZERO; model.lanes.len()];
    if !indexing.layout.is_factorised() {
        let loss = computed.add(samples, chosen, &mut computed.scratch(), &mut gradient, &mut []);
        computed.add_shared(&mut gradient);
        return (loss, values_of(&gradient).to_vec());
    }
    let mut perspectives = vec![Lanes::ZERO; 2 * chosen.len() * width];
    let loss =
        computed.add(samples, chosen, &mut computed.scratch(), &mut gradient[..feature_weights], &mut perspectives);
    let touched = TouchedFeatures::new(&indexing, samples, chosen);
    for group in touched.groups(0..indexing.layout.feature_count()) {
        for feature in group.clone() {
            for to in [feature, group.end - 1] {
                let place = feature_weights + to * width;
                add_rows(&perspectives, touched.perspectives(feature), &mut gradient[place..place + width]);
            }
        }
    }
    (loss, values_of(&gradient).to_vec())
}

#[test]
fn gradient_equals_finite_differences() {
    let stacked = Shape { buckets: "K9K9Z".parse().unwrap(), ..small(Features::Kp) };
    for shape in [small(Features::Kp), small(Features::HalfKp), stacked] {
        let Shape { features, buckets, .. } = shape;
        let samples = samples_by(2, &buckets);
        let chosen: Vec<u32> = (0..samples.len() as u32).step_by(7).collect();
        assert!(!chosen.len().is_multiple_of(8), "a last part that is not full is looked at too");
        let mut model = Model::new(shape, 1).unwrap();
        let mut rng = SmallRng::seed_from_u64(3);
        for own in model.part_ranges.own.clone() {
            model.values_mut()[own.whole()].iter_mut().for_each(|number| *number = rng.random_range(-0.05..0.05));
        }
        let indexing = FeatureIndexing::new(features);
        let loss_of = |model: &Model| {
            let model = unshared(model);
            let computed = Backprop::new(&model, &indexing);
            computed.loss(&samples, &chosen, &mut computed.scratch())
        };
        let (loss, gradient) = gradient_of(&model, &samples, &chosen);
        assert!(loss > 0.0 && (loss - loss_of(&model)).abs() < 1e-6);
        let mut loss_at = |at: usize, by: f32| {
            let before = model.values()[at];
            model.values_mut()[at] += by;
            let loss = loss_of(&model);
            model.values_mut()[at] = before;
            loss
        };
        let PartRanges { feature_weights, bias, shared, own } = PartRanges::new(&shape);
        let stacks = [vec![shared], own].concat().into_iter();
        let stacks = stacks.flat_map(|StackRanges { first, first_bias, second, second_bias, last, last_bias }| {
            [first, first_bias, second, second_bias, last, last_bias]
        });
        let shared = |at: &usize| Layout(features).is_shared((at - feature_weights.start) / 32);
        let (shared, own): (Vec<_>, Vec<_>) = feature_weights.clone().partition(shared);
        let dense = stacks.chain([bias]).map(Iterator::collect);
        // The largest gradients of each part: others are below single precision.
        for mut steep in dense.chain([shared, own]) {
            steep.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
            for &at in steep.iter().take(12) {
                let by = 5e-4;
                let measured = (loss_at(at, by) - loss_at(at, -by)) / (2.0 * f64::from(by));
                let off = (measured - f64::from(gradient[at])).abs();
                assert!(off < 0.03 * measured.abs() + 4e-3, "{at}: {measured} measured, {} computed", gradient[at]);
            }
        }
    }
}

#[test]
fn steps_change_touched_features_only() {
    let samples = samples(2);
    let batch: Vec<u32> = (0..40).collect();
    let mut model = Model::new(small(Features::HalfKp), 1).unwrap();
    let (_, gradient) = gradient_of(&model.quantised(SCALE), &samples, &batch);
    let before = model.clone();
    let mut adam = AdamW::new(model.values().len(), Layout(Features::HalfKp).sparse_features());
    let settings = StepSettings { gradient_scale: 1.0 / 40.0, learning_rate: 0.001, weight_decay: 0.5 };
    TrainingStep::new(&model, SCALE, 2).run(&mut model, &mut adam, &samples, &batch, settings);
    let touched = TouchedFeatures::new(&FeatureIndexing::new(Features::HalfKp), &samples, &batch);
    let layout = Layout(Features::HalfKp);
    let mut moved = 0;
    for feature in 0..layout.feature_count() {
        let of = |model: &Model| {
            model.values()[model.part_ranges.feature_weights.clone()][feature * 32..feature * 32 + 32].to_vec()
        };
        let (before, after) = (of(&before), of(&model));
        let group = feature / layout.group() * layout.group();
        let mut setters = if layout.is_shared(feature) { group..feature } else { feature..feature + 1 };
        if setters.all(|feature| touched.perspectives(feature).is_empty()) {
            assert!(before == after, "feature {feature} has moved");
        } else {
            moved += 1;
            let of = |feature| &gradient[model.part_ranges.feature_weights.start + feature * 32..][..32];
            let gradients = of(feature).iter().zip(of(group + layout.group() - 1));
            for ((before, after), (gradient, shared)) in before.iter().zip(after).zip(gradients) {
                // The first step of Adam is the learning rate times the gradient by its absolute
                // value, or that of the shared feature if larger.
                let length = gradient.abs().max(shared.abs());
                if length > 1e-4 || length == 0.0 {
                    let step = if length > 0.0 { gradient / length } else { 0.0 };
                    let wanted = before * (1.0 - 0.001 * 0.5) - 0.001 * step;
                    assert!((after - wanted).abs() < 1e-5, "feature {feature}: {after}, {wanted}");
                }
            }
        }
    }
    assert!(moved > 100, "{moved}");
}

/// A step with the gradient 1 for the dense values and for each view, of features of two lanes.
fn step_of(
    adam: &mut AdamW,
    values: &mut [f32],
    touched: &TouchedFeatures,
    perspectives: usize,
    settings: StepSettings,
) {
    let mut parts = [vec![Lanes::splat(1.0)]];
    let perspectives = vec![Lanes::splat(1.0); 2 * perspectives];
    adam.step(values, &mut parts, Some((touched, &perspectives)), settings, 2);
}

/// The moments of a feature advance only when it is touched, and so does the correction of their
/// bias. A shared feature steps as dense values do, the others of its group by their parts of its
/// gradient.
#[test]
fn rare_features_step_by_their_parts_of_the_gradient() {
    let samples = samples(2);
    let indexing = FeatureIndexing::new(Features::HalfKaZ15);
    let features = indexing.layout.feature_count();
    let (none, all) = ([], (0..samples.len() as u32).collect::<Vec<_>>());
    let none = TouchedFeatures::new(&indexing, &samples, &none);
    let touched = TouchedFeatures::new(&indexing, &samples, &all);
    let count = LANES + features * 2 * LANES;
    let settings = StepSettings { gradient_scale: 1.0, learning_rate: 0.01, weight_decay: 0.0 };
    let (mut adam, mut values) = (AdamW::new(count, features), vec![0.0; count]);
    for _ in 1..1000 {
        step_of(&mut adam, &mut values, &none, 0, settings);
    }
    assert!(values[LANES..].iter().all(|&number| number == 0.0));
    // Dense values from the beginning.
    let (mut dense_adam, mut dense) = (AdamW::new(LANES, 0), [0.0; LANES]);
    for step in 1..=20 {
        step_of(&mut adam, &mut values, &touched, 2 * all.len(), settings);
        dense_adam.step(&mut dense, &mut [vec![Lanes::splat(1.0)]], None, settings, 1);
        for group in touched.groups(0..features) {
            let setters: Vec<_> = group.clone().map(|feature| touched.perspectives(feature).len()).collect();
            let all: usize = setters.iter().sum();
            for (feature, setters) in group.clone().zip(setters) {
                let setters = if feature == group.end - 1 { all } else { setters };
                let wanted = dense[0] * setters as f32 / all.max(1) as f32;
                let moved = values[LANES + feature * 2 * LANES];
                assert!((moved - wanted).abs() < 1e-5, "feature {feature} after {step} steps: {moved}, {wanted}");
            }
        }
        assert!(dense[0].abs() < 0.01 * 1.001 * step as f32);
    }
}

#[test]
fn small_decay_has_effect() {
    let mut rng = SmallRng::seed_from_u64(7);
    let start: Vec<f32> = (0..1 << 14).map(|_| rng.random_range(0.5..1.0)).collect();
    let after = |weight_decay: f32| {
        let settings = StepSettings { gradient_scale: 1.0, learning_rate: 0.001, weight_decay };
        let (mut adam, mut values, mut rng) = (AdamW::new(start.len(), 0), start.clone(), SmallRng::seed_from_u64(8));
        for _ in 0..50 {
            let gradient =
                (0..start.len() / LANES).map(|_| Lanes::new(std::array::from_fn(|_| rng.random_range(-1.0..1.0))));
            adam.step(&mut values, &mut [gradient.collect()], None, settings, 2);
        }
        values.iter().map(|&number| f64::from(number)).sum::<f64>()
    };
    // A factor of 1 - 1e-8 is 1 in single precision.
    let lost = 1.0 - after(1e-5) / after(0.0);
    assert!((lost / (50.0 * 1e-8) - 1.0).abs() < 0.2, "{lost}");
}

#[test]
fn quantised_features_are_sums() {
    let mut model = Model::new(small(Features::HalfKp), 1).unwrap();
    let mut rng = SmallRng::seed_from_u64(2);
    let feature_weights = model.part_ranges.feature_weights.clone();
    model.values_mut()[feature_weights].iter_mut().for_each(|number| *number = rng.random_range(-0.5..0.5));
    let parameters = model.parameters(SCALE);
    let layout = Layout(Features::HalfKp);
    let begin = model.part_ranges.feature_weights.start;
    for input in [0, 1, 1547, 1548, 44 * 1548 + 149, 81 * 1548 - 1] {
        let (king, piece) = (input / 1548, input % 1548);
        for unit in 0..32 {
            let number = |at: usize| model.values()[begin + (piece * layout.group() + at) * 32 + unit];
            // Own parts are multiples of two, so that the file is small.
            let sum = (number(king) * 63.5).round() * 2.0 + (number(81) * 127.0).round();
            assert_eq!(f32::from(parameters.feature_weights[input * 32 + unit]), sum, "input {input}");
        }
    }
    // The rounded model equals the written network.
    let rounded = model.quantised(SCALE);
    for (input, weights) in parameters.feature_weights.chunks_exact(32).enumerate() {
        let written: Vec<f32> = weights.iter().map(|&weight| f32::from(weight) / 127.0).collect();
        assert!(rounded.values()[rounded.weights_of(layout.feature_of(input))] == written, "input {input}");
    }
    assert_eq!(Model::from_parameters(&parameters, parameters.shape, SCALE).unwrap().parameters(SCALE), parameters);
    // Another change: untouched features keep their state.
    let (samples, indexing) = (samples(1), FeatureIndexing::new(Features::HalfKp));
    let touched = TouchedFeatures::new(&indexing, &samples, &[0, 1, 2]);
    let mut quantised = model.quantised(SCALE);
    let old = quantised.clone();
    model.values_mut().iter_mut().for_each(|number| *number += 0.1);
    quantised.requantise(&model, Some(&touched), SCALE, 2);
    let new = model.quantised(SCALE);
    let weights_of = |model: &Model, at: usize| model.values()[begin + at * 32..begin + at * 32 + 32].to_vec();
    for at in 0..layout.feature_count() {
        let wanted = if touched.perspectives(at).is_empty() { &old } else { &new };
        assert!(weights_of(&quantised, at) == weights_of(wanted, at), "feature {at}");
    }
    assert!(quantised.values()[..begin] == new.values()[..begin]);
}
