import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SessionStore, type StoredSession } from '../../../src/remote/state/session-store.js';

afterEach(() => void vi.useRealTimers());

const createFolder = (): string => mkdtempSync(join(tmpdir(), 'session-store-'));
const recordOf = (startedAt: string, startId?: string) => ({
  ...{ id: randomUUID(), folder: '/', startedAt, startId },
});

async function openAll(store: SessionStore): Promise<StoredSession[]> {
  const stored: StoredSession[] = [];
  for await (const session of store.open()) {
    stored.push(session);
    await session.log.close();
  }
  return stored;
}

describe('SessionStore', () => {
  it('opens sessions from the oldest to the newest, in private folders', async () => {
    const folder = createFolder();
    const store = new SessionStore(folder);
    const now = Date.now();
    const ages = [1, 3, 2].map((hours) => new Date(now - hours * 3_600_000).toISOString());
    const records = ages.map((startedAt, index) => recordOf(startedAt, `start ${index}`));
    for (const record of records) await (await store.create(record)).close();
    const opened = (await openAll(store)).map(({ record }) => record.startId);
    expect(opened).toEqual(['start 1', 'start 2', 'start 0']);
    const path = join(folder, records[0]?.id ?? '');
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, 'log.jsonl')).mode & 0o777).toBe(0o600);
  });

  it('leaves damaged folders alone', async () => {
    const folder = createFolder();
    const store = new SessionStore(folder);
    const [good, moved] = [recordOf(new Date().toISOString()), recordOf('2020-01-01')];
    await (await store.create(good)).close();
    const other = randomUUID();
    mkdirSync(join(folder, 'empty'));
    const damaged = { cut: '{"id":', [randomUUID()]: '{"id":"x"}', [other]: JSON.stringify(moved) };
    for (const [name, text] of Object.entries(damaged)) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'session.json'), text);
    }
    writeFileSync(join(folder, 'a file'), '');
    expect((await openAll(store)).map(({ record }) => record.id)).toEqual([good.id]);
    // A record that was moved into another folder must not remove that one, however old it says that it is.
    expect(existsSync(join(folder, other))).toBe(true);
  });

  it('reads the log if its summary is damaged, and begins a new one if it is gone', async () => {
    const folder = createFolder();
    const store = new SessionStore(folder);
    const record = recordOf(new Date().toISOString());
    const log = await store.create(record);
    log.add({ type: 'model', model: 'gemini-2.5-pro' }, 'agent');
    await log.sync();
    await store.writeSummary(record.id, log, { model: 'another' });
    await log.close();
    expect((await openAll(store))[0]?.facts).toEqual({ model: 'another' });
    writeFileSync(join(folder, record.id, 'summary.json'), '{"bytes":"x"}');
    expect((await openAll(store))[0]?.facts).toMatchObject({ model: 'gemini-2.5-pro' });
    await store.writeSummary(record.id, log, {});
    rmSync(join(folder, record.id, 'log.jsonl'));
    const [stored] = await openAll(store);
    expect(stored).toMatchObject({ facts: {}, log: { lastSeq: 0 }, unfinished: { prompts: [] } });
  });

  it('keeps a session for 30 days after its last entry, however long ago it began', async () => {
    const store = new SessionStore(createFolder());
    const record = recordOf('2020-01-01T00:00:00.000Z');
    const log = await store.create(record);
    log.add({ type: 'mode', mode: 'plan' }, 'agent');
    await log.close();
    expect(await openAll(store)).toHaveLength(1);
    const empty = recordOf('2020-01-01T00:00:00.000Z');
    await (await store.create(empty)).close();
    expect((await openAll(store)).map(({ record: { id } }) => id)).toEqual([record.id]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 24 * 60 * 60 * 1000 + 1_000 });
    expect(await openAll(store)).toEqual([]);
  });
});
