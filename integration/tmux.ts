import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { findTmux } from '../.config/tmux-binary.mjs';

const call = promisify(execFile);

export interface PaneOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** A command in a real terminal. */
export interface Pane {
  /** Presses a key by its name in tmux: `C-c`, `Enter`. */
  press(key: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** Returns the visible screen. */
  read(): Promise<string>;
  /** Returns the visible screen and all that has been scrolled out of it. */
  readHistory(): Promise<string>;
  /** Closes the terminal, as a closed window or a lost connection does. */
  close(): Promise<void>;
  /** Pid of the command. */
  pid(): Promise<number>;
}

/** Starts a command in a terminal of its own. The command is the leader of its session, as a shell is. */
export async function openPane(
  [command = '', ...args]: readonly string[],
  { cwd, env, columns = 100, rows = 30 }: PaneOptions,
): Promise<Pane> {
  const { command: tmux, env: tmuxEnv } = findTmux();
  const name = `test-${randomUUID()}`;
  const { TMUX: _, NO_COLOR: __, ...inherited } = process.env;
  const options = { cwd, env: { ...inherited, ...tmuxEnv, TERM: 'xterm-256color' } };
  const ask = async (...words: string[]): Promise<string> => {
    const { stdout } = await call(tmux, ['-L', name, '-f', '/dev/null', ...words], options);
    return stdout;
  };
  // tmux gives a command its own PATH, so that `env` has to set the variables.
  const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  const size = ['-x', String(columns), '-y', String(rows)];
  await ask('new-session', '-d', ...size, 'env', ...variables, command, ...args);
  onTestFinished(async () => {
    await ask('kill-server').catch(() => {});
  });
  return {
    press: async (key) => void (await ask('send-keys', key)),
    resize: async (width, height) =>
      void (await ask('resize-window', '-x', String(width), '-y', String(height))),
    read: () => ask('capture-pane', '-p'),
    readHistory: () => ask('capture-pane', '-p', '-S', '-'),
    close: async () => void (await ask('kill-server')),
    pid: async () => Number(await ask('display-message', '-p', '#{pane_pid}')),
  };
}

/** Creates a folder for PATH with a git that takes its time and writes a line per call to a log. */
export function makeSlowGit(folder: string, seconds: number): { path: string; log: string } {
  const bin = join(folder, 'slow-bin');
  const log = join(folder, 'git.log');
  mkdirSync(bin);
  const path = process.env['PATH'] ?? '';
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh\necho start >> '${log}'\nsleep ${seconds}\nPATH='${path}' exec git "$@"\n`,
  );
  chmodSync(join(bin, 'git'), 0o755);
  return { path: `${bin}:${path}`, log };
}
