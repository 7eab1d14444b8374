//! Progress and results of a tuning run.

use sabi_tools::arena::spsa::Tuning;
use std::fmt;

/// Results of a tuning run: games, a table of values, and option lines.
pub struct TuningReport<'a>(pub &'a Tuning);

/// Progress line: games, speed, and the most changed values in steps.
pub fn line(tuning: &Tuning, speed: f64) -> String {
    let mut changes = changes(tuning);
    changes.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let largest: Vec<String> = changes.iter().take(3).map(|(name, change)| format!("{name} {change:+.2}")).collect();
    let (done, all, largest) = (2 * tuning.done(), 2 * tuning.plan().pairs, largest.join(", "));
    format!("game {done} of {all}; {} (W-D-L), {speed:.1} games a second; largest change {largest}", tuning.counts())
}

/// Change of each value in steps.
fn changes(tuning: &Tuning) -> Vec<(&str, f64)> {
    let parameters = tuning.plan().parameters.iter().zip(tuning.values());
    parameters.map(|(it, value)| (it.name.as_str(), (value - it.start as f64) / it.step)).collect()
}

impl fmt::Display for TuningReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(tuning) = *self;
        let plan = tuning.plan();
        writeln!(f, "{} of {} games, {} (W-D-L)", 2 * tuning.done(), 2 * plan.pairs, tuning.counts())?;
        let width = plan.parameters.iter().map(|parameter| parameter.name.chars().count()).max().unwrap_or(0).max(4);
        writeln!(f, "{:width$} {:>9} {:>12} {:>7} {:>9}  range", "name", "start", "now", "steps", "step")?;
        for ((parameter, value), (name, change)) in plan.parameters.iter().zip(tuning.values()).zip(changes(tuning)) {
            let (start, step, min, max) = (parameter.start, parameter.step, parameter.min, parameter.max);
            writeln!(f, "{name:width$} {start:>9} {value:>12.2} {change:>+7.2} {step:>9}  {min}..{max}")?;
        }
        tuning.rounded().try_for_each(|(name, value)| writeln!(f, "{name}={value}"))
    }
}
