//! Solvers at work, each on a thread of its own.

use crate::mate::solver::{MateProgress, MateQuestion, MateResult, MateSolver};
use crate::record::Problem;
use crate::util::{SetOnDrop, in_order};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Lines of up to 2,000 plies are followed by calls within calls; untouched pages cost nothing.
const STACK_BYTES: usize = 64 << 20;

/// What became of a problem.
pub struct Solved {
    pub result: MateResult,
    pub nodes: u64,
    pub time: Duration,
}

/// Solvers with their memory.
pub struct Solvers {
    solvers: Vec<MateSolver>,
    /// For each problem.
    time: Duration,
    shortest: bool,
}

impl Solvers {
    /// As many solvers as threads, which share `megabytes` out.
    pub fn new(threads: usize, megabytes: usize, time: Duration, shortest: bool) -> anyhow::Result<Self> {
        let share = (megabytes / threads).max(1);
        let solvers = (0..threads).map(|_| MateSolver::new(share)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { solvers, time, shortest })
    }

    /// Solves all problems, and hands over what became of each, in their order. The work ends when `each` fails.
    pub fn solve(
        self,
        problems: &[Problem],
        mut each: impl FnMut(usize, Solved) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let stopped = AtomicBool::new(false);
        let work =
            Work { problems, next: AtomicUsize::new(0), stopped: &stopped, time: self.time, shortest: self.shortest };
        thread::scope(|scope| {
            // The solvers end with this thread, also when it fails.
            let _guard = SetOnDrop(&stopped);
            let (sender, receiver) = channel();
            for mut solver in self.solvers {
                let (work, sender) = (&work, sender.clone());
                let solve = move || work.solve(&mut solver, &sender);
                thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, solve)?;
            }
            drop(sender);
            in_order(receiver).enumerate().try_for_each(|(at, solved)| each(at, solved))
        })
    }
}

/// What the threads share.
struct Work<'a> {
    problems: &'a [Problem],
    /// The first problem that nobody has taken.
    next: AtomicUsize,
    stopped: &'a AtomicBool,
    time: Duration,
    shortest: bool,
}

impl Work<'_> {
    /// Takes problems until there are none, or nobody wants more.
    fn solve(&self, solver: &mut MateSolver, sender: &Sender<(usize, Solved)>) {
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(problem) = self.problems.get(at) else { return };
            if sender.send((at, self.solve_one(solver, problem))).is_err() {
                return;
            }
        }
    }

    fn solve_one(&self, solver: &mut MateSolver, problem: &Problem) -> Solved {
        let question = MateQuestion { shortest: self.shortest, ..MateQuestion::about(&problem.position) };
        let start = Instant::now();
        let mut go_on = |_: &MateProgress<'_>| !self.stopped.load(Ordering::Relaxed) && start.elapsed() < self.time;
        let (result, nodes) = solver.solve(&problem.position, &question, &mut go_on);
        Solved { result, nodes, time: start.elapsed() }
    }
}
