//! Opening names, each stored once.

use super::ShobError;
use super::storage::Section;
use std::collections::HashMap;
use std::sync::Arc;

/// The names section: their number, end offsets, and text.
#[derive(Clone, Debug)]
pub(super) struct Names<'a>(pub Section<'a>);

impl Names<'_> {
    /// Number of names.
    pub fn count(&self) -> Result<u32, ShobError> {
        if self.0.len() == 0 { Ok(0) } else { self.0.u32(0) }
    }

    pub fn get(&self, number: u32) -> Result<Arc<str>, ShobError> {
        let count = self.count()?;
        if number >= count {
            return Err(ShobError::Damaged("a name is missing"));
        }
        // End offsets are relative to the start of the text, after the last of them.
        let end_of = |number: usize| self.0.u32(4 * number).map(|end| end as usize);
        let start = if number == 0 { 0 } else { end_of(number as usize)? };
        let end = end_of(number as usize + 1)?;
        let outside = ShobError::Damaged("a name is outside its section");
        let Some(length) = end.checked_sub(start) else { return Err(outside) };
        let text = self.0.get(4 * (count as usize + 1) + start, length);
        let text = text.map_err(|error| if matches!(error, ShobError::Damaged(_)) { outside } else { error })?;
        let text = std::str::from_utf8(&text).map_err(|_| ShobError::Damaged("a name is not UTF-8"))?;
        Ok(Arc::from(text))
    }

    /// Checks that every name is valid, and nothing else is there.
    pub fn check(&self) -> Result<(), ShobError> {
        let count = self.count()?;
        let mut bytes = if self.0.len() == 0 { 0 } else { 4 * (count as usize + 1) };
        for number in 0..count {
            bytes += self.get(number)?.len();
        }
        if bytes == self.0.len() { Ok(()) } else { Err(ShobError::Damaged("the names have gaps")) }
    }
}

/// Numbers the names in order of appearance.
#[derive(Debug, Default)]
pub(super) struct NameNumbers {
    numbers: HashMap<Arc<str>, u32>,
    in_order: Vec<Arc<str>>,
}

impl NameNumbers {
    pub fn number(&mut self, name: &Arc<str>) -> u32 {
        *self.numbers.entry(name.clone()).or_insert_with(|| {
            self.in_order.push(name.clone());
            self.in_order.len() as u32 - 1
        })
    }

    /// The section; `None` if too large.
    pub fn section(&self) -> Option<Vec<u8>> {
        if self.in_order.is_empty() {
            return Some(Vec::new());
        }
        let mut bytes = u32::try_from(self.in_order.len()).ok()?.to_le_bytes().to_vec();
        let mut end = 0;
        for name in &self.in_order {
            end += name.len();
            bytes.extend(u32::try_from(end).ok()?.to_le_bytes());
        }
        self.in_order.iter().for_each(|name| bytes.extend(name.bytes()));
        Some(bytes)
    }
}
