//! Distribution of tasks among threads; what threads share; and what differs where there may be none
//! (WebAssembly).

use crossbeam_utils::CachePadded;
use std::collections::BTreeMap;
use std::io;
use std::iter::Enumerate;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// A result with its task number, then `None`: without a buffer the worker that sends it waits
/// until the result was processed and the next one is wanted.
type Message<R> = Option<(usize, R)>;

/// The remaining tasks, as seen by one worker.
pub struct Tasks<'a, I, R> {
    left: &'a Mutex<Enumerate<I>>,
    stopped: &'a AtomicBool,
    results: SyncSender<Message<R>>,
}

impl<I: Iterator, R> Tasks<'_, I, R> {
    /// Takes tasks until none are left or the work is stopped, and sends `work` of each.
    pub fn work(&self, mut work: impl FnMut(I::Item) -> R) {
        let next = || self.left.lock().unwrap_or_else(PoisonError::into_inner).next();
        while !self.is_stopped()
            && let Some((number, task)) = next()
        {
            let result = Some((number, work(task)));
            if [result, None].into_iter().any(|message| self.results.send(message).is_err()) {
                return;
            }
        }
    }

    /// Starts no more tasks; running ones still send their results.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether results are no longer wanted.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// The results with their task numbers, as they arrive.
pub struct Results<'a, R> {
    results: Receiver<Message<R>>,
    stopped: &'a AtomicBool,
}

impl<R> Results<'_, R> {
    /// As [`Tasks::stop`].
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

impl<R> Iterator for Results<'_, R> {
    type Item = (usize, R);

    fn next(&mut self) -> Option<(usize, R)> {
        self.results.iter().flatten().next()
    }
}

