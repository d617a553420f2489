import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RemoteEntry } from '../../api/remote-entry.js';
import { writeAtomically } from '../../base/fs/write-atomically.js';
import { SessionLog } from '../log/session-log.js';

const record = z.object({ id: z.uuid(), folder: z.string(), startedAt: z.string() });

/** Facts of a session that never change. */
export type SessionRecord = z.infer<typeof record>;

/** A session of an earlier run of the server. */
export interface StoredSession {
  readonly record: SessionRecord;
  readonly log: SessionLog;
  readonly entries: readonly RemoteEntry[];
}

/** Days after which the log of an ended session is removed. */
const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Logs of sessions on the disk: one folder for each session. */
export class SessionStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folder and the log of a new session. */
  async create(session: SessionRecord): Promise<SessionLog> {
    const folder = join(this.#folder, session.id);
    await mkdir(folder, { mode: 0o700 });
    await writeAtomically(join(folder, 'session.json'), JSON.stringify(session), 0o600);
    return SessionLog.open(join(folder, 'log.jsonl'));
  }

  /** Opens all sessions of earlier runs, oldest first. Removes those that ended long ago. Damaged folders are left alone. */
  async open(): Promise<readonly StoredSession[]> {
    const names = await readdir(this.#folder);
    const found = await Promise.all(names.map((name) => this.#read(name)));
    const records = found.filter((session) => session !== undefined);
    records.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
    const stored: StoredSession[] = [];
    for (const session of records) {
      const opened = await this.#openLog(session);
      if (opened !== undefined) stored.push(opened);
    }
    return stored;
  }

  async #openLog(session: SessionRecord): Promise<StoredSession | undefined> {
    const folder = join(this.#folder, session.id);
    const entries: RemoteEntry[] = [];
    const log = await SessionLog.open(join(folder, 'log.jsonl'), (entry) => entries.push(entry));
    const lastAt = Date.parse(entries.at(-1)?.at ?? session.startedAt);
    if (Date.now() - lastAt < KEPT_DAYS * DAY_MS) return { record: session, log, entries };
    await log.close();
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }

  async #read(name: string): Promise<SessionRecord | undefined> {
    try {
      const text = await readFile(join(this.#folder, name, 'session.json'), 'utf8');
      const value: unknown = JSON.parse(text);
      const { data } = record.safeParse(value);
      return data?.id === name ? data : undefined;
    } catch {
      return undefined;
    }
  }
}
