import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GEMINI, makeFolder, read } from './support.js';
import { writing } from './tool-calls.js';

const MAIN = join(import.meta.dirname, '..', 'dist', 'cli.js');
const HOST = join(import.meta.dirname, 'programs', 'lease-host.mjs');
const ID = '0123456789abcdef';

type Cleanup = (end: () => void) => void;

interface Host {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>;
  until(start: string): Promise<void>;
}

interface HostLab {
  readonly folder: string;
  readonly work: string;
  readonly start: (ms: number, prefix?: readonly string[]) => Host;
  readonly ledger: () => string;
}

/** Prepares a plan with these steps, and a function that starts a process that runs it. */
function openHosts(
  steps: readonly object[],
  defaults: object = {},
  cleanup: Cleanup = onTestFinished,
): HostLab {
  const folder = makeFolder({}, cleanup);
  const work = join(folder, 'work');
  mkdirSync(work);
  const plan = join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify({ defaults: { workingDir: work, ...defaults }, steps }));
  const state = join(folder, 'state');
  const start = (ms: number, prefix: readonly string[] = []): Host => {
    const [command = '', ...args] = [...prefix, process.execPath, HOST, plan];
    const child = spawn(command, [...args, join(folder, 'out'), state, String(ms)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    cleanup(() => void child.kill('SIGKILL'));
    const lines: string[] = [];
    let rest = '';
    child.stdout.on('data', (chunk) => {
      const parts = (rest + String(chunk)).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
    const ended = once(child, 'close').then(([code]) => code);
    const until = async (start: string): Promise<void> => {
      while (!lines.some((line) => line.startsWith(start))) {
        if (child.exitCode !== null) throw new Error(`No ${start} in ${lines.join('; ')}`);
        await sleep(20);
      }
    };
    return { child, lines, ended, until };
  };
  const ledger = (): string => {
    const [name = ''] = readdirSync(state);
    return read(state, name, 'ledger.jsonl');
  };
  return { folder, work, start, ledger };
}

const IDS = ['p', 'q', 'r'];
const STEPS = IDS.map((id) => ({ id, prompt: id }));
/** Another PID namespace, as in another container that shares the folders and the host name. */
const NAMESPACE = ['unshare', '-pf', '--kill-child', '--mount-proc'];

function countLines(ledger: string, type: string): number {
  // A line that is cut off, because the disk was full, does not end in a brace.
  const lines = ledger.split('\n').filter((line) => line.endsWith('}'));
  return lines.filter((line) => line.includes(`"entry":{"type":"${type}"`)).length;
}

// The tests wait for a lease most of the time.
describe.concurrent('two batches on one ledger', () => {
  it.for([
    ['in another PID namespace', NAMESPACE, 'shared'],
    ['in another PID and UTS namespace', [...NAMESPACE, '--uts'], 'shared'],
    ['in another PID namespace, with isolation', NAMESPACE, 'copy'],
  ] as const)(
    '%s: the second is refused, the first is not disturbed (claim: one-batch-per-ledger)',
    async ([, prefix, isolation], { expect, onTestFinished }) => {
      const lab = openHosts(STEPS, { isolation }, onTestFinished);
      const first = lab.start(1_500);
      await first.until('step-started p');
      const second = lab.start(0, prefix);
      expect(await second.ended).toBe(2);
      expect(second.lines).toEqual([
        expect.stringMatching(
          /^refused Another batch uses .*ledger\.jsonl: process \d+ in another container/,
        ),
      ]);
      expect(await first.ended).toBe(0);
      expect(first.lines.at(-1)).toBe('succeeded');
      for (const id of IDS) expect(read(lab.work, `${id}.txt`)).toBe(id);
      expect([countLines(lab.ledger(), 'start'), countLines(lab.ledger(), 'done')]).toEqual([3, 3]);
    },
  );

  it('resumes at once after a kill in the same PID namespace', async ({
    expect,
    onTestFinished,
  }) => {
    const lab = openHosts(STEPS, {}, onTestFinished);
    const first = lab.start(300);
    await first.until('step-finished p');
    first.child.kill('SIGKILL');
    await first.ended;
    const second = lab.start(0);
    expect(await second.ended).toBe(0);
    // No waiting for the lease: the pid proves that its owner is dead.
    expect(second.lines.some((line) => line.startsWith('warning LEASE_WAIT'))).toBe(false);
    expect(second.lines.at(-1)).toBe('succeeded');
  });

  it.for([
    ['shared', []],
    ['copy', NAMESPACE],
  ] as const)(
    'a frozen owner with isolation %s is overtaken, and then stops and writes nothing (claim: fencing)',
    async ([isolation, prefix], { expect, onTestFinished }) => {
      const lab = openHosts(STEPS, { isolation }, onTestFinished);
      const first = lab.start(2_000);
      await first.until('step-finished p');
      // No write is under way now: the next one follows when the step ends.
      await first.until('step-progress q');
      while (!lab.ledger().includes('"generationId":"q"')) await sleep(20);
      first.child.kill('SIGSTOP');
      const second = lab.start(0, prefix);
      expect(await second.ended).toBe(0);
      expect(second.lines).toContainEqual(
        expect.stringMatching(/^warning LEASE_WAIT .*does not answer/),
      );
      expect(second.lines.at(-1)).toBe('succeeded');
      if (isolation === 'copy') {
        // The workspace of a process that may be alive stays.
        expect(second.lines).toContainEqual(
          expect.stringMatching(/^warning LEFTOVERS_KEPT .*may still be alive/),
        );
      }
      const before = { ledger: lab.ledger(), report: read(lab.folder, 'out', 'report.json') };
      const files = () => IDS.map((id) => read(lab.work, `${id}.txt`));
      expect(files()).toEqual(IDS);
      first.child.kill('SIGCONT');
      expect(await first.ended).toBe(2);
      expect(first.lines.at(-1)).toMatch(/^refused Another batch has taken over /);
      const after = { ledger: lab.ledger(), report: read(lab.folder, 'out', 'report.json') };
      expect(after).toEqual(before);
      if (isolation === 'copy') expect(files()).toEqual(IDS);
    },
  );
});

describe('the state of a batch', () => {
  it('survives a full disk: nothing that was done is done again', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `s${n}`);
    const lab = openHosts(ids.map((id) => ({ id, prompt: id })));
    const state = join(lab.folder, 'state');
    mkdirSync(state, { mode: 0o700 });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs', state]);
    onTestFinished(() => void execFileSync('umount', ['-l', state]));
    const first = lab.start(0);
    expect(await first.ended).toBe(2);
    expect(first.lines.at(-1)).toMatch(/^refused The ledger .* cannot be used/);
    const finished = countLines(lab.ledger(), 'done');
    expect(finished).toBeGreaterThan(0);
    expect(finished).toBeLessThan(ids.length);
    execFileSync('mount', ['-o', 'remount,size=8m', state]);
    const second = lab.start(0);
    expect(await second.ended).toBe(0);
    expect(second.lines.at(-1)).toBe('succeeded');
    expect(second.lines.some((line) => line.startsWith('warning LEASE_WAIT'))).toBe(false);
    expect(countLines(lab.ledger(), 'done')).toBe(ids.length);
  });

  it('of many steps is resumed with few open files', async () => {
    const steps = Array.from({ length: 400 }, (_, n) => ({ id: `s${n}`, prompt: `s${n}` }));
    const lab = openHosts(steps);
    expect(await lab.start(0).ended).toBe(0);
    const second = lab.start(0, ['prlimit', '--nofile=256']);
    expect(await second.ended).toBe(0);
    expect(second.lines.some((line) => line.startsWith('step-started'))).toBe(false);
    expect(second.lines.at(-1)).toBe('succeeded');
  });

  it('cannot be planted by an agent in the output folder, where the lease is protected (claim: state-out-of-reach, lease-protected)', async () => {
    const victim = makeFolder({ 'notes.txt': 'mine\n' });
    const home = `plan.batch/state/gemini-cli-provider-${ID}`;
    const workspace = makeFolder();
    const at = (path: string): string => join(workspace, path);
    const stage = `${home}/gemini-cli-provider-${ID}`;
    const record = {
      id: ID,
      kind: 'copy',
      root: victim,
      home: at(home),
      tree: at(`${home}/tree`),
      stage: at(stage),
      pid: 999_999_999,
      owner: { id: 'x', pid: 999_999_999, host: 'h', startTime: 1 },
    };
    const change = {
      path: '.ssh/authorized_keys',
      original: { inode: '1', bytes: '1', modifiedNs: '1' },
      replacesFolder: false,
    };
    const journal = { root: victim, stage: at(stage), changes: [change], newFolders: [] };
    const planted = {
      [`plan.batch/state/isolated/${ID}.json`]: JSON.stringify(record),
      [`plan.batch/state/isolated/${ID}.journal`]: JSON.stringify(journal),
      [`plan.batch/isolated/${ID}.json`]: JSON.stringify(record),
      [`plan.batch/isolated/${ID}.journal`]: JSON.stringify(journal),
      [`${stage}/old-0`]: 'ssh-rsa EVIL\n',
      [`${home}/owner`]: ID,
      'plan.batch/ledger.jsonl': '{"type":"plan","at":"2020-01-01T00:00:00.000Z"}\n',
      'plan.batch/files-before.json': '{}',
      'plan.batch/key': '0'.repeat(64),
      // A lease with a higher token would stop the batch.
      'plan.batch/.batch/lease-9.json': '{}',
    };
    const turns = Object.entries(planted).map(([path, content]) => writing(path, content));
    const model = await startScriptedModel([...turns, { text: 'planted' }]);
    onTestFinished(() => model.close());
    writeFileSync(at('plan.json'), JSON.stringify([{ id: 'a', prompt: 'go' }]));
    const run = async (...args: string[]) => {
      const env = { ...process.env, ...model.env, GEMINI_CLI_PATH: GEMINI };
      const flags = ['--model', 'gemini-2.5-flash', '--trust-workspace', ...args];
      const child = spawn(process.execPath, [MAIN, 'batch', 'plan.json', ...flags], {
        cwd: workspace,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [[code], stdout, stderr] = await Promise.all([
        once(child, 'close'),
        text(child.stdout),
        text(child.stderr),
      ]);
      return { code, output: stdout + stderr };
    };
    expect(await run()).toMatchObject({ code: 0 });
    expect(existsSync(at(`${stage}/old-0`))).toBe(true);
    expect(existsSync(at('plan.batch/.batch/lease-9.json'))).toBe(false);
    const requests = model.requests.length;
    const again = await run();
    expect(again.code).toBe(0);
    expect(again.output).not.toMatch(/revert|removed/);
    expect(model.requests).toHaveLength(requests);
    expect(readdirSync(victim)).toEqual(['notes.txt']);
    expect(statSync(at(`${stage}/old-0`)).isFile()).toBe(true);
    expect(readFileSync(at('plan.batch/report.json'), 'utf8')).toContain('"succeeded"');
  });
});
