import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent, ProviderError } from 'gemini-cli-provider';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { gateCases } from './gate-cases.js';
import { findLabProcesses, GEMINI, type Lab, openLab } from './support.js';

/** Shell command that runs for a minute in a session of its own and ignores SIGTERM, so that the CLI cannot end it. */
const STUBBORN = `setsid sh -c 'trap "" TERM; sleep 61 & wait' & sleep 62`;
const stubborn = [
  { text: 'I run it. ', toolCalls: [{ name: 'run_shell_command', args: { command: STUBBORN } }] },
  { text: 'never' },
];

/** Waits until the condition is true. The timeout of the test limits the wait. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(50);
}

const commands = (lab: Lab) => findLabProcesses(lab).map(({ command }) => command);
const isSleeping = (lab: Lab) => commands(lab).some((command) => command.startsWith('sleep 61'));
/** True if the process with this pid is still sleeping. A zombie has no command line. */
const isSleepingOn = (pid: string) => {
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file) && readFileSync(file, 'latin1').startsWith('sleep');
};
const privateFolders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('gemini-cli-provider-'));

/** Temporary folder of these tests: private folders of other tests must not be counted. */
const temp = mkdtempSync(join(tmpdir(), 'ending-'));
beforeAll(() => {
  vi.stubEnv('TMPDIR', temp);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(temp, { recursive: true, force: true });
});

async function failAfter(
  lab: Lab,
  act: (event: AgentEvent) => void,
  options: object = {},
): Promise<ProviderError & { events: string[] }> {
  const events: string[] = [];
  try {
    for await (const event of lab.provider.stream('go', {}, options)) {
      events.push(event.type);
      act(event);
    }
  } catch (error) {
    return Object.assign(error as ProviderError, { events });
  }
  throw new Error('The step should have failed');
}

