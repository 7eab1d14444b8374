//! Work that is divided among threads as they become free.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Room for work that calls itself deeply; untouched pages cost nothing.
const STACK_BYTES: usize = 64 << 20;

/// The numbers of the tasks that one thread takes, for as long as there are any.
pub struct Tasks<'a> {
    next: &'a AtomicUsize,
    count: usize,
}

impl Iterator for Tasks<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < self.count)
    }
}

/// Shares the tasks 0, 1, … `count - 1` out among the calling thread and helpers, `threads` in all. Each thread calls `worker`
/// once, which gives what it made of every task it took, with the number of the task. The results come in the order of the tasks.
///
/// A helper that cannot be started is only missed.
///
/// # Errors
/// The first of the workers'.
///
/// # Panics
/// When a worker panics.
pub fn share_out<T: Send, E: Send>(
    count: usize,
    threads: usize,
    worker: impl Fn(Tasks<'_>) -> Result<Vec<(usize, T)>, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let work = || worker(Tasks { next: &next, count });
    let parts = thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads.min(count))
            .filter_map(|_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).ok())
            .collect();
        let mut parts = vec![work()];
        // What a helper that panics had done is lost; the panic goes on here.
        parts.extend(helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|cause| resume_unwind(cause))));
        parts
    });
    let mut done = Vec::with_capacity(count);
    for part in parts {
        done.extend(part?);
    }
    done.sort_unstable_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn every_task_is_done_once_and_results_are_in_order() {
        for (count, threads) in [(0, 4), (1, 0), (1, 4), (5, 1), (1000, 3)] {
            let worker = |tasks: Tasks<'_>| Ok::<_, ()>(tasks.map(|task| (task, task * task)).collect());
            let squares: Vec<usize> = (0..count).map(|task| task * task).collect();
            assert_eq!(share_out(count, threads, worker), Ok(squares));
        }
    }

    #[test]
    fn threads_work_at_the_same_time() {
        let barrier = Barrier::new(3);
        let worker = |tasks: Tasks<'_>| Ok::<_, ()>(tasks.map(|task| (task, barrier.wait().is_leader())).collect());
        let leaders = share_out(3, 3, worker).unwrap();
        assert_eq!(leaders.iter().filter(|&&leader| leader).count(), 1);
    }

    #[test]
    fn failures_and_panics_are_handed_on() {
        let fails = |tasks: Tasks<'_>| {
            tasks.map(|task| if task == 7 { Err(task) } else { Ok((task, ())) }).collect::<Result<Vec<_>, _>>()
        };
        assert_eq!(share_out(20, 2, fails), Err(7));
        let panics = |tasks: Tasks<'_>| Ok::<_, ()>(tasks.map(|task| (task, [0; 9][task])).collect());
        assert!(std::panic::catch_unwind(|| share_out(20, 2, panics)).is_err());
    }
}
