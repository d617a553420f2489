import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statIfThere } from '../../base/fs/stats.js';
import { SharedRequest } from '../../base/process/shared-request.js';
import { askVersion, type VersionAnswer } from './ask-version.js';
import { CLI_PACKAGE, type CliLocation } from './find-cli.js';

/** Asked once for each executable: `gemini --version` costs most of a second. */
const known = new Map<string, SharedRequest<VersionAnswer>>();

/** Undefined where it cannot be learnt in a few seconds. Rejects with the reason of the signal, and only so. */
export async function readCliVersion(
  cli: CliLocation,
  env: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const key = `${cli.path}\0${statIfThere(cli.path)?.mtimeMs}`;
  const asked = known.get(key);
  const question =
    asked === undefined || asked.isGivenUp
      ? new SharedRequest((givenUp) => findVersion(cli, env, givenUp))
      : asked;
  known.set(key, question);
  const { version, isFinal } = await question.wait(signal);
  if (!isFinal && known.get(key) === question) known.delete(key);
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

/** The package.json above the script spares us the start of a process. */
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
