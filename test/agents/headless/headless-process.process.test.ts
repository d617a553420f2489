import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  HeadlessProcess,
  type HeadlessProcessRequest,
} from '../../../src/agents/headless/headless-process.js';
import { OUTPUT_LIMITS } from '../../../src/agents/headless/output-limits.js';
import { createPrivateDirectory } from '../../../src/base/process/private-directory.js';
import { PROCESS_TAG_VARIABLE, ProcessTree } from '../../../src/base/process/process-tree.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { endAfterTest, until } from '../../fixtures/cli/support.js';

afterAll(closeIdleReaper);

const NO_LIMITS = { timeoutMs: 60_000, startTimeoutMs: 60_000, idleTimeoutMs: undefined };

/** Starts a shell script instead of the CLI. */
async function prepare(script: string) {
  const directory = await createPrivateDirectory();
  const generationId = randomUUID();
  writeFileSync(directory.file('in'), 'the prompt');
  const request: HeadlessProcessRequest = {
    processTag: generationId,
    command: '/bin/sh',
    args: ['-c', script],
    cwd: directory.path,
    env: { PATH: process.env['PATH'] ?? '', [PROCESS_TAG_VARIABLE]: generationId },
    stdinFile: directory.file('in'),
    stdoutFile: directory.file('out'),
    stderrFile: directory.file('err'),
    limits: NO_LIMITS,
    outputLimits: OUTPUT_LIMITS,
    maxAttempts: undefined,
    signal: undefined,
  };
  return { request, directory };
}

async function start(script: string, more: Partial<HeadlessProcessRequest> = {}) {
  const { request, directory } = await prepare(script);
  const { processTag: generationId } = request;
  const cli = await HeadlessProcess.start({ ...request, ...more });
  onTestFinished(async () => {
    cli.abandon();
    await cli.end();
    await directory.remove();
  });
  return { cli, left: () => new ProcessTree({ tag: generationId }).living() };
}

async function readUntil(cli: HeadlessProcess, wanted: string): Promise<void> {
  for (let said = ''; !said.includes(wanted); ) {
    said += String((await cli.read()) ?? '');
    await cli.wait();
  }
}

describe('a headless process', () => {
  it('reports its exit and its stderr', async () => {
    const { cli } = await start('cat; echo oops >&2; exit 3');
    const end = await cli.end();
    expect(end).toEqual({
      exitCode: 3,
      signal: undefined,
      spawnErrno: undefined,
      stderr: 'oops\n',
      stopReason: undefined,
      endedAfterResult: false,
      processesLeft: 0,
      reportFiles: [],
    });
    expect(cli.end()).toBe(cli.end());
    expect(cli.hasExited).toBe(true);
  });

  it('can be read while it runs', async () => {
    const { cli } = await start('cat; echo; exec sleep 30');
    await readUntil(cli, 'the prompt\n');
    expect(cli.hasExited).toBe(false);
    cli.abandon();
    expect((await cli.end()).stopReason).toEqual({ kind: 'cancelled' });
  });

  it('ends with the errno if it cannot start', async () => {
    const { cli } = await start('', { command: '/no/such/gemini' });
    expect(await cli.end()).toMatchObject({ spawnErrno: 'ENOENT', exitCode: undefined });
  });

  it('kills the processes that it left behind, and counts them', async () => {
    const { cli, left } = await start('setsid sleep 30 & sleep 30 & echo done');
    expect(await cli.end()).toMatchObject({ exitCode: 0, processesLeft: 2, stopReason: undefined });
    expect(left()).toEqual([]);
  });

  it('kills a daemon that only the tag in its limits links to it', async () => {
    const isTagged = 'grep -q "file locks *[0-9]" /proc/$$/limits';
    const daemon = '(env -i setsid sleep 30 </dev/null >/dev/null 2>&1 &)';
    const { cli } = await start(`until ${isTagged}; do sleep 0.01; done; ${daemon}`);
    expect(await cli.end()).toMatchObject({ exitCode: 0, processesLeft: 1 });
  });

  it('kills a daemon that the poll saw with its parent, if no process can be tagged', async () => {
    const daemon = 'env -i setsid sleep 30 & echo $!';
    const { request, directory } = await prepare(
      `${daemon}; until [ -e seen ]; do sleep 0.02; done`,
    );
    onTestFinished(directory.remove);
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    const look = vi.spyOn(ProcessTree.prototype, 'refresh');
    onTestFinished(() => look.mockRestore());
    const cli = await HeadlessProcess.start(request);
    const ending = cli.end();
    const readPid = () => Number(readFileSync(request.stdoutFile, 'utf8'));
    await until(() => readPid() > 0);
    endAfterTest(readPid());
    const looks = look.mock.calls.length;
    await until(() => look.mock.calls.length > looks);
    writeFileSync(directory.file('seen'), '');
    const end = await ending;
    expect(end).toMatchObject({ exitCode: 0, processesLeft: 1 });
  });

  it('names the error reports that the CLI left in the temp folder', async () => {
    const report = '/tmp/gemini-client-error-Turn.run-2026.json';
    const { cli } = await start(`echo "Oops. Full report available at: ${report}" >&2`);
    expect((await cli.end()).reportFiles).toEqual([report]);
  });

  it('leaves no file open', async () => {
    const before = readdirSync('/proc/self/fd').length;
    const { cli } = await start('echo out; echo err >&2');
    await cli.end();
    await expect.poll(() => readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 1);
  });
});

