import type { UnifiedMessage } from '../../api/unified-message.js';
import { cleanLine, cleanName, cleanText } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import { type CallLine, callLines } from './call-line.js';

type Painter = (text: string) => string;

/** Functions that colour parts of a transcript, or return them unchanged. */
export interface TranscriptPaint {
  readonly bold: Painter;
  readonly dim: Painter;
  readonly red: Painter;
  readonly green: Painter;
  readonly yellow: Painter;
  readonly cyan: Painter;
}

/** Returns the lines of one message for the terminal: author, thoughts, text, tool calls. */
export function describeMessage(message: UnifiedMessage, paint: TranscriptPaint): string[] {
  return [describeAuthor(message, paint), ...describeContent(message, paint)];
}

export function describeAuthor(message: UnifiedMessage, paint: TranscriptPaint): string {
  const time =
    message.timestamp === undefined ? '' : new Date(message.timestamp).toISOString().slice(11, 19);
  const tokens = message.usage === undefined ? '' : countOf(message.usage.total_tokens, 'token');
  const facts = [time, message.model ?? '', tokens, message.mark ?? ''].filter(Boolean);
  return [nameAuthor(message, paint), paint.dim(cleanName(facts.join(' · ')))].join('  ').trimEnd();
}

function nameAuthor({ role, level }: UnifiedMessage, paint: TranscriptPaint): string {
  if (role === 'user') return paint.bold(paint.cyan('▌ user'));
  if (role === 'assistant') return paint.bold(paint.green('▌ gemini'));
  const color = level === 'error' ? paint.red : level === 'warning' ? paint.yellow : paint.dim;
  return paint.bold(color(`▌ ${level ?? 'system'}`));
}

/** Returns the lines of one message without the author. */
export function describeContent(message: UnifiedMessage, paint: TranscriptPaint): string[] {
  const texts = message.content.flatMap((block): string[] => {
    if (block.type === 'text') return cleanText(block.text).trim().split('\n');
    if (block.type === 'image') return [paint.dim(`[${cleanName(block.source.media_type)}]`)];
    return block.type === 'tool_result' && !hasUse(message, block.tool_use_id)
      ? [paint.dim(`↳ ${typeof block.content === 'string' ? cleanLine(block.content) : '[image]'}`)]
      : [];
  });
  const thoughts = message.content.flatMap((block) =>
    block.type === 'thinking' ? [paint.dim(`~ ${cleanLine(block.thinking)}`)] : [],
  );
  // The model announces its calls before it makes them.
  return [
    ...thoughts,
    ...texts,
    ...callLines(message).map((call) => describeCall(call, paint)),
  ].map((line) => (line === '' ? '' : `  ${line}`));
}

function hasUse({ content }: UnifiedMessage, id: string): boolean {
  return content.some((block) => block.type === 'tool_use' && block.id === id);
}

function describeCall(call: CallLine, paint: TranscriptPaint): string {
  const signs = { done: paint.green('✓'), failed: paint.red('✗'), open: paint.cyan('→') };
  const parts = [signs[call.outcome], paint.bold(cleanName(call.name)), call.subject];
  if (call.lines !== undefined) {
    parts.push(paint.green(`+${call.lines.added}`), paint.red(`-${call.lines.removed}`));
  }
  if (call.reason !== undefined) parts.push(paint.red(call.reason));
  return parts.filter((part) => part !== '').join(' ');
}