describe('a step that is cancelled', () => {
  it('ends all processes that it started, and has text and usage in partial', async () => {
    const lab = await openLab(stubborn, { config: { approvalMode: 'yolo' } });
    const cancel = new AbortController();
    void until(() => isSleeping(lab)).then(() => cancel.abort());
    const error = await failAfter(lab, () => {}, { signal: cancel.signal });
    expect(error).toMatchObject({ code: 'CANCELLED', retryable: false, exitCode: undefined });
    expect(error.partial).toMatchObject({ text: 'I run it. ', usage: { total: 110 } });
    expect(error.sessionId).toBe(error.partial?.sessionId);
    expect(error.events.at(-1)).toBe('turn-complete');
    expect(commands(lab)).toEqual([]);
    expect(privateFolders()).toEqual([]);
  });

  it('before it begins starts no process', async () => {
    const lab = await openLab([{ text: 'never' }]);
    const error = await lab.fail('go', { signal: AbortSignal.abort() });
    expect(error.code).toBe('CANCELLED');
    expect(lab.model.requests).toEqual([]);
  });

  it('by leaving the loop over its events ends at once, while the model is still answering', async () => {
    const turn = { text: ['first ', 'second '], chunkDelayMs: 300, endless: 'stall' } as const;
    const lab = await openLab([turn]);
    const seen: string[] = [];
    for await (const event of lab.provider.stream('go')) {
      if (event.type === 'text-delta') seen.push(event.text);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual(['first ', 'second ']);
    expect(commands(lab)).toEqual([]);
    expect(privateFolders()).toEqual([]);
  });

  it('because the provider is disposed ends at once', async () => {
    const lab = await openLab([{ text: 'x', endless: 'stall' }]);
    const failing = lab.fail();
    await until(() => lab.model.requests.length > 0);
    await lab.provider.dispose();
    expect((await failing).code).toBe('CANCELLED');
    expect(commands(lab)).toEqual([]);
  });

  it('at random moments leaves no process, folder or listener behind', async () => {
    const lab = await openLab(stubborn, { config: { approvalMode: 'yolo' } });
    const listeners = process.listenerCount('exit');
    const cancelAt = async (ms: number) => {
      const error = await lab.fail('go', { signal: AbortSignal.timeout(ms) });
      expect(error.code).toBe('CANCELLED');
    };
    // Two steps run at a time, one per core. The moments reach from the start of node to the running command and are
    // closer together at the beginning, where the provider does most of its work. Each round has an interval of its
    // own, so that no part is left out.
    const rounds = gateCases([...Array(12).keys()], 4);
    const cancelOneByOne = async () => {
      for (const round of rounds) {
        await cancelAt(Math.ceil(2500 * ((round + Math.random()) / rounds.length) ** 2));
      }
    };
    await Promise.all([cancelOneByOne(), cancelOneByOne()]);
    expect(commands(lab)).toEqual([]);
    expect(privateFolders()).toEqual([]);
    expect(process.listenerCount('exit')).toBe(listeners);
  });
});

describe('a CLI that another process ends', () => {
  it.each(gateCases(['SIGINT', 'SIGTERM'] as const, 1))('with %s is INCOMPLETE', async (signal) => {
    const lab = await openLab([{ text: 'Starting... ', endless: 'stall' }]);
    const error = await failAfter(lab, (event) => {
      if (event.type !== 'text-delta') return;
      for (const { pid } of findLabProcesses(lab)) process.kill(pid, signal);
    });
    expect(error).toMatchObject({
      code: 'INCOMPLETE',
      retryable: true,
      partial: { text: 'Starting... ' },
    });
    expect(error.exitCode).toBe(0);
  });

  it('leaves no command behind, although a killed CLI cannot end its commands', async () => {
    const lab = await openLab(stubborn, { config: { approvalMode: 'yolo' } });
    const failing = lab.fail();
    await until(() => isSleeping(lab));
    const cli = findLabProcesses(lab).find(({ command }) => command.includes('gemini.js'));
    if (cli !== undefined) process.kill(cli.pid, 'SIGKILL');
    const error = await failing;
    expect(error).toMatchObject({ code: 'INCOMPLETE', signal: 'SIGKILL' });
    expect(error.partial?.warnings).toContainEqual(
      expect.objectContaining({ code: 'PROCESSES_LEFT' }),
    );
    expect(commands(lab)).toEqual([]);
  });
});

describe('a daemon that a command has started', () => {
  it('is ended with the step, although it has a new environment, session and parent', async () => {
    const pidFile = join(mkdtempSync(join(temp, 'daemon-')), 'pid');
    const daemon = `env -i setsid sh -c 'echo $$ > ${pidFile}; exec sleep 63'`;
    const command = `(${daemon} >/dev/null 2>&1 </dev/null &); while [ ! -s ${pidFile} ]; do sleep 0.1; done`;
    const turns = [
      { text: 'On. ', toolCalls: [{ name: 'run_shell_command', args: { command } }] },
      { text: 'Done.' },
    ];
    const lab = await openLab(turns, { config: { approvalMode: 'yolo' } });
    const { warnings } = await lab.provider.generate('go');
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'PROCESSES_LEFT', count: 1 }));
    expect(isSleepingOn(readFileSync(pidFile, 'utf8').trim())).toBe(false);
  });
});

describe('a host process', () => {
  async function startHost(lab: Lab): Promise<ChildProcess> {
    const config = {
      model: 'gemini-2.5-flash',
      workingDir: lab.workspace,
      env: lab.model.env,
      cliPath: GEMINI,
      trustWorkspace: true,
      approvalMode: 'yolo',
    };
    const program = join(import.meta.dirname, 'programs', 'host.mjs');
    const host = spawn(process.execPath, [program, JSON.stringify(config)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void host.kill('SIGKILL'));
    const lines = createInterface({ input: host.stdout });
    for await (const line of lines) if (line === 'tool-invocation') break;
    await until(() => isSleeping(lab));
    return host;
  }

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'that dies of %s leaves no CLI, command or private folder behind',
    async (signal) => {
      const lab = await openLab(stubborn);
      const host = await startHost(lab);
      const gone = once(host, 'exit');
      host.kill(signal);
      await gone;
      await until(() => commands(lab).length === 0);
      await until(() => privateFolders().length === 0);
      expect(existsSync(lab.workspace)).toBe(true);
    },
  );
});
