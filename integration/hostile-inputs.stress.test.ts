import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { deepPlans, problemsIn, readText } from '../test/batch/plan/plans.js';
import { makeFolder } from './support.js';

const MAIN = join(import.meta.dirname, '..', 'dist', 'cli.js');
const MEGABYTE = 1024 * 1024;
const run = promisify(execFile);

describe('a huge plan', () => {
  it.each(deepPlans(200_000))('with 200,000 levels is refused: %s', async (name, text) => {
    expect(await problemsIn(text, {}, name)).not.toEqual([]);
  });

  it('with a prompt of 100 MB is read', async () => {
    const prompt = 'x'.repeat(100 * MEGABYTE);
    const text = JSON.stringify({ steps: [{ id: 'a', prompt }] });
    const plan = await readText(text, {}, 'plan.json');
    expect(plan.steps[0]?.prompt.length).toBe(prompt.length);
  });

  it('with a prompt file of 100 MB is refused', async () => {
    const files = { 'p.md': 'x'.repeat(100 * MEGABYTE) };
    const problems = await problemsIn('steps: [{ id: a, promptFile: p.md }]\n', files);
    expect(problems.join()).toContain('has more than 8388608 bytes');
  });

  it('of 100,000 steps is read', async () => {
    const values = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index));
    const text = `{"steps":[{"id":"a","prompt":"{{x}}","for":{"x":${values}}}]}`;
    expect((await readText(text, {}, 'plan.json')).steps).toHaveLength(100_000);
  });
});

it.each([
  [
    'one text',
    { type: 'message', role: 'assistant', delta: true },
    /more than 67108864 characters/,
  ],
  ['unknown events', { type: 'noise' }, /PROTOCOL None of \d+ lines/],
])('a gzipped recording of 2 GB with %s is explained or refused', async (_what, event, verdict) => {
  const file = join(makeFolder(), 'stdout.ndjson.gz');
  const line = Buffer.from(`${JSON.stringify({ ...event, content: 'x'.repeat(1000) })}\n`);
  const piece = Buffer.concat(Array.from({ length: 1000 }, () => line));
  const pieces = function* () {
    for (let bytes = 0; bytes < 2048 * MEGABYTE; bytes += piece.length) yield piece;
  };
  await pipeline(Readable.from(pieces()), createGzip({ level: 1 }), createWriteStream(file));
  const args = [MAIN, 'explain', '--stdout', file, '--exit-code', '0'];
  const outcome = await run(process.execPath, args).catch((error: unknown) => error);
  const { stdout = '', stderr = '' } = Object(outcome);
  expect(`${stdout}${stderr}`).toMatch(verdict);
  expect(stderr).not.toContain('    at ');
});
