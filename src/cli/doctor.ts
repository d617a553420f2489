import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Diagnosis } from '../api/diagnosis.js';
import type { ProviderConfig } from '../api/provider-config.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { cleanName } from '../base/text/clean-text.js';
import { findConfigKey } from '../config/key-spelling.js';
import { addConfigFlags } from './config/config-flags.js';
import { type CollectedConfig, collectConfig } from './config/read-config.js';
import { type Output, print, printJson, sayOn } from './output/output.js';
import { rewriteHint } from './output/terminal-hint.js';

const EXAMPLES = `
Examples:
  $ gemini-cli-provider doctor
  $ gemini-cli-provider doctor --cwd ../app --trust-workspace --json
  $ gemini-cli-provider doctor --remote
  $ gemini-cli-provider doctor --remote --remote-state ./.remote

Exit codes: 0 a step can start · 1 a problem would make a step fail · 2 wrong use of the command`;

export function addDoctorCommand(program: Command, output: Output): void {
  const command = program
    .command('doctor')
    .description('Find everything that would make a step fail, without a call to the model')
    .option('--json', 'Print the findings as one JSON object')
    .option(
      '--remote',
      'Also check what remote control of sessions needs: tmux, hooks, settings, address',
    )
    .option(
      '--remote-state <dir>',
      "With --remote: folder of the remote server (default: in the user's state folder)",
    )
    .addHelpText('after', EXAMPLES);
  addConfigFlags(command).action(async (given: Record<string, unknown>) => {
    const { remote, remoteState, ...flags } = given;
    const say = sayOn(output.stderr);
    const { diagnosis: steps, config } = await diagnoseFlags(flags, say);
    const state = typeof remoteState === 'string' ? remoteState : undefined;
    const hasRemote = remote === true || state !== undefined;
    const diagnosis = hasRemote ? await withRemote(steps, config, state) : steps;
    process.exitCode = diagnosis.ok ? 0 : 1;
    if (flags['json'] === true) {
      await printJson(output.stdout, diagnosis);
      return;
    }
    const { paint } = output.stdout;
    const signs = { ok: paint.green('✓'), note: paint.yellow('!'), problem: paint.red('✗') };
    for (const { status, check, message, fix } of diagnosis.findings) {
      const remedy =
        fix === undefined ? '' : `\n    ${paint.dim('Fix:')} ${rewriteHint(fix, 'run')}`;
      await print(output.stdout, `${signs[status]} ${check}: ${cleanName(message)}${remedy}\n`);
    }
  });
}

/** Adds the findings about remote control. */
async function withRemote(
  diagnosis: Diagnosis,
  { workingDir = '.', env }: ProviderConfig,
  state: string | undefined,
): Promise<Diagnosis> {
  const { diagnoseRemote } = await import('../remote/doctor/diagnose-remote.js');
  const version = diagnosis.findings.find(({ check, message }) => {
    return check === 'version' && /^\d+\.\d+\./.test(message);
  })?.message;
  const findings = await diagnoseRemote({
    ...{ workingDir: resolve(workingDir), cliVersion: version, state, env },
  });
  return { ...diagnosis, findings: [...diagnosis.findings, ...findings] };
}

/**
 * Diagnoses the configuration of flags, variables and files. What cannot be used, such as an unreadable config file, is a
 * finding and hides no others.
 */
async function diagnoseFlags(
  flags: Readonly<Record<string, unknown>>,
  say: (line: string) => void,
): Promise<{ readonly diagnosis: Diagnosis; readonly config: ProviderConfig }> {
  const { config, problems, files } = await collect(flags, say);
  const wrong = new Set(
    problems.map(({ key }) => findConfigKey(key.split('.', 1)[0] ?? '') ?? key),
  );
  const usable = Object.entries(config).filter(([key]) => !wrong.has(key));
  const { diagnose } = await import('../step/doctor/diagnose.js');
  const { checkVersions } = await import('../step/doctor/check-versions.js');
  const [diagnosis, versions] = await Promise.all([
    diagnose(Object.fromEntries(usable), problems),
    checkVersions(),
  ]);
  const read = files.map(
    (path) => ({ check: 'config file', status: 'ok', message: path }) as const,
  );
  const findings = [...versions, ...read, ...diagnosis.findings];
  return { diagnosis: { ...diagnosis, findings }, config };
}

async function collect(
  flags: Readonly<Record<string, unknown>>,
  say: (line: string) => void,
): Promise<CollectedConfig> {
  try {
    return await collectConfig(flags, { say });
  } catch (error) {
    if (!ProviderError.isInstance(error) || error.problems === undefined) throw error;
    const rest = await collectConfig({ ...flags, config: false }, { say });
    return { ...rest, problems: [...error.problems, ...rest.problems] };
  }
}
