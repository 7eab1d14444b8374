// The engine on a thread of its own.
import createSabi from "./sabi.js";

const waiting = [];
let engine = null;
onmessage = async ({ data }) => {
  if (data.module) {
    try {
      engine = await createSabi({ module: data.module, printErr: (text) => console.warn(text) });
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
