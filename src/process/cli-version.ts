import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { statIfThere } from '../workspace/stats.js';
import { CLI_PACKAGE, type CliLocation } from './find-cli.js';

const VERSION_TIMEOUT_MS = 20_000;
const VERSION = /\d+\.\d+\.\d+[\w.+-]*/;

/** Asked once for each executable: `gemini --version` costs most of a second. */
const known = new Map<string, Promise<string | undefined>>();

export function readCliVersion(
  cli: CliLocation,
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const key = `${cli.path}\0${statIfThere(cli.path)?.mtimeMs}`;
  const asked = known.get(key) ?? findVersion(cli, env);
  known.set(key, asked);
  return asked;
}

async function findVersion(
  cli: CliLocation,
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  return (cli.script && findPackageVersion(cli.script)) ?? (await askVersion(cli, env));
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

async function askVersion(
  cli: CliLocation,
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const { stdout } = await execa(cli.command, [...cli.args, '--version'], {
    env,
    extendEnv: false,
    stdin: 'ignore',
    stderr: 'ignore',
    timeout: VERSION_TIMEOUT_MS,
    reject: false,
  });
  return VERSION.exec(stdout ?? '')?.[0];
}
