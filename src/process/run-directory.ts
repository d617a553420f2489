import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The private folder of one run (mode 0700, as `mkdtemp` makes it). */
export interface RunDirectory {
  readonly path: string;
  file(name: string): string;
  /** Removes these files, where they are. */
  clear(names: readonly string[]): Promise<void>;
  remove(): Promise<void>;
}

export async function createRunDirectory(): Promise<RunDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'gemini-cli-provider-'));
  return {
    path,
    file: (name) => join(path, name),
    clear: async (names) => {
      await Promise.all(names.map((name) => rm(join(path, name), { force: true })));
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
