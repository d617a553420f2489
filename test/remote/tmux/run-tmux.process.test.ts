import { chmodSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTmux } from '../../../.config/tmux-binary.mjs';
import {
  assertOwnSocket,
  createTmux,
  findTmuxProblem,
  isPaneGone,
  type RunTmux,
} from '../../../src/remote/tmux/run-tmux.js';
import { openTmux } from './open-tmux.js';

const problemOf = async (run: RunTmux, args: readonly string[]): Promise<unknown> =>
  run(args).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('tmux', () => {
  it('returns output and takes input with all their characters', async () => {
    const run = openTmux();
    await run(['new-session', '-d', 'sleep', '60']);
    await run(['load-buffer', '-b', 'one', '-'], '✦ ä\n$(id)');
    expect(await run(['show-buffer', '-b', 'one'])).toBe('✦ ä\n$(id)');
  });

  it('is reached by the path of its socket, too', async () => {
    const run = openTmux();
    await run(['new-session', '-d', '-s', 'mine', 'sleep', '60']);
    const socket = (await run(['display-message', '-p', '#{socket_path}'])).trim();
    await assertOwnSocket(socket);
    const direct = createTmux({ socket }, findTmux().command);
    expect((await direct(['list-sessions', '-F', '#{session_name}'])).trim()).toBe('mine');
    const link = join(dirname(socket), 'link');
    symlinkSync(socket, link);
    const file = join(dirname(socket), 'file');
    writeFileSync(file, '');
    for (const other of [link, file, dirname(socket), '/missing/socket'])
      await expect(assertOwnSocket(other)).rejects.toThrow('does not belong to this user');
  });

  it('tells a pane that is gone from other errors', async () => {
    const run = openTmux();
    expect(isPaneGone(await problemOf(run, ['list-panes', '-a']))).toBe(true);
    await run(['new-session', '-d', 'sleep', '60']);
    expect(isPaneGone(await problemOf(run, ['capture-pane', '-p', '-t', '%77']))).toBe(true);
    const unknown = await problemOf(run, ['no-such-command']);
    expect(unknown).toMatchObject({
      ...{
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^tmux no-such-command failed: /),
      },
    });
    expect(isPaneGone(unknown)).toBe(false);
  });

  it('names the cause if it cannot be started or says nothing', async () => {
    const missing = createTmux({ name: 'x' }, '/missing/tmux');
    await expect(missing(['list-panes'])).rejects.toThrow('tmux list-panes failed: ENOENT');
    const silent = join(mkdtempSync(join(tmpdir(), 'tmux-')), 'tmux');
    writeFileSync(silent, '#!/bin/sh\nexit 3\n');
    chmodSync(silent, 0o755);
    await expect(createTmux({ name: 'x' }, silent)(['list-panes'])).rejects.toThrow('exit code 3');
  });

  it.each([
    ['tmux 1.9', 'tmux 1.9 is too old'],
    ['tmux 3.1c', 'tmux 3.1 is too old'],
    ['tmux 3.2', undefined],
    ['tmux 3.10a', undefined],
    ['tmux next-4.0', undefined],
    ['tmux openbsd', undefined],
  ])('of the version %s: %s', async (version, problem) => {
    const file = join(mkdtempSync(join(tmpdir(), 'tmux-')), 'tmux');
    writeFileSync(`${file}.new`, `#!/bin/sh\necho ${version}\n`);
    chmodSync(`${file}.new`, 0o755);
    renameSync(`${file}.new`, file);
    const found = await findTmuxProblem(file);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });
});
