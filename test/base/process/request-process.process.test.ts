import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RequestProcess } from '../../../src/base/process/request-process.js';
import { isAlive, makeFolder, until } from '../../fixtures/cli/support.js';

const PROGRAM = `process.on('disconnect', () => process.exit());
process.on('message', ({ id, request }) => {
  if (request.type === 'echo') process.send({ id, value: request.value });
  if (request.type === 'fail') process.send({ id, problem: 'no' });
  if (request.type === 'exit') process.exit();
});
`;

function start(): RequestProcess {
  const process = new RequestProcess(join(makeFolder({ 'main.mjs': PROGRAM }), 'main.mjs'));
  onTestFinished(() => process.end());
  return process;
}

describe('a process that answers requests', () => {
  it('answers each request, with any value, or reports its problem', async () => {
    const process = start();
    const ask = (value: unknown) => process.ask({ type: 'echo', value });
    const bytes = Buffer.from([0, 255]);
    expect(await Promise.all([ask(1), ask('two'), ask({ bytes })])).toEqual([1, 'two', { bytes }]);
    await expect(process.ask({ type: 'fail' })).rejects.toThrow('no');
  });

  it('is not waited for after an abort, nor after its end', async () => {
    const process = start();
    await expect(process.ask({ type: 'silent' }, AbortSignal.timeout(50))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await expect(process.ask({ type: 'exit' })).rejects.toThrow('The process has ended');
    await expect(process.ask({ type: 'echo' })).rejects.toThrow('The process has ended');
  });

  it('ends when it is told to', async () => {
    const process = start();
    await process.ask({ type: 'echo', value: 1 });
    const pid = process.pid ?? 0;
    expect(isAlive(pid)).toBe(true);
    process.end();
    await until(() => !isAlive(pid));
  });
});
