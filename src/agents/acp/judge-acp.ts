import { isObject } from '../../base/json/is-object.js';
import type { ProcessExit } from '../../base/process/process-exit.js';
import { firstLine } from '../../base/text/first-line.js';
import { isConnectionError } from '../verdict/api-failure.js';
import { isOutOfMemory } from '../verdict/cli-messages.js';
import { describe, fail, failKilled, failStopped } from '../verdict/create-failure.js';
import { findFullDisk } from '../verdict/full-disk.js';
import type { Failure, Verdict, VerdictEvidence } from '../verdict/verdict.js';
import type { AcpFacts } from './acp-facts.js';
import type { RpcError } from './profile.js';
import { describeRpcError } from './rpc-failure.js';

/**
 * Returns the verdict on a turn. Order of evidence: stop by the provider, error response, exit of the process,
 * answer.
 */
export function judgeAcp(facts: AcpFacts, evidence: VerdictEvidence): Verdict {
  const verdict = judge(facts, evidence);
  if (verdict.ok) return verdict;
  return { ...verdict, hint: verdict.hint ?? facts.profile.hints[verdict.code] };
}

function judge(facts: AcpFacts, evidence: VerdictEvidence): Verdict {
  if (facts.stopReason !== undefined) return failStopped(facts.stopReason);
  if (facts.rpcError !== undefined) return judgeRpcError(facts, facts.rpcError);
  if (facts.exit !== undefined) return judgeExit(facts, facts.exit);
  // A full disk also explains an answer that is empty: the agent may stop after the failed write.
  return findFullDisk(evidence.fold.toolCalls, facts.withoutSpace) ?? judgeAnswer(facts, evidence);
}

/**
 * Judges an error response. Before the prompt no request was made, so words that look like a broken connection, such as
 * "is not valid JSON", have another cause, unless they name the failed connection itself.
 */
function judgeRpcError({ profile, wasPrompted, errorType }: AcpFacts, error: RpcError): Failure {
  const failure = profile.judgeRpcError(error, errorType);
  const text = describeRpcError(error);
  const isGuess = failure.code === 'NETWORK' && wasPrompted === false && !isConnectionError(text);
  if (!isGuess) return failure;
  return fail('UNKNOWN', `${profile.name} failed before the first request: ${firstLine(text)}`);
}

function judgeAnswer(
  { profile, response, streamedUsage }: AcpFacts,
  { fold }: VerdictEvidence,
): Verdict {
  const acpStopReason = isObject(response) ? response['stopReason'] : undefined;
  if (typeof acpStopReason !== 'string') {
    return fail('PROTOCOL', `${profile.name} answered the prompt without a stop reason`);
  }
  const toolCalls = fold.toolCalls.length;
  const hasAnswer = fold.text.trim() !== '' && !fold.endsWithTool;
  const usage = profile.readUsage(response, toolCalls, streamedUsage);
  const failure = profile.judgeTurn({ acpStopReason, usage, hasAnswer, toolCalls });
  return failure ?? judgeStopReason(acpStopReason) ?? { ok: true, recovered: false };
}

function judgeStopReason(stopReason: string): Failure | undefined {
  switch (stopReason) {
    case 'end_turn':
      return undefined;
    case 'max_tokens':
      return fail('CONTEXT_OVERFLOW', 'The agent ended the turn at its token limit (max_tokens)');
    case 'max_turn_requests':
      return fail(
        'TURN_LIMIT',
        'The agent ended the turn after too many requests or in a loop (max_turn_requests)',
      );
    case 'refusal':
      return fail('CONTENT_BLOCKED', 'The agent refused to continue (refusal)');
    case 'cancelled':
      return fail('CANCELLED', 'The agent reported that the turn was cancelled');
    default:
      return fail('UNKNOWN', `The agent ended the turn for an unknown reason: ${stopReason}`);
  }
}

function judgeExit(facts: AcpFacts, exit: ProcessExit): Failure {
  const { profile, wasReady, wasEnded, stderr } = facts;
  const { name } = profile;
  const { exitCode, signal, spawnErrno } = exit;
  if (spawnErrno !== undefined) {
    return fail('CLI_NOT_FOUND', `${name} could not be started (${spawnErrno})`);
  }
  if (!wasReady && signal === undefined) {
    const code = profile.codeOfEarlyExit(exitCode ?? 0, stderr);
    if (code !== undefined) return fail(code, describe(code, stderr));
    const message = `${name} exited with ${exitCode} before the ACP handshake was complete`;
    return fail('PROTOCOL', message);
  }
  if (wasEnded === true) {
    return fail('INCOMPLETE', `${name} was ended before the end of the turn, with its other steps`);
  }
  if (signal !== undefined) return failKilled(name, signal, stderr);
  const memory = isOutOfMemory(stderr) ? ' (out of memory)' : '';
  return fail('INCOMPLETE', `${name} exited with ${exitCode}${memory} before the end of the turn`);
}
