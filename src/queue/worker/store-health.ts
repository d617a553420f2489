import {
  findStoreProblem,
  isStoreAway,
  type StoreProblem,
  toStoreError,
} from '../store/store-error.js';
import type { StoreAddress } from '../store/store-url.js';

/**
 * Knows whether the store takes the writes of this worker. A store that is full, read-only or does not permit a command answers:
 * no connection is lost, and BullMQ goes on asking.
 */
export class StoreHealth {
  readonly #address: Pick<StoreAddress, 'shown' | 'redactor'>;
  readonly #onProblem: (problem: StoreProblem) => void;
  readonly #told = new Set<string>();
  #problem: StoreProblem | undefined;
  #lastError: string | undefined;

  constructor(
    address: Pick<StoreAddress, 'shown' | 'redactor'>,
    onProblem: (problem: StoreProblem) => void,
  ) {
    this.#address = address;
    this.#onProblem = onProblem;
  }

  /** What is wrong with the store now. */
  get problem(): StoreProblem | undefined {
    return this.#problem;
  }

  /** What the store reported last, up to its next good answer. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  /** Notes an error of the store. A problem is told once, until it is over. */
  failed(error: unknown): void {
    const problem = findStoreProblem(error, this.#address);
    // Other errors of BullMQ concern one job.
    if (problem === undefined && !isStoreAway(error)) return;
    this.#lastError = toStoreError(error, this.#address).message;
    if (problem === undefined) return;
    this.#problem = problem;
    if (this.#told.has(problem.kind)) return;
    this.#told.add(problem.kind);
    this.#onProblem(problem);
  }

  /** The store takes writes. Returns true if a problem is over. */
  works(): boolean {
    const isOver = this.#problem !== undefined;
    this.#problem = undefined;
    this.#lastError = undefined;
    this.#told.clear();
    return isOver;
  }
}
