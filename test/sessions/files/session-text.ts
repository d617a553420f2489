import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionMessage } from '../../../src/api/session.js';
import { makeTree } from '../../base/fs/make-tree.js';

/** Returns the text of a file of the newer generation. Strings become lines unchanged. */
export function lines(...records: readonly (object | string)[]): string {
  const texts = records.map((record) =>
    typeof record === 'string' ? record : JSON.stringify(record),
  );
  return `${texts.join('\n')}\n`;
}

/** Creates a file with this content for one test and returns its path. */
export function sessionFile(text: string, name = 'session.jsonl'): string {
  return join(makeTree({ [name]: text }), name);
}

export const fixtures = join(import.meta.dirname, '../../fixtures/sessions');

export const LEGACY_SESSIONS = [
  'session-2025-10-29T10-36-9c9a14e1',
  'session-2025-12-01T17-05-77aa01c3',
  'session-2026-03-20T08-15-41f7b0aa',
] as const;

export function legacyFile(name: (typeof LEGACY_SESSIONS)[number]): string {
  return join(fixtures, 'legacy', `${name}.json`);
}

/** Reads a single message of the older generation. */
export function legacyMessage(name: string): SessionMessage {
  return JSON.parse(readFileSync(join(fixtures, 'legacy/messages', `${name}.json`), 'utf8'));
}

export const HEADER = { sessionId: 's1', kind: 'main' };
export const QUESTION = { id: 'q', type: 'user', content: 'question' };
export const ANSWER = { id: 'a', type: 'gemini', content: 'answer' };
