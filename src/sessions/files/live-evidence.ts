import type { Usage } from '../../api/result.js';
import { FileTail } from '../../base/process/file-tail.js';
import type { RequestTokens } from '../../base/usage/estimate-cost.js';
import { findSessionById, type SessionQuery } from './find-session-by-id.js';
import { JsonlSession } from './jsonl-session.js';
import { type RecordedEdit, toRecordedEdit, usageOfAnswers } from './read-session-evidence.js';

/** What a session file has told since the last look. */
export interface LiveReading {
  /** Tokens and tool calls since the start of the step, without those of sub-agents. */
  readonly usage: Usage | undefined;
  /** Requests behind the usage. */
  readonly requests: readonly RequestTokens[];
  /** File changes that were not there at the last look, without those of sub-agents. */
  readonly edits: readonly RecordedEdit[];
}

/** Follows the session file of a running step. The CLI appends a record after each answer and each tool call. */
export class LiveEvidence {
  readonly #query: SessionQuery & { readonly sinceMs: number };
  readonly #session = new JsonlSession();
  readonly #told = new Set<string>();
  #tail: FileTail | undefined;

  constructor(query: SessionQuery & { readonly sinceMs: number }) {
    this.#query = query;
  }

  /** Reads what was appended. Returns undefined if there is no session file, or none that grows. */
  async read(): Promise<LiveReading | undefined> {
    const tail = await this.#open();
    if (tail === undefined) return undefined;
    for (let chunk = await tail.read(); chunk !== undefined; chunk = await tail.read()) {
      this.#session.push(chunk);
    }
    const answers = this.#session.fold.latest.filter(({ type, timestamp }) => {
      const isNew = timestamp === undefined || Date.parse(timestamp) >= this.#query.sinceMs;
      return type === 'gemini' && isNew;
    });
    const calls = answers.flatMap(({ toolCalls }) => toolCalls ?? []);
    const edits = calls.flatMap((call) => toRecordedEdit(call) ?? []);
    const isNew = ({ toolId }: RecordedEdit): boolean => !this.#told.has(toolId);
    const news = edits.filter(isNew);
    for (const { toolId } of news) this.#told.add(toolId);
    return { usage: usageOfAnswers(answers, calls.length), requests: answers, edits: news };
  }

  async close(): Promise<void> {
    await this.#tail?.close();
  }

  async #open(): Promise<FileTail | undefined> {
    if (this.#tail !== undefined) return this.#tail;
    const file = findSessionById(this.#query);
    // The CLI rewrites a file of the older generation for each message.
    if (file === undefined || !file.endsWith('.jsonl')) return undefined;
    this.#tail = await FileTail.open(file);
    return this.#tail;
  }
}
