import type { PermissionRequest } from '../../../api/permission.js';
import type { RequestDraft } from '../../broker/approval-broker.js';
import { cutCall } from '../../session/cut-call.js';
import { cutTitle } from '../../session/cut-title.js';
import { diffOf } from './turn-entries.js';

/**
 * Remark with which the CLI begins the text of a shell call: the folder of its process. Over ACP that is a private folder of this
 * package. The command runs in the folder of the session.
 */
const PROCESS_FOLDER =
  /^\[current working directory [^\]\n]*[\\/]gemini-cli-provider-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\]\s*/;

/** Maps a permission request of an agent to a request for a person. */
export function mapPermission(request: PermissionRequest): Omit<RequestDraft, 'sessionId'> {
  const { toolName, kind, title, input, content } = request;
  // An agent that does not report the arguments shows the command as the title.
  const named = kind === 'execute' ? title : undefined;
  const command = typeof input['command'] === 'string' ? input['command'] : named;
  const { diff, isHidden } = readChanges(content);
  return {
    ...cutCall({ input, diff, command, text: textOf(request) }),
    ...(isHidden ? { isCut: true } : {}),
    kind: 'tool',
    toolName,
    title: cutTitle(title),
    command,
    questions: [],
    options: [],
    isDenyOnly: false,
    reasonWay: 'after-turn',
  };
}

/** Returns the changes of a call as a diff. `isHidden` tells that a change has none: its content is binary, or very large. */
function readChanges(content: PermissionRequest['content']) {
  const changes = content.filter((block) => block.type === 'diff');
  const diffs = changes.map((change) => diffOf([change]));
  const shown = diffs.filter((diff) => diff !== undefined);
  const isHidden = changes.some(({ oldText, newText }, index) => {
    return diffs[index] === undefined && (oldText ?? '') !== newText;
  });
  return { diff: shown.length === 0 ? undefined : shown.join('\n'), isHidden };
}

/** Returns the text that an agent shows with a request: the arguments of a call of an MCP server stand there alone. */
function textOf({ kind, content }: PermissionRequest): string | undefined {
  const texts = content.flatMap((block) => {
    if (block.type !== 'text') return [];
    const text = block.text.trim();
    return [kind === 'execute' ? text.replace(PROCESS_FOLDER, '') : text];
  });
  return texts.join('\n').trim() || undefined;
}
