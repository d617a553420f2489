import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readPlan, runBatch } from 'gemini-cli-provider/batch';
import type { Script } from 'gemini-cli-provider/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diagnose } from '../.build/step/doctor/diagnose.js';
import { gateCases } from './gate-cases.js';
import { mountRemoteFolder } from './remote-folder.js';
import { makeFolder, openLab, read } from './support.js';
import { running } from './tool-calls.js';

const MAIN = join(import.meta.dirname, '..', 'dist', 'cli.js');

/** Starts the command line with its own home, in a folder that answers. */
function startCommand(words: readonly string[]) {
  const home = makeFolder();
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: home, GEMINI_CLI_HOME: home };
  const child = spawn(process.execPath, [MAIN, ...words], { cwd: home, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code, signal], stdout, stderr]) => ({
      pid: child.pid,
      code,
      signal,
      output: stdout + stderr,
    }),
  );
  return { child, ended };
}

describe('a batch on a file system whose server is gone', () => {
  it('is cancelled at once, also while its plan is read (claim: bounded-dead-mount)', async () => {
    const { folder, freeze } = await mountRemoteFolder({ 'plan.json': '{"steps":[]}' });
    const lab = await openLab([{ text: 'never' }]);
    await freeze();
    const { provider } = lab;
    const step = { id: 'a', prompt: 'b' };
    const plans = [
      [join(folder, 'plan.json'), {}],
      [[step], { baseDir: folder }],
      [[step], { out: join(folder, 'out') }],
      [[step], { out: makeFolder(), state: join(folder, 'state') }],
    ] as const;
    const isCancelled = (promise: Promise<unknown>) =>
      expect(promise).rejects.toMatchObject({ code: 'CANCELLED', phase: 'start' });
    await Promise.all([
      ...plans.map(([plan, options]) => {
        const run = runBatch(plan, { ...options, provider, signal: AbortSignal.timeout(300) });
        return isCancelled(run);
      }),
      ...plans.map(([plan, options]) => {
        const run = runBatch(plan, { ...options, provider });
        setTimeout(() => run.stop(), 300);
        return isCancelled(run);
      }),
      isCancelled(readPlan(join(folder, 'plan.json'), { signal: AbortSignal.timeout(300) })),
    ]);
    expect(lab.model.requests).toEqual([]);
  });

  it('has its error at maxDuration, and the doctor at startTimeout (claim: bounded-dead-mount)', async () => {
    const { folder, freeze } = await mountRemoteFolder();
    const { provider } = await openLab([{ text: 'never' }]);
    await freeze();
    const ended: string[] = [];
    const record = (name: string) => (): void => void ended.push(name);
    const steps = [{ id: 'a', prompt: 'b', workingDir: folder }];
    await Promise.all([
      runBatch({ steps }, { provider }).catch(record('no limit')),
      runBatch({ steps }, { provider, maxDuration: 0.5 }).catch(record('limit')),
      runBatch({ steps, maxDuration: 0.5 }, { provider }).catch(record('limit')),
      diagnose({ workingDir: folder, startTimeout: 0.5 }).then(record('limit')),
      diagnose({ workingDir: folder, timeout: 0.5 }).then(record('limit')),
    ]);
    expect(ended).toEqual(['limit', 'limit', 'limit', 'limit', 'no limit']);
  });

  it('ends all commands at Ctrl-C, and without it with the reason (claim: bounded-dead-mount)', async () => {
    const { folder, freeze } = await mountRemoteFolder({ 'plan.json': '{"steps":[]}' });
    await freeze();
    const plan = join(folder, 'plan.json');
    const commands = [
      ['batch', plan],
      ['batch', plan, '--dry-run'],
      ...['status', 'watch', 'report', 'stop', 'clean'].map((name) => ['batch', name, folder]),
      ['doctor', '--cwd', folder],
    ];
    await Promise.all(
      commands.map(async (words) => {
        const alone = startCommand(words);
        const interrupted = startCommand(words);
        setTimeout(() => interrupted.child.kill('SIGINT'), 1_500);
        const first = await Promise.race([alone.ended, interrupted.ended]);
        expect(first, words.join(' ')).toMatchObject({ pid: interrupted.child.pid });
        const { output } = await alone.ended;
        expect(output).toContain(`The file system at ${folder} does not answer`);
      }),
    );
  });
});

describe.each(gateCases(['worktree', 'copy'] as const, 1))(
  'a step in a %s of a file system',
  (isolation) => {
    const openBatch = async (script: Script) => {
      const remote = await mountRemoteFolder({ 'a.txt': 'a\n' });
      const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
      for (const args of [
        ['init', '-q'],
        ['add', '.'],
        ['commit', '-qm', 'first'],
      ]) {
        execFileSync('git', ['-C', remote.source, ...author, ...args]);
      }
      const { provider, model } = await openLab(script, { config: { approvalMode: 'yolo' } });
      const steps = [{ id: 'one', prompt: 'go', workingDir: remote.folder, isolation }];
      const options = { provider, out: makeFolder(), state: makeFolder() };
      return { ...remote, model, start: () => runBatch({ steps }, options) };
    };

    it('whose server goes away is cancelled without it (claim: bounded-dead-mount)', async () => {
      const { freeze, start } = await openBatch([{ text: 'Hello', endless: 'stall' }]);
      const run = start();
      for await (const event of run) {
        if (event.type !== 'step-progress' || event.event.type !== 'text-delta') continue;
        await freeze();
        run.cancel();
      }
      expect(await run).toMatchObject({ outcome: 'stopped', steps: [{ state: 'cancelled' }] });
    });

    it('whose server goes away before the merge is merged by the next run (claim: bounded-dead-mount)', async () => {
      const script = [running('echo b > b.txt'), { text: 'end' }];
      const { source, folder, freeze, thaw, start, model } = await openBatch(script);
      const run = start();
      const failure = await (async () => {
        for await (const event of run) {
          if (event.type === 'step-waiting' && event.waitsFor === 'merging') await freeze();
        }
      })().catch((error: unknown) => error);
      const message = `The file system at ${folder} does not answer`;
      expect(failure).toMatchObject({ code: 'TIMEOUT', message });
      await thaw();
      const { length } = model.requests;
      expect(await start()).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 1 } });
      expect(read(source, 'b.txt')).toBe('b\n');
      expect(model.requests.length).toBe(length);
    });
  },
);
