import type { BatchEvent } from '../../api/batch-event.js';
import type { BatchReport, BatchWarning } from '../../api/batch-report.js';
import type { ExpectedCommand } from '../../api/expectations.js';
import type { FinishSettings } from '../../api/finish-settings.js';
import { type CommandOutput, captureCommand } from '../../base/process/capture-command.js';
import { cleanText } from '../../base/text/clean-text.js';
import { toSeconds } from '../../base/text/parse-duration.js';
import { splitCommandLine } from '../../config/command-line.js';
import { nameOfCommand } from '../../step/expectations/check-command.js';

const DEFAULT_TIMEOUT_SECONDS = 60;
/** Most characters of the output that are shown. */
const SHOWN_CHARACTERS = 20_000;
const PREFIX = 'GEMINI_CLI_PROVIDER_BATCH_';

export interface FinishRequest extends FinishSettings {
  /** Folder of the plan, in which the commands run. */
  readonly folder: string;
  readonly report: BatchReport;
  /** Files with the reports. Undefined if the batch writes none. */
  readonly out?:
    | { readonly path: string; readonly reportFile: string; readonly pageFile: string }
    | undefined;
  readonly emit: (event: BatchEvent) => void;
}

/** Picks the settings of `onFinish` that are set. */
export function pickFinish({ onFinish, onFinishTimeout }: FinishSettings): FinishSettings {
  return {
    ...(onFinish === undefined ? {} : { onFinish }),
    ...(onFinishTimeout === undefined ? {} : { onFinishTimeout }),
  };
}

/**
 * Runs the commands of `onFinish` one after another, also after one that has failed. They run to their end even if the
 * batch was cancelled, within their time. Returns a warning if a command has failed.
 */
export async function runFinishCommands(request: FinishRequest): Promise<BatchWarning | undefined> {
  const { onFinish, onFinishTimeout, folder, emit } = request;
  const usualSeconds = toSeconds(onFinishTimeout) ?? DEFAULT_TIMEOUT_SECONDS;
  const env = describeBatch(request);
  const problems: string[] = [];
  for (const given of toList(onFinish)) {
    const name = nameOfCommand(given);
    const program: ReturnType<typeof splitCommandLine> | ExpectedCommand =
      typeof given === 'string' ? splitCommandLine(given) : given;
    if ('problem' in program) {
      problems.push(`\`${name}\` ${program.problem}`);
      continue;
    }
    const { command, args = [] } = program;
    const seconds = toSeconds('timeout' in program ? program.timeout : undefined) ?? usualSeconds;
    const timeoutMs = seconds * 1000;
    const exit = await captureCommand({ command, args, cwd: folder, env, timeoutMs });
    const problem = describeExit(exit, command, seconds);
    const shown = cleanText(`${exit.stdout.toString()}${exit.stderrTail}`).trimEnd();
    const output = shown.slice(-SHOWN_CHARACTERS);
    emit({ type: 'finish-command', command: name, output, ...(problem && { problem }) });
    if (problem !== undefined) problems.push(`\`${name}\` ${problem}`);
  }
  if (problems.length === 0) return undefined;
  const message = `The command of onFinish failed: ${problems.join('; ')}. The outcome of the batch stays as it is`;
  return { code: 'ON_FINISH_FAILED', message, steps: [] };
}

function toList(given: FinishSettings['onFinish']): readonly (string | ExpectedCommand)[] {
  if (given === undefined) return [];
  return isList(given) ? given : [given];
}

function isList<Item>(given: Item | readonly Item[]): given is readonly Item[] {
  return Array.isArray(given);
}

/** Returns the variables that tell a command about the batch. */
function describeBatch({ report, out }: FinishRequest): Readonly<Record<string, string>> {
  const { name, outcome, counts, usage, steps } = report;
  const values = {
    NAME: name.replaceAll('\0', ''),
    OUTCOME: outcome,
    OUT: out?.path ?? '',
    REPORT_JSON: out?.reportFile ?? '',
    REPORT_HTML: out?.pageFile ?? '',
    SUCCEEDED: counts.succeeded,
    FAILED: counts.failed,
    SKIPPED: counts.skipped,
    TOTAL: steps.length,
    TOKENS: usage.total,
  };
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [`${PREFIX}${key}`, String(value)]),
  );
}

function describeExit(exit: CommandOutput, command: string, seconds: number): string | undefined {
  const { errno, isTimedOut, signal, exitCode } = exit;
  if (isTimedOut === true) return `did not exit within ${seconds} s and was stopped`;
  if (exitCode === 0) return undefined;
  if (exitCode !== undefined) return `exited with ${exitCode}`;
  if (signal !== undefined) return `was killed by ${signal}`;
  if (errno === 'ENOENT') return `could not be started: ${command} was not found`;
  return `could not be started${errno === undefined ? '' : ` (${errno})`}`;
}
