import { join } from 'node:path';
import { runBatch } from 'gemini-cli-provider/batch';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diagnose } from '../.build/step/doctor/diagnose.js';
import { mountRemoteFolder } from './remote-folder.js';
import {
  expectCancelBeforeCleanUp,
  expectCancelBeforeMerge,
  expectSlowCancel,
  expectSlowSuccess,
  ISOLATIONS,
} from './slow-batch.js';
import { makeFolder, openLab, read } from './support.js';
import { running } from './tool-calls.js';

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

describe('a folder on a file system whose server is gone', () => {
  it('is refused by batches, plans, validate and doctor (claim: bounded-dead-mount)', async () => {
    const { folder, freeze } = await mountRemoteFolder({ 'plan.json': '{"steps":[]}' });
    const lab = await openLab([{ text: 'never' }], {
      config: { workingDir: folder, startTimeout: 1 },
    });
    await freeze();
    const ticks = countTicks();
    const message = `The file system at ${folder} does not answer`;
    const refused = { code: 'TIMEOUT', phase: 'start', message };
    const out = makeFolder();
    const plan = { steps: [{ id: 'one', prompt: 'go', workingDir: folder }] };
    const isRefused = (promise: Promise<unknown>) => expect(promise).rejects.toMatchObject(refused);
    await Promise.all([
      isRefused(lab.provider.validate()),
      isRefused(runBatch(plan, { provider: lab.provider, out })),
      isRefused(runBatch(join(folder, 'plan.json'), { provider: lab.provider, out })),
      isRefused(
        runBatch([{ id: 'a', prompt: 'b' }], { provider: lab.provider, out: join(folder, 'out') }),
      ),
      expect(diagnose({ workingDir: folder })).resolves.toMatchObject({
        ok: false,
        findings: [{ check: 'file system', status: 'problem', message }],
      }),
    ]);
    expect(ticks()).toBeGreaterThan(5);
    expect(lab.model.requests).toEqual([]);
  });
});

describe('a workspace on a slow file system', () => {
  it('has its step, with all files in the manifest (claim: slow-file-system)', async () => {
    const { folder, source, slowDown } = await mountRemoteFolder({ 'a.txt': 'a\n', '.env': 'A=1' });
    const lab = await openLab([running('echo b >> a.txt; echo c > c.txt'), { text: 'end' }], {
      config: { workingDir: folder, approvalMode: 'yolo' },
    });
    await slowDown(5);
    const { files, warnings } = await lab.run();
    expect(files.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      'a.txt modified',
      'c.txt created',
    ]);
    expect(warnings).toEqual([]);
    expect(read(source, 'a.txt')).toBe('a\nb\n');
    expect(await lab.provider.validate()).toMatchObject({ workingDir: folder });
    expect(await diagnose({ workingDir: folder })).toMatchObject({ findings: expect.any(Array) });
  });
});

describe('a batch on a slow file system', () => {
  it('succeeds with each isolation, and can be cancelled (claim: slow-file-system)', async () => {
    await Promise.all(
      ISOLATIONS.flatMap((isolation) => [
        expectSlowSuccess({ isolation, delayMs: 5 }),
        expectSlowCancel({ isolation, delayMs: 5 }, 'step-progress'),
      ]),
    );
  });

  it('ends before its file system has answered after a cancel (claim: slow-file-system)', async () => {
    await Promise.all([expectCancelBeforeCleanUp(), expectCancelBeforeMerge()]);
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

  it('does not delay a cancel after the request was sent (claim: bounded-root)', async () => {
    const lab = await openLab([{ text: 'Hello', endless: 'stall' }], {
      config: { workingDir: '/', approvalMode: 'yolo', workspaceScan: 'off' },
    });
    const cancel = new AbortController();
    const error: unknown = await (async () => {
      const events = lab.provider.stream('go', {}, { signal: cancel.signal });
      for await (const event of events) if (event.type === 'text-delta') cancel.abort();
    })().catch((error: unknown) => error);
    expect(lab.model.requests.length).toBeGreaterThan(0);
    expect(error).toMatchObject({ code: 'CANCELLED', partial: { text: 'Hello' } });
  });
});
