//! Memory and threads of a search, and out-of-memory errors.

use crate::table::Policy;
use crate::util::MemoryError;
use std::fmt;

/// Memory and threads of a search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Transposition table in MiB; 0: a single bucket.
    pub hash_mb: usize,
    /// Its replacement policy.
    pub hash_policy: Policy,
    /// Its second level in MiB; 0: none.
    pub second_mb: usize,
    /// Evaluation cache in MiB; 0: none.
    pub eval_mb: usize,
    /// Its replacement policy.
    pub eval_policy: Policy,
    /// Search threads, at least one.
    pub threads: usize,
}

impl Resources {
    /// A transposition table of this size and threads, the rest at defaults.
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

    /// The amount of a resource, in MiB or threads.
    pub fn amount(&self, resource: Resource) -> usize {
        match resource {
            Resource::Table => self.hash_mb,
            Resource::SecondLevel => self.second_mb,
            Resource::EvalCache => self.eval_mb,
            Resource::Threads => self.threads,
        }
    }

    /// These resources with another amount of one.
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

/// A resource that needs memory.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The transposition table.
    Table,
    /// Its second level.
    SecondLevel,
    /// The evaluation cache.
    EvalCache,
    /// The threads with their histories.
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

/// Out of memory for a resource.
#[derive(Debug, thiserror::Error)]
#[error("{resource}: {reason}")]
pub struct OutOfMemory {
    /// The resource.
    pub resource: Resource,
    /// The reason.
    pub reason: MemoryError,
}

impl Resource {
    pub(super) fn out_of_memory(self) -> impl Fn(MemoryError) -> OutOfMemory {
        move |reason| OutOfMemory { resource: self, reason }
    }
}
