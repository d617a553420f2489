import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RemoteEntryContent } from '../../../src/api/remote-entry.js';
import { LogFile } from '../../../src/remote/log/log-file.js';
import { SessionStore, type StoredSession } from '../../../src/remote/state/session-store.js';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const ENTRIES: readonly RemoteEntryContent[] = [
  { type: 'driver', driver: 'tmux', cliSessionId: 'cli-1' },
  { type: 'mode', mode: 'plan' },
  {
    type: 'message',
    messageId: '1',
    role: 'user',
    blocks: [{ type: 'text', text: ' Say\n hello ' }],
  },
  { type: 'message', messageId: '2', role: 'user', blocks: [{ type: 'text', text: 'And again' }] },
  { type: 'prompt', promptId: 'p', text: 'later', status: 'queued', by: 'phone' },
  { type: 'usage', tokens: 12, costUsd: 0.5 },
];
const FACTS = { cliSessionId: 'cli-1', mode: 'plan', title: 'Say hello', tokens: 12, costUsd: 0.5 };

async function createStored() {
  const folder = mkdtempSync(join(tmpdir(), 'session-store-'));
  const store = new SessionStore(folder);
  const record = { id: randomUUID(), folder: '/', startedAt: new Date().toISOString() };
  const log = await store.create(record);
  for (const content of ENTRIES) log.add(content, 'server');
  await log.close();
  return { store, record, file: join(folder, record.id, 'log.jsonl') };
}

async function openAll(store: SessionStore): Promise<StoredSession[]> {
  const stored: StoredSession[] = [];
  for await (const session of store.open()) stored.push(session);
  return stored;
}

describe('SessionStore', () => {
  it('reads a log once, and after that its summary, until the log has changed', async () => {
    const { store, record, file } = await createStored();
    const opened = vi.spyOn(LogFile, 'open');
    const [read] = await openAll(store);
    expect(read).toMatchObject({ record, facts: FACTS });
    expect(read?.unfinished?.prompts).toEqual([expect.objectContaining({ promptId: 'p' })]);
    if (read === undefined) return;
    await store.writeSummary(record.id, read.log, read.facts);
    await read.log.close();
    expect(opened).toHaveBeenCalledTimes(1);

    const [summed] = await openAll(store);
    expect(summed).toMatchObject({ record, facts: FACTS, unfinished: undefined });
    expect(opened).toHaveBeenCalledTimes(1);
    expect(summed?.log.lastSeq).toBe(ENTRIES.length);
    expect(await summed?.log.read(ENTRIES.length - 1, 10)).toMatchObject([{ content: ENTRIES[5] }]);
    await summed?.log.close();

    appendFileSync(file, 'torn');
    const [changed] = await openAll(store);
    expect(changed?.unfinished).toBeDefined();
    await changed?.log.close();
  });

  it('removes a session that ended long ago, read or summed', async () => {
    const { store, file } = await createStored();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 31 * 24 * 60 * 60 * 1000);
    expect(await openAll(store)).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });
});
