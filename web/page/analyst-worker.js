// Analyses positions, each in one go, with an instance of the module of its own.
import { Instance } from "./sabi.js";

let instance = null;
onmessage = ({ data }) => {
  try {
    if (data.module)
      instance = new Instance(
        data.module,
        () => {},
        (text) => console.warn(text),
        () => false,
      );
    else postMessage(instance.ask(`analyze ${JSON.stringify(data)}`));
  } catch (error) {
    // After a trap the instance is unusable: the page starts another worker.
    postMessage({ trap: error.message });
  }
};
