import type { PermissionRequest } from '../../../api/permission.js';
import type { RequestDraft } from '../../broker/approval-broker.js';
import { cutInput } from '../../session/cut-input.js';
import { diffOf } from './turn-entries.js';

/** Maps a permission request of an agent to a request for a person. */
export function mapPermission({
  toolName,
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
    command: typeof command === 'string' ? command : undefined,
    questions: [],
    options: [],
    isDenyOnly: false,
    reasonWay: 'after-turn',
  };
}
