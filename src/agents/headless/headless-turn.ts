import { readFile, stat, writeFile } from 'node:fs/promises';
import type { AgentEvent } from '../../api/agent-event.js';
import { renderPolicy } from '../../config/policy-file.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import type { HeadlessFindings, TurnRequest, TurnTrace } from '../driver.js';
import { describeProcessesLeft } from '../events/describe-remarks.js';
import { type CliFeatures, featuresOf, learnFromUsageError } from '../gemini/cli-features.js';
import { hideSecretFlags } from '../hide-secret-flags.js';
import type { ResolvedStep } from '../resolve-step.js';
import { buildArguments } from './arguments.js';
import { collectHeadlessFindings } from './headless-findings.js';
import { HeadlessProcess } from './headless-process.js';
import { eventsOfJsonOutput, parseJsonOutput } from './json-output.js';
import { OUTPUT_LIMITS } from './output-limits.js';
import { StreamReader } from './stream-reader.js';

const STDOUT_FILE = 'stdout.ndjson';
const STDERR_FILE = 'stderr.txt';
const LONGEST_ANSWER_BYTES = 256 * 1024 * 1024;

/** Values that the driver adds to the step and the turn. */
export interface HeadlessOptions {
  /** Session id of the previous turn; undefined for the first turn. */
  readonly sessionId?: string | undefined;
  readonly signal: AbortSignal | undefined;
}

type HeadlessStep = Pick<
  ResolvedStep,
  | 'generationId'
  | 'config'
  | 'cli'
  | 'workingDir'
  | 'includeDirectories'
  | 'env'
  | 'isolation'
  | 'logger'
>;

/** Runs one turn of `gemini -o stream-json`. Repeats it if a usage error shows that the CLI lacks a feature. */
export async function* runHeadlessTurn(
  { config, ...step }: HeadlessStep,
  turn: TurnRequest,
  { sessionId, signal }: HeadlessOptions,
): AsyncGenerator<AgentEvent, HeadlessFindings & TurnTrace> {
  const startedAtMs = performance.now();
  const resolved = { ...step, config: continueIn(sessionId, config) };
  for (let features = featuresOf(resolved.cli.version); ; ) {
    const outcome = yield* runOnce(resolved, turn, signal, features);
    const { exit } = outcome;
    const isUsageError = exit.exitCode === 1 && outcome.facts.wireEvents === 0;
    const learned = isUsageError ? learnFromUsageError(exit.stderr, features) : undefined;
    if (learned === undefined) return { ...outcome, startedAtMs };
    features = learned;
  }
}

function continueIn(sessionId: string | undefined, config: ResolvedConfig): ResolvedConfig {
  return sessionId === undefined ? config : { ...config, resume: sessionId, sessionId: undefined };
}

async function* runOnce(
  resolved: HeadlessStep,
  turn: TurnRequest,
  signal: AbortSignal | undefined,
  features: CliFeatures,
): AsyncGenerator<AgentEvent, HeadlessFindings & Omit<TurnTrace, 'startedAtMs'>> {
  const { directory, observe, fold } = turn;
  const args = await prepareArguments(resolved, turn, features);
  const cli = await start(resolved, turn, signal, features, args);
  resolved.logger.debug(
    {
      driver: 'headless',
      isWarm: false,
      pid: cli.pid,
      argv: [
        resolved.cli.location.command,
        ...resolved.cli.location.args,
        ...hideSecretFlags(args),
      ],
      cwd: resolved.workingDir,
    },
    'Agent process started',
  );
  const reader = new StreamReader();
  try {
    for await (const event of features.streamJson ? readEvents(cli, reader) : waitForExit(cli)) {
      yield observe(event);
    }
  } finally {
    // Runs after `return()` too: no process of the turn may outlive the iteration.
    cli.abandon();
    await cli.end();
  }
  const { processesLeft, reportFiles, ...exit } = await cli.end();
  for (const event of cli.takeStatuses()) {
    yield observe(event);
  }
  const json = features.streamJson
    ? undefined
    : parseJsonOutput(await readAnswer(directory.file(STDOUT_FILE)), exit.stderr);
  for (const event of json === undefined ? [] : eventsOfJsonOutput(json)) {
    yield observe(event);
  }
  const findings = collectHeadlessFindings({ exit, reader, json, fold });
  return {
    ...findings,
    warnings: [...describeProcessesLeft(processesLeft), ...findings.warnings],
    exit,
    edits: [],
    call: { args },
    reportFiles,
    raw: json === undefined ? reader.rawTerminal : json.terminal,
  };
}

async function start(
  { config, cli, generationId, workingDir, env, isolation }: HeadlessStep,
  { prompt, directory, spentMs }: TurnRequest,
  signal: AbortSignal | undefined,
  features: CliFeatures,
  args: readonly string[],
): Promise<HeadlessProcess> {
  const limits = { ...config, spentMs };
  const { systemPromptFile } = prompt;
  const stdinFile = directory.file('stdin.txt');
  await writeFile(stdinFile, prompt.text, { mode: 0o600 });
  await directory.clear([STDOUT_FILE, STDERR_FILE]);
  return HeadlessProcess.start({
    processTag: generationId,
    command: cli.location.command,
    args: [...cli.location.args, ...args],
    cwd: workingDir,
    env: systemPromptFile === undefined ? env : { ...env, GEMINI_SYSTEM_MD: systemPromptFile },
    stdinFile,
    stdoutFile: directory.file(STDOUT_FILE),
    stderrFile: directory.file(STDERR_FILE),
    // An old CLI prints nothing until it has finished, so the start timer gets the whole time.
    limits: features.streamJson ? limits : { ...limits, startTimeoutMs: config.timeoutMs },
    outputLimits: OUTPUT_LIMITS,
    maxAttempts: config.maxCliAttempts,
    signal,
    isolation,
  });
}

async function prepareArguments(
  { config, includeDirectories, workingDir }: HeadlessStep,
  { directory, prompt }: TurnRequest,
  features: CliFeatures,
): Promise<string[]> {
  const policy = renderPolicy({ config, workingDir });
  const policyFile = policy && directory.file('policy.toml');
  if (policyFile !== undefined && policy !== undefined)
    await writeFile(policyFile, policy, { mode: 0o600 });
  return buildArguments({
    config,
    features,
    policyFile,
    includeDirectories: [...includeDirectories, ...prompt.moreDirectories],
  });
}

async function* readEvents(
  cli: HeadlessProcess,
  reader: StreamReader,
): AsyncGenerator<AgentEvent, void> {
  for (;;) {
    const hasExited = cli.hasExited;
    for (let chunk = await cli.read(); chunk !== undefined; chunk = await cli.read()) {
      const events = reader.push(chunk);
      if (reader.wireEvents > 0) cli.started();
      if (reader.terminal !== undefined) cli.finished();
      yield* events;
    }
    yield* cli.takeStatuses();
    if (hasExited) break;
    await cli.wait();
  }
  yield* reader.end();
}

/** Reads the answer; returns an empty text if the file is too large for a string. */
async function readAnswer(path: string): Promise<string> {
  const { size } = await stat(path);
  return size > LONGEST_ANSWER_BYTES ? '' : readFile(path, 'utf8');
}

async function* waitForExit(cli: HeadlessProcess): AsyncGenerator<AgentEvent, void> {
  while (!cli.hasExited) {
    yield* cli.takeStatuses();
    await cli.wait();
  }
}
