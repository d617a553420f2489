import { stripVTControlCharacters } from 'node:util';
import type { Usage } from '../../api/result.js';
import type { SessionMessage, SessionToolCall } from '../../api/session.js';
import { sumUsage } from '../../base/usage/add-usage.js';
import { addTokenCounts } from '../../base/usage/token-counts.js';
import { findSessionById, type SessionQuery } from './find-session-by-id.js';
import { isInjectedContext, textsOf } from './message-text.js';
import { readSession } from './read-session.js';
import { findRefusedCalls, type RefusedCall } from './refused-calls.js';
import { subagentFile } from './session-files.js';

/** A file change as the CLI recorded it: the best source for what a tool really wrote. */
export interface RecordedEdit {
  readonly tool: string;
  readonly toolId: string;
  readonly path: string;
  /** With line ends as `\n`, whatever the file has. */
  readonly before: string | undefined;
  readonly after: string;
}

/** The part of the session file that belongs to one turn. */
export interface SessionEvidence {
  /** As they are recorded, with what the CLI put before the prompt. */
  readonly messages: readonly SessionMessage[];
  /** The text of each model turn that had some, without the blanks around it. */
  readonly answers: readonly string[];
  /** Whether the model had the last word. */
  readonly lastTurn: 'answered' | 'unanswered';
  readonly usage: Usage | undefined;
  readonly edits: readonly RecordedEdit[];
  /** Calls that were refused, whether or not the stream has shown them. */
  readonly refusedCalls: readonly RefusedCall[];
  /** The prompt as it went to the model: more than one part where the CLI added something. */
  readonly promptParts: readonly string[];
}

/** Reads the evidence of a turn from the session file. The CLI writes the file at once, so a killed CLI leaves it too. */
export async function readSessionEvidence(
  query: SessionQuery & { readonly sinceMs: number },
): Promise<SessionEvidence | undefined> {
  const file = findSessionById(query);
  if (file === undefined) return undefined;
  const session = await readSession(file);
  const appended = new Set(session.latest.map(({ id }) => id));
  const ofThisTurn = session.messages.filter(({ id, timestamp, content }) => {
    const isNew = timestamp === undefined || Date.parse(timestamp) >= query.sinceMs;
    return isNew && (appended.has(id) || isInjectedContext(content));
  });
  const messages = ofThisTurn.filter(({ type, content }) => {
    return !(type === 'user' && isInjectedContext(content));
  });
  const answers = messages.filter(({ type }) => type === 'gemini');
  const calls = answers.flatMap(({ toolCalls }) => toolCalls ?? []);
  return {
    messages: ofThisTurn,
    answers: answers.map(textOf).filter((text) => text !== ''),
    lastTurn: hasLastWord(messages) ? 'answered' : 'unanswered',
    usage: usageOf(answers, calls.length),
    edits: await readEdits(calls, (agentId) => subagentFile(file, query.sessionId, agentId)),
    promptParts: promptPartsOf(messages),
    refusedCalls: findRefusedCalls(messages, calls),
  };
}

function textOf({ content }: SessionMessage): string {
  return stripVTControlCharacters(textsOf(content).join('')).trim();
}

function hasLastWord(messages: readonly SessionMessage[]): boolean {
  const last = messages.findLast(({ type }) => type === 'gemini' || type === 'user');
  return last?.type === 'gemini' && (last.toolCalls ?? []).length === 0;
}

function promptPartsOf(messages: readonly SessionMessage[]): string[] {
  return textsOf(messages.find(({ type }) => type === 'user')?.content);
}

function usageOf(answers: readonly SessionMessage[], toolCalls: number): Usage | undefined {
  const usages = answers.flatMap(({ tokens, model }) => {
    if (tokens === undefined || tokens === null) return [];
    const counts = addTokenCounts(undefined, tokens);
    // The CLI records an empty answer without its model.
    return { ...counts, models: model === undefined ? {} : { [model]: counts }, toolCalls: 0 };
  });
  const sum = sumUsage(usages);
  return sum && { ...sum, toolCalls };
}

async function readEdits(
  calls: readonly SessionToolCall[],
  fileOf: (agentId: string) => string,
): Promise<RecordedEdit[]> {
  const edits: RecordedEdit[] = [];
  for (const call of calls) {
    const edit = toEdit(call);
    if (edit !== undefined) edits.push(edit);
    if (call.agentId === undefined) continue;
    edits.push(...(await readEdits(await readAgentCalls(fileOf(call.agentId)), fileOf)));
  }
  return edits;
}

/** Empty where the sub-agent left no file. */
async function readAgentCalls(file: string): Promise<SessionToolCall[]> {
  try {
    const { messages } = await readSession(file);
    return messages.flatMap(({ toolCalls }) => toolCalls ?? []);
  } catch {
    return [];
  }
}

function toEdit(call: SessionToolCall): RecordedEdit | undefined {
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