/// Runs each worker on its own thread over the shared [`Tasks`], and `collect` over the results on
/// the calling thread. A worker starts a task only after its last result was processed. When
/// `collect` returns or panics, the work is stopped.
///
/// # Errors
/// When a thread cannot be started.
pub fn run_workers<W: Send, I: Iterator + Send, R: Send, T>(
    workers: impl IntoIterator<Item = W>,
    tasks: I,
    worker: impl Fn(W, Tasks<'_, I, R>) + Sync,
    collect: impl FnOnce(Results<'_, R>) -> T,
) -> io::Result<T> {
    let (left, stopped) = (Mutex::new(tasks.enumerate()), AtomicBool::new(false));
    thread::scope(|scope| {
        let _guard = SetOnDrop(&stopped);
        let (sender, results) = mpsc::sync_channel(0);
        for state in workers {
            let tasks = Tasks { left: &left, stopped: &stopped, results: sender.clone() };
            let worker = &worker;
            thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, move || worker(state, tasks))?;
        }
        drop(sender);
        Ok(collect(Results { results, stopped: &stopped }))
    })
}

/// Runs `worker` over the shared [`Tasks`] on `threads` threads with stacks of the usual size: the
/// caller, and others as far as they can be started. The results are in task order.
///
/// # Panics
/// When a worker panics.
pub fn parallel_map<I: ExactSizeIterator + Send, R: Send>(
    tasks: I,
    threads: usize,
    worker: impl Fn(Tasks<'_, I, R>) + Sync,
) -> Vec<R> {
    let (worker, count) = (&worker, tasks.len());
    let (left, stopped) = (Mutex::new(tasks.enumerate()), AtomicBool::new(false));
    // With room for all messages no worker waits.
    let (sender, results) = mpsc::sync_channel(2 * count);
    let tasks = || Tasks { left: &left, stopped: &stopped, results: sender.clone() };
    thread::scope(|scope| {
        for tasks in (1..threads.min(count)).map(|_| tasks()) {
            if thread::Builder::new().spawn_scoped(scope, move || worker(tasks)).is_err() {
                break;
            }
        }
        worker(tasks());
    });
    let mut done: Vec<_> = results.try_iter().flatten().collect();
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Yields the items numbered 0, 1, 2 … in this order, whatever order they arrive in.
pub fn in_order<T>(numbered: impl IntoIterator<Item = (usize, T)>) -> impl Iterator<Item = T> {
    let mut numbered = numbered.into_iter();
    // Items that arrived early.
    let mut waiting = BTreeMap::new();
    (0..).map_while(move |due| {
        loop {
            if let Some(item) = waiting.remove(&due) {
                return Some(item);
            }
            let (number, item) = numbered.next()?;
            waiting.insert(number, item);
        }
    })
}

/// Sets a flag when dropped, also during a panic, so that threads polling it stop.
pub struct SetOnDrop<'a>(pub &'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A counter advanced by one thread and read by others. It has its own cache line and needs no
/// locked instruction, because there is a single writer.
#[derive(Debug, Default)]
pub struct Counter(CachePadded<AtomicU64>);

impl Counter {
    /// Adds one. Only one thread may call this.
    #[inline]
    pub fn increment(&self) {
        self.0.store(self.get() + 1, Ordering::Relaxed);
    }

    /// The current value.
    #[inline]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Whether there may be no other thread (unknown at compile time); waiting code then yields to the
/// host.
pub const COOPERATIVE: bool = cfg!(target_family = "wasm");

/// Default mate solver memory in MB: small in a browser.
pub const MATE_HASH_MB: i64 = if cfg!(target_family = "wasm") { 32 } else { 256 };

/// Maximum number of threads.
pub const MAX_THREADS: i64 = if cfg!(target_family = "wasm") { 32 } else { 512 };

/// Stack size of threads with deep recursion; untouched pages cost nothing.
pub const DEEP_STACK: usize = if cfg!(target_family = "wasm") { 4 << 20 } else { 64 << 20 };

/// Maximum recursion depth of the mate solver: in a browser the stack is small whatever size is
/// requested.
pub const MAX_MATE_DEPTH: u32 = if cfg!(target_family = "wasm") { 400 } else { 2_000 };

/// Yields to the host, where no other thread reads input.
#[inline]
pub fn yield_to_host() {
    if COOPERATIVE {
        std::thread::yield_now();
    }
}

/// Yields to the host for a while, when there is nothing to do until input arrives.
pub fn wait_for_host() {
    std::thread::sleep(Duration::from_millis(10));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::in_order;
    use std::panic::catch_unwind;
    use std::sync::{Barrier, atomic::AtomicUsize};

    #[test]
    fn every_task_once_results_in_order() {
        for (count, threads) in [(0, 4), (1, 4), (5, 1), (1000, 3)] {
            let squares: Vec<usize> = (0..count).map(|task| task * task).collect();
            assert_eq!(parallel_map(0..count, threads, |tasks| tasks.work(|task| task * task)), squares);
            let states = std::iter::repeat_n(1, threads.max(1));
            let worker = |one, tasks: Tasks<'_, _, _>| tasks.work(|task| task * task * one);
            let collect = |results: Results<'_, _>| in_order(results).collect::<Vec<_>>();
            assert_eq!(run_workers(states, 0..count, worker, collect).unwrap(), squares);
        }
    }

    #[test]
    fn threads_run_concurrently() {
        let barrier = Barrier::new(3);
        let leaders = parallel_map(0..3, 3, |tasks| tasks.work(|_| barrier.wait().is_leader()));
        assert_eq!(leaders.iter().filter(|&&leader| leader).count(), 1);
    }

    #[test]
    fn stops_early() {
        let worker = |(), tasks: Tasks<'_, _, _>| tasks.work(|task: u64| task);
        let count = run_workers([(), ()], 0.., worker, |results| {
            results.stop();
            results.count()
        });
        assert!(count.unwrap() < 1_000_000);
        assert_eq!(run_workers([()], 0.., worker, |mut results| results.next()).unwrap(), Some((0, 0)));
    }

    #[test]
    fn results_are_processed_before_the_next_task() {
        let started = AtomicUsize::new(0);
        let worker = |(), tasks: Tasks<'_, _, _>| tasks.work(|_: u64| started.fetch_add(1, Ordering::Relaxed));
        let taken =
            |results: Results<'_, _>| results.take(1000).all(|(at, _)| started.load(Ordering::Relaxed) == at + 1);
        assert!(run_workers([()], 0.., worker, taken).unwrap());
    }

    #[test]
    fn panics_propagate() {
        assert!(catch_unwind(|| parallel_map(0..20, 2, |tasks| tasks.work(|task| [0; 9][task]))).is_err());
        let fail = |_: Results<'_, u64>| -> () { panic!("collect fails") };
        let endless = || run_workers([()], 0.., |(), tasks| tasks.work(|task: u64| task), fail);
        assert!(catch_unwind(endless).is_err());
    }

    #[test]
    fn keeps_order() {
        let come = [(1, 'b'), (0, 'a'), (3, 'd'), (2, 'c')];
        assert_eq!(in_order(come).collect::<String>(), "abcd");
        assert_eq!(in_order([(1, 'b'), (2, 'c')]).next(), None, "the first never comes");
        assert_eq!(in_order([(0, 'a'), (2, 'c')]).collect::<String>(), "a");
    }

    #[test]
    fn does_not_wait_unnecessarily() {
        let mut asked = 0;
        let come = [(0, 'a'), (1, 'b')].into_iter().inspect(|_| asked += 1);
        assert_eq!(in_order(come).next(), Some('a'));
        assert_eq!(asked, 1);
    }
}
