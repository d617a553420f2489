import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../../base/fs/write-atomically.js';
import { SessionLog } from '../log/session-log.js';
import {
  LogFold,
  type RestoredFacts,
  sessionFactsSchema,
  type Unfinished,
} from '../session/restored-facts.js';
import { readJson } from './read-json.js';

const record = z.object({
  id: z.uuid(),
  folder: z.string(),
  startedAt: z.string(),
  /** Id of the request that has started the session. */
  startId: z.string().optional(),
});
/** What a log says, for as long as it has this size. */
const summary = z.object({ bytes: z.number(), lastSeq: z.number(), facts: sessionFactsSchema });

/** Facts of a session that never change. */
export type SessionRecord = z.infer<typeof record>;

/** A session of an earlier run of the server. */
export interface StoredSession {
  readonly record: SessionRecord;
  readonly log: SessionLog;
  readonly facts: RestoredFacts;
  /** Undefined if nothing was left undone. */
  readonly unfinished: Unfinished | undefined;
}

/** Days after which the log of an ended session is removed. */
const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const LOG = 'log.jsonl';
const SUMMARY = 'summary.json';

/**
 * Logs of sessions on the disk: one folder for each session. The summary of an ended session says what its log would say, so
 * that a server with hundreds of sessions starts without reading all their logs.
 */
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
    return SessionLog.open(join(folder, LOG));
  }

  /** Opens all sessions of earlier runs, oldest first. Removes those that ended long ago. Damaged folders are left alone. */
  async *open(): AsyncGenerator<StoredSession, void> {
    const records = (await readdir(this.#folder)).flatMap((name) => this.#readRecord(name) ?? []);
    records.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
    for (const session of records) {
      const stored = (await this.#openSummary(session)) ?? (await this.#openLog(session));
      if (!isOld(stored)) yield stored;
      else await this.#remove(stored);
    }
  }

  /** Keeps what the log of an ended session says. */
  async writeSummary(
    id: string,
    { bytes, lastSeq }: SessionLog,
    facts: RestoredFacts,
  ): Promise<void> {
    const text = JSON.stringify({ bytes, lastSeq, facts });
    await writeAtomically(join(this.#folder, id, SUMMARY), text, 0o600);
  }

  /** Opens a session by its summary. Undefined if there is none, or if the log has changed since. */
  async #openSummary(session: SessionRecord): Promise<StoredSession | undefined> {
    const folder = join(this.#folder, session.id);
    const { data } = summary.safeParse(readJson(join(folder, SUMMARY)));
    if (data === undefined) return undefined;
    const path = join(folder, LOG);
    const size = await stat(path).then(
      ({ size }) => size,
      () => undefined,
    );
    if (size !== data.bytes) return undefined;
    const log = SessionLog.atRest(path, data.lastSeq, data.bytes);
    return { record: session, log, facts: data.facts, unfinished: undefined };
  }

  async #openLog(session: SessionRecord): Promise<StoredSession> {
    const fold = new LogFold();
    const path = join(this.#folder, session.id, LOG);
    const log = await SessionLog.open(path, (entry) => fold.accept(entry));
    return { record: session, log, facts: fold.facts, unfinished: fold };
  }

  async #remove({ record: { id }, log }: StoredSession): Promise<void> {
    await log.close();
    await rm(join(this.#folder, id), { recursive: true, force: true });
  }

  #readRecord(name: string): SessionRecord | undefined {
    const { data } = record.safeParse(readJson(join(this.#folder, name, 'session.json')));
    return data?.id === name ? data : undefined;
  }
}

function isOld({ record: { startedAt }, facts: { updatedAt } }: StoredSession): boolean {
  return Date.now() - Date.parse(updatedAt ?? startedAt) >= KEPT_DAYS * DAY_MS;
}
