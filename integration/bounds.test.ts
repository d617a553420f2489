import { describe, expect, it, onTestFinished } from 'vitest';
import { mountRemoteFolder } from './remote-folder.js';
import { openLab } from './support.js';

/** Counts how often a timer of this process fires. */
function countTicks(): () => number {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 50);
  onTestFinished(() => clearInterval(timer));
  return () => ticks;
}

describe('a workspace on a file system whose server is gone', () => {
  it('fails the step, and neither this process nor its exit waits for the server (claim: bounded-dead-mount)', async () => {
    const { folder, freeze } = await mountRemoteFolder();
    const logged: unknown[] = [];
    const ignore = (): void => {};
    const logger = {
      debug: ignore,
      info: ignore,
      warn: (fields: object, message: string) => logged.push({ ...fields, message }),
      error: ignore,
    };
    const lab = await openLab([{ text: 'Hello', endless: 'stall' }], {
      config: { workingDir: folder, approvalMode: 'yolo', logger },
    });
    const ticks = countTicks();
    const cancel = new AbortController();
    const events = lab.provider.stream('go', {}, { signal: cancel.signal });
    const late = await (async () => {
      for await (const event of events) {
        if (event.type !== 'text-delta') continue;
        await freeze();
        setTimeout(() => cancel.abort(), 500);
      }
    })().catch((error: unknown) => error);
    expect(late).toMatchObject({
      code: 'CANCELLED',
      partial: {
        text: 'Hello',
        warnings: [
          {
            code: 'WORKSPACE_NOT_COMPARED',
            message: `The file system at ${folder} does not answer: the files of the step were not read.`,
          },
        ],
      },
    });
    expect(logged).toContainEqual({
      mounts: [folder],
      scannerPid: expect.any(Number),
      message: 'The file system does not answer, and the scanner hangs in the kernel',
    });
    const before = ticks();
    expect(await lab.fail('go', { startTimeout: 1 })).toMatchObject({
      code: 'TIMEOUT',
      phase: 'start',
      message: `The file system at ${folder} does not answer`,
    });
    // The event loop has run meanwhile, and the server still does not answer.
    expect(ticks() - before).toBeGreaterThan(5);
    await lab.provider.dispose();
  });
});

describe('a vast workspace', () => {
  it('does not delay a cancel: /, with shell commands allowed (claim: bounded-root)', async () => {
    const lab = await openLab([{ text: 'never' }], {
      config: { workingDir: '/', approvalMode: 'yolo' },
    });
    const error = await lab.fail('go', { signal: AbortSignal.timeout(1_000) });
    expect(error).toMatchObject({ code: 'CANCELLED' });
    // The scan was at work: it has not got as far as the first turn.
    expect(lab.model.requests).toEqual([]);
  });
});
