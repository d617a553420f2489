import { readFile, stat, writeFile } from 'node:fs/promises';
import type { AgentEvent } from '../../api/agent-event.js';
import type { StepWarning } from '../../api/result.js';
import type { PrivateDirectory } from '../../base/process/private-directory.js';
import { renderPolicy } from '../../config/policy-file.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import type { PreparedPrompt } from '../driver.js';
import { type CliFeatures, featuresOf, learnFromUsageError } from '../gemini/cli-features.js';
import type { CliLocation } from '../gemini/find-cli.js';
import { buildArguments } from './arguments.js';
import type { HeadlessExit } from './headless-facts.js';
import { HeadlessProcess } from './headless-process.js';
import type { WireResult } from './headless-wire.js';
import { eventsOfJsonOutput, parseJsonOutput } from './json-output.js';
import { OUTPUT_LIMITS } from './output-limits.js';
import { type StreamNoise, StreamReader } from './stream-reader.js';

const STDOUT_FILE = 'stdout.ndjson';
const STDERR_FILE = 'stderr.txt';
const LONGEST_ANSWER_BYTES = 256 * 1024 * 1024;

export interface HeadlessRequest {
  readonly generationId: string;
  readonly config: ResolvedConfig;
  readonly cli: CliLocation;
  readonly cliVersion: string | undefined;
  readonly workingDir: string;
  /** Absolute. */
  readonly includeDirectories: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly prompt: PreparedPrompt;
  readonly directory: Pick<PrivateDirectory, 'file' | 'clear'>;
  readonly signal: AbortSignal | undefined;
  /** How much of the time for the whole step is gone already. */
  readonly spentMs: number;
  /** Sees each event first, and gives what is handed out in its place. */
  readonly observe: (event: AgentEvent) => AgentEvent;
}

/** What is left when the last event has been read. */
export interface HeadlessOutcome {
  readonly end: HeadlessExit;
  readonly terminal: WireResult | undefined;
  readonly wireEvents: number;
  readonly isTorn: boolean;
  readonly noise: StreamNoise;
  readonly foreignLines: number;
  /** Whether tool calls could be seen: an old CLI reports nothing but its answer. */
  readonly showsTools: boolean;
  readonly args: readonly string[];
  readonly warnings: readonly StepWarning[];
  readonly reportFiles: readonly string[];
}

/** Drives one run of `gemini -o stream-json`, and once more where the CLI turns out to be older than it looks. */
export async function* runHeadlessTurn(
  request: HeadlessRequest,
): AsyncGenerator<AgentEvent, HeadlessOutcome> {
  for (let features = featuresOf(request.cliVersion); ; ) {
    const outcome = yield* runOnce(request, features);
    const isUsageError = outcome.end.exitCode === 1 && outcome.wireEvents === 0;
    const learned = isUsageError ? learnFromUsageError(outcome.end.stderr, features) : undefined;
    if (learned === undefined) return outcome;
    features = learned;
  }
}

async function* runOnce(
  request: HeadlessRequest,
  features: CliFeatures,
): AsyncGenerator<AgentEvent, HeadlessOutcome> {
  const { directory, observe } = request;
  const args = await prepareArguments(request, features);
  const run = await start(request, features, args);
  const reader = new StreamReader();
  try {
    for await (const event of features.streamJson ? readEvents(run, reader) : waitForEnd(run)) {
      yield observe(event);
    }
  } finally {
    // Reached by `return()` as well: nothing of the run may outlive the iteration.
    run.abandon();
    await run.end();
  }
  const { processesLeft, reportFiles, ...end } = await run.end();
  for (const event of run.takeStatuses()) {
    yield observe(event);
  }
  const outcome = {
    end,
    args,
    isTorn: reader.isTorn,
    noise: reader.noise,
    foreignLines: reader.foreignLines,
    showsTools: features.streamJson,
    warnings: processesLeft === 0 ? [] : [describeLeftovers(processesLeft)],
    reportFiles,
  };
  if (features.streamJson) {
    return { ...outcome, terminal: reader.terminal, wireEvents: reader.wireEvents };
  }
  const json = parseJsonOutput(await readAnswer(directory.file(STDOUT_FILE)), end.stderr);
  for (const event of json === undefined ? [] : eventsOfJsonOutput(json)) {
    yield observe(event);
  }
  return { ...outcome, terminal: json?.terminal, wireEvents: json === undefined ? 0 : 1 };
}

async function start(
  { config, cli, directory, ...request }: HeadlessRequest,
  features: CliFeatures,
  args: readonly string[],
): Promise<HeadlessProcess> {
  const limits = { ...config, spentMs: request.spentMs };
  const stdinFile = directory.file('stdin.txt');
  await writeFile(stdinFile, request.prompt.text, { mode: 0o600 });
  await directory.clear([STDOUT_FILE, STDERR_FILE]);
  return HeadlessProcess.start({
    processTag: request.generationId,
    command: cli.command,
    args: [...cli.args, ...args],
    cwd: request.workingDir,
    env: request.env,
    stdinFile,
    stdoutFile: directory.file(STDOUT_FILE),
    stderrFile: directory.file(STDERR_FILE),
    // An old CLI is silent until it has finished.
    limits: features.streamJson ? limits : { ...limits, startTimeoutMs: config.timeoutMs },
    outputLimits: OUTPUT_LIMITS,
    maxAttempts: config.maxCliAttempts,
    signal: request.signal,
  });
}

async function prepareArguments(
  { config, directory, includeDirectories, prompt }: HeadlessRequest,
  features: CliFeatures,
): Promise<string[]> {
  const policy = renderPolicy(config.allowedTools, config.deniedTools);
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
  run: HeadlessProcess,
  reader: StreamReader,
): AsyncGenerator<AgentEvent, void> {
  for (;;) {
    const hasExited = run.hasExited;
    for (let chunk = await run.read(); chunk !== undefined; chunk = await run.read()) {
      const events = reader.push(chunk);
      if (reader.wireEvents > 0) run.started();
      if (reader.terminal !== undefined) run.finished();
      yield* events;
    }
    yield* run.takeStatuses();
    if (hasExited) break;
    await run.wait();
  }
  yield* reader.end();
}

/** An answer that no string can hold is none. */
async function readAnswer(path: string): Promise<string> {
  const { size } = await stat(path);
  return size > LONGEST_ANSWER_BYTES ? '' : readFile(path, 'utf8');
}

async function* waitForEnd(run: HeadlessProcess): AsyncGenerator<AgentEvent, void> {
  while (!run.hasExited) {
    yield* run.takeStatuses();
    await run.wait();
  }
}

function describeLeftovers(count: number): StepWarning {
  const message = `Processes that the run had left behind, and that were ended: ${count}.`;
  return { code: 'PROCESSES_LEFT', message, count };
}
