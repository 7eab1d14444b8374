// Positions analysed by workers, several at a time: the result does not depend on their number.

/// Analyses tasks, the questions `analyze`, in order; `onFound` is called with the number of each and
/// its answer. Resolves to whether all are done; `signal` cancels. A position on which the module traps
/// has no answer, `null`; a worker that does not start, or a wrong task, is an error.
export function analyzeAll(module, tasks, { workers, signal, onFound }) {
  let next = 0,
    pending = tasks.length;
  const all = new Set();
  return new Promise((resolve, reject) => {
    const finish = (done) => {
      all.forEach((worker) => worker.terminate());
      all.clear();
      done();
    };
    const fail = (reason) => finish(() => reject(new Error(reason)));
    signal.addEventListener("abort", () => finish(() => resolve(false)));
    const found = (number, answer) => {
      onFound(number, answer);
      pending -= 1;
      if (!pending) finish(() => resolve(true));
    };
    const launch = () => {
      const worker = new Worker("analyst-worker.js", { type: "module" });
      let number = -1;
      const give = () => {
        number = next;
        if (next < tasks.length) worker.postMessage(tasks[next]);
        next += 1;
      };
      all.add(worker);
      worker.onerror = (event) => fail(event.message || "worker");
      worker.onmessage = ({ data }) => {
        if (data.error) return fail(data.error);
        if (data.trap === undefined) {
          found(number, data);
          return give();
        }
        all.delete(worker);
        worker.terminate();
        found(number, null);
        if (pending && next < tasks.length) launch();
      };
      worker.postMessage({ module });
      give();
    };
    if (!pending) return finish(() => resolve(true));
    for (let count = Math.min(workers, tasks.length); count > 0; count -= 1) launch();
  });
}
