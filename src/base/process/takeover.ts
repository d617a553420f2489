/** Global symbol, so that two copies of this package in one process understand each other. */
const MARKER = Symbol.for('gemini-cli-provider.Takeover');

/**
 * Reason of an abort: another process has taken the steps over. What runs on this machine ends, and what runs elsewhere is left to
 * that process.
 */
export class Takeover extends Error {
  override readonly name = 'Takeover';

  constructor() {
    super('Another process has taken the steps over');
    Object.defineProperty(this, MARKER, { value: true });
  }

  static isInstance(value: unknown): value is Takeover {
    return value instanceof Error && MARKER in value;
  }
}

/** Returns the takeover that has led to an error. Undefined if the error has another cause. */
export function takeoverOf(error: unknown): Takeover | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return Takeover.isInstance(cause) ? cause : undefined;
}
