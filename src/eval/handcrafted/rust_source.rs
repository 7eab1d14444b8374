//! Weights as Rust source.

use super::weights::Weights;

pub(super) const HEAD: &str = "//! Weights of the evaluation in centipawns: pairs for the opening and the endgame.\n";

impl Weights {
    /// The table as Rust source: for each term a named constant, an array of rows of (opening,
    /// endgame) pairs. `origin`: how the weights were made.
    ///
    /// The text is a complete module without dependencies.
    pub fn to_rust(&self, origin: &str) -> String {
        let mut text = HEAD.to_owned();
        for line in origin.split(['\n', '\r']).filter(|line| !line.trim().is_empty()) {
            text += &format!("//!\n//! {}\n", line.trim());
        }
        for block in Self::blocks() {
            let rows = self.rows_of(block).map(|row| {
                let pairs: Vec<_> = row.iter().map(|weight| format!("({}, {})", weight.mg, weight.eg)).collect();
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
}
