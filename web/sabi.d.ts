/** Receives an output line of the engine. */
export type Listener = (line: string) => void;

/** An engine that speaks USI. */
export interface Sabi {
  /** Sends a USI line, also during a search. Lines that listeners send are read after they return. */
  postMessage(line: string): void;
  addMessageListener(listener: Listener): void;
  removeMessageListener(listener: Listener): void;
  /** Ends the engine; listeners are not called any more. */
  terminate(): void;
  /** Searches for some milliseconds. Not needed: the engine schedules itself. Nothing in a listener. */
  poll(): void;
  /** Answers a question about rules and records. */
  ask(question: string | Uint8Array): Answer;
}

/** An answer; an invalid question has only `error`. */
export type Answer = { error?: string } & Partial<Look> & Partial<Game> & { text?: string };

/** Answer to `look startpos moves 7g7f …`. */
export interface Look {
  /** The first position. */
  start: string;
  moves: string[];
  /** The moves in Japanese. */
  texts: string[];
  /** Whether it is a handicap game, whose sides are 下手 and 上手. */
  handicap: boolean;
  /** Start and moves as in the command `position`. */
  usi: string;
  /** The position after the moves. */
  sfen: string;
  legal: string[];
  check: boolean;
  /** End of the game by the rules, if any. */
  over: { reason: "checkmate" | "repetition" | "perpetual check"; result: "black" | "white" | "draw" } | null;
}

/** Answer to `read NAME`, a line feed, and a record (KIF, KI2, CSA, JKF, PGN, USI) or position. */
export interface Game {
  start: string;
  moves: string[];
  texts: string[];
  handicap: boolean;
  usi: string;
  names: [string | null, string | null];
  result: string;
  end: string;
  /** The game as KIF, with its headers, times and comments, but not its branches. */
  kif: string;
}

export interface Options {
  /** URL of `sabi.wasm`; default: beside the script. */
  locateFile?: (path: string, prefix: string) => string;
  /** Receives the standard error of the engine: the reason of a crash. */
  printErr?: (line: string) => void;
  /** The compiled module, if available. */
  module?: WebAssembly.Module;
}

/** Compiles the module at `url`. */
export function compile(url: URL): Promise<WebAssembly.Module>;

/** Creates an engine, best in a worker: it searches on the creating thread. */
export default function createSabi(options?: Options): Promise<Sabi>;
