//! What a search works with: memory and threads, and what happens where there is less than was asked for.

use crate::table::Policy;
use crate::util::MemoryError;
use std::fmt;

/// What a search works with.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Size of the transposition table in MiB; with 0 it has one bucket, as good as none.
    pub hash_mb: usize,
    /// Which of its entries make room for new ones.
    pub hash_policy: Policy,
    /// Size of its second level in MiB; 0 for none.
    pub second_mb: usize,
    /// Size of the evaluation cache in MiB; 0 for none.
    pub eval_mb: usize,
    /// Which of its values make room for new ones.
    pub eval_policy: Policy,
    /// Threads that search; at least one.
    pub threads: usize,
}

impl Resources {
    /// A transposition table of this size, threads, and nothing special.
    pub fn new(hash_mb: usize, threads: usize) -> Self {
        Self {
            hash_mb,
            hash_policy: Policy::DepthAndAge,
            second_mb: 0,
            eval_mb: 0,
            eval_policy: Policy::DepthPreferred,
            threads,
        }
    }

    /// The amount of a part, in MiB or threads.
    pub fn amount(&self, resource: Resource) -> usize {
        match resource {
            Resource::Table => self.hash_mb,
            Resource::SecondLevel => self.second_mb,
            Resource::EvalCache => self.eval_mb,
            Resource::Threads => self.threads,
        }
    }

    /// The same with another amount of a part.
    #[must_use]
    pub fn with(mut self, resource: Resource, amount: usize) -> Self {
        *match resource {
            Resource::Table => &mut self.hash_mb,
            Resource::SecondLevel => &mut self.second_mb,
            Resource::EvalCache => &mut self.eval_mb,
            Resource::Threads => &mut self.threads,
        } = amount;
        self
    }
}

/// What costs memory.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The transposition table.
    Table,
    /// Its second level.
    SecondLevel,
    /// The evaluation cache.
    EvalCache,
    /// The threads, each with what it remembers.
    Threads,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Table => "the transposition table",
            Self::SecondLevel => "the second level of the table",
            Self::EvalCache => "the evaluation cache",
            Self::Threads => "the threads",
        })
    }
}

/// There is not enough memory for a part.
#[derive(Debug, thiserror::Error)]
#[error("{resource}: {reason}")]
pub struct OutOfMemory {
    /// For what.
    pub resource: Resource,
    /// Why.
    pub reason: MemoryError,
}

impl Resource {
    pub(super) fn out_of_memory(self) -> impl Fn(MemoryError) -> OutOfMemory {
        move |reason| OutOfMemory { resource: self, reason }
    }
}
