/** Takes one line that the engine says. */
export type Listener = (line: string) => void;

/** An engine that speaks USI. */
export interface Sabi {
  /** Hands over a line of USI. It may be heard while the engine thinks. */
  postMessage(line: string): void;
  addMessageListener(listener: Listener): void;
  removeMessageListener(listener: Listener): void;
  /** Ends the engine. Nothing is said any more. */
  terminate(): void;
  /** Thinks for some milliseconds at once. The engine does that by itself; for hosts that want to. */
  poll(): void;
  /** Answers a question about rules and records. */
  ask(question: string | Uint8Array): Answer;
}

/** What the engine answers; `error` says what is wrong with the question, and then there is nothing else. */
export type Answer = { error?: string } & Partial<Look> & Partial<Game> & { text?: string };

/** To `look startpos moves 7g7f …`. */
export interface Look {
  /** The first position. */
  start: string;
  moves: string[];
  /** The moves in Japanese. */
  texts: string[];
  /** Start and moves as behind the command `position`. */
  usi: string;
  /** The position after the moves. */
  sfen: string;
  legal: string[];
  check: boolean;
  /** How the game is over by the rules. */
  over: { reason: "checkmate" | "repetition" | "perpetual check"; result: "black" | "white" | "draw" } | null;
}

/** To `read NAME`, a line feed, and a record (KIF, KI2, CSA, JKF, PGN, USI) or a position. */
export interface Game {
  start: string;
  moves: string[];
  texts: string[];
  usi: string;
  names: [string | null, string | null];
  result: string;
  end: string;
}

export interface Options {
  /** Where `sabi.wasm` lies; otherwise beside the script. */
  locateFile?: (path: string, prefix: string) => string;
  /** Takes what the engine writes to its standard error: the reason before it breaks off. */
  printErr?: (line: string) => void;
  /** The module, if it is compiled already. */
  module?: WebAssembly.Module;
}

/** Compiles the module that lies at `url`. */
export function compile(url: URL): Promise<WebAssembly.Module>;

/** Makes an engine, best in a worker: it thinks on the thread that made it. */
export default function createSabi(options?: Options): Promise<Sabi>;
