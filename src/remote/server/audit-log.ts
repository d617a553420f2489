import { appendFile } from 'node:fs/promises';
import type { Logger } from '../../api/logger.js';

/** What a device or the desk has done. */
export interface AuditEntry {
  readonly action: string;
  /** Name of the device, or `desk`. */
  readonly by: string;
  readonly deviceId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly requestId?: string | undefined;
  /** Hash of tool and arguments that were allowed. */
  readonly inputHash?: string | undefined;
  readonly outcome: 'done' | 'refused';
}

/** File with one line for each action of a device: who, what, when. It has no prompts and no code. */
export class AuditLog {
  readonly #file: string;
  readonly #logger: Logger;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string, logger: Logger) {
    this.#file = file;
    this.#logger = logger;
  }

  /** Adds a line, and resolves when it is written: a server that is killed after its answer has the action in its log. */
  add(entry: AuditEntry): Promise<void> {
    const line = `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`;
    this.#logger.info({ ...entry }, 'Remote action');
    this.#writing = this.#writing
      .then(() => appendFile(this.#file, line, { mode: 0o600 }))
      .catch((error: unknown) => {
        this.#logger.error({ error: String(error) }, 'The audit log cannot be written');
      });
    return this.#writing;
  }

  /** Waits until all lines are written. */
  close(): Promise<void> {
    return this.#writing;
  }
}
