import { appendFileSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UnifiedMessage } from '../../../src/api/unified-message.js';
import { PastEntries } from '../../../src/remote/session/past-entries.js';
import { getMessages } from '../../../src/sessions/list/get-messages.js';

const RECORDING = new URL(
  '../../fixtures/interactive/sessions/tui-cancelled-turns.jsonl',
  import.meta.url,
);

function openEntries() {
  const folder = mkdtempSync(join(tmpdir(), 'past-'));
  const reads: string[] = [];
  const read = (file: string): Promise<readonly UnifiedMessage[]> => {
    reads.push(file);
    return getMessages(file);
  };
  const fileOf = (name: string): string => {
    const file = join(folder, `${name}.jsonl`);
    copyFileSync(RECORDING, file);
    return file;
  };
  return { entries: new PastEntries(read), reads, fileOf };
}

describe('PastEntries', () => {
  it('reads a file once for all pages, also for devices that ask at the same time', async () => {
    const { entries, reads, fileOf } = openEntries();
    const file = fileOf('a');
    const [one, other] = await Promise.all([entries.page(file, 0, 2), entries.page(file, 0, 2)]);
    expect(one).toEqual(other);
    const all = await entries.all(file);
    const paged = [];
    for (let last = 0; ; last = paged.at(-1)?.seq ?? 0) {
      const page = await entries.page(file, last, 2);
      if (page.length === 0) break;
      paged.push(...page);
    }
    expect(paged).toEqual(all);
    expect(paged.map(({ seq }) => seq)).toEqual(paged.map((_entry, index) => index + 1));
    expect(reads).toEqual([file]);
  });

  it('reads a file again that has grown', async () => {
    const { entries, reads, fileOf } = openEntries();
    const file = fileOf('a');
    const before = await entries.all(file);
    const message = {
      id: 'late',
      type: 'user',
      timestamp: '2026-01-01T00:00:00.000Z',
      content: 'x',
    };
    appendFileSync(file, `${JSON.stringify(message)}\n`);
    expect((await entries.all(file)).length).toBe(before.length + 1);
    expect(reads.length).toBe(2);
  });

  it('keeps two sessions, and none that could not be read', async () => {
    const { entries, reads, fileOf } = openEntries();
    const [a, b, c] = [fileOf('a'), fileOf('b'), fileOf('c')];
    for (const file of [a, b, a, c, a, b]) await entries.all(file);
    expect(reads).toEqual([a, b, c, b]);
    rmSync(a);
    await expect(entries.all(a)).rejects.toThrow('ENOENT');
    writeFileSync(a, 'no session');
    await entries.all(a);
    expect(reads.at(-1)).toBe(a);
  });
});
