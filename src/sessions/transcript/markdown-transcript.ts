import type { SessionHeader } from '../../api/session.js';
import type { UnifiedContent, UnifiedMessage } from '../../api/unified-message.js';
import { cleanName, cleanText } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import { type CallLine, callLines } from './call-line.js';

/** Writes a session as Markdown: full texts, tool calls as a list, diffs in collapsed sections. */
export function toMarkdown(
  header: SessionHeader | undefined,
  messages: readonly UnifiedMessage[],
): string {
  const title = `# ${header?.summary ?? `Session ${header?.sessionId ?? 'without a name'}`}`;
  const facts = [
    header?.sessionId && `session \`${header.sessionId}\``,
    header?.startTime && `started ${header.startTime}`,
    countOf(messages.length, 'message'),
  ].filter(Boolean);
  return `${[title, facts.join(' · '), ...messages.map(describe)].join('\n\n')}\n`;
}

function describe(message: UnifiedMessage): string {
  const names = { user: 'User', assistant: 'Gemini', system: message.level ?? 'System' };
  const time =
    message.timestamp === undefined ? '' : ` · ${new Date(message.timestamp).toISOString()}`;
  const thoughts = message.content.flatMap((block) =>
    block.type === 'thinking' ? [quote(cleanText(block.thinking))] : [],
  );
  const calls = callLines(message).map(describeCall).join('\n');
  const texts = message.content.flatMap(describeBlock);
  const parts = [`## ${names[message.role]}${time}`, ...thoughts, ...texts, calls];
  return parts.filter(Boolean).join('\n\n');
}

function describeBlock(block: UnifiedContent): string[] {
  if (block.type === 'text') return [cleanText(block.text).trim()];
  return block.type === 'image' ? [`*[${block.source.media_type}]*`] : [];
}

function describeCall({ name, subject, outcome, lines, diff, reason }: CallLine): string {
  const signs = { done: '✓', failed: '✗', open: '→' };
  const what = subject === '' ? '' : ` ${code(subject)}`;
  const stat = lines === undefined ? '' : ` (+${lines.added} −${lines.removed})`;
  const why = reason === undefined ? '' : `: ${reason}`;
  const line = `- ${signs[outcome]} **${cleanName(name)}**${what}${stat}${why}`;
  if (diff === undefined || diff.trim() === '') return line;
  const fence = '`'.repeat(Math.max(3, longestTicks(diff) + 1));
  return `${line}\n\n<details><summary>diff</summary>\n\n${fence}diff\n${diff.trimEnd()}\n${fence}\n\n</details>\n`;
}

/** Formats text as inline code. Uses more backticks than the text contains. */
function code(text: string): string {
  const ticks = '`'.repeat(longestTicks(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

function longestTicks(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
