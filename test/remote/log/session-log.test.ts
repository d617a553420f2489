import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RemoteEntryContent } from '../../../src/api/remote-entry.js';
import { SessionLog } from '../../../src/remote/log/session-log.js';

const notice = (message: string): RemoteEntryContent => ({
  type: 'notice',
  level: 'info',
  message,
});
const createPath = (): string => join(mkdtempSync(join(tmpdir(), 'remote-log-')), 'log.jsonl');

async function messagesOf(log: SessionLog, after = 0, limit = 1_000): Promise<string[]> {
  const entries = await log.read(after, limit);
  return entries.map(
    ({ seq, content }) => `${seq} ${content.type === 'notice' ? content.message : ''}`,
  );
}

describe('SessionLog', () => {
  it('numbers entries and reads them from a number on', async () => {
    const log = await SessionLog.open(createPath());
    for (const text of ['a', 'b', 'c', 'd']) log.add(notice(text), 'server');
    expect(await messagesOf(log)).toEqual(['1 a', '2 b', '3 c', '4 d']);
    await log.sync();
    log.add(notice('e\n€'), 'server');
    expect(await messagesOf(log, 2, 2)).toEqual(['3 c', '4 d']);
    expect(await messagesOf(log, 3)).toEqual(['4 d', '5 e\n€']);
    await log.close();
  });

  it('writes what waits when a full disk has space again, also after a half-written line', async () => {
    const path = createPath();
    const log = await SessionLog.open(path);
    log.add(notice('a'), 'server');
    await log.sync();
    const probe = await open(path);
    const prototype: Pick<FileHandle, 'appendFile'> = Object.getPrototypeOf(probe);
    await probe.close();
    const append = vi.spyOn(prototype, 'appendFile').mockImplementationOnce(async (data) => {
      appendFileSync(path, String(data).slice(0, 10));
      throw new Error('ENOSPC');
    });
    onTestFinished(() => append.mockRestore());
    log.add(notice('b'), 'server');
    await expect(log.sync()).rejects.toThrow('ENOSPC');
    expect(await messagesOf(log)).toEqual(['1 a', '2 b']);
    await log.sync();
    log.add(notice('c'), 'server');
    await log.close();
    const again = await SessionLog.open(path);
    expect([await messagesOf(again), again.damaged]).toEqual([['1 a', '2 b', '3 c'], 1]);
    await again.close();
  });

  it('goes on after a restart, and visits every entry once', async () => {
    const path = createPath();
    const first = await SessionLog.open(path);
    first.add(notice('a'), 'hook');
    first.add(notice('b'), 'hook');
    await first.close();
    const seen: number[] = [];
    const second = await SessionLog.open(path, ({ seq }) => seen.push(seq));
    second.add(notice('c'), 'hook');
    expect(seen).toEqual([1, 2]);
    expect(await messagesOf(second)).toEqual(['1 a', '2 b', '3 c']);
    await second.close();
  });

  it('leaves out a line that a crash has cut off, at every length', async () => {
    const path = createPath();
    const log = await SessionLog.open(path);
    log.add(notice('kept'), 'hook');
    await log.sync();
    const kept = readFileSync(path);
    log.add(notice('cut off'), 'hook');
    await log.close();
    const whole = readFileSync(path);
    for (let length = kept.length + 1; length < whole.length - 1; length += 7) {
      writeFileSync(path, whole.subarray(0, length));
      const again = await SessionLog.open(path);
      expect(again.damaged).toBe(1);
      again.add(notice('next'), 'hook');
      await again.sync();
      expect(await messagesOf(again)).toEqual(['1 kept', '2 next']);
      await again.close();
    }
  });

  it('leaves out a line that was changed', async () => {
    const path = createPath();
    const log = await SessionLog.open(path);
    log.add(notice('allow'), 'hook');
    log.add(notice('second'), 'hook');
    await log.close();
    writeFileSync(path, readFileSync(path, 'utf8').replace('"allow"', '"deny!"'));
    appendFileSync(path, 'garbage\n');
    const again = await SessionLog.open(path);
    expect(again.damaged).toBe(2);
    expect(await messagesOf(again)).toEqual(['2 second']);
    await again.close();
  });
});
