import type { Session } from '../../api/session.js';
import type { UnifiedMessage } from '../../api/unified-message.js';
import { cleanName } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import { safeJson } from '../../base/text/safe-json.js';
import { toMarkdown } from '../../sessions/transcript/markdown-transcript.js';
import { describeMessage } from '../../sessions/transcript/plain-transcript.js';
import type { Paint } from '../output/output.js';
import { renderSessionPage } from './session-page.js';

export const SESSION_FORMATS = ['text', 'unified', 'raw', 'markdown', 'html'] as const;
export type SessionFormat = (typeof SESSION_FORMATS)[number];

export interface SessionRendering {
  readonly session: Session;
  readonly messages: readonly UnifiedMessage[];
  readonly format: SessionFormat;
  /** True for one JSON array, false for a line for each message. */
  readonly isArray: boolean;
  readonly paint: Paint;
}

/** Renders a session in pieces, because a whole session may not fit into one string. */
export function* renderSession(rendering: SessionRendering): Generator<string, void> {
  const { session, messages, format, isArray, paint } = rendering;
  switch (format) {
    case 'markdown':
      yield toMarkdown(session.header, messages);
      return;
    case 'html':
      yield* renderSessionPage(session, messages);
      return;
    case 'text':
      yield `${describeHeader(rendering)}\n`;
      for (const message of messages) yield `\n${describeMessage(message, paint).join('\n')}\n`;
      return;
    case 'unified':
      yield* renderJson(messages, isArray);
      return;
    case 'raw':
      yield* renderJson(session.messages, isArray);
  }
}

function* renderJson(items: readonly unknown[], isArray: boolean): Generator<string, void> {
  if (!isArray) {
    for (const item of items) yield `${safeJson(item)}\n`;
    return;
  }
  for (const [index, item] of items.entries()) {
    yield `${index === 0 ? '[' : ','}${safeJson(item)}`;
  }
  yield items.length === 0 ? '[]\n' : ']\n';
}

function describeHeader({ session, messages, paint }: SessionRendering): string {
  const { header } = session;
  const tokens = messages.reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0);
  const facts = [
    header?.startTime?.slice(0, 19).replace('T', ' '),
    countOf(messages.length, 'message'),
    countOf(tokens, 'token'),
    header?.summary,
  ];
  const name = paint.bold(cleanName(`Session ${header?.sessionId ?? 'unknown'}`));
  return `${name} ${paint.dim(cleanName(facts.filter((fact) => fact !== undefined).join(' · ')))}`;
}
