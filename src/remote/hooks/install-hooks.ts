import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type CliLocation, findCli } from '../../agents/gemini/find-cli.js';
import { readInput } from '../../base/errors/invalid-input.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readPackageVersion } from '../../base/fs/package-version.js';
import { captureCommand } from '../../base/process/capture-command.js';
import { readEnvironment } from '../../base/process/environment.js';
import { dotPath } from '../../base/text/dot-path.js';
import { geminiHomeOf } from '../../sessions/files/gemini-home.js';
import { openRemoteFolder } from '../state/remote-folder.js';
import { EXTENSION_NAME, renderExtension } from './extension-files.js';
import { findLinkedFolder } from './is-linked.js';

const TIMEOUT_MS = 60_000;

/** Options of `installHooks` and `uninstallHooks`. */
export interface HookOptions {
  /**
   * State folder of the remote server.
   *
   * @defaultValue a folder in the user's state directory
   */
  readonly state?: string | undefined;
  /**
   * Path of the Gemini CLI.
   *
   * @defaultValue the CLI that a step would use
   */
  readonly cliPath?: string | undefined;
  /**
   * Variables for the CLI, in addition to those of this process.
   *
   * @defaultValue none
   */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * Links the hooks into the CLI as an extension. The person's settings.json is not touched, and hooks of an extension also
 * run in folders that are not trusted. Returns the folder of the extension. Throws a `ProviderError`.
 */
export async function installHooks(given: HookOptions = {}): Promise<string> {
  const options = acceptHookOptions(given);
  const state = openRemoteFolder(readEnvironment(), options.state);
  const folder = join(state.path, 'extension');
  await rm(folder, { recursive: true, force: true });
  const script = fileURLToPath(new URL('../../../dist/remote-bridge.js', import.meta.url));
  const files = renderExtension({
    folder,
    socket: state.socket,
    node: process.execPath,
    script,
    version: readPackageVersion(),
  });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, name), text, { mode: 0o600 });
  }
  // A link from an earlier installation may lead to another folder.
  await runCli(options, ['extensions', 'uninstall', EXTENSION_NAME]).catch(() => {});
  await runCli(options, ['extensions', 'link', folder, '--consent']);
  return folder;
}

/** Removes the hooks from the CLI. Does nothing if they are not linked. Throws a `ProviderError`. */
export async function uninstallHooks(given: HookOptions = {}): Promise<void> {
  const options = acceptHookOptions(given);
  if (findLinkedFolder(geminiHomeOf({ ...readEnvironment(), ...options.env })) !== undefined)
    await runCli(options, ['extensions', 'uninstall', EXTENSION_NAME]);
  const state = openRemoteFolder(readEnvironment(), options.state);
  await rm(join(state.path, 'extension'), { recursive: true, force: true });
}

const hookOptions = z.strictObject({
  state: z.string().min(1).optional(),
  cliPath: z.string().min(1).optional(),
  env: z.record(z.string(), z.string()).optional(),
});

function acceptHookOptions(given: unknown): HookOptions {
  const { data, error } = readInput('options', () => hookOptions.safeParse(given));
  if (data !== undefined) return data;
  const problems = error.issues.map(({ path, message }) => `${dotPath(path)}: ${message}`);
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `The options of the hooks are not valid: ${problems.join('; ')}`,
    hint: 'Give an object with `state`, `cliPath` and `env`, or nothing.',
  });
}

async function runCli({ cliPath, env = {} }: HookOptions, args: readonly string[]): Promise<void> {
  const environment = readEnvironment();
  const cli: CliLocation = findCli({ cliPath, workingDir: process.cwd(), env: environment });
  const { exitCode, stdout, stderrTail, errno } = await captureCommand({
    command: cli.command,
    args: [...cli.args, ...args],
    env: { GEMINI_CLI_NO_RELAUNCH: 'true', ...env },
    timeoutMs: TIMEOUT_MS,
  });
  if (exitCode === 0) return;
  const reason = stderrTail.trim() || stdout.toString().trim() || errno || `exit code ${exitCode}`;
  throw new ProviderError({
    code: 'CLI_CONFIG',
    message: `gemini ${args.slice(0, 2).join(' ')} failed: ${reason.slice(-400)}`,
    hint: 'Run the command yourself to see what the CLI wants.',
  });
}
