//! Weights as Rust source.

use sabi::eval::Weights;

const HEAD: &str = "//! Weights of the evaluation in centipawns: pairs for the opening and the endgame.\n";

/// Whether a file that starts like this is such source.
pub fn is_rust_source(head: &[u8]) -> bool {
    head.starts_with(HEAD.as_bytes())
}

/// The table as Rust source: for each term a named constant, an array of rows of (opening, endgame)
/// pairs. `origin`: how the weights were made.
///
/// The text is a complete module without dependencies.
pub fn rust_source(weights: &Weights, origin: &str) -> String {
    let mut text = HEAD.to_owned();
    for line in origin.split(['\n', '\r']).filter(|line| !line.trim().is_empty()) {
        text += &format!("//!\n//! {}\n", line.trim());
    }
    for block in Weights::blocks() {
        let pair = |index| weights.get(index).map(|weight| format!("({}, {})", weight.mg, weight.eg));
        let rows = (0..block.rows).map(|row| {
            let pairs: Vec<_> = (0..block.columns).filter_map(|column| pair(block.at(row, column))).collect();
            format!("    [{}],\n", pairs.join(", "))
        });
        let (name, rows_of) = (block.name.to_uppercase(), rows.collect::<String>());
        text += &format!(
            "\n/// Of the group {}.\n#[rustfmt::skip]\npub const {name}: [[(i16, i16); {}]; {}] = [\n{rows_of}];\n",
            block.group, block.columns, block.rows
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi::eval::{Block, Weight};
    use std::fs;
    use std::process::Command;

    /// Depends on every weight of a term and on its index.
    fn mixed(weights: &Weights, block: &Block) -> u64 {
        (block.start..block.end()).map(|index| weights.get(index).unwrap()).fold(0, |sum, weight| {
            let pair = u64::from(weight.mg as u16) << 16 | u64::from(weight.eg as u16);
            (sum ^ pair).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
        })
    }

    /// The same for constants in Rust source.
    const MIXED: &str = "
    const fn mixed<const C: usize, const R: usize>(rows: &[[(i16, i16); C]; R]) -> u64 {
        let (mut sum, mut at) = (0u64, 0);
        while at < R * C {
            let (middle, end) = rows[at / C][at % C];
            let pair = (middle as u16 as u64) << 16 | end as u16 as u64;
            sum = (sum ^ pair).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
            at += 1;
        }
        sum
    }
    ";

    /// Compares in the compiler.
    fn compiles(source: &str) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.rs");
        fs::write(&path, source).unwrap();
        let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(compiler);
        command.args([
            "--edition=2024",
            "--crate-type=lib",
            "--emit=metadata",
            "-Dwarnings",
            "-Along-running-const-eval",
            "--out-dir",
        ]);
        let output = command.arg(folder.path()).arg(&path).output().expect("the compiler that made this test");
        if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
    }

    #[test]
    fn rust_source_compiles_to_the_same_weights() {
        let mut weights = Weights::untuned();
        *weights.get_mut(0).unwrap() = Weight::new(i16::MIN, i16::MAX);
        let mut source = rust_source(&weights, "Two lines\r\n\n  of */ \"origin\" {}.");
        source += MIXED;
        for block in Weights::blocks() {
            source += &format!(
                "const _: () = assert!(mixed(&{}) == {});\n",
                block.name.to_uppercase(),
                mixed(&weights, block)
            );
        }
        compiles(&source).unwrap();
        // The check must be able to fail.
        let fault = compiles(&source.replacen("(51, 94)", "(51, 95)", 1)).unwrap_err();
        assert!(fault.contains("mixed(&TEMPO)"), "{fault}");
    }
}
