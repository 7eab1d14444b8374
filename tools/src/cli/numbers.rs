//! Parsers of numbers on the command line; errors say what is expected.

fn number(text: &str, is_valid: impl Fn(f64) -> bool, expected: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&number: &f64| number.is_finite() && is_valid(number)).ok_or_else(|| expected.to_owned())
}

/// A finite number.
pub fn finite(text: &str) -> Result<f64, String> {
    number(text, |_| true, "not a number")
}

/// A number, 0 or more.
pub fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0, "expected a number, 0 or more")
}

/// A number above 0.
pub fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0, "expected a number above 0")
}

/// A number above 0, up to `most`.
pub fn positive_up_to(most: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        number(text, |number| number > 0.0 && number <= most, &format!("expected a number above 0, up to {most}"))
    }
}

/// A number from 0 to 1.
pub fn fraction(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..=1.0).contains(&number), "expected a number from 0 to 1")
}
