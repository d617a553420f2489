import { stat } from 'node:fs/promises';
import type { SessionDiagnostic } from '../../api/session.js';
import { readSession } from '../files/read-session.js';
import type { FileReading } from './file-reading.js';

/** One write can be heard of several times, so that a second look may come too soon. */
const PATIENCE_MS = 500;
/** The clock of a file system is coarse: two versions of one size can have the same time. */
const FRESH_MS = 100;
/** What may be wrong with a file although nobody is writing it just now. */
const LASTING: readonly SessionDiagnostic['kind'][] = [
  'damaged-message',
  'garbage',
  'overlong-line',
];

/** Follows a file of the older generation, which is written anew for each message. */
export class JsonFollower {
  readonly #patienceMs: number;
  #seen = '';
  #torn = { version: '', sinceMs: 0 };
  #toldProblems: readonly string[] = [];

  constructor(patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  /** Undefined where there is nothing new, or where the CLI is just writing it. */
  async readNew(path: string): Promise<FileReading | undefined> {
    const { ino, size, mtimeMs } = await stat(path);
    const version = `${ino} ${size} ${mtimeMs}`;
    if (version === this.#seen) return undefined;
    const { header, messages, diagnostics } = await readSession(path);
    const isTorn = diagnostics.some(({ kind }) => !LASTING.includes(kind));
    if (isTorn && this.#isBeingWritten(version)) return undefined;
    const ageMs = Date.now() - mtimeMs;
    this.#seen = ageMs >= 0 && ageMs < FRESH_MS ? '' : version;
    const problems = diagnostics.filter(({ message }) => !this.#toldProblems.includes(message));
    this.#toldProblems = diagnostics.map(({ message }) => message);
    // What is behind the tear is not gone.
    return { written: messages, removed: [], isEverything: !isTorn, header, problems };
  }

  /** Nobody is writing any more if it is still the same after a while. */
  #isBeingWritten(version: string): boolean {
    const nowMs = Date.now();
    if (this.#torn.version === version) return nowMs - this.#torn.sinceMs < this.#patienceMs;
    this.#torn = { version, sinceMs: nowMs };
    return true;
  }
}
