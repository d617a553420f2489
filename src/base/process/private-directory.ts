import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { forgetFolder, watchFolder } from './reaper.js';

const PRIVATE = 0o700;

/** The private folder of one run. It goes with our process, however that ends. */
export interface PrivateDirectory {
  readonly path: string;
  file(name: string): string;
  /** Removes these files, where they are. */
  clear(names: readonly string[]): Promise<void>;
  remove(): Promise<void>;
}

export async function createPrivateDirectory(): Promise<PrivateDirectory> {
  // A name of our own choice, so that the reaper knows the folder before it is there.
  const path = resolve(tmpdir(), `gemini-cli-provider-${randomUUID()}`);
  watchFolder(path);
  try {
    await mkdir(path, { mode: PRIVATE });
  } catch (error) {
    forgetFolder(path);
    throw error;
  }
  return {
    path,
    file: (name) => join(path, name),
    clear: async (names) => {
      await Promise.all(names.map((name) => rm(join(path, name), { force: true })));
    },
    remove: async () => {
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
      forgetFolder(path);
    },
  };
}
