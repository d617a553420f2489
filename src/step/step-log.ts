import type { TurnOutcome } from '../agents/driver.js';
import type { EvaluatedTurn } from '../agents/evaluate-turn.js';
import type { ResolvedStep } from '../agents/resolve-step.js';
import type { AgentEvent } from '../api/agent-event.js';
import type { Logger } from '../api/logger.js';
import type { StepOutput } from '../api/result.js';
import type { ProviderError } from '../base/errors/provider-error.js';
import { isObject } from '../base/json/is-object.js';

/** Longest value of an argument of a tool call in the log. */
const LONGEST_VALUE = 200;
/** Arguments that tell what a tool call is about. Others, such as the content of a file, are not logged. */
const LOGGED_ARGUMENTS = ['file_path', 'path', 'dir_path', 'command', 'pattern', 'query', 'url'];

/** Logs the start of a step: what was asked for, before anything is known of the agent. */
export function logStart({ logger, cli, config, workingDir }: ResolvedStep): void {
  logger.info(
    {
      driver: config.transport,
      cli: cli.location.path,
      cliVersion: cli.version,
      model: config.model,
      approvalMode: config.approvalMode,
      workingDir,
      ...(config.resume === undefined ? {} : { resume: config.resume }),
    },
    'Step starts',
  );
}

/** Logs an event: the session at info, tool calls with their verdicts, permissions, tokens and remarks at debug. */
export function logEvent(logger: Logger, event: AgentEvent): void {
  switch (event.type) {
    case 'session-init':
      logger.info({ sessionId: event.sessionId, model: event.model }, 'Session opened');
      if (event.agent !== undefined)
        logger.debug({ agent: event.agent }, 'Agent introduced itself');
      break;
    case 'tool-invocation':
    case 'tool-update': {
      const { callId, toolName: tool, kind } = event;
      const text = event.type === 'tool-update' ? 'Tool call told more' : 'Tool call';
      logger.debug({ callId, tool, kind, ...describeInput(event.input) }, text);
      break;
    }
    case 'tool-completion': {
      const { callId, toolName: tool, status, error } = event;
      logger.debug({ callId, tool, status, ...(error ? { error } : {}) }, 'Tool call ended');
      break;
    }
    case 'permission-request': {
      const { callId, toolName: tool, decision } = event;
      logger.debug({ callId, tool, decision }, 'Permission decided');
      break;
    }
    case 'session-status': {
      const { status, message, attempt, delayMs, httpStatus } = event;
      logger.debug({ status, attempt, delayMs, httpStatus }, message);
      break;
    }
    case 'terminal':
      logger.debug(
        { terminalId: event.terminalId, ...describeExit(event) },
        `Terminal ${event.state}`,
      );
      break;
    case 'usage-update':
      logger.debug(
        { tokens: event.usage.total, toolCalls: event.usage.toolCalls },
        'Tokens so far',
      );
      break;
    default:
      break;
  }
}

/** Logs the end of a turn at debug: the exit, and the evidence from which the verdict was made. */
export function logTurn(
  logger: Logger,
  outcome: TurnOutcome,
  { verdict, usage }: EvaluatedTurn,
): void {
  const { exitCode, signal, spawnErrno, stopReason, endedAfterResult } = outcome.exit;
  logger.debug(
    {
      verdict: verdict.ok ? 'ok' : verdict.code,
      ...(verdict.ok ? { recovered: verdict.recovered } : { reason: verdict.message }),
      exit: { exitCode, signal, spawnErrno, endedAfterResult },
      ...(stopReason === undefined ? {} : { stopReason }),
      evidence: describeEvidence(outcome),
      tokens: usage?.total,
      durationMs: Math.round(performance.now() - outcome.startedAtMs),
    },
    'Turn judged',
  );
}

/** Logs the end of a step: at info a success, at warn a failure. */
export function logEnd(logger: Logger, output: StepOutput, error?: ProviderError): void {
  const { durationMs, sessionId, model, usage, cost, deniedTools, files, repairs } = output;
  const { total, input, output: answered, cached, thoughts, toolCalls, models = {} } = usage ?? {};
  const fields = {
    durationMs,
    sessionId,
    model,
    models: Object.keys(models),
    tokens: usage && { total, input, output: answered, cached, thoughts },
    costUsd: cost?.usd,
    toolCalls,
    deniedTools: deniedTools.map(({ tool, reason }) => `${tool} (${reason})`),
    files: files.length,
    repairs,
  };
  if (error === undefined) logger.info(fields, 'Step succeeded');
  else logger.warn({ ...fields, ...describeError(error) }, error.message);
}

/** Returns the facts of an error that the log keeps. */
export function describeError(error: ProviderError): object {
  const { code, hint, retryable, retryAfterMs, httpStatus, phase, exitCode, signal } = error;
  const facts = { code, hint, retryable, retryAfterMs, httpStatus, phase, exitCode, signal };
  const missing = error.missing?.map(({ message }) => message);
  const tail = error.stderrTail?.split('\n').slice(-3).join('\n');
  return { ...facts, ...(missing ? { missing } : {}), ...(tail ? { stderrTail: tail } : {}) };
}

function describeInput(input: Readonly<Record<string, unknown>>): object {
  const shown = LOGGED_ARGUMENTS.flatMap((key): [string, string][] => {
    const value = input[key];
    return typeof value === 'string' ? [[key, value.slice(0, LONGEST_VALUE)]] : [];
  });
  return shown.length === 0 ? {} : { input: Object.fromEntries(shown) };
}

function describeExit({ command, result }: Extract<AgentEvent, { type: 'terminal' }>): object {
  return {
    command: command.slice(0, LONGEST_VALUE),
    exitCode: result?.exitCode,
    signal: result?.signal,
  };
}

function describeEvidence(outcome: TurnOutcome): object {
  if (outcome.transport === 'headless') {
    const { terminal, wireEvents, foreignLines, isTorn } = outcome.facts;
    return { result: terminal?.status, error: terminal?.error, wireEvents, foreignLines, isTorn };
  }
  const { response, rpcError, wasReady, wasPrompted, wasEnded } = outcome.facts;
  const acpStopReason = isObject(response) ? response['stopReason'] : undefined;
  const error = rpcError && { code: rpcError.code, message: rpcError.message };
  return { acpStopReason, error, wasReady, wasPrompted, wasEnded };
}
