import type { Command } from 'commander';
import type { AgentEvent } from '../../api/agent-event.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { cleanName } from '../../base/text/clean-text.js';
import { addConfigFlags } from '../config/config-flags.js';
import { EXIT_CODES } from '../exit-status.js';
import { type Output, print, printJson, sayOn } from '../output/output.js';
import { describeFailure, describeResult } from '../output/progress.js';
import { hideCommandLine } from '../queue/hide-credentials.js';
import { addCallerFlags } from '../queue/queue-flags.js';
import { STDIN_NAME } from '../read-stdin.js';
import { listenToSignals } from '../signals.js';
import type { CommandTelemetry } from '../telemetry/open-telemetry.js';
import { createOtlpFlag, type OtlpFlags } from '../telemetry/otlp-flag.js';
import { StepView } from './step-view.js';
import type { StepFlags } from './stream-step.js';

interface RunFlags extends StepFlags, OtlpFlags {
  readonly json?: boolean;
  readonly events?: boolean;
}

const EXAMPLES = `
Examples:
  $ gemini-cli-provider run "Write src/hello.ts that exports a greeting" --trust-workspace
  $ gemini-cli-provider run --prompt-file prompts/step-1.md --cwd ../app --model gemini-2.5-flash
  $ git diff | gemini-cli-provider run "Review this change" --approval-mode default
  $ gemini-cli-provider run - --json < prompt.md > result.json
  $ gemini-cli-provider run "Fix the tests" --allowed-tools "run_shell_command(npm test)" --events
  $ GEMINI_CLI_PROVIDER_QUEUE=redis://store:6379 gemini-cli-provider run "Fix the tests" --queue env

Exit codes:
  0 success · 2 wrong use, configuration or input · 3 CLI, login, trust or sandbox is missing
  4 rate limit or quota · 5 API or network · 6 no usable answer · 7 incomplete · 124 timeout · 130 cancelled
  129 terminal closed (SIGHUP) · 141 reader has closed the output, step ended · 1 other`;

export function addRunCommand(program: Command, output: Output): void {
  const command = program
    .command('run')
    .description(
      'Run one step; the prompt comes from the argument, a file or stdin, and stdin is added to the others',
    )
    .argument('[prompt]', 'Prompt of the step; "-" reads it from stdin')
    .option(
      '-f, --prompt-file <file>',
      'File with the prompt, relative to the current folder; "-" is stdin',
    )
    .option(
      '--stdin',
      'Wait for a text on stdin and add it to the prompt (default for pipes and files)',
    )
    .option('--no-stdin', 'Do not add what comes on stdin to the prompt')
    .option('--json', 'Print the result or the error as one JSON object')
    .option('--events', 'Print every event as a JSON line; with --json, the result comes last')
    .addOption(createOtlpFlag())
    .addHelpText('after', EXAMPLES);
  addCallerFlags(addConfigFlags(command)).action(
    async (prompt: string | undefined, flags: RunFlags) => {
      process.exitCode = await run(prompt, flags, output);
    },
  );
}

async function run(prompt: string | undefined, flags: RunFlags, output: Output): Promise<number> {
  const cancel = new AbortController();
  const signals = listenToSignals(output, {
    onInterrupt: () => {
      // A second Ctrl-C exits at once, without waiting for the end of the step.
      if (cancel.signal.aborted) process.exit(EXIT_CODES.CANCELLED);
      cancel.abort();
    },
    onEnd: () => cancel.abort(),
  });
  let telemetry: CommandTelemetry | undefined;
  try {
    await hideCommandLine(process.argv.slice(2), output);
    const { streamStep } = await import('./stream-step.js');
    const { paint } = output.stderr;
    const say = sayOn(output.stderr);
    const isQuiet = flags.json === true || flags.events === true;
    const announce = isQuiet ? undefined : (line: string) => say(paint.dim(cleanName(line)));
    const { otlp } = flags;
    const wrap = async (provider: ResponseProvider): Promise<ResponseProvider> => {
      if (otlp === undefined) return provider;
      const { openTelemetry } = await import('../telemetry/open-telemetry.js');
      telemetry = await openTelemetry(otlp, (line) => say(paint.yellow(line)));
      return telemetry.tracing.traced(provider, telemetry.options);
    };
    const events = streamStep(prompt, flags, cancel.signal, { say, announce, wrap });
    const source = prompt ?? flags.promptFile ?? STDIN_NAME;
    const isTyped = process.stdin.isTTY === true && source === STDIN_NAME;
    await printStep(events, flags, output, isTyped);
    return 0;
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error;
    if (!output.broken.aborted) await printFailure(error, flags, output);
    return signals.hangupExitCode ?? EXIT_CODES[error.code];
  } finally {
    // The result is printed before: the user does not wait for the endpoint.
    await telemetry?.close();
    signals.forget();
  }
}

async function printFailure(error: ProviderError, flags: RunFlags, output: Output): Promise<void> {
  if (flags.json === true) return printJson(output.stdout, { ok: false, error });
  // With --events, the error was printed as the last event as well.
  const { paint } = output.stderr;
  await print(output.stderr, `${describeFailure(error.toJSON(), paint)}\n`);
}

async function printStep(
  events: AsyncIterable<AgentEvent>,
  flags: RunFlags,
  output: Output,
  isTyped: boolean,
): Promise<void> {
  if (flags.json !== true && flags.events !== true) return showStep(events, output, isTyped);
  for await (const event of events) {
    if (flags.events === true) await printJson(output.stdout, event);
    if (flags.json === true && event.type === 'turn-complete' && event.result !== undefined)
      await printJson(output.stdout, { ok: true, ...event.result });
  }
}

/** Prints a step for a reader: the answer as it comes, also that of a step that fails in the end. */
async function showStep(
  events: AsyncIterable<AgentEvent>,
  output: Output,
  isTyped: boolean,
): Promise<void> {
  // The moving line would erase the prompt that the user types.
  let view = isTyped ? undefined : new StepView(output);
  try {
    for await (const event of events) {
      view ??= new StepView(output);
      await view.show(event);
      if (event.type !== 'turn-complete') continue;
      await view.finish(event.result?.text ?? event.error?.partial?.text ?? '');
      if (event.result === undefined) continue;
      await print(output.stderr, `${describeResult(event.result, output.stderr.paint)}\n`);
    }
  } finally {
    await view?.stop();
  }
}
