import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StderrWatch } from '../../../src/agents/gemini/stderr-watch.js';
import { FileTail } from '../../../src/base/process/file-tail.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const CHUNK_BYTES = 256 * 1024;

async function openWatch(content: string) {
  const path = join(makeFolder({ err: content }), 'err');
  const tail = await FileTail.open(path);
  onTestFinished(() => tail.close());
  return { path, tail, watch: new StderrWatch(tail, () => {}) };
}

describe('the watch over stderr', () => {
  it('reads the present content, and returns true if there was any', async () => {
    const { path, watch } = await openWatch('one\n');
    expect([await watch.read(), await watch.read()]).toEqual([true, false]);
    appendFileSync(path, 'two\n');
    expect(await watch.read()).toBe(true);
    expect(watch.text).toBe('one\ntwo\n');
  });

  it('reads no more in one call than its limit', async () => {
    const { tail, watch } = await openWatch('x\n'.repeat(CHUNK_BYTES * 2));
    expect(await watch.read(CHUNK_BYTES)).toBe(true);
    expect(tail.position).toBe(CHUNK_BYTES);
    expect(await watch.read()).toBe(true);
    expect(tail.position).toBe(CHUNK_BYTES * 4);
  });

  it('leaves content that is added meanwhile for the next call', async () => {
    const { path, tail, watch } = await openWatch('x\n'.repeat(CHUNK_BYTES));
    const reading = watch.read();
    const adding = setInterval(() => appendFileSync(path, 'y\n'.repeat(CHUNK_BYTES)), 0);
    await reading;
    clearInterval(adding);
    expect(tail.position).toBeLessThan(tail.size);
  });
});
