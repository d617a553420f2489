import { randomUUID } from 'node:crypto';
import type { MappedRequest, UpdateMapper } from './map-update.js';

/** Name in rules and events of a write that belongs to no tool call. */
const WRITE_TOOL = 'write_file';
const ALLOW_ONCE = [{ optionId: 'allow', name: 'Allow', kind: 'allow_once' }];

/** Describes a command that the agent runs through the client as a tool call that asks for a permission. */
export function describeCommand(mapper: UpdateMapper, command: string): MappedRequest | undefined {
  const toolCallId = `terminal-${randomUUID()}`;
  const toolCall = { toolCallId, title: command, kind: 'execute', rawInput: { command } };
  return mapper.readRequest(toolCallId, { toolCall, options: ALLOW_ONCE });
}

/**
 * Describes a write of the agent through the client as a tool call that asks for a permission. `call` is the call of the
 * agent that the write belongs to, if there is one.
 */
export function describeWrite(
  mapper: UpdateMapper,
  path: string,
  call: MappedRequest['call'] | undefined,
): MappedRequest | undefined {
  const toolCallId = `${WRITE_TOOL}__${randomUUID()}`;
  if (call !== undefined)
    return { requestId: toolCallId, call, content: [], options: ALLOW_ONCE, raw: undefined };
  const toolCall = {
    toolCallId,
    title: `Write ${path}`,
    kind: 'edit',
    locations: [{ path }],
    rawInput: { file_path: path },
    _meta: { toolName: WRITE_TOOL },
  };
  return mapper.readRequest(toolCallId, { toolCall, options: ALLOW_ONCE });
}
