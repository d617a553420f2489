import type { RemoteBlock, RemoteEntryContent, RemoteToolEntry } from '../../api/remote-entry.js';
import type { SessionToolCall } from '../../api/session.js';
import type { UnifiedMessage } from '../../api/unified-message.js';
import { isObject } from '../../base/json/is-object.js';
import { cutInput } from './cut-input.js';
import { cutText } from './cut-text.js';

const MOST_DIFF_CHARACTERS = 256_000;
const MOST_OUTPUT_CHARACTERS = 64_000;

/** Returns the entries of a message of a session file: the message itself, and its tool calls. */
export function mapFileMessage(message: UnifiedMessage): RemoteEntryContent[] {
  const { id, role, model, content } = message;
  const own = role === 'user' ? withoutFiles(content) : content;
  const blocks = own.flatMap((block): RemoteBlock[] => {
    if (block.type === 'text') return toTextBlocks(block.text);
    return block.type === 'thinking' ? [{ type: 'thought', text: block.thinking }] : [];
  });
  const calls = message._original.toolCalls ?? [];
  const entries: RemoteEntryContent[] = calls.map(mapToolCall);
  if (blocks.length > 0) entries.unshift({ type: 'message', messageId: id, role, blocks, model });
  return entries;
}

/** Line before the contents of the files that a prompt names. */
const FILES = /(?:^|\n)--- Content from referenced files ---[\s\S]*$/;

/** Returns a prompt without the contents of its files: they are not what the person has typed. */
function withoutFiles(content: UnifiedMessage['content']): UnifiedMessage['content'] {
  const at = content.findIndex((block) => block.type === 'text' && FILES.test(block.text));
  if (at < 0) return content;
  return content.slice(0, at + 1).flatMap((block, index) => {
    if (index < at || block.type !== 'text') return [block];
    const text = block.text.replace(FILES, '');
    return text.trim() === '' ? [] : [{ ...block, text }];
  });
}

/** Context that the CLI puts before the first prompt. When it rewrites a session, it joins both into one message. */
const CONTEXT = /^\s*<session_context>[\s\S]*?<\/session_context>\s*/;

function toTextBlocks(text: string): RemoteBlock[] {
  const own = text.replace(CONTEXT, '');
  return own === '' && text !== '' ? [] : [{ type: 'text', text: own }];
}

/** Returns the entry of a tool call of a session file. */
export function mapToolCall(call: SessionToolCall): RemoteToolEntry {
  const { id, name, args = {}, status, resultDisplay } = call;
  return {
    type: 'tool',
    callId: id,
    name,
    title: titleOf(name, args),
    status: STATUS[status ?? ''] ?? 'running',
    input: cutInput(args),
    diff: cutText(diffOfDisplay(resultDisplay), MOST_DIFF_CHARACTERS),
    output: cutText(textOfDisplay(resultDisplay), MOST_OUTPUT_CHARACTERS),
  };
}

/** Returns a call on one line: its command, or its tool and file. */
function titleOf(name: string, args: Readonly<Record<string, unknown>>): string {
  const { command, file_path: path } = args;
  if (typeof command === 'string') return command.split('\n')[0] ?? name;
  return typeof path === 'string' ? `${name} ${path}` : name;
}

const STATUS: Readonly<Record<string, RemoteToolEntry['status']>> = {
  success: 'succeeded',
  error: 'failed',
  cancelled: 'cancelled',
};

function diffOfDisplay(display: unknown): string | undefined {
  const diff = isObject(display) ? display['fileDiff'] : undefined;
  return typeof diff === 'string' ? diff : undefined;
}

/** Returns the output of a tool. The interactive CLI writes the output of a command as a list of lines of styled pieces. */
function textOfDisplay(display: unknown): string | undefined {
  if (typeof display === 'string') return display;
  if (!Array.isArray(display)) return undefined;
  const lines = display.map((line) => {
    return Array.isArray(line) ? line.map(textOfPiece).join('') : textOfPiece(line);
  });
  return lines.join('\n').trimEnd();
}

function textOfPiece(piece: unknown): string {
  if (typeof piece === 'string') return piece;
  const text = isObject(piece) ? piece['text'] : undefined;
  return typeof text === 'string' ? text : '';
}
