import { accessSync, constants, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { pathInstallPaths } from '../../agents/gemini/install-paths.js';
import type { Environment } from '../../base/process/environment.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import { type Finding, ok, problem } from './finding.js';

export function checkSandbox(sandbox: ResolvedConfig['sandbox'], env: Environment): Finding {
  const check = 'sandbox';
  if (sandbox === false) return ok(check, 'Off');
  const wanted = typeof sandbox === 'string' ? [sandbox] : ['docker', 'podman', 'sandbox-exec'];
  const found = wanted.find((name) =>
    pathInstallPaths(env).some((folder) => existsSync(`${folder}/${name}`)),
  );
  if (found !== undefined) return ok(check, found);
  const fix = `Install ${wanted.join(' or ')}, or turn sandbox off.`;
  return problem(check, `No ${wanted.join(', ')} on PATH`, fix);
}

/** The folders that a run cannot do without. */
export function checkFolders(geminiHome: string): Finding[] {
  return [
    checkWritable('temp folder', tmpdir(), 'Set TMPDIR to a folder that can be written.'),
    checkWritable(
      'home of the CLI',
      nearestExisting(geminiHome),
      'Make it writable, or set GEMINI_CLI_HOME: without session files no run can be recovered.',
    ),
  ];
}

function checkWritable(check: string, folder: string, fix: string): Finding {
  try {
    accessSync(folder, constants.W_OK);
    return ok(check, folder);
  } catch {
    return problem(check, `${folder} cannot be written`, fix);
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder
    ? folder
    : nearestExisting(dirname(folder));
}