describe('a headless process whose output cannot be read', () => {
  const openFiles = () => readdirSync('/proc/self/fd').length;

  it('is killed with its process tree, and leaves no file open', async () => {
    const { request, directory } = await prepare('setsid sleep 30 & sleep 30');
    onTestFinished(directory.remove);
    const before = openFiles();
    const starting = HeadlessProcess.start(request);
    rmSync(request.stderrFile);
    await expect(starting).rejects.toMatchObject({ code: 'ENOENT', path: request.stderrFile });
    expect(new ProcessTree({ tag: request.processTag }).living()).toEqual([]);
    await expect.poll(openFiles).toBeLessThanOrEqual(before + 1);
  });

  it('is not started if its output files cannot be created', async () => {
    const { request, directory } = await prepare('exec sleep 30');
    onTestFinished(directory.remove);
    const before = openFiles();
    const stderrFile = directory.file('no/such/folder');
    const starting = HeadlessProcess.start({ ...request, stderrFile });
    await expect(starting).rejects.toMatchObject({ code: 'ENOENT', path: stderrFile });
    await expect.poll(openFiles).toBeLessThanOrEqual(before + 1);
  });
});

describe('a headless process that is cancelled', () => {
  it('ends with its process tree', async () => {
    const cancel = new AbortController();
    const { cli, left } = await start('setsid sleep 30 & echo on; sleep 30', {
      signal: cancel.signal,
    });
    await readUntil(cli, 'on');
    cancel.abort();
    expect(await cli.end()).toMatchObject({ stopReason: { kind: 'cancelled' }, processesLeft: 0 });
    expect(left()).toEqual([]);
  });

  it('ends at once if it was cancelled before the start', async () => {
    const { cli } = await start('exec sleep 30', { signal: AbortSignal.abort() });
    expect((await cli.end()).stopReason).toEqual({ kind: 'cancelled' });
  });

  it('has no stop reason if it was cancelled after its exit', async () => {
    const cancel = new AbortController();
    const { cli } = await start('true', { signal: cancel.signal });
    while (!cli.hasExited) await cli.wait();
    cancel.abort();
    cli.abandon();
    expect(await cli.end()).toMatchObject({ exitCode: 0, stopReason: undefined });
  });

  it('has no stop reason if it was cancelled after its result, and exits by itself', async () => {
    const cancel = new AbortController();
    const limits = { timeoutMs: 400, startTimeoutMs: 400, idleTimeoutMs: 400 };
    const { cli } = await start('echo result; sleep 0.5', { signal: cancel.signal, limits });
    await readUntil(cli, 'result');
    cli.finished();
    cancel.abort();
    cli.abandon();
    expect(await cli.end()).toMatchObject({ exitCode: 0, stopReason: undefined });
  });
});

