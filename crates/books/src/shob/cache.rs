//! Cache of decompressed blocks.

use super::columns::MoveBlock;
use lru::LruCache;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum memory of the cached blocks in bytes. The last one is kept even if it is larger.
const MAX_MEMORY: usize = 1 << 20;

/// Cache statistics.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// Hits.
    pub hits: u64,
    /// Misses.
    pub misses: u64,
}

/// Decompressed blocks by number, shared by threads.
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

    /// Block `number`, from `unpack` on a miss. Threads do not wait for each other; two may
    /// decompress the same block.
    pub fn get<E>(&self, number: usize, unpack: impl FnOnce() -> Result<MoveBlock, E>) -> Result<Arc<MoveBlock>, E> {
        if let Some(block) = self.lock().find(number) {
            return Ok(block);
        }
        let block = Arc::new(unpack()?);
        self.lock().insert(number, block.clone());
        Ok(block)
    }

    pub fn counts(&self) -> CacheCounts {
        self.lock().counts
    }

    /// No panic can occur while the blocks change, so a poisoned lock is still consistent.
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

    fn insert(&mut self, number: usize, block: Arc<MoveBlock>) {
        self.memory += block.memory();
        if let Some(replaced) = self.blocks.put(number, block) {
            self.memory -= replaced.memory();
        }
        while self.memory > MAX_MEMORY && self.blocks.len() > 1 {
            if let Some((_, oldest)) = self.blocks.pop_lru() {
                self.memory -= oldest.memory();
            }
        }
    }
}
