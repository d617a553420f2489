import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { forgetFolder, watchFolder } from './reaper.js';

const PRIVATE = 0o700;

/** Temporary folder that only this user can read. The reaper removes the folder even if this process is killed. */
export interface PrivateDirectory {
  readonly path: string;
  file(name: string): string;
  /** Removes the named files if they exist. */
  clear(names: readonly string[]): Promise<void>;
  /** Calls the function after the folder was removed. */
  afterRemoval(work: () => Promise<void>): void;
  remove(): Promise<void>;
}

export async function createPrivateDirectory(): Promise<PrivateDirectory> {
  // Choose the name here (instead of `mkdtemp`), so that the reaper knows the folder before it exists.
  const path = resolve(tmpdir(), `gemini-cli-provider-${randomUUID()}`);
  watchFolder(path);
  try {
    await mkdir(path, { mode: PRIVATE });
  } catch (error) {
    forgetFolder(path);
    throw error;
  }
  const afterwards: (() => Promise<void>)[] = [];
  return {
    path,
    file: (name) => join(path, name),
    clear: async (names) => {
      await Promise.all(names.map((name) => rm(join(path, name), { force: true })));
    },
    afterRemoval: (work) => {
      afterwards.push(work);
    },
    remove: async () => {
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
      forgetFolder(path);
      for (const work of afterwards.splice(0)) await work();
    },
  };
}
