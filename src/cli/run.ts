import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ProviderError } from '../errors/provider-error.js';
import { GeminiCliProvider } from '../provider/gemini-cli-provider.js';
import { addConfigFlags } from './config-flags.js';
import { EXIT_CODES } from './exit-codes.js';
import { LiveLine } from './live-line.js';
import { type Output, print, printJson } from './output.js';
import { describeFailure, describeResult } from './progress.js';
import { readConfig } from './read-config.js';

interface RunFlags extends Record<string, unknown> {
  readonly promptFile?: string;
  readonly json?: boolean;
  readonly events?: boolean;
}

const EXAMPLES = `
Examples:
  $ gemini-cli-provider run "Write src/hello.ts that exports a greeting" --trust-workspace
  $ gemini-cli-provider run --prompt-file prompts/step-1.md --cwd ../app --model gemini-2.5-flash
  $ git diff | gemini-cli-provider run --json --approval-mode default > review.json
  $ gemini-cli-provider run "Fix the tests" --allowed-tools "run_shell_command(npm test)" --events

Exit codes:
  0 success · 2 wrong use, configuration or input · 3 CLI, login, trust or sandbox missing
  4 rate or quota · 5 API or network · 6 no good answer · 7 incomplete · 124 timeout · 130 cancelled
  141 nobody reads the output any more (the run is ended) · 1 other`;

export function addRunCommand(program: Command, output: Output): void {
  const command = program
    .command('run')
    .description('run one step; the prompt comes from the argument, a file or stdin')
    .argument('[prompt]', 'the prompt')
    .option('-f, --prompt-file <file>', 'a file that holds the prompt, from the current folder')
    .option('--json', 'print the result, or the error, as one JSON object')
    .addOption(new Option('--events', 'print every event as a JSON line').conflicts('json'))
    .addHelpText('after', EXAMPLES);
  addConfigFlags(command).action(async (prompt: string | undefined, flags: RunFlags) => {
    process.exitCode = await run(prompt, flags, output);
  });
}

async function run(prompt: string | undefined, flags: RunFlags, output: Output): Promise<number> {
  const cancel = new AbortController();
  const stop = (): void => {
    // A second Ctrl-C does not wait.
    if (cancel.signal.aborted) process.exit(EXIT_CODES.CANCELLED);
    cancel.abort();
  };
  const giveUp = (): void => cancel.abort();
  process.on('SIGINT', stop).on('SIGTERM', stop);
  output.lost.addEventListener('abort', giveUp);
  try {
    await using provider = new GeminiCliProvider(readConfig(flags));
    if (prompt !== undefined && flags.promptFile !== undefined) throw twoPrompts();
    const context = flags.promptFile === undefined ? {} : { promptFile: resolve(flags.promptFile) };
    const text = prompt ?? (flags.promptFile === undefined ? readStdin() : '');
    await runWith(provider, text, context, cancel.signal, flags, output);
    return 0;
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error;
    if (!output.lost.aborted) await printFailure(error, flags, output);
    return EXIT_CODES[error.code];
  } finally {
    output.lost.removeEventListener('abort', giveUp);
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

async function printFailure(error: ProviderError, flags: RunFlags, output: Output): Promise<void> {
  if (flags.json === true) return printJson(output.stdout, { ok: false, error });
  // With --events it was the last event too, unless there was no run at all.
  const { paint } = output.stderr;
  await print(output.stderr, `${describeFailure(error.toJSON(), paint)}\n`);
}

async function runWith(
  provider: GeminiCliProvider,
  prompt: string,
  context: { readonly promptFile?: string },
  signal: AbortSignal,
  flags: RunFlags,
  output: Output,
): Promise<void> {
  const isQuiet = flags.json === true || flags.events === true;
  const live = new LiveLine(output.stderr, !isQuiet);
  try {
    for await (const event of provider.stream(prompt, context, { signal })) {
      if (flags.events === true) await printJson(output.stdout, event);
      if (!isQuiet) live.show(event);
      if (event.type !== 'turn-complete' || event.result === undefined) continue;
      live.stop();
      if (flags.json === true) await printJson(output.stdout, { ok: true, ...event.result });
      if (isQuiet) continue;
      await print(output.stdout, `${event.result.text}\n`);
      await print(output.stderr, `${describeResult(event.result, output.stderr.paint)}\n`);
    }
  } finally {
    live.stop();
  }
}

function readStdin(): string {
  if (process.stdin.isTTY === true) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: 'There is no prompt',
      hint: 'Give it as an argument, with --prompt-file, or on stdin.',
    });
  }
  return readFileSync(0, 'utf8');
}

function twoPrompts(): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: 'There are two prompts: an argument and --prompt-file',
    hint: 'Give one of them.',
  });
}
