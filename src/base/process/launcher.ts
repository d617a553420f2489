import { accessSync, constants, statSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { readWaitStatus, SUBREAPER } from './subreaper.js';

interface ReportedExit {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
}

interface LaunchedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly launcher?: readonly string[] | undefined;
}

/**
 * Returns the command with its launcher before it. A command that cannot be started has no launcher: the system then
 * reports the reason (ENOENT, EACCES), which a launcher would hide.
 */
export function withLauncher(launched: LaunchedCommand): {
  readonly command: string;
  readonly args: readonly string[];
} {
  const { command, args, launcher = [] } = launched;
  const [first, ...rest] = launcher;
  if (first === undefined || !isExecutable(launched)) return { command, args };
  return { command: first, args: [...rest, command, ...args] };
}

function isExecutable({ command, cwd, env }: LaunchedCommand): boolean {
  const folders = command.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => {
    try {
      const path = resolve(cwd, folder, command);
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  });
}

/** Returns the entry of `stdio` for the pipe on which a launcher reports. A program without a launcher gets none. */
export function reportPipe(launcher: readonly string[] | undefined): 'pipe'[] {
  return launcher?.[0] === SUBREAPER ? ['pipe'] : [];
}

/**
 * Waits for a launcher to report the exit of its program. A launcher reports it if processes are left and the launcher
 * stays for them; otherwise its own exit tells the same, and this promise never settles.
 */
export function readReportedExit(pipe: unknown): Promise<ReportedExit> {
  return new Promise((settle) => {
    if (!(pipe instanceof Readable)) return;

    let text = '';
    pipe.on('error', () => {});
    pipe.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const status = readWaitStatus(text);
      if (status !== undefined)
        settle({ exitCode: status.exitCode, signal: nameOf(status.signal) });
    });
  });
}

function nameOf(signal: number | undefined): string | undefined {
  return Object.entries(osConstants.signals).find(([, number]) => number === signal)?.[0];
}