describe('a headless process that does not exit after its result', () => {
  it('is killed after five seconds', async () => {
    const { cli, left } = await start('echo result; exec sleep 30');
    await readUntil(cli, 'result');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    cli.finished();
    cli.finished();
    vi.advanceTimersByTime(4_999);
    expect(left()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    expect(await cli.end()).toMatchObject({ endedAfterResult: true, stopReason: undefined });
    expect(left()).toEqual([]);
  });
});

describe('a timer that expires', () => {
  it.each([
    ['total', { timeoutMs: 150 }, 150],
    ['start', { startTimeoutMs: 150 }, 150],
    ['idle', { idleTimeoutMs: 150 }, 150],
  ])('stops the process with its name as the reason (%s)', async (phase, limits, limitMs) => {
    const { cli, left } = await start('exec sleep 30', { limits: { ...NO_LIMITS, ...limits } });
    expect((await cli.end()).stopReason).toEqual({ kind: 'timeout', phase, limitMs });
    expect(left()).toEqual([]);
  });

  it('does not stop the process if it is the start timer and the CLI has started', async () => {
    const limits = { ...NO_LIMITS, startTimeoutMs: 200 };
    const { cli } = await start('sleep 0.3', { limits });
    cli.started();
    expect((await cli.end()).stopReason).toBeUndefined();
  });

  it('is restarted by every line on stdout and stderr if it is the idle timer', async () => {
    const limits = { ...NO_LIMITS, idleTimeoutMs: 500 };
    const script = 'for n in 1 2 3 4; do echo $n; sleep 0.1; echo $n >&2; sleep 0.1; done';
    const { cli } = await start(script, { limits });
    expect(await cli.end()).toMatchObject({ exitCode: 0, stopReason: undefined });
  });
});

describe('a headless process that prints forever', () => {
  const MIB = 2 ** 20;
  const outputLimits = { stdoutBytes: 3 * MIB, stderrBytes: 2 * MIB, restBytes: MIB };
  /** Most bytes that are read after a result: the limit, and the rest of the last piece. */
  const readable = outputLimits.restBytes + 512 * 1024;

  async function readAll(cli: HeadlessProcess): Promise<number> {
    let bytes = 0;
    for (let isOver = false; !isOver; ) {
      isOver = cli.hasExited;
      for (let chunk = await cli.read(); chunk; chunk = await cli.read()) bytes += chunk.length;
      await cli.wait();
    }
    return bytes;
  }

  it.each([
    ['stdout', 'yes', 3 * MIB],
    ['stderr', 'yes >&2', 2 * MIB],
  ])('is stopped at the limit of %s', async (stream, script, limitBytes) => {
    const { cli, left } = await start(script, { outputLimits });
    expect((await cli.end()).stopReason).toEqual({ kind: 'flood', stream, limitBytes });
    expect(left()).toEqual([]);
  });

  it('is not read to its end after a cancellation', async () => {
    const { cli } = await start('yes & yes >&2');
    const cancelled = (async () => {
      while (((await cli.read())?.length ?? 0) === 0) await cli.wait();
      cli.abandon();
    })();
    await cancelled;
    expect(await readAll(cli)).toBeLessThanOrEqual(OUTPUT_LIMITS.restBytes + 512 * 1024);
    const { stderr } = await cli.end();
    expect(stderr.length).toBeLessThanOrEqual(16 * 1024);
  });

  it('is stopped at once after its result, and has no stop reason', async () => {
    const { cli, left } = await start('echo result; exec yes', { outputLimits });
    await readUntil(cli, 'result');
    cli.finished();
    expect(await readAll(cli)).toBeLessThanOrEqual(readable);
    expect(await cli.end()).toMatchObject({ stopReason: undefined, endedAfterResult: true });
    expect(left()).toEqual([]);
  });

  it('is stopped at once if it floods stderr after its result', async () => {
    const { cli } = await start('echo result; exec yes >&2', { outputLimits });
    await readUntil(cli, 'result');
    cli.finished();
    expect(await cli.end()).toMatchObject({ stopReason: undefined, endedAfterResult: true });
  });

  it('is read up to its exit if an orphaned process goes on printing', async () => {
    const { cli, left } = await start('echo first; yes & echo last');
    await readAll(cli);
    expect(await cli.end()).toMatchObject({ exitCode: 0, stopReason: undefined });
    expect(left()).toEqual([]);
  });
});

describe('a headless process that keeps retrying', () => {
  const RETRIES = `for n in 1 2 3; do echo "Attempt $n failed with status 503. Retrying with backoff... busy" >&2; sleep 0.05; done`;

  it('reports each retry while it runs', async () => {
    const { cli } = await start(RETRIES);
    await cli.end();
    expect(cli.takeStatuses()).toMatchObject(
      [1, 2, 3].map((attempt) => ({
        type: 'session-status',
        status: 'retrying',
        attempt,
        httpStatus: 503,
      })),
    );
    expect(cli.takeStatuses()).toEqual([]);
  });

  it('is stopped at maxCliAttempts', async () => {
    const { cli } = await start(`${RETRIES}; exec sleep 30`, { maxAttempts: 2 });
    expect((await cli.end()).stopReason).toMatchObject({
      kind: 'attempts',
      attempts: 2,
      httpStatus: 503,
      text: expect.stringContaining('Attempt 2 failed'),
    });
  });
});
