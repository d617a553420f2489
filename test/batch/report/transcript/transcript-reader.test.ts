import { appendFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { TranscriptReader } from '../../../../src/batch/report/transcript/transcript-reader.js';
import { anAttempt, aReport, aStep } from '../report-builder.js';

const folder = mkdtempSync(join(tmpdir(), 'transcripts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (id: string) => join(folder, `${id}.jsonl`);
const line = (text: string) => `${JSON.stringify({ type: 'text', text })}\n`;
const ran = (id: string) => aStep(id, { attempts: [anAttempt(0, 1)] });

describe('the transcripts of a page', () => {
  it('are read from the events of steps, and again only after a change', async () => {
    writeFileSync(pathOf('one'), `${line('hello')}not JSON\n${line('world')}`);
    symlinkSync(pathOf('one'), pathOf('link'));
    const reader = new TranscriptReader(pathOf);
    const report = aReport([ran('one'), ran('link'), ran('none'), aStep('never')]);
    const first = await reader.read(report);
    expect([...first.keys()]).toEqual(['one']);
    expect(first.get('one')?.entries.map((entry) => 'text' in entry && entry.text)).toEqual([
      'hello',
      'world',
    ]);
    expect((await reader.read(report)).get('one')).toBe(first.get('one'));
    appendFileSync(pathOf('one'), line('again'));
    expect((await reader.read(report)).get('one')?.entries).toHaveLength(3);
  });

  it('have a limit in total: failed steps and slow steps come first', async () => {
    const big = Array.from({ length: 20 }, () => line('x'.repeat(3_500))).join('');
    const steps = Array.from({ length: 200 }, (_, n) => {
      writeFileSync(pathOf(`s${n}`), big);
      const state = n === 150 ? 'failed' : 'succeeded';
      return aStep(`s${n}`, { state, durationMs: n, attempts: [anAttempt(0, 1)] });
    });
    const transcripts = await new TranscriptReader(pathOf).read(aReport(steps));
    expect([...transcripts.keys()].slice(0, 2)).toEqual(['s150', 's199']);
    expect(transcripts.size).toBeGreaterThan(100);
    expect(transcripts.size).toBeLessThan(200);
    expect(JSON.stringify([...transcripts]).length).toBeLessThan(9 * 1024 * 1024);
  });
});
