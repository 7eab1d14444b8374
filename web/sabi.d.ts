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
export type Answer = { error?: string } & Partial<Look> & Partial<Game> & Partial<PositionAnalysis> & Partial<Report> & { text?: string };

/** Answer to `look startpos moves 7g7f …`. */
export interface Look {
  /** The first position. */
  start: string;
  moves: string[];
  /** The moves in Japanese. */
  texts: string[];
  /** The moves in Western notation: `P-7f`. */
  english: string[];
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
  english: string[];
  handicap: boolean;
  usi: string;
  names: [string | null, string | null];
  result: string;
  end: string;
  /** Seconds of each move, where recorded. */
  times: (number | null)[];
  /** The comment of the start, and of the position after each move. */
  comments: string[];
  /** The branches of a KIF, each from where it leaves the game. */
  branches: Branch[];
  unreadable_branches: number;
  /** The game as KIF, with its headers, times and comments, but not its branches. */
  kif: string;
}

/** Moves other than those of a game. */
export interface Branch {
  /** Number of moves of the game before them. */
  after: number;
  moves: string[];
}

/** A game in the questions `write FORMAT {…}` and `report {…}`. */
export interface DescribedGame {
  /** The last position with the moves to it, as in the command `position`. */
  position: string;
  names?: [string | null, string | null];
  /** As in the answer to `read`, both or none. */
  result?: string;
  end?: string;
  times?: (number | null)[];
  branches?: Branch[];
  /** The record that was read, as KIF: its headers, and times and comments as far as the moves are the same. */
  record?: string;
}

/** Question `analyze {…}`, which takes as long as the search: for a worker of its own. */
export interface AnalyzeQuestion {
  position: string;
  /** The move of the game in the position, if any. */
  played: string | null;
  nodes: number;
  multipv: number;
}

/** Answer to `analyze {…}`, for `report {…}`. Scores are for the side to move. */
export interface PositionAnalysis {
  score: number;
  proved: boolean;
  nodes: number;
  lines: { score: number; proved: boolean; depth: number; moves: string }[];
  mates: boolean;
  keeps_mate: boolean;
  /** Whether the move played is the best one by far, and a short search prefers another. */
  great?: boolean;
}

/** Question `report {…}`; with a format, the answer has a `text`. */
export interface ReportQuestion {
  game: DescribedGame;
  /** The start, and the position after each move. */
  positions: (PositionAnalysis | null)[];
  language: "ja" | "en";
  format?: "html" | "kif" | "csa";
  /** Engine and settings, for the page. */
  made_by?: string;
}

/** Answer to `report {…}`. */
export interface Report {
  /** A game as in the JSON of `sabi analyze`. */
  report: object;
  /** The classes of moves, best first, with their names in the language. */
  classes: [string, string][];
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
