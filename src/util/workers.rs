//! Distribution of tasks among threads.

use super::{DEEP_STACK, SetOnDrop};
use std::io;
use std::iter::Enumerate;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::in_order;
    use std::panic::catch_unwind;
    use std::sync::Barrier;
    use std::sync::atomic::AtomicUsize;

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
}
