import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gateCases } from './gate-cases.js';
import { findLabProcesses, GEMINI, type Lab, makeFolder, openLab } from './support.js';
import { running, shell } from './tool-calls.js';

const PROGRAMS = join(import.meta.dirname, 'programs');
const CHANGED = 'PROTECTED_PATH_CHANGED';

/** Starts another process that runs a step on the workspace of the lab. */
function startHost(lab: Lab, config: object) {
  const given = {
    model: 'gemini-2.5-flash',
    workingDir: lab.workspace,
    trustWorkspace: true,
    cliPath: GEMINI,
    env: lab.model.env,
    approvalMode: 'yolo',
    ...config,
  };
  const host = spawn(process.execPath, [join(PROGRAMS, 'host.mjs'), JSON.stringify(given)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void host.kill('SIGKILL'));
  return host;
}

function warningsOf({ warnings }: { warnings: readonly { code: string; message: string }[] }) {
  return warnings.filter(({ code }) => code === CHANGED).map(({ message }) => message);
}

describe('a step that starts on protected files which a step of another process has changed', () => {
  it('names them (claim: protected-change-announced)', async () => {
    const lab = await openLab([
      { prompt: 'go', turns: [running('echo A=2 > .env'), { text: 'end' }] },
      { prompt: 'later', turns: [{ text: 'end' }] },
    ]);
    const host = startHost(lab, {});
    await once(host, 'exit');
    expect(host.exitCode).toBe(0);
    const [message, ...others] = warningsOf(await lab.run('later'));
    expect(message).toMatch(/obeys \.env at its start, and an earlier step \([\w-]+\) has changed/);
    expect(others).toEqual([]);
  });

  it.each(gateCases(['acp', 'headless'], 1))(
    'names them, too, if that process was killed (%s) (claim: protected-change-announced)',
    async (transport) => {
      const lab = await openLab([
        { prompt: 'go', turns: [running('echo A=2 > .env; touch ready; sleep 100')] },
        { prompt: 'later', turns: [{ text: 'end' }] },
      ]);
      const host = startHost(lab, { transport });
      while (!existsSync(join(lab.workspace, 'ready'))) await sleep(20);
      host.kill('SIGKILL');
      await once(host, 'exit');
      while (findLabProcesses(lab).length > 0) await sleep(20);
      const [message] = warningsOf(await lab.run('later'));
      expect(message).toContain('.env at its start, and an earlier step that did not end');
    },
  );
});

describe('a batch that is resumed in another process', () => {
  it.each(gateCases(['worktree', 'shared', 'copy'], 1))(
    'names protected files that a step of the first run has changed (%s) (claim: protected-change-announced)',
    async (isolation) => {
      const workspace = makeFolder({ 'a.txt': 'a' });
      const git = (...args: string[]) => execFileSync('git', ['-C', workspace, ...args]);
      git('init', '-q');
      git('add', '-A');
      git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
      const writing = [shell('mkdir .gemini; echo "{}" > .gemini/settings.json')];
      const first = { prompt: 'write', turns: [{ toolCalls: writing }, { text: 'end' }] };
      const failing = await startScriptedModel([
        first,
        { prompt: 'read', turns: [{ error: { status: 400, message: 'not today' } }] },
      ]);
      const model = await startScriptedModel([first, { prompt: 'read', turns: [{ text: 'end' }] }]);
      onTestFinished(async () => {
        await failing.close();
        await model.close();
      });
      const [out, state] = [makeFolder(), makeFolder()];
      const plan = {
        defaults: { isolation, retries: 0, workingDir: workspace },
        steps: [
          { id: 'one', prompt: 'write', approvalMode: 'yolo' },
          { id: 'two', prompt: 'read', needs: ['one'] },
        ],
      };
      const run = async (environment: Readonly<Record<string, string>>) => {
        const config = {
          model: 'gemini-2.5-flash',
          trustWorkspace: true,
          cliPath: GEMINI,
          env: environment,
        };
        const given = JSON.stringify({ plan, options: { out, state }, config });
        // Each run has a state directory of its own: only the state folder of the batch is the same.
        const env = { ...process.env, XDG_STATE_HOME: makeFolder() };
        const args = [join(PROGRAMS, 'state-batch.mjs'), given];
        const { stdout } = await promisify(execFile)(process.execPath, args, { env });
        return JSON.parse(stdout);
      };
      expect(await run(failing.env)).toMatchObject([{ state: 'succeeded' }, { state: 'failed' }]);
      const [, two] = await run(model.env);
      expect(two).toMatchObject({ id: 'two', state: 'succeeded' });
      expect(warningsOf(two).join('\n')).toContain('.gemini/settings.json');
    },
  );
});
