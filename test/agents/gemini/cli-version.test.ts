import { existsSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readCliVersion } from '../../../src/agents/gemini/cli-version.js';
import { findCli } from '../../../src/agents/gemini/find-cli.js';
import { isAlive, makeFolder, until } from '../../fixtures/cli/support.js';

const locate = (cliPath: string) => findCli({ cliPath, workingDir: '/', env: {} });

/** Script that writes a line into `asked` at each start. */
const talking = (words: string) => `#!/bin/sh\necho "$@" >> "$(dirname "$0")/asked"\n${words}\n`;

/** Creates a shell script with a child that does not exit, and reads the pids of the started processes. */
function hanging(words: string) {
  const script = `#!/bin/sh\ncd "$(dirname "$0")"\nsleep 33.33 & echo $! >> pids\n${words}\n`;
  const folder = makeFolder({ 'gemini*': script });
  const read = (name: string) => {
    const path = join(folder, name);
    // The file exists before it has content.
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  };
  const pids = () => read('pids').map(Number);
  onTestFinished(() => {
    for (const pid of pids()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  const cli = locate(join(folder, 'gemini'));
  const env = { PATH: process.env['PATH'] ?? '' };
  return { pids, ask: (signal?: AbortSignal) => readCliVersion(cli, env, signal) };
}

describe('the version of a CLI that hangs', () => {
  it.each([
    ['unknown', 'wait', undefined],
    ['its first output', 'echo 1.2.3; wait', '1.2.3'],
  ])('is %s after five seconds, and no process is left', async (_what, words, expected) => {
    const { ask, pids } = hanging(`echo $$ >> pids\n${words}`);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let isOver = false;
    const asking = ask().finally(() => {
      isOver = true;
    });
    while (pids().length < 2) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(4_999);
    expect(isOver).toBe(false);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    expect(await asking).toBe(expected);
    expect(pids().map(isAlive)).toEqual([false, false]);
  });

  it('is not awaited after an abort, and no process is left', async () => {
    const { ask, pids } = hanging('echo $$ >> pids; wait');
    const cancel = new AbortController();
    const asking = ask(cancel.signal);
    await until(() => pids().length === 2);
    cancel.abort('enough');
    await expect(asking).rejects.toBe('enough');
    expect(pids().map(isAlive)).toEqual([false, false]);
  });

  it('is requested again by the next call', async () => {
    const { ask, pids } = hanging('[ "$(wc -l < pids)" = 1 ] && wait; echo 1.2.3');
    const cancel = new AbortController();
    const asking = ask(cancel.signal);
    await until(() => pids().length === 1);
    cancel.abort();
    await expect(asking).rejects.toBe(cancel.signal.reason);
    expect(await ask()).toBe('1.2.3');
    expect(pids()).toHaveLength(2);
  });
});

describe('the version of the CLI', () => {
  it('is read from its package.json without a process', async () => {
    const folder = makeFolder({
      'package.json': '{"name":"@google/gemini-cli","version":"0.61.0-nightly.1"}',
      'bundle/package.json': '{broken',
      'bundle/inner/package.json': '{"name":"other","version":"9.9.9"}',
      'bundle/inner/gemini.js': `require('fs').writeFileSync(__dirname + '/started', '')`,
    });
    const version = await readCliVersion(locate(join(folder, 'bundle/inner/gemini.js')), {});
    expect(version).toBe('0.61.0-nightly.1');
    expect(existsSync(join(folder, 'bundle/inner/started'))).toBe(false);
  });

  it('is requested once for many callers, and again when the file has changed', async () => {
    const folder = makeFolder({ 'gemini*': talking('echo "gemini v0.30.1-preview.2 (linux)"') });
    const path = join(folder, 'gemini');
    const env = { PATH: process.env['PATH'] ?? '' };
    const ask = () => readCliVersion(locate(path), env);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill('0.30.1-preview.2'));
    expect(await ask()).toBe('0.30.1-preview.2');
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('--version\n');
    utimesSync(path, 1, 1);
    await ask();
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('--version\n--version\n');
  });

  it.each([
    ['prints no number', 'echo hello'],
    ['fails', 'exit 1'],
    ['prints to stderr only', 'echo "1.2.3 is no flag" >&2'],
  ])('is unknown if the program %s', async (_what, words) => {
    const path = join(makeFolder({ 'gemini*': talking(words) }), 'gemini');
    expect(await readCliVersion(locate(path), {})).toBeUndefined();
  });

  it('is unknown if the program cannot be started', async () => {
    const path = join(makeFolder({ 'gemini*': '#!/bin/sh\n' }), 'gemini');
    const cli = locate(path);
    rmSync(path);
    expect(await readCliVersion(cli, {})).toBeUndefined();
  });

  it('is known although a child is left running, which is killed', async () => {
    const { ask, pids } = hanging('echo 1.2.3');
    expect(await ask()).toBe('1.2.3');
    expect(pids().map(isAlive)).toEqual([false]);
  });

  it('is requested with the environment of the step alone', async () => {
    const path = join(
      makeFolder({ 'gemini*': '#!/bin/sh\necho "$FAKE_VERSION$HOME"\n' }),
      'gemini',
    );
    expect(await readCliVersion(locate(path), { FAKE_VERSION: '4.5.6' })).toBe('4.5.6');
  });
});
