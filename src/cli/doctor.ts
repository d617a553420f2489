import type { Command } from 'commander';
import type { ConfigProblem } from '../api/error.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { cleanName } from '../base/text/clean-text.js';
import type { Diagnosis } from '../step/doctor/diagnose.js';
import { addConfigFlags } from './config-flags.js';
import { type Output, print, printJson } from './output.js';
import { readConfig } from './read-config.js';
import { rewriteHint } from './terminal-hint.js';

const EXAMPLES = `
Examples:
  $ gemini-cli-provider doctor
  $ gemini-cli-provider doctor --cwd ../app --trust-workspace --json

Exit codes: 0 a step can start · 1 a problem would make a step fail · 2 wrong use of the command`;

export function addDoctorCommand(program: Command, output: Output): void {
  const command = program
    .command('doctor')
    .description('Find everything that would make a step fail, without a call to the model')
    .option('--json', 'Print the findings as one JSON object')
    .addHelpText('after', EXAMPLES);
  addConfigFlags(command).action(async (flags: Record<string, unknown>) => {
    const diagnosis = await diagnoseFlags(flags);
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

/**
 * Diagnoses the flags. A flag that cannot be used, such as an unreadable config file, is a finding and hides no
 * others.
 */
async function diagnoseFlags(
  flags: Readonly<Record<string, unknown>>,
  known: readonly ConfigProblem[] = [],
): Promise<Diagnosis> {
  let config: Record<string, unknown>;
  try {
    config = await readConfig(flags);
  } catch (error) {
    if (!ProviderError.isInstance(error) || error.problems === undefined) throw error;
    const wrong = new Set(error.problems.map(({ key }) => key));
    const rest = Object.entries(flags).filter(([name]) => !wrong.has(name));
    return diagnoseFlags(Object.fromEntries(rest), [...known, ...error.problems]);
  }
  const { diagnose } = await import('../step/doctor/diagnose.js');
  return diagnose(config, known);
}
