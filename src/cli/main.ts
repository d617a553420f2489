#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { readEnvironment } from '../config/environment.js';
import { ProviderError } from '../errors/provider-error.js';
import { addBatchCommand } from './batch.js';
import { addDoctorCommand } from './doctor.js';
import { EXIT_CODES, USAGE_EXIT_CODE } from './exit-codes.js';
import { addExplainCommand } from './explain.js';
import { exitCodeOfLost, watchForLostOutput } from './lost-output.js';
import { createOutput, print } from './output.js';
import { describeFailure } from './progress.js';
import { addRunCommand } from './run.js';
import { addSessionsCommand } from './sessions.js';

const manifest: { version: string; description: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const lost = watchForLostOutput(process);
process.on('exit', () => {
  if (lost.aborted) process.exitCode = exitCodeOfLost(lost);
});
const output = createOutput(readEnvironment(), lost);
const program = new Command('gemini-cli-provider')
  .description(manifest.description)
  .version(manifest.version)
  .showHelpAfterError('(--help shows what can be given)')
  .configureHelp({ showGlobalOptions: true })
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : USAGE_EXIT_CODE);
  });
for (const add of [
  addRunCommand,
  addBatchCommand,
  addSessionsCommand,
  addExplainCommand,
  addDoctorCommand,
]) {
  add(program, output);
}

try {
  await program.parseAsync();
} catch (error) {
  if (!ProviderError.isInstance(error)) throw error;
  await print(output.stderr, `${describeFailure(error.toJSON(), output.stderr.paint)}\n`);
  process.exitCode = EXIT_CODES[error.code];
}
