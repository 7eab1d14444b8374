//! Distribution of tasks among threads.

use super::{DEEP_STACK, SetOnDrop};
use std::io;
use std::iter::Enumerate;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The remaining tasks, as seen by one worker.
pub struct Tasks<'a, I, R> {
    left: &'a Mutex<Enumerate<I>>,
    stopped: &'a AtomicBool,
    results: Sender<(usize, R)>,
}

impl<I: Iterator, R> Tasks<'_, I, R> {
    /// Takes tasks until none are left or the work is stopped, and sends `work` of each.
    pub fn work(&self, mut work: impl FnMut(I::Item) -> R) {
        let next = || self.left.lock().unwrap_or_else(PoisonError::into_inner).next();
        while !self.is_stopped()
            && let Some((number, task)) = next()
        {
            if self.results.send((number, work(task))).is_err() {
                return;
            }
        }
    }

    /// Whether results are no longer wanted.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// The results with their task numbers, as they arrive.
pub struct Results<'a, R> {
    results: Receiver<(usize, R)>,
    stopped: &'a AtomicBool,
}

impl<R> Results<'_, R> {
    /// Starts no more tasks; running ones still send their results.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

impl<R> Iterator for Results<'_, R> {
    type Item = (usize, R);

    fn next(&mut self) -> Option<(usize, R)> {
        self.results.recv().ok()
    }
}

/// Runs each worker on its own thread over the shared [`Tasks`], and `collect` over the results on
/// the calling thread. When `collect` returns or panics, the work is stopped.
///
/// # Errors
/// When a thread cannot be started.
pub fn work_through<W: Send, I: Iterator + Send, R: Send, T>(
    workers: impl IntoIterator<Item = W>,
    tasks: I,
    worker: impl Fn(W, Tasks<'_, I, R>) + Sync,
    collect: impl FnOnce(Results<'_, R>) -> T,
) -> io::Result<T> {
    let (left, stopped) = (Mutex::new(tasks.enumerate()), AtomicBool::new(false));
    thread::scope(|scope| {
        let _guard = SetOnDrop(&stopped);
        let (sender, results) = mpsc::channel();
        for state in workers {
            let tasks = Tasks { left: &left, stopped: &stopped, results: sender.clone() };
            let worker = &worker;
            thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, move || worker(state, tasks))?;
        }
        drop(sender);
        Ok(collect(Results { results, stopped: &stopped }))
    })
}

/// Runs the tasks 0, 1, … `count - 1` on `threads` workers. The results are in task order. If no
/// thread can be started, the caller works alone.
///
/// # Panics
/// When a worker panics.
pub fn distribute<R: Send>(count: usize, threads: usize, worker: impl Fn(Tasks<'_, Range<usize>, R>) + Sync) -> Vec<R> {
    let workers = std::iter::repeat_n((), threads.clamp(1, count.max(1)));
    let done = work_through(workers, 0..count, |(), tasks| worker(tasks), |results| results.collect::<Vec<_>>());
    let mut done = done.unwrap_or_else(|_| {
        let (results, receiver) = mpsc::channel();
        worker(Tasks { left: &Mutex::new((0..count).enumerate()), stopped: &AtomicBool::new(false), results });
        receiver.into_iter().collect()
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::in_order;
    use std::panic::catch_unwind;
    use std::sync::Barrier;

    #[test]
    fn every_task_once_results_in_order() {
        for (count, threads) in [(0, 4), (1, 4), (5, 1), (1000, 3)] {
            let squares: Vec<usize> = (0..count).map(|task| task * task).collect();
            assert_eq!(distribute(count, threads, |tasks| tasks.work(|task| task * task)), squares);
            let states = std::iter::repeat_n(1, threads.max(1));
            let worker = |one, tasks: Tasks<'_, _, _>| tasks.work(|task| task * task * one);
            let collect = |results: Results<'_, _>| in_order(results).collect::<Vec<_>>();
            assert_eq!(work_through(states, 0..count, worker, collect).unwrap(), squares);
        }
    }

    #[test]
    fn threads_run_concurrently() {
        let barrier = Barrier::new(3);
        let leaders = distribute(3, 3, |tasks| tasks.work(|_| barrier.wait().is_leader()));
        assert_eq!(leaders.iter().filter(|&&leader| leader).count(), 1);
    }

    #[test]
    fn stops_early() {
        let worker = |(), tasks: Tasks<'_, _, _>| tasks.work(|task: u64| task);
        let count = work_through([(), ()], 0.., worker, |results| {
            results.stop();
            results.count()
        });
        assert!(count.unwrap() < 1_000_000);
        assert_eq!(work_through([()], 0.., worker, |mut results| results.next()).unwrap(), Some((0, 0)));
    }

    #[test]
    fn panics_propagate() {
        assert!(catch_unwind(|| distribute(20, 2, |tasks| tasks.work(|task| [0; 9][task]))).is_err());
        let fail = |_: Results<'_, u64>| -> () { panic!("the results are not liked") };
        let endless = || work_through([()], 0.., |(), tasks| tasks.work(|task: u64| task), fail);
        assert!(catch_unwind(endless).is_err());
    }
}
