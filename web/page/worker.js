// The engine in a worker, with several threads where possible.
import createSabi from "./sabi.js";

/// The engine with threads, or without them if that fails.
async function create({ module, threads }) {
  const printErr = (text) => console.warn(text);
  if (threads > 1) {
    try {
      const { default: createThreads } = await import("./threads.js");
      const made = await createThreads({ printErr });
      made.postMessage(`setoption name Threads value ${threads}`);
      return made;
    } catch (error) {
      printErr(error.message);
    }
  }
  return createSabi({ module, printErr });
}

const waiting = [];
let engine = null;
onmessage = async ({ data }) => {
  if (data.module) {
    try {
      engine = await create(data);
      engine.addMessageListener((line) => postMessage(line));
      waiting.splice(0).forEach((line) => engine.postMessage(line));
    } catch (error) {
      postMessage({ error: error.message });
    }
  } else if (engine) {
    engine.postMessage(data.line);
  } else {
    waiting.push(data.line);
  }
};
