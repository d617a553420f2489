import { stat } from 'node:fs/promises';
import type { SessionDiagnostic } from '../../api/session.js';
import { readSession } from '../files/read-session.js';
import type { FileReading } from './file-reading.js';

/** Time after which an unchanged incomplete file counts as damaged instead of being written. */
const PATIENCE_MS = 500;
/** Age up to which a file is read again. File times are coarse: two versions of one size can have the same time. */
const FRESH_MS = 100;
/** Kinds of damage that do not mean that the file is being written. */
const LASTING: readonly SessionDiagnostic['kind'][] = [
  'damaged-message',
  'garbage',
  'overlong-line',
];

/** Follows a file of the older generation, which the CLI rewrites for each message. */
export class JsonFollower {
  readonly #patienceMs: number;
  #seen = '';
  #torn = { version: '', sinceMs: 0 };
  #reportedProblems: readonly string[] = [];

  constructor(patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  /** Reads the file. Undefined if the file is unchanged or the CLI is writing it. */
  async readNew(path: string): Promise<FileReading | undefined> {
    const { ino, size, mtimeMs } = await stat(path);
    const version = `${ino} ${size} ${mtimeMs}`;
    if (version === this.#seen) return undefined;
    const { header, messages, diagnostics } = await readSession(path);
    const isTorn = diagnostics.some(({ kind }) => !LASTING.includes(kind));
    if (isTorn && this.#isBeingWritten(version)) return undefined;
    const ageMs = Date.now() - mtimeMs;
    this.#seen = ageMs >= 0 && ageMs < FRESH_MS ? '' : version;
    const problems = diagnostics.filter(({ message }) => !this.#reportedProblems.includes(message));
    this.#reportedProblems = diagnostics.map(({ message }) => message);
    // Messages after the end of an incomplete file are not removed, only unreadable.
    return { written: messages, removed: [], isEverything: !isTorn, header, problems };
  }

  /** True if an incomplete file is new or changed less than the patience ago. Later no process is writing it. */
  #isBeingWritten(version: string): boolean {
    const nowMs = Date.now();
    if (this.#torn.version === version) return nowMs - this.#torn.sinceMs < this.#patienceMs;
    this.#torn = { version, sinceMs: nowMs };
    return true;
  }
}
