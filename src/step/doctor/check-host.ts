import { accessSync, constants, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { pathInstallPaths } from '../../agents/gemini/install-paths.js';
import type { Finding } from '../../api/diagnosis.js';
import { captureCommand } from '../../base/process/capture-command.js';
import type { Environment } from '../../base/process/environment.js';
import { firstLine } from '../../base/text/first-line.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import { ok, problem } from './finding.js';

const ASK_MS = 10_000;

/** Arguments that make a sandbox program ask its daemon. Others have none. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  docker: ['version', '--format', '{{.Server.Version}}'],
  podman: ['version', '--format', '{{.Version}}'],
};

/** Looks for the program of the sandbox, and asks its daemon: without it, every step would fail. */
export async function checkSandbox(
  sandbox: ResolvedConfig['sandbox'],
  env: Environment,
): Promise<Finding> {
  const check = 'sandbox';
  if (sandbox === false) return ok(check, 'Off');
  const wanted = typeof sandbox === 'string' ? [sandbox] : ['docker', 'podman', 'sandbox-exec'];
  const found = wanted.find((name) =>
    pathInstallPaths(env).some((folder) => existsSync(`${folder}/${name}`)),
  );
  if (found !== undefined) return askDaemon(check, found, env);
  const fix = `Install ${wanted.join(' or ')}, or turn sandbox off.`;
  return problem(check, `No ${wanted.join(', ')} on PATH`, fix, 'SANDBOX');
}

async function askDaemon(check: string, command: string, env: Environment): Promise<Finding> {
  const args = QUESTIONS[command];
  if (args === undefined) return ok(check, command);
  const given = Object.entries(env).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined;
  });
  const { exitCode, stdout, stderrTail, isTimedOut } = await captureCommand({
    command,
    args,
    env: Object.fromEntries(given),
    timeoutMs: ASK_MS,
  });
  if (exitCode === 0) return ok(check, `${command} ${stdout.toString().trim()}`.trim());
  const reason = isTimedOut === true ? 'no answer' : firstLine(stderrTail.trim());
  const message = `${command} cannot be used: ${reason || `exit ${exitCode ?? 'unknown'}`}`;
  const fix = `Start the daemon of ${command} and let this user reach it, or turn sandbox off.`;
  return problem(check, message, fix, 'SANDBOX');
}

/** Checks that the folders every step needs can be written. */
export function checkFolders(geminiHome: string): Finding[] {
  return [
    checkWritable('temp folder', tmpdir(), 'Set TMPDIR to a writable folder.'),
    checkWritable(
      'home of the CLI',
      nearestExisting(geminiHome),
      'Make it writable, or set GEMINI_CLI_HOME: without session files no step can be recovered.',
    ),
  ];
}

function checkWritable(check: string, folder: string, fix: string): Finding {
  try {
    accessSync(folder, constants.W_OK);
    return ok(check, folder);
  } catch {
    return problem(check, `${folder} is not writable`, fix);
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder
    ? folder
    : nearestExisting(dirname(folder));
}
