import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { SessionUpdate } from '../../../src/api/session-update.js';
import { watchDeskFile } from '../../../src/remote/desk/watch-desk-file.js';

const RECORDING = new URL(
  '../../fixtures/interactive/sessions/tui-cancelled-turns.jsonl',
  import.meta.url,
);

it('tells when the person has pressed Escape, and which turns the CLI has forgotten', async () => {
  const lines = readFileSync(RECORDING, 'utf8').trim().split('\n');
  const file = join(mkdtempSync(join(tmpdir(), 'desk-file-')), 'session.jsonl');
  writeFileSync(file, `${lines[0]}\n`);
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const updates: SessionUpdate[] = [];
  const cancelled: number[] = [];
  const removed = vi.fn();
  const watching = watchDeskFile(file, ending.signal, {
    ...{ removed, accept: (update) => updates.push(update) },
    cancelled: (atMs) => cancelled.push(atMs),
  });
  for (const line of lines.slice(1)) {
    appendFileSync(file, `${line}\n`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  const times = lines.flatMap((line) =>
    line.includes('"Request cancelled."') && !line.includes('$set')
      ? [Date.parse(/"timestamp":"([^"]+)"/.exec(line)?.[1] ?? '')]
      : [],
  );
  expect(times.length).toBeGreaterThan(1);
  await vi.waitFor(() => expect(new Set(cancelled)).toEqual(new Set(times)), 10_000);
  expect(removed).toHaveBeenCalled();
  ending.abort();
  await watching;
  const messages = updates.flatMap((update) => (update.type === 'message' ? [update.message] : []));
  expect(messages.length).toBeGreaterThan(2);
  expect(messages.filter(({ mark }) => mark !== undefined)).toEqual([]);
});
