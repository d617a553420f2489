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

/** A shell script in the place of the CLI. */
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

describe('a run', () => {
  it('that ends by itself tells how it ended, and what was on stderr', async () => {
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

  it('can be read while it goes on', async () => {
    const { cli } = await start('cat; echo; exec sleep 30');
    await readUntil(cli, 'the prompt\n');
    expect(cli.hasExited).toBe(false);
    cli.abandon();
    expect((await cli.end()).stopReason).toEqual({ kind: 'cancelled' });
  });

  it('that cannot start ends with the reason', async () => {
    const { cli } = await start('', { command: '/no/such/gemini' });
    expect(await cli.end()).toMatchObject({ spawnErrno: 'ENOENT', exitCode: undefined });
  });

  it('takes along what it has left behind, and says how much that was', async () => {
    const { cli, left } = await start('setsid sleep 30 & sleep 30 & echo done');
    expect(await cli.end()).toMatchObject({ exitCode: 0, processesLeft: 2, stopReason: undefined });
    expect(left()).toEqual([]);
  });

  it('takes along a daemon of which nothing but its limits tells whose it is', async () => {
    const isTagged = 'grep -q "file locks *[0-9]" /proc/$$/limits';
    const daemon = '(env -i setsid sleep 30 </dev/null >/dev/null 2>&1 &)';
    const { cli } = await start(`until ${isTagged}; do sleep 0.01; done; ${daemon}`);
    expect(await cli.end()).toMatchObject({ exitCode: 0, processesLeft: 1 });
  });

  it('takes along a daemon that was seen beside its parent, where nothing can be marked', async () => {
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

  it('names the reports that the CLI left in the temp folder', async () => {
    const report = '/tmp/gemini-client-error-Turn.run-2026.json';
    const { cli } = await start(`echo "Oops. Full report available at: ${report}" >&2`);
    expect((await cli.end()).reportFiles).toEqual([report]);
  });

  it('leaves no file open behind', async () => {
    const before = readdirSync('/proc/self/fd').length;
    const { cli } = await start('echo out; echo err >&2');
    await cli.end();
    await expect.poll(() => readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 1);
  });
});

describe('a run whose output cannot be read', () => {
  const openFiles = () => readdirSync('/proc/self/fd').length;

  it('is ended with everything below it, and leaves no file open', async () => {
    const { request, directory } = await prepare('setsid sleep 30 & sleep 30');
    onTestFinished(directory.remove);
    const before = openFiles();
    const starting = HeadlessProcess.start(request);
    rmSync(request.stderrFile);
    await expect(starting).rejects.toMatchObject({ code: 'ENOENT', path: request.stderrFile });
    expect(new ProcessTree({ tag: request.processTag }).living()).toEqual([]);
    await expect.poll(openFiles).toBeLessThanOrEqual(before + 1);
  });

  it('is not even started where the files cannot be made', async () => {
    const { request, directory } = await prepare('exec sleep 30');
    onTestFinished(directory.remove);
    const before = openFiles();
    const stderrFile = directory.file('no/such/folder');
    const starting = HeadlessProcess.start({ ...request, stderrFile });
    await expect(starting).rejects.toMatchObject({ code: 'ENOENT', path: stderrFile });
    await expect.poll(openFiles).toBeLessThanOrEqual(before + 1);
  });
});

describe('a run that is cancelled', () => {
  it('ends with everything below it', async () => {
    const cancel = new AbortController();
    const { cli, left } = await start('setsid sleep 30 & echo on; sleep 30', {
      signal: cancel.signal,
    });
    await readUntil(cli, 'on');
    cancel.abort();
    expect(await cli.end()).toMatchObject({ stopReason: { kind: 'cancelled' }, processesLeft: 0 });
    expect(left()).toEqual([]);
  });

  it('before it began ends at once', async () => {
    const { cli } = await start('exec sleep 30', { signal: AbortSignal.abort() });
    expect((await cli.end()).stopReason).toEqual({ kind: 'cancelled' });
  });

  it('after its end is not cancelled', async () => {
    const cancel = new AbortController();
    const { cli } = await start('true', { signal: cancel.signal });
    while (!cli.hasExited) await cli.wait();
    cancel.abort();
    cli.abandon();
    expect(await cli.end()).toMatchObject({ exitCode: 0, stopReason: undefined });
  });

  it('after its result is not cancelled either, but it has to go', async () => {
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

describe('a run that does not go after its result', () => {
  it('is helped along after five seconds', async () => {
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

describe('a clock that runs out', () => {
  it.each([
    ['total', { timeoutMs: 150 }, 150],
    ['start', { startTimeoutMs: 150 }, 150],
    ['idle', { idleTimeoutMs: 150 }, 150],
  ])('ends the run and says which it was (%s)', async (phase, limits, limitMs) => {
    const { cli, left } = await start('exec sleep 30', { limits: { ...NO_LIMITS, ...limits } });
    expect((await cli.end()).stopReason).toEqual({ kind: 'timeout', phase, limitMs });
    expect(left()).toEqual([]);
  });

  it('for the start does not, once the CLI has reported for duty', async () => {
    const limits = { ...NO_LIMITS, startTimeoutMs: 200 };
    const { cli } = await start('sleep 0.3', { limits });
    cli.started();
    expect((await cli.end()).stopReason).toBeUndefined();
  });

  it('for silence is put off by every line on stdout and on stderr', async () => {
    const limits = { ...NO_LIMITS, idleTimeoutMs: 500 };
    const script = 'for n in 1 2 3 4; do echo $n; sleep 0.1; echo $n >&2; sleep 0.1; done';
    const { cli } = await start(script, { limits });
    expect(await cli.end()).toMatchObject({ exitCode: 0, stopReason: undefined });
  });
});

describe('a run that prints for ever', () => {
  const MIB = 2 ** 20;
  const outputLimits = { stdoutBytes: 3 * MIB, stderrBytes: 2 * MIB, restBytes: MIB };
  /** A piece that has been begun is read to its end. */
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
  ])('on %s is ended at the limit', async (stream, script, limitBytes) => {
    const { cli, left } = await start(script, { outputLimits });
    expect((await cli.end()).stopReason).toEqual({ kind: 'flood', stream, limitBytes });
    expect(left()).toEqual([]);
  });

  it('is not read to its end once it was cancelled', async () => {
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

  it('after its result is ended at once, and still has its success', async () => {
    const { cli, left } = await start('echo result; exec yes', { outputLimits });
    await readUntil(cli, 'result');
    cli.finished();
    expect(await readAll(cli)).toBeLessThanOrEqual(readable);
    expect(await cli.end()).toMatchObject({ stopReason: undefined, endedAfterResult: true });
    expect(left()).toEqual([]);
  });

  it('on stderr after its result is ended at once too', async () => {
    const { cli } = await start('echo result; exec yes >&2', { outputLimits });
    await readUntil(cli, 'result');
    cli.finished();
    expect(await cli.end()).toMatchObject({ stopReason: undefined, endedAfterResult: true });
  });

  it('through a process that it has left behind is read as far as it came itself', async () => {
    const { cli, left } = await start('echo first; yes & echo last');
    await readAll(cli);
    expect(await cli.end()).toMatchObject({ exitCode: 0, stopReason: undefined });
    expect(left()).toEqual([]);
  });
});

describe('a run that keeps retrying', () => {
  const RETRIES = `for n in 1 2 3; do echo "Attempt $n failed with status 503. Retrying with backoff... busy" >&2; sleep 0.05; done`;

  it('says so while it lasts', async () => {
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

  it('is ended when it has tried often enough', async () => {
    const { cli } = await start(`${RETRIES}; exec sleep 30`, { maxAttempts: 2 });
    expect((await cli.end()).stopReason).toMatchObject({
      kind: 'attempts',
      attempts: 2,
      httpStatus: 503,
      text: expect.stringContaining('Attempt 2 failed'),
    });
  });
});
