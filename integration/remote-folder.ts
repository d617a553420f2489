import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeFolder } from './support.js';

export interface RemoteFolder {
  /** Path at which the file system is mounted. */
  readonly folder: string;
  /** Folder of the disk with the same files. */
  readonly source: string;
  /** Ends all answers, as if the server was gone. */
  freeze(): Promise<void>;
  /** Answers all requests since then, and all further ones. */
  thaw(): Promise<void>;
  /** Answers each request after this time. */
  slowDown(delayMs: number): Promise<void>;
}

/** Mounts a folder whose server can be slow, or stopped, as that of a network file system. */
export async function mountRemoteFolder(
  files: Readonly<Record<string, string>> = {},
): Promise<RemoteFolder> {
  const [source, folder] = [makeFolder(files), makeFolder()];
  const program = join(import.meta.dirname, 'programs', 'fuse-folder.mjs');
  const server = spawn(process.execPath, [program, folder, source], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    execFileSync('umount', ['-l', folder]);
    // The kernel answers all open requests with an error when the server is gone, and hanging processes end.
    server.kill('SIGKILL');
    await once(server, 'exit');
  });
  await once(server.stdout, 'data');
  const tell = async (line: string) => {
    server.stdin.write(`${line}\n`);
    await once(server.stdout, 'data');
  };
  return {
    folder,
    source,
    freeze: () => tell('freeze'),
    thaw: () => tell('thaw'),
    slowDown: (delayMs) => tell(`delay ${delayMs}`),
  };
}
