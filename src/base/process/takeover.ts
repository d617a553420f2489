/** Global symbol, so that two copies of this package in one process understand each other. */
const MARKER = Symbol.for('gemini-cli-provider.Takeover');

/**
 * Reason of an abort: another run has taken the steps over, or will do so. What runs on this machine ends, and what runs elsewhere
 * is left to that run.
 */
export class Takeover extends Error {
  override readonly name = 'Takeover';

  constructor() {
    super('The steps are left to another run');
    Object.defineProperty(this, MARKER, { value: true });
  }

  static isInstance(value: unknown): value is Takeover {
    return value instanceof Error && MARKER in value;
  }
}

const leaving = new WeakSet<object>();

/** Marks an error after which another run goes on with the steps. Returns the error. */
export function leavingSteps<T extends Error>(error: T): T {
  leaving.add(error);
  return error;
}

/** Returns the reason with which an error aborts the running steps. Undefined if the error leaves them to no other run. */
export function takeoverOf(error: unknown): Takeover | undefined {
  return error instanceof Error && leaving.has(error) ? new Takeover() : undefined;
}
