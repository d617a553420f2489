import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';

/**
 * Whether the person is away from the desk. While away, hooks of sessions at the desk wait for an answer from a device. The
 * state is a file, so that it survives the server.
 */
export class Presence {
  readonly #file: string;
  readonly #listeners = new Set<(isAway: boolean) => void>();
  #isAway: boolean;

  constructor(file: string) {
    this.#file = file;
    this.#isAway = existsSync(file);
  }

  isAway(): boolean {
    return this.#isAway;
  }

  async set(isAway: boolean): Promise<void> {
    if (isAway === this.#isAway) return;
    if (isAway) await writeFile(this.#file, '', { mode: 0o600 });
    else await rm(this.#file, { force: true });
    this.#isAway = isAway;
    for (const listener of this.#listeners) listener(isAway);
  }

  subscribe(listener: (isAway: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
