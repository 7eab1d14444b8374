//! Solvers on threads.

use crate::mate::solver::{MateProgress, MateQuestion, MateResult, MateSolver};
use crate::util::{in_order, run_workers};
use sabi_records::Problem;
use std::time::{Duration, Instant};

/// Result of a problem.
pub struct Solved {
    pub result: MateResult,
    pub nodes: u64,
    pub time: Duration,
}

/// Solvers with their memory.
pub struct Solvers {
    solvers: Vec<MateSolver>,
    /// Time per problem.
    time: Duration,
    shortest: bool,
}

impl Solvers {
    /// A solver per thread, sharing `megabytes`.
    pub fn new(threads: usize, megabytes: usize, time: Duration, shortest: bool) -> anyhow::Result<Self> {
        let share = (megabytes / threads).max(1);
        let solvers = (0..threads).map(|_| MateSolver::new(share)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { solvers, time, shortest })
    }

    /// Solves all problems and passes on the results in order. Stops when `each` fails.
    pub fn solve(
        self,
        problems: &[Problem],
        mut each: impl FnMut(usize, Solved) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let (time, shortest) = (self.time, self.shortest);
        run_workers(
            self.solvers,
            problems.iter(),
            |mut solver, tasks| {
                tasks.work(|problem| solve_one(&mut solver, problem, shortest, time, &|| tasks.is_stopped()));
            },
            |results| in_order(results).enumerate().try_for_each(|(at, solved)| each(at, solved)),
        )?
    }
}

fn solve_one(
    solver: &mut MateSolver,
    problem: &Problem,
    shortest: bool,
    time: Duration,
    is_stopped: &dyn Fn() -> bool,
) -> Solved {
    let question = MateQuestion { shortest, ..MateQuestion::about(&problem.position) };
    let start = Instant::now();
    let mut go_on = |_: &MateProgress<'_>| !is_stopped() && start.elapsed() < time;
    let (result, nodes) = solver.solve(&problem.position, &question, &mut go_on);
    Solved { result, nodes, time: start.elapsed() }
}
