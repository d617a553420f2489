import type { TokenCounts } from '../../api/result.js';
import { isObject } from '../../base/json/is-object.js';
import type { ProcessExit } from '../../base/process/spawn-cli.js';
import type { TurnFold } from '../events/turn-fold.js';
import { describe, fail, failStopped } from '../verdict/create-failure.js';
import type { Failure, StepStopReason, Verdict } from '../verdict/verdict.js';
import type { AgentProfile, RpcError } from './profile.js';

/** Everything that is known of a turn once it is over. */
export interface AcpFacts {
  readonly ownEnd?: StepStopReason | undefined;
  /** The answer to the prompt. */
  readonly response?: unknown;
  /** Tokens that were told before the answer. */
  readonly toldUsage?: TokenCounts | undefined;
  readonly rpcError?: RpcError | undefined;
  /** The process has gone before it answered. */
  readonly death?: ProcessExit | undefined;
  /** Whether the agent had introduced itself before it went. */
  readonly wasReady: boolean;
  readonly stderr: string;
}

/** The verdict on a turn: our own end of it, its answer, the error it was answered with, the process's end. */
export function judgeAcp(facts: AcpFacts, fold: TurnFold, profile: AgentProfile): Verdict {
  const verdict = judge(facts, fold, profile);
  return verdict.ok ? verdict : { ...verdict, hint: verdict.hint ?? profile.hints[verdict.code] };
}

function judge(facts: AcpFacts, fold: TurnFold, profile: AgentProfile): Verdict {
  if (facts.ownEnd !== undefined) return failStopped(facts.ownEnd);
  if (facts.rpcError !== undefined) return profile.judgeRpcError(facts.rpcError);
  if (facts.death !== undefined) return judgeDeath(facts, facts.death, profile);
  return judgeStop(facts, fold, profile);
}

function judgeStop(
  { response, toldUsage }: AcpFacts,
  fold: TurnFold,
  profile: AgentProfile,
): Verdict {
  const stopReason = isObject(response) ? response['stopReason'] : undefined;
  if (typeof stopReason !== 'string') {
    return fail('PROTOCOL', `${profile.name} answered the prompt without a stop reason`);
  }
  const toolCalls = fold.toolCalls.length;
  const hasAnswer = fold.text.trim() !== '' && !fold.endsWithTool;
  const usage = profile.readUsage(response, toolCalls, toldUsage);
  const failure = profile.judgeTurn({ acpStopReason: stopReason, usage, hasAnswer, toolCalls });
  return failure ?? judgeStopReason(stopReason) ?? { ok: true, recovered: false };
}

function judgeStopReason(stopReason: string): Failure | undefined {
  switch (stopReason) {
    case 'end_turn':
      return undefined;
    case 'max_tokens':
      return fail('CONTEXT_OVERFLOW', 'The turn ended because there is no room for more tokens');
    case 'max_turn_requests':
      return fail('TURN_LIMIT', 'The turn ended because of its number of requests, or of a loop');
    case 'refusal':
      return fail('CONTENT_BLOCKED', 'The agent refuses to go on');
    case 'cancelled':
      return fail('CANCELLED', 'The agent says that the turn was cancelled');
    default:
      return fail('UNKNOWN', `The turn ended for a reason that is not known: ${stopReason}`);
  }
}

function judgeDeath(facts: AcpFacts, death: ProcessExit, profile: AgentProfile): Failure {
  const { name } = profile;
  const { exitCode, signal, spawnErrno } = death;
  if (spawnErrno !== undefined) {
    return fail('CLI_NOT_FOUND', `${name} could not be started (${spawnErrno})`);
  }
  if (!facts.wasReady && signal === undefined) {
    const code = profile.codeOfEarlyExit(exitCode ?? 0, facts.stderr);
    if (code !== undefined) return fail(code, describe(code, facts.stderr));
    const message = `${name} exited with ${exitCode} before it had introduced itself`;
    return fail('PROTOCOL', message);
  }
  const way = signal === undefined ? `exited with ${exitCode}` : `was killed by ${signal}`;
  const memory = /JavaScript heap out of memory/.test(facts.stderr) ? ' (out of memory)' : '';
  return fail('INCOMPLETE', `${name} ${way}${memory} before the end of the turn`);
}
