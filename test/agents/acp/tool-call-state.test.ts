import { describe, expect, it } from 'vitest';
import { createGenericProfile } from '../../../src/agents/acp/generic-profile.js';
import { UpdateMapper } from '../../../src/agents/acp/map-update.js';

const PROFILE = createGenericProfile('Agent');
const call = (more: object) => ({ sessionUpdate: 'tool_call', toolCallId: '1', ...more });
const update = (more: object) => ({ ...call(more), sessionUpdate: 'tool_call_update' });
const ask = (toolCall: object) => ({ toolCall: { toolCallId: '1', ...toolCall }, options: [] });
const diff = (path: string) => [{ type: 'diff', path, oldText: 'a', newText: 'b' }];

function mapAll(...updates: object[]) {
  const mapper = new UpdateMapper(PROFILE);
  return { mapper, events: updates.flatMap((each) => mapper.map(each)) };
}

describe('a tool call with several updates', () => {
  it('has the kind and the input of its permission request, not those of its first update', () => {
    const { mapper } = mapAll(call({ title: 'bash', kind: 'read', rawInput: {} }));
    const rawInput = { command: 'rm -r x' };
    const request = mapper.readRequest('r', ask({ title: 'rm', kind: 'execute', rawInput }));
    expect(request?.call).toMatchObject({
      toolName: 'bash',
      kind: 'execute',
      category: 'command',
      input: rawInput,
    });
  });

  it('keeps fields that an update leaves out', () => {
    const rawInput = { path: '/w/a' };
    const locations = [{ path: '/w/a' }];
    const { mapper } = mapAll(
      call({ title: 'Edit a', kind: 'edit', rawInput, locations }),
      update({ status: 'in_progress' }),
    );
    expect(mapper.readRequest('r', ask({}))?.call).toMatchObject({
      toolName: 'edit',
      title: 'Edit a',
      kind: 'edit',
      input: rawInput,
      locations: ['/w/a'],
    });
  });

  it('has the edit of an earlier update if its last update has no content', () => {
    const { mapper, events } = mapAll(
      call({ kind: 'edit', content: diff('/w/a') }),
      update({ status: 'completed', rawOutput: { ok: true } }),
    );
    expect(mapper.edits).toMatchObject([{ path: '/w/a', before: 'a', after: 'b' }]);
    expect(events.at(-1)).toMatchObject({ output: '{"ok":true}', content: diff('/w/a') });
  });

  it('has no edit if its last update has other content', () => {
    const content = [{ type: 'content', content: { type: 'text', text: 'no change' } }];
    const { mapper } = mapAll(
      call({ kind: 'edit', content: diff('/w/a') }),
      update({ status: 'completed', content }),
    );
    expect(mapper.edits).toEqual([]);
  });

  it('has the path of its locations if the diff has only a file name', () => {
    const { mapper } = mapAll(
      call({ kind: 'edit', locations: [{ path: '/w/other.txt' }, { path: '/w/sub/a.txt' }] }),
      update({ status: 'completed', content: diff('a.txt') }),
    );
    expect(mapper.edits).toMatchObject([{ path: '/w/sub/a.txt' }]);
  });
});

describe('the name of a tool', () => {
  it.each([
    [{ _meta: { toolName: 'write_file' }, title: 'Write a', kind: 'edit' }, 'write_file'],
    [{ _meta: { house: { toolName: 'Bash' } }, title: 'ls', kind: 'execute' }, 'Bash'],
    [{ title: 'todowrite', kind: 'other' }, 'todowrite'],
    [{ title: 'Reading project files', kind: 'read' }, 'read'],
    [{ title: 'edit', kind: 'execute' }, 'execute'],
    [{ title: 'x', rawInput: { toolName: 'edit' }, kind: 'execute' }, 'x'],
    [{ title: 'a title' }, 'other'],
  ])('of %j is %s', (wire, name) => {
    expect(PROFILE.toolName({ toolCallId: '1', ...wire })).toBe(name);
  });
});
