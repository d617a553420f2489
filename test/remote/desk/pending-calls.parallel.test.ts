import { describe, expect, it } from 'vitest';
import { PendingCalls } from '../../../src/remote/desk/pending-calls.js';
import { announcementOf, callOf, execOf, shellOf } from './hooks.js';

const SHOUT = announcementOf({ type: 'mcp', serverName: 'louder', toolName: 'shout' });
const shoutOf = (text: string) => callOf('mcp_louder_shout', { text });

function pend(...calls: readonly ReturnType<typeof callOf>[]): PendingCalls {
  const pending = new PendingCalls();
  for (const call of calls) pending.add(call);
  return pending;
}

describe('parallel calls that an announcement does not tell apart', () => {
  it('are not known, unless they are the same', () => {
    const pending = pend(shoutOf('one'), shoutOf('two'));
    expect(pending.find(SHOUT)).toBeUndefined();
    expect(pending.fitting(SHOUT)).toHaveLength(2);
    expect(pend(shoutOf('one'), shoutOf('one')).find(SHOUT)).toEqual(shoutOf('one'));
    const prod = shellOf('rm -rf build', { dir_path: 'prod' });
    expect(pend(shellOf('rm -rf build'), prod).find(execOf('rm -rf build'))).toBeUndefined();
    const edit = announcementOf({ type: 'edit', filePath: '/app/a', newContent: 'a b' });
    const replace = (new_string: string) => callOf('replace', { file_path: 'a', new_string });
    expect(pend(replace('a'), replace('b')).find(edit)).toBeUndefined();
    const fetch = (more: object) => callOf('web_fetch', { prompt: 'read', ...more });
    const info = announcementOf({ type: 'info', prompt: 'read' });
    expect(pend(fetch({}), fetch({ x: 1 })).find(info)).toBeUndefined();
  });

  it('are known again when one of them is left', () => {
    const pending = pend(shoutOf('one'), shoutOf('two'));
    pending.end({ ...shoutOf('one'), hook_event_name: 'AfterTool' });
    expect(pending.find(SHOUT)).toEqual(shoutOf('two'));
  });

  it('do not use up what was allowed for one of them', () => {
    const here = shellOf('rm -rf build', { dir_path: 'a' });
    const pending = pend(here, shellOf('rm -rf build', { dir_path: 'prod' }));
    pending.allow({ call: here, edit: undefined });
    expect(pending.takeAllowed(execOf('rm -rf build'))).toBeUndefined();
    pending.end({ ...shellOf('rm -rf build', { dir_path: 'prod' }), hook_event_name: 'AfterTool' });
    expect(pending.takeAllowed(execOf('rm -rf build'))?.call).toBe(here);
  });
});

describe('an announcement that names no call', () => {
  it.each([
    { type: 'sandbox_expansion', title: 'Sandbox Expansion Request' },
    { type: 'exit_plan_mode', title: 'Plan Approval' },
    { type: 'something_new' },
    {},
  ])('belongs to none, because its dialog may ask for more: %o', (details) => {
    const hook = announcementOf(details);
    expect(pend(shellOf('npm test')).find(hook)).toBeUndefined();
    expect(pend(callOf('write_todos', {})).find(hook)).toBeUndefined();
  });

  it('belongs to the only call whose dialog has a text alone', () => {
    const todos = callOf('write_todos', {});
    const info = announcementOf({ type: 'info', prompt: 'Set 2 todo(s)' });
    expect(pend(shellOf('npm test'), todos, shoutOf('x')).find(info)).toBe(todos);
    expect(pend(shellOf('npm test')).find(info)).toBeUndefined();
    expect(pend(callOf('web_fetch', { prompt: 'other' })).find(info)).toBeUndefined();
    expect(pend(todos, callOf('save_memory', {})).find(info)).toBeUndefined();
  });
});
