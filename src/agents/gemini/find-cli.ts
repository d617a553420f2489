import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs';
import { totalmem } from 'node:os';
import { delimiter, dirname, extname, join, resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { ProviderError } from '../../base/errors/provider-error.js';
import { statIfThere } from '../../base/fs/stats.js';
import type { Environment } from '../../base/process/environment.js';
import { pathInstallPaths, projectInstallPaths, usualInstallPaths } from './install-paths.js';
import { findMissingInterpreter } from './interpreter.js';

export const CLI_PACKAGE = '@google/gemini-cli';

/** Location of the CLI, and the command that starts it. */
export interface CliLocation {
  /** Path of the executable, before symbolic links are resolved. */
  readonly path: string;
  /** Name of the source for messages: `cliPath`, `PATH`, `the project` and so on. */
  readonly foundIn: string;
  readonly command: string;
  readonly args: readonly string[];
  /** JavaScript file that the executable links to; undefined for other programs. */
  readonly script: string | undefined;
}

interface FindRequest {
  readonly cliPath: string | undefined;
  readonly workingDir: string;
  readonly env: Environment;
}

/** Finds the CLI through cliPath, GEMINI_CLI_PATH, the project, PATH and the usual install folders, in this order. */
export function findCli({ cliPath, workingDir, env }: FindRequest): CliLocation {
  if (cliPath !== undefined) return findExecutable(cliPath, 'cliPath', env);
  const named = env['GEMINI_CLI_PATH'];
  if (named !== undefined && named !== '') return findExecutable(named, 'GEMINI_CLI_PATH', env);
  const searched: readonly (readonly [string, readonly string[]])[] = [
    ['the project', [...projectInstallPaths(workingDir), ...projectInstallPaths(process.cwd())]],
    ['PATH', pathInstallPaths(env)],
    ['the usual install folders', usualInstallPaths(env)],
  ];
  for (const [foundIn, folders] of searched) {
    const path = findIn(folders, 'gemini', env);
    if (path !== undefined) return locate(path, foundIn);
  }
  throw new ProviderError({
    code: 'CLI_NOT_FOUND',
    message: `No gemini executable in the project (${workingDir}), on PATH or in the usual install folders`,
  });
}

/** Finds an executable by its path, or by its name on PATH. */
export function findExecutable(
  name: string,
  source: string,
  env: Environment,
  hint = `Correct ${source}, or remove it to search the project and PATH.`,
): CliLocation {
  const isBareName = !/[/\\]/.test(name);
  const path = isBareName ? findIn(pathInstallPaths(env), name, env) : resolve(name);
  if (path !== undefined && isRunnable(path)) return locate(path, source);
  const found = path !== undefined && existsSync(path);
  throw new ProviderError({
    code: 'CLI_NOT_FOUND',
    message: `${source} = ${name}: ${found ? 'is not an executable file' : 'does not exist'}`,
    hint,
  });
}

/** True if the executable of this Node process runs the script of the CLI, so that flags of Node can be passed. */
export function runsOnThisNode({ command, script }: CliLocation): boolean {
  return script !== undefined && command === process.execPath;
}

function findIn(folders: readonly string[], name: string, env: Environment): string | undefined {
  const names = process.platform === 'win32' ? windowsNames(name, env) : [name];
  return folders
    .flatMap((folder) => names.map((candidate) => join(folder, candidate)))
    .find(isRunnable);
}

function windowsNames(name: string, env: Environment): string[] {
  const endings = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(delimiter);
  return extname(name) === '' ? endings.map((ending) => name + ending.toLowerCase()) : [name];
}

function isRunnable(path: string): boolean {
  if (!statIfThere(path)?.isFile()) return false;
  if (isScript(path)) return true;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function locate(path: string, foundIn: string): CliLocation {
  const script = findScript(path);
  if (script === undefined) assertInterpreter(path, foundIn);
  // Use the Node of this process: `#!/usr/bin/env node` may find another one or none.
  if (script === undefined || process.versions['electron'] !== undefined) {
    return { path, foundIn, command: path, args: [], script };
  }
  return { path, foundIn, command: process.execPath, args: [...heapArgs(), script], script };
}

function assertInterpreter(path: string, foundIn: string): void {
  const interpreter = findMissingInterpreter(path);
  if (interpreter === undefined) return;
  throw new ProviderError({
    code: 'CLI_NOT_FOUND',
    message: `The interpreter that ${path} names in its first line does not exist: ${JSON.stringify(interpreter)}`,
    hint: `Install the interpreter, correct that line, or use another CLI (this one was found through ${foundIn}).`,
  });
}

function findScript(path: string): string | undefined {
  if (/\.(cmd|bat|ps1)$/i.test(path)) return findScriptBesideShim(path);
  const target = realpathSync(path);
  return isScript(target) ? target : undefined;
}

/** Finds the script that a Windows shim starts: the shim itself would need a shell. */
function findScriptBesideShim(path: string): string | undefined {
  const folders = [
    join(dirname(path), 'node_modules', CLI_PACKAGE),
    join(dirname(path), '..', CLI_PACKAGE),
  ];
  for (const folder of folders) {
    const manifest = join(folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { bin }: { bin?: string | Record<string, string> } = JSON.parse(
      readFileSync(manifest, 'utf8'),
    );
    const script = typeof bin === 'string' ? bin : bin?.['gemini'];
    if (script !== undefined) return join(folder, script);
  }
  return undefined;
}

function isScript(path: string): boolean {
  return /\.[cm]?js$/.test(path);
}

/** Sets the heap limit to half of the memory. Otherwise the CLI would start itself again to do the same. */
function heapArgs(): string[] {
  const half = Math.floor(totalmem() / 2 ** 21);
  const present = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20);
  return half > present ? [`--max-old-space-size=${half}`] : [];
}
