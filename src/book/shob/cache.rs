//! The blocks unpacked last.

use super::columns::MoveBlock;
use lru::LruCache;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of memory that unpacked blocks may take together. The last one is kept even when it is larger.
const MOST_MEMORY: usize = 1 << 20;

/// How often a block was there already, and how often it had to be unpacked.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// It was there.
    pub hits: u64,
    /// It was unpacked.
    pub misses: u64,
}

/// Unpacked blocks by their numbers, shared by threads.
#[derive(Debug)]
pub(super) struct Cache(Mutex<Blocks>);

#[derive(Debug)]
struct Blocks {
    blocks: LruCache<usize, Arc<MoveBlock>>,
    memory: usize,
    counts: CacheCounts,
}

impl Cache {
    pub fn new() -> Self {
        Self(Mutex::new(Blocks { blocks: LruCache::unbounded(), memory: 0, counts: CacheCounts::default() }))
    }

    /// The block `number`, from `unpack` when it is not there. Threads do not wait for each other to unpack; two may do the same work.
    pub fn get<E>(&self, number: usize, unpack: impl FnOnce() -> Result<MoveBlock, E>) -> Result<Arc<MoveBlock>, E> {
        if let Some(block) = self.lock().find(number) {
            return Ok(block);
        }
        let block = Arc::new(unpack()?);
        self.lock().keep(number, block.clone());
        Ok(block)
    }

    pub fn counts(&self) -> CacheCounts {
        self.lock().counts
    }

    /// Nothing that can panic happens in between the changes of a block, so what a panic leaves is whole.
    fn lock(&self) -> MutexGuard<'_, Blocks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Blocks {
    fn find(&mut self, number: usize) -> Option<Arc<MoveBlock>> {
        let found = self.blocks.get(&number).cloned();
        match found {
            Some(_) => self.counts.hits += 1,
            None => self.counts.misses += 1,
        }
        found
    }

    fn keep(&mut self, number: usize, block: Arc<MoveBlock>) {
        self.memory += block.memory();
        if let Some(twin) = self.blocks.put(number, block) {
            self.memory -= twin.memory();
        }
        while self.memory > MOST_MEMORY && self.blocks.len() > 1 {
            if let Some((_, oldest)) = self.blocks.pop_lru() {
                self.memory -= oldest.memory();
            }
        }
    }
}
