import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statIfThere } from '../../base/fs/stats.js';
import { SharedRequest } from '../../base/process/shared-request.js';
import { askVersion, type VersionAnswer } from './ask-version.js';
import { CLI_PACKAGE, type CliLocation } from './find-cli.js';

/** Shared requests by executable: `gemini --version` takes most of a second, so each CLI is asked once. */
const known = new Map<string, SharedRequest<VersionAnswer>>();

/** Returns undefined if the CLI reports no version within 5 s. Rejects only with the reason of the signal. */
export async function readCliVersion(
  cli: CliLocation,
  env: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const key = `${cli.path}\0${statIfThere(cli.path)?.mtimeMs}`;
  const earlier = known.get(key);
  const request =
    earlier === undefined || earlier.isAborted
      ? new SharedRequest((givenUp) => findVersion(cli, env, givenUp))
      : earlier;
  known.set(key, request);
  const { version, isFinal } = await request.wait(signal);
  if (!isFinal && known.get(key) === request) known.delete(key);
  return version;
}

async function findVersion(
  cli: CliLocation,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<VersionAnswer> {
  const version = cli.script && findPackageVersion(cli.script);
  return version === undefined ? askVersion(cli, env, signal) : { version, isFinal: true };
}

/** Reads the version from the package.json above the script, which is faster than starting a process. */
function findPackageVersion(script: string): string | undefined {
  for (let folder = dirname(script); dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = readManifest(join(folder, 'package.json'));
    if (manifest?.name === CLI_PACKAGE) return manifest.version;
  }
  return undefined;
}

function readManifest(path: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
