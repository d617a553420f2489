import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../../base/fs/write-atomically.js';
import { readJson } from './read-json.js';

const record = z.object({
  cliSessionId: z.string(),
  /** Process of the CLI. */
  pid: z.number().int().positive(),
  startTime: z.number(),
  /** Socket of the tmux server and id of the pane, for a session in tmux. */
  socket: z.string().optional(),
  pane: z.string().optional(),
  /** Session file of the CLI. */
  file: z.string().optional(),
});

/** Where a session at the desk runs. */
export type DeskRecord = z.infer<typeof record>;

/** Files that tell a later server where the sessions at the desk run, so that it finds them before their next hook. */
export class DeskRecords {
  readonly #folder: string;

  /** @param folder folder of the session logs */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the records by the ids of the sessions on the server. Damaged ones are left out. */
  readAll(): ReadonlyMap<string, DeskRecord> {
    const found = readdirSync(this.#folder).flatMap((id) => {
      const { data } = record.safeParse(readJson(this.#pathOf(id)));
      return data === undefined ? [] : [[id, data] as const];
    });
    return new Map(found);
  }

  /** Keeps a record. A record that cannot be written costs the next server its head start. */
  async write(sessionId: string, content: DeskRecord): Promise<void> {
    await writeAtomically(this.#pathOf(sessionId), JSON.stringify(content), 0o600).catch(() => {});
  }

  async remove(sessionId: string): Promise<void> {
    if (existsSync(this.#pathOf(sessionId))) await rm(this.#pathOf(sessionId), { force: true });
  }

  #pathOf(sessionId: string): string {
    return join(this.#folder, sessionId, 'desk.json');
  }
}
