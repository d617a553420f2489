import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProviderError } from '../../src/base/errors/provider-error.js';
import { closeIdleReaper } from '../../src/base/process/reaper.js';
import { GeminiCliProvider } from '../../src/step/gemini-cli-provider.js';
import { failureOf, makeFolder } from '../fixtures/cli/support.js';

afterAll(closeIdleReaper);

const line = (event: object): string => `printf '%s\\n' '${JSON.stringify(event)}'`;
const call = (tool_name: string, parameters: object) =>
  line({ type: 'tool_use', tool_name, tool_id: 't1', parameters });
const CALLED = line({ type: 'tool_result', tool_id: 't1', status: 'success', output: '' });
const say = (text: string) =>
  line({ type: 'message', role: 'assistant', content: text, delta: true });
/** More bytes than a core can hash during a test. */
const VAST = 2 ** 42;

/** Runs a step that must fail with an error of this package. */
async function errorOf(act: () => Promise<unknown>): Promise<ProviderError> {
  const error = await failureOf(act);
  if (ProviderError.isInstance(error)) return error;
  throw error;
}

/** Creates a provider whose CLI is a shell script in place of the turn. */
function open(turn: string, config: Record<string, unknown> = {}) {
  const text = `#!/bin/sh
[ "$1" = --version ] && echo 0.61.0 && exit
${line({ type: 'init', session_id: 's1', model: 'tiny' })}
${turn}
${line({ type: 'result', status: 'success', stats: { total_tokens: 5, models: { tiny: {} } } })}
`;
  const workingDir = makeFolder();
  const provider = new GeminiCliProvider({
    cliPath: join(makeFolder({ 'gemini*': text }), 'gemini'),
    workingDir,
    env: { GEMINI_CLI_HOME: makeFolder() },
    ...config,
  });
  onTestFinished(() => provider.dispose());
  const fail = (options = {}) => errorOf(() => provider.generate('go', {}, options));
  return { provider, workingDir, fail };
}

describe('the timeout of a step', () => {
  it('covers regular expressions of a schema, and the event loop stays free (claim: bounded-checks)', async () => {
    const json = { type: 'string', pattern: '^(a+)+$' };
    const { fail } = open(say(`"${'a'.repeat(31)}!"`), { expects: { json }, timeout: 3 });
    let ticks = 0;
    const timer = setInterval(() => ticks++, 20);
    const error = await fail();
    clearInterval(timer);
    expect(error).toMatchObject({ code: 'TIMEOUT', phase: 'total' });
    expect(error.partial?.text).toContain('aaaa');
    expect(ticks).toBeGreaterThan(3);
  });

  it('covers globs with many wildcards', async () => {
    const files = `${'*a'.repeat(12)}*b`;
    const named = `${'a'.repeat(150)}.txt`;
    const { fail } = open(
      `: > ${named}; ${call('run_shell_command', { command: 'x' })}; ${CALLED}`,
      {
        expects: { files },
        approvalMode: 'yolo',
        timeout: 1,
      },
    );
    expect(await fail()).toMatchObject({ code: 'TIMEOUT', phase: 'total' });
  });

  it('covers the snapshot of the workspace before the first turn (claim: bounded-workspace)', async () => {
    // A repository: a file that git does not track is hashed as a whole.
    const { workingDir, fail } = open('', { approvalMode: 'yolo', timeout: 1 });
    execFileSync('git', ['init', '-q', workingDir]);
    writeFileSync(join(workingDir, 'vast'), '');
    truncateSync(join(workingDir, 'vast'), VAST);
    expect(await fail()).toMatchObject({ code: 'TIMEOUT', phase: 'total' });
  });

  it('covers the hashing of files that the agent has made, and lists them with their size', async () => {
    const turn = `truncate -s ${VAST} vast; ${call('run_shell_command', { command: 'x' })}; ${CALLED}`;
    const { fail } = open(turn, { approvalMode: 'yolo', timeout: 3 });
    const error = await fail();
    expect(error).toMatchObject({ code: 'TIMEOUT', phase: 'total', partial: { recovered: false } });
    expect(error.partial?.files).toMatchObject([
      {
        path: 'vast',
        kind: 'created',
        bytes: VAST,
        confirmed: false,
        tools: ['run_shell_command'],
      },
    ]);
    expect(error.partial?.files[0]).not.toHaveProperty('sha256After');
    expect(error.partial?.warnings).toMatchObject([
      { code: 'FILE_NOT_CONFIRMED', message: 'vast was not read: the time of the step was over.' },
    ]);
  });
});

describe('a cancel', () => {
  it('ends the snapshot of the workspace', async () => {
    const { workingDir, fail } = open('', { approvalMode: 'yolo' });
    execFileSync('git', ['init', '-q', workingDir]);
    writeFileSync(join(workingDir, 'vast'), '');
    truncateSync(join(workingDir, 'vast'), VAST);
    expect(await fail({ signal: AbortSignal.timeout(300) })).toMatchObject({ code: 'CANCELLED' });
  });

  it('ends the hashing of files that the agent has made', async () => {
    const turn = `truncate -s ${VAST} vast; ${call('run_shell_command', { command: 'x' })}; ${CALLED}`;
    const { provider } = open(turn, { approvalMode: 'yolo' });
    const cancel = new AbortController();
    const events = provider.stream('go', {}, { signal: cancel.signal });
    const error = await errorOf(async () => {
      for await (const event of events)
        if (event.type === 'tool-completion') setTimeout(() => cancel.abort(), 500);
    });
    expect(error).toMatchObject({ code: 'CANCELLED' });
    expect(error.partial?.files).toMatchObject([{ path: 'vast', bytes: VAST }]);
  });
});

describe('a pipe in the workspace', () => {
  it.each(['.gitignore', 'pipe'])(
    'named %s is not waited for (claim: bounded-pipes)',
    async (name) => {
      const turn = `mkfifo ${name}; ${call('write_file', { file_path: name, content: 'x' })}; ${CALLED}`;
      const { provider } = open(turn, { approvalMode: 'yolo' });
      const { files } = await provider.generate('go');
      // A pipe is no file: the manifest lists the claim of the tool, and that the disk shows no such file.
      expect(files).toMatchObject([{ path: name, confirmed: false }]);
    },
  );
});

it('a hundred steps with one signal give no warning of a leak (claim: one-signal-many-steps)', async () => {
  const { provider } = open('exit 41');
  const warnings: string[] = [];
  const collect = ({ name }: Error): number => warnings.push(name);
  process.on('warning', collect);
  onTestFinished(() => {
    process.off('warning', collect);
  });
  const cancel = new AbortController();
  const { signal } = cancel;
  const ends = Array.from({ length: 100 }, () => {
    return errorOf(() => provider.generate('go', {}, { signal }));
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  cancel.abort();
  for (const error of await Promise.all(ends)) expect(error).toMatchObject({ code: 'CANCELLED' });
  expect(warnings).not.toContain('MaxListenersExceededWarning');
});

it('the duration of a step does not depend on the wall clock', async () => {
  const { provider } = open('sleep 0.2');
  const now = Date.now.bind(Date);
  const events = provider.stream('go');
  let durationMs: number | undefined;
  for await (const event of events) {
    if (event.type === 'session-init')
      vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
    if (event.type === 'turn-complete') durationMs = event.durationMs;
  }
  vi.restoreAllMocks();
  expect(durationMs).toBeGreaterThan(0);
  expect(durationMs).toBeLessThan(600_000);
});
