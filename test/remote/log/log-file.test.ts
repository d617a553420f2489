import { appendFileSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RemoteEntry } from '../../../src/api/remote-entry.js';
import { LogFile } from '../../../src/remote/log/log-file.js';
import { formatLogLine, parseLogLine } from '../../../src/remote/log/log-line.js';

const entryOf = (seq: number, message = `entry ${seq}`): RemoteEntry => ({
  ...{ seq, at: '2026-01-01T00:00:00.000Z', source: 'server' },
  content: { type: 'notice', level: 'info', message },
});
const createPath = (): string => join(mkdtempSync(join(tmpdir(), 'log-file-')), 'log.jsonl');

async function openLog(path: string) {
  const visited: number[] = [];
  const log = await LogFile.open(path, ({ seq }) => visited.push(seq));
  onTestFinished(() => log.close().catch(() => {}));
  return { log, visited };
}

describe('LogFile', () => {
  it('finds entries by their numbers, also with gaps between them', async () => {
    const path = createPath();
    const seqs = [2, 3, 7, 20];
    writeFileSync(path, seqs.map((seq) => formatLogLine(entryOf(seq))).join(''));
    const { log, visited } = await openLog(path);
    expect([visited, log.lastSeq, log.damaged]).toEqual([seqs, 20, 0]);
    const read = async (after: number, limit = 10): Promise<number[]> =>
      (await log.read(after, limit)).map(({ seq }) => seq);
    expect(await read(0)).toEqual(seqs);
    expect([await read(2), await read(5, 1), await read(20), await read(0, 0)]).toEqual([
      ...[[3, 7, 20], [7], [], []],
    ]);
  });

  it('leaves out lines whose number does not grow, and the end of a write that was cut off', async () => {
    const path = createPath();
    const lines = [entryOf(1), entryOf(2), entryOf(2), entryOf(1), entryOf(3)].map(formatLogLine);
    writeFileSync(path, `${lines.join('')}${formatLogLine(entryOf(4)).slice(0, -9)}`);
    const { log, visited } = await openLog(path);
    expect([visited, log.damaged]).toEqual([[1, 2, 3], 3]);
    await log.append([formatLogLine(entryOf(4, 'again'))], [4], false);
    expect(await log.read(2, 10)).toEqual([entryOf(3), entryOf(4, 'again')]);
    expect(log.bytes).toBe(readFileSync(path).length);
  });

  it('goes on behind entries that were damaged after it was opened', async () => {
    const path = createPath();
    const lines = [1, 2, 3].map((seq) => formatLogLine(entryOf(seq)));
    writeFileSync(path, lines.join(''));
    const { log } = await openLog(path);
    writeFileSync(path, lines.join('').replace('entry 1', 'Entry 1').replace('entry 2', 'Entry 2'));
    expect(await log.read(0, 1)).toEqual([entryOf(3)]);
  });

  it('reads entries that are longer than a piece, and characters at its edges', async () => {
    const path = createPath();
    const entries = [
      entryOf(1, 'ä'.repeat(700_000)),
      entryOf(2, '€'),
      entryOf(3, '👩'.repeat(400_000)),
    ];
    writeFileSync(path, entries.map(formatLogLine).join(''));
    const { log, visited } = await openLog(path);
    expect(visited).toEqual([1, 2, 3]);
    expect(await log.read(0, 10)).toEqual(entries);
  });

  it('finds lines behind a part of a line that a failed write has left', async () => {
    const path = createPath();
    const { log } = await openLog(path);
    await log.append([formatLogLine(entryOf(1))], [1], false);
    appendFileSync(path, 'a part of a line');
    await log.append(
      [2, 3].map((seq) => formatLogLine(entryOf(seq))),
      [2, 3],
      true,
    );
    expect(await log.read(0, 10)).toEqual([entryOf(1), entryOf(2), entryOf(3)]);
    await log.close();
    const again = await openLog(path);
    expect([again.visited, again.log.damaged]).toEqual([[1, 2, 3], 1]);
  });

  it('reports a file that another program has cut, and leaves out an entry that it has changed', async () => {
    const path = createPath();
    const { log } = await openLog(path);
    const lines = [1, 2].map((seq) => formatLogLine(entryOf(seq)));
    await log.append(lines, [1, 2], false);
    writeFileSync(path, lines.join('').replace('entry 1', 'ENTRY 1'));
    expect(await log.read(0, 10)).toEqual([entryOf(2)]);
    truncateSync(path, 10);
    await expect(log.read(0, 10)).rejects.toThrow('shorter than before');
  });

  it('cannot be opened where a folder is', async () => {
    await expect(LogFile.open(tmpdir())).rejects.toThrow('EISDIR');
  });
});

describe('a line of a log', () => {
  it('is read back as it was written', () => {
    const entry = entryOf(1, 'line\nbreak \u2028 "quoted"');
    expect(formatLogLine(entry).indexOf('\n')).toBe(formatLogLine(entry).length - 1);
    expect(parseLogLine(formatLogLine(entry).trimEnd())).toEqual(entry);
  });

  it('is none if it is no entry, although its checksum is right', () => {
    const lineOf = (value: object): string =>
      formatLogLine(Object.assign(entryOf(1), { seq: 1 }, value)).trimEnd();
    expect(parseLogLine(lineOf({}))).toBeDefined();
    for (const value of [{ seq: '1' }, { at: 1 }, { content: null }, { content: [] }])
      expect(parseLogLine(lineOf(value))).toBeUndefined();
    expect(['', ' ', 'x'.repeat(40)].map(parseLogLine)).toEqual(Array(3));
  });
});
