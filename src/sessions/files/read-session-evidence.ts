import { stripVTControlCharacters } from 'node:util';
import type { Usage } from '../../api/result.js';
import type { SessionMessage, SessionToolCall } from '../../api/session.js';
import { sumUsage } from '../../base/usage/add-usage.js';
import type { RequestTokens } from '../../base/usage/estimate-cost.js';
import { addTokenCounts } from '../../base/usage/token-counts.js';
import { findSessionById, type SessionQuery } from './find-session-by-id.js';
import { isInjectedContext, textsOf } from './message-text.js';
import { readSession } from './read-session.js';
import { findRefusedCalls, type RefusedCall } from './refused-calls.js';
import { subagentFile } from './session-files.js';

/** A file change as the CLI recorded it, which is the best source for what a tool really wrote. */
export interface RecordedEdit {
  readonly tool: string;
  readonly toolId: string;
  readonly path: string;
  /** Content before the change, with `\n` as line end even if the file has others. Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
}

/** The part of the session file that belongs to one turn. */
export interface SessionEvidence {
  /** Messages as recorded, including the context that the CLI puts before the prompt. */
  readonly messages: readonly SessionMessage[];
  /** Trimmed text of each answer of the model. Answers without text are left out. */
  readonly answers: readonly string[];
  /** `answered` if the last message is an answer of the model without tool calls. */
  readonly lastTurn: 'answered' | 'unanswered';
  /** Tokens and tool calls. The tokens include those of sub-agents. */
  readonly usage: Usage | undefined;
  /** Requests to the model that were answered, with their tokens. Those of sub-agents are included. */
  readonly requests: readonly RequestTokens[];
  readonly edits: readonly RecordedEdit[];
  /** Refused tool calls, including those that the stream has not shown. */
  readonly refusedCalls: readonly RefusedCall[];
  /** Prompt as the model got it: several parts if the CLI added some. */
  readonly promptParts: readonly string[];
}

/** Reads the evidence of a turn from the session file. A killed CLI leaves evidence too: it writes each record at once. */
export async function readSessionEvidence(
  query: SessionQuery & {
    readonly sinceMs: number;
    /** Ids of messages that belong to earlier turns, whatever their time stamps say. */
    readonly without?: ReadonlySet<string> | undefined;
  },
): Promise<SessionEvidence | undefined> {
  const file = findSessionById(query);
  if (file === undefined) return undefined;
  const session = await readSession(file);
  const appended = new Set(session.latest.map(({ id }) => id));
  const ofThisTurn = session.messages.filter(({ id, timestamp, content }) => {
    const isNew = timestamp === undefined || Date.parse(timestamp) >= query.sinceMs;
    const isKnown = query.without?.has(id) ?? false;
    return isNew && !isKnown && (appended.has(id) || isInjectedContext(content));
  });
  const messages = ofThisTurn.filter(({ type, content }) => {
    return !(type === 'user' && isInjectedContext(content));
  });
  const answers = messages.filter(({ type }) => type === 'gemini');
  const calls = answers.flatMap(({ toolCalls }) => toolCalls ?? []);
  const { edits, refusedCalls, agentAnswers } = await readCalls(messages, calls, (agentId) => {
    return subagentFile(file, query.sessionId, agentId);
  });
  const requests = [...answers, ...agentAnswers];
  return {
    messages: ofThisTurn,
    answers: answers.map(textOf).filter((text) => text !== ''),
    lastTurn: endsWithAnswer(messages) ? 'answered' : 'unanswered',
    usage: usageOfAnswers(requests, calls.length),
    requests: requests.map(({ model, tokens, timestamp }) => ({ model, tokens, timestamp })),
    edits,
    promptParts: promptPartsOf(messages),
    refusedCalls,
  };
}

function textOf({ content }: SessionMessage): string {
  return stripVTControlCharacters(textsOf(content).join('')).trim();
}

function endsWithAnswer(messages: readonly SessionMessage[]): boolean {
  const last = messages.findLast(({ type }) => type === 'gemini' || type === 'user');
  return last?.type === 'gemini' && (last.toolCalls ?? []).length === 0;
}

function promptPartsOf(messages: readonly SessionMessage[]): string[] {
  return textsOf(messages.find(({ type }) => type === 'user')?.content);
}

/** Sums the tokens of answers. Undefined if none of them has any. */
export function usageOfAnswers(
  answers: readonly SessionMessage[],
  toolCalls: number,
): Usage | undefined {
  const usages = answers.flatMap(({ tokens, model }) => {
    if (tokens === undefined || tokens === null) return [];
    const counts = addTokenCounts(undefined, tokens);
    // The CLI records an empty answer without its model.
    return { ...counts, models: model === undefined ? {} : { [model]: counts }, toolCalls: 0 };
  });
  const sum = sumUsage(usages);
  return sum && { ...sum, toolCalls };
}

/** Levels of sub-agents that are read. A damaged file may name itself as its sub-agent. */
const DEEPEST_AGENT = 8;

interface ReadCalls {
  readonly edits: RecordedEdit[];
  readonly refusedCalls: RefusedCall[];
  /** Answers that sub-agents got from their models. */
  readonly agentAnswers: SessionMessage[];
}

/** Reads edits and refused calls of a session, those of its sub-agents included. */
async function readCalls(
  messages: readonly SessionMessage[],
  calls: readonly SessionToolCall[],
  fileOf: (agentId: string) => string,
  depth = 0,
): Promise<ReadCalls> {
  const agentAnswers: SessionMessage[] = [];
  const edits: RecordedEdit[] = [];
  const refusedCalls = findRefusedCalls(messages, calls);
  for (const call of calls) {
    const edit = toRecordedEdit(call);
    if (edit !== undefined) edits.push(edit);
    if (call.agentId === undefined || depth === DEEPEST_AGENT) continue;
    const ofAgent = await readAgentMessages(fileOf(call.agentId));
    agentAnswers.push(...ofAgent.filter(({ type }) => type === 'gemini'));
    const callsOfAgent = ofAgent.flatMap(({ toolCalls }) => toolCalls ?? []);
    const inner = await readCalls(ofAgent, callsOfAgent, fileOf, depth + 1);
    edits.push(...inner.edits);
    refusedCalls.push(...inner.refusedCalls);
    agentAnswers.push(...inner.agentAnswers);
  }
  return { edits, refusedCalls, agentAnswers };
}

/** Reads the messages of a sub-agent. Empty if the sub-agent left no file. */
async function readAgentMessages(file: string): Promise<readonly SessionMessage[]> {
  try {
    return (await readSession(file)).messages;
  } catch {
    return [];
  }
}

/** Reads the file change of a tool call. Undefined if the call has failed or changed no file. */
export function toRecordedEdit(call: SessionToolCall): RecordedEdit | undefined {
  const { resultDisplay: display } = call;
  if (call.status !== 'success' || typeof display !== 'object' || display === null)
    return undefined;
  if (!('filePath' in display) || typeof display.filePath !== 'string') return undefined;
  if (!('newContent' in display) || typeof display.newContent !== 'string') return undefined;
  const isNew = 'isNewFile' in display && display.isNewFile === true;
  const before = 'originalContent' in display ? display.originalContent : undefined;
  return {
    tool: call.name,
    toolId: call.id,
    path: display.filePath,
    before: isNew || typeof before !== 'string' ? undefined : before,
    after: display.newContent,
  };
}
