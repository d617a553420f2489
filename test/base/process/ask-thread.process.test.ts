import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askThread } from '../../../src/base/process/ask-thread.js';
import { makeFolder } from '../../fixtures/cli/support.js';

/** Writes a program that answers with the result of an expression in which `request` is the request. */
function programOf(expression: string): string {
  const text = `import { parentPort } from 'node:worker_threads';
let count = 0;
parentPort.on('message', (request) => { count++; parentPort.postMessage(${expression}); });
`;
  return join(makeFolder({ 'program.mjs': text }), 'program.mjs');
}

describe('a thread', () => {
  it('answers requests, one after the other and at the same time, and is used again', async () => {
    const program = programOf('[request, count]');
    expect(await askThread(program, 'a')).toEqual(['a', 1]);
    expect(await askThread(program, 'b')).toEqual(['b', 2]);
    const answers = await Promise.all(['c', 'd', 'e', 'f'].map((one) => askThread(program, one)));
    expect(answers.flat()).toEqual(expect.arrayContaining(['c', 'd', 'e', 'f']));
  });

  it('is ended by an abort in the middle of a regular expression, and the next request gets another', async () => {
    const program = programOf(
      `request === 'slow' ? /^(a+)+$/.test('a'.repeat(50) + '!') : request`,
    );
    const signal = AbortSignal.timeout(100);
    await expect(askThread(program, 'slow', signal)).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    expect(await askThread(program, 'quick')).toBe('quick');
  });

  it('that throws, ends or does not exist fails its request alone', async () => {
    await expect(askThread(programOf('missing'), 1)).rejects.toThrow(/missing is not defined/);
    await expect(askThread(programOf('process.exit()'), 1)).rejects.toThrow(/without an answer/);
    await expect(askThread('/none/program.mjs', 1)).rejects.toThrow(/Cannot find module/);
  });
});
