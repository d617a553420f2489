import { constants } from 'node:os';
import type { Command } from 'commander';
import { readEnvironment } from '../../base/process/environment.js';
import { type AttachedProgram, runAttached } from '../../base/process/run-attached.js';
import { cleanLine } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import type { ScriptedModel } from '../../testing/index.js';
import { type Output, print } from '../output/output.js';
import { readScript } from './read-script.js';

const EXAMPLES = `
Examples:
  $ gemini-cli-provider mock script.yaml -- gemini-cli-provider run "Greet the world" --trust-workspace
  $ gemini-cli-provider mock script.mjs -- npm test
  $ gemini-cli-provider mock script.yaml -- gemini -p "Greet the world"

A script is a list of rules: prompts, and the answers of the model. In YAML:
  - prompt: Greet
    turns:
      - toolCalls: [{ name: write_file, args: { file_path: hello.js, content: "hi" } }]
      - text: I wrote hello.js.
A module (.mjs) exports it as "script", and may have functions in it.

Exit code: that of the command; 126 or 127 if it cannot be started · 2 wrong script or wrong use`;

/** Exit codes of a shell for a program that cannot be started. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];

export function addMockCommand(program: Command, output: Output): void {
  program
    .command('mock')
    .description('Run a command with a model that answers from a script: no key, no network')
    .usage('[options] <script> -- <command...>')
    .argument('<script>', 'File of the script: .yaml, .json, .mjs')
    .argument('<command...>', 'Command and its arguments, after --')
    .option('--quiet', 'Print nothing about requests to the model')
    .passThroughOptions()
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, given: readonly string[], flags: { readonly quiet?: boolean }) => {
      // Commander passes the -- on, together with everything after the script.
      const words = given[0] === '--' ? given.slice(1) : given;
      if (words.length === 0) program.error('error: give a command after --');
      const script = await readScript(file);
      const { startScriptedModel } = await import('../../testing/index.js');
      const model = await startScriptedModel(script);
      const exit = await runWithModel(words, model).finally(() => model.close());
      if (flags.quiet !== true) await print(output.stderr, `${describe(model)}\n`);
      if (exit.spawnErrno !== undefined) {
        const [command = ''] = words;
        await print(output.stderr, `${command} cannot be started: ${exit.spawnErrno}\n`);
        process.exitCode = exit.spawnErrno === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE;
      } else if (exit.signal === undefined) process.exitCode = exit.exitCode ?? 1;
      else endBy(exit.signal);
    });
}

async function runWithModel([command = '', ...args]: readonly string[], model: ScriptedModel) {
  let program: AttachedProgram | undefined;
  // A terminal sends Ctrl-C to the command, too. The command decides; this process waits for its end.
  const wait = (): void => {};
  const forwards = FORWARDED.map((signal) => [signal, () => program?.kill(signal)] as const);
  // Before the start: a signal that comes right after it must not end this process alone.
  process.on('SIGINT', wait);
  for (const [signal, forward] of forwards) process.on(signal, forward);
  try {
    program = runAttached(command, args, { ...readEnvironment(), ...model.env });
    return await program.exit;
  } finally {
    process.off('SIGINT', wait);
    for (const [signal, forward] of forwards) process.off(signal, forward);
  }
}

/** Ends this process as the command has ended, so that the parent sees the same. */
function endBy(signal: NodeJS.Signals): void {
  process.exitCode = 128 + constants.signals[signal];
  // SIGHUP may have a listener, for nohup.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

function describe({ requests, unanswered }: ScriptedModel): string {
  const missing = unanswered.map(({ prompt }) => `  No rule for the prompt: ${cleanLine(prompt)}`);
  return [`mock: ${countOf(requests.length, 'request')} to the model`, ...missing].join('\n');
}
