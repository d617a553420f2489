import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RemoteEntryContent } from '../../../src/api/remote-entry.js';
import { LogFile } from '../../../src/remote/log/log-file.js';
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

async function damagedIn(path: string): Promise<number> {
  const file = await LogFile.open(path);
  await file.close();
  return file.damaged;
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

  it('gives entries with long texts a few at a time, in order, also those that are not written yet', async () => {
    const log = await SessionLog.open(createPath());
    const long = 'x'.repeat(3 * 1024 * 1024);
    for (let count = 0; count < 3; count++) log.add(notice(long), 'server');
    await log.sync();
    log.add(notice('last'), 'server');
    const read = async (after: number) => (await log.read(after, 500)).map(({ seq }) => seq);
    expect([await read(0), await read(1), await read(2), await read(3)]).toEqual([
      ...[[1], [2], [3, 4], [4]],
    ]);
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
    expect(await messagesOf(again)).toEqual(['1 a', '2 b', '3 c']);
    await again.close();
    expect(await damagedIn(path)).toBe(1);
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

  it('writes nothing after it was closed: another server may use the file', async () => {
    const path = createPath();
    const log = await SessionLog.open(path);
    log.add(notice('a'), 'hook');
    await log.close();
    log.add(notice('late'), 'hook');
    await expect(log.sync()).rejects.toThrow('closed');
    expect(readFileSync(path, 'utf8').split('\n').length).toBe(2);
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
      again.add(notice('next'), 'hook');
      await again.sync();
      expect(await messagesOf(again)).toEqual(['1 kept', '2 next']);
      await again.close();
      expect(await damagedIn(path)).toBe(1);
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
    expect(await damagedIn(path)).toBe(2);
    const again = await SessionLog.open(path);
    expect(await messagesOf(again)).toEqual(['2 second']);
    await again.close();
  });

  it('opens its file when it is needed, and closes it a while after the last use', async () => {
    const path = createPath();
    const first = await SessionLog.open(path);
    first.add(notice('a'), 'hook');
    first.add(notice('b'), 'hook');
    await first.sync();
    const { lastSeq, bytes } = first;
    expect(bytes).toBe(readFileSync(path).length);
    await first.close();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const opened = vi.spyOn(LogFile, 'open');
    onTestFinished(() => opened.mockRestore());
    const log = SessionLog.atRest(path, lastSeq, bytes);
    expect(log.lastSeq).toBe(2);
    log.add(notice('c'), 'hook');
    expect(await messagesOf(log)).toEqual(['1 a', '2 b', '3 c']);
    await log.sync();
    expect(opened).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60_000);
    log.keep(true);
    expect(await messagesOf(log, 1)).toEqual(['2 b', '3 c']);
    expect(opened).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(60_000);
    expect(await messagesOf(log, 2)).toEqual(['3 c']);
    expect(opened).toHaveBeenCalledTimes(2);
    await log.close();
  });
});
