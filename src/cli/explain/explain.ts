import { constants } from 'node:os';
import { isAbsolute, relative } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { JudgedRecording } from '../../agents/headless/recording.js';
import { ERROR_CODES } from '../../base/errors/codes.js';
import { noSecrets } from '../../base/errors/redact.js';
import { toSlashes } from '../../base/fs/paths.js';
import { cleanName } from '../../base/text/clean-text.js';
import { type Output, type Paint, print, printJson } from '../output/output.js';
import { rewriteHint } from '../output/terminal-hint.js';
import { isStdin, readRecording } from './read-recording.js';

interface ExplainFlags {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly cwd?: string;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ gemini -o stream-json -p "Do it" > out.ndjson 2> err.txt; gemini-cli-provider explain --stdout out.ndjson --stderr err.txt --exit-code $?
  $ gemini-cli-provider explain out.ndjson
  $ ssh build cat out.ndjson | gemini-cli-provider explain - --exit-code 0
  $ gemini-cli-provider explain --stdout out.ndjson --signal SIGKILL --json

Exit code 0 if the recording could be judged, whatever the verdict · 2 wrong use of the command`;

export function addExplainCommand(program: Command, output: Output): void {
  program
    .command('explain')
    .description('Judge recorded output of the Gemini CLI')
    .argument('[recording]', 'Same as --stdout')
    .option(
      '--stdout <file>',
      'Recorded stdout of the CLI (-o stream-json or json): a file, gzipped or not, a pipe, or "-" for stdin',
    )
    .option('--stderr <file>', 'Recorded stderr of the CLI, in the same forms')
    .option('--exit-code <n>', 'Exit code of the CLI, 0 to 255', toExitCode)
    .addOption(
      new Option('--signal <name>', 'Signal that ended the CLI, instead of an exit code')
        .argParser(toSignal)
        .conflicts('exitCode'),
    )
    .option('-C, --cwd <dir>', 'Print paths relative to this folder')
    .option('--json', 'Print the verdict as one JSON object')
    .addHelpText('after', EXAMPLES)
    .action(async (recording: string | undefined, given: ExplainFlags, command: Command) => {
      const fail = (problem: string): never => command.error(`error: ${problem}`);
      if (recording !== undefined && given.stdout !== undefined) {
        fail('give the recording either as argument or with --stdout');
      }
      const flags = recording === undefined ? given : { ...given, stdout: recording };
      if (
        flags.stdout === undefined &&
        flags.stderr === undefined &&
        flags.exitCode === undefined &&
        flags.signal === undefined
      ) {
        fail('give a recording, or at least one of --stderr, --exit-code and --signal');
      }
      if (isStdin(flags.stdout) && isStdin(flags.stderr)) {
        fail('--stdout and --stderr cannot both be stdin');
      }
      const { judgeRecording } = await import('../../agents/headless/recording.js');
      const judged = await judgeRecording({
        stdout: flags.stdout === undefined ? [] : readRecording(flags.stdout, fail),
        stderr: flags.stderr === undefined ? [] : readRecording(flags.stderr, fail),
        exitCode: flags.exitCode,
        signal: flags.signal,
      });
      const verdict = noSecrets.value(describeVerdict(judged, flags.cwd));
      if (flags.json === true) return printJson(output.stdout, verdict);
      return print(output.stdout, `${describeAsText(verdict, output.stdout.paint)}\n`);
    });
}

function toExitCode(value: string): number {
  const code = Number(value);
  if (!/^\d{1,3}$/.test(value) || code > 255) {
    throw new InvalidArgumentError('Give a whole number from 0 to 255.');
  }
  return code;
}

function toSignal(name: string): string {
  if (!Object.hasOwn(constants.signals, name)) {
    throw new InvalidArgumentError('Give the name of a signal, such as SIGKILL.');
  }
  return name;
}

/** Returns an object with the same keys for every verdict; unknown values are null. Lists are sorted. */
function describeVerdict(judged: JudgedRecording, cwd: string | undefined) {
  const failure = judged.verdict.ok ? undefined : judged.verdict;
  const facts = failure && ERROR_CODES[failure.code];
  return {
    ok: judged.verdict.ok,
    code: failure?.code ?? null,
    message: failure?.message ?? null,
    retryable: facts?.retryable ?? null,
    retryAfterMs: failure?.retryAfterMs ?? null,
    httpStatus: failure?.httpStatus ?? null,
    files: judged.claimedPaths.map((path) => relativeTo(cwd, path)).sort(),
    deniedTools: judged.deniedTools.map(({ tool }) => tool).sort(),
    text: judged.text,
    usage: judged.usage ?? null,
    warnings: judged.warnings,
    hint: failure?.hint ?? facts?.hint ?? null,
    sessionId: judged.sessionId ?? null,
    model: judged.model ?? null,
  };
}

function relativeTo(cwd: string | undefined, path: string): string {
  return cwd === undefined || !isAbsolute(path) ? path : toSlashes(relative(cwd, path));
}

function hintFacts({ retryAfterMs, sessionId }: ReturnType<typeof describeVerdict>) {
  return { retryAfterMs: retryAfterMs ?? undefined, sessionId: sessionId ?? undefined };
}

function describeAsText(verdict: ReturnType<typeof describeVerdict>, paint: Paint): string {
  const lines = [
    verdict.ok
      ? paint.green('Success')
      : `${paint.red(verdict.code ?? '')} ${verdict.message} (${verdict.retryable ? 'retryable' : 'not retryable'})`,
  ];
  if (verdict.hint !== null)
    lines.push(`Hint: ${rewriteHint(verdict.hint, 'run', hintFacts(verdict))}`);
  if (verdict.files.length > 0) lines.push(`Files: ${verdict.files.map(cleanName).join(', ')}`);
  if (verdict.deniedTools.length > 0)
    lines.push(`Denied: ${verdict.deniedTools.map(cleanName).join(', ')}`);
  for (const { message } of verdict.warnings) lines.push(`Warning: ${message}`);
  if (verdict.usage !== null) lines.push(`Tokens: ${verdict.usage.total}`);
  if (verdict.text !== '') lines.push('', verdict.text);
  return lines.join('\n');
}
