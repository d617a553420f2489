import type { PermissionRequest } from '../../../api/permission.js';
import type { RequestDraft } from '../../broker/approval-broker.js';
import { cutInput } from '../../session/cut-input.js';
import { cutText } from '../../session/cut-text.js';
import { diffOf } from './turn-entries.js';

const MOST_TEXT_CHARACTERS = 64_000;

/** Maps a permission request of an agent to a request for a person. */
export function mapPermission({
  toolName,
  kind,
  title,
  input,
  content,
}: PermissionRequest): Omit<RequestDraft, 'sessionId'> {
  const command = input['command'];
  return {
    kind: 'tool',
    toolName,
    title,
    input: cutInput(input),
    diff: diffOf(content),
    // An agent that does not report the arguments shows the command as the title.
    command: typeof command === 'string' ? command : kind === 'execute' ? title : undefined,
    text: textOf(content),
    questions: [],
    options: [],
    isDenyOnly: false,
    reasonWay: 'after-turn',
  };
}

/** Returns the text that an agent shows with a request: the arguments of a call of an MCP server stand there alone. */
function textOf(content: PermissionRequest['content']): string | undefined {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : []));
  return cutText(texts.join('\n') || undefined, MOST_TEXT_CHARACTERS);
}
