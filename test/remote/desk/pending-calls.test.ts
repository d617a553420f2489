import { describe, expect, it } from 'vitest';
import type {
  AfterToolHook,
  BeforeToolHook,
  NotificationHook,
} from '../../../src/api/hook-payload.js';
import { PendingCalls } from '../../../src/remote/desk/pending-calls.js';

const base = { session_id: 's', cwd: '/app' };
const callOf = (tool_name: string, tool_input: object = {}): BeforeToolHook => ({
  ...{ ...base, hook_event_name: 'BeforeTool', tool_name, tool_input: { ...tool_input } },
});
const afterOf = (call: BeforeToolHook): AfterToolHook => ({
  ...{ ...call, hook_event_name: 'AfterTool', tool_input: structuredClone(call.tool_input) },
});
const hookOf = (details?: object): NotificationHook => ({
  ...{ ...base, hook_event_name: 'Notification', notification_type: 'ToolPermission' },
  details: details === undefined ? undefined : { ...details },
});
const execOf = (command: string) => hookOf({ type: 'exec', command });
const shellOf = (command: string) => callOf('run_shell_command', { command });

describe('PendingCalls', () => {
  it('finds the call that an announcement names, until the call has run or was refused', () => {
    const calls = new PendingCalls();
    const [one, two] = [shellOf('one'), shellOf('two')];
    for (const call of [one, two]) calls.add(call);
    expect([calls.find(execOf('two')), calls.find(execOf('three'))]).toEqual([two, undefined]);
    calls.end(afterOf(two));
    calls.end(afterOf(shellOf('never begun')));
    expect([calls.find(execOf('one')), calls.find(execOf('two'))]).toEqual([one, undefined]);
    calls.refuse(one);
    expect(calls.find(execOf('one'))).toBeUndefined();
  });

  it('ends one of two calls that are the same', () => {
    const calls = new PendingCalls();
    for (let times = 0; times < 2; times++) calls.add(shellOf('one'));
    calls.end(afterOf(shellOf('one')));
    expect(calls.find(execOf('one'))).toBeDefined();
    calls.end(afterOf(shellOf('one')));
    expect(calls.find(execOf('one'))).toBeUndefined();
  });

  it('takes the only call for a dialog that names none, and no question', () => {
    const calls = new PendingCalls();
    const search = callOf('google_web_search', { query: 'x' });
    const question = callOf('ask_user', { questions: [] });
    calls.add(question);
    expect(calls.find(hookOf({ type: 'info' }))).toBeUndefined();
    calls.add(search);
    expect(calls.find(hookOf({ type: 'info' }))).toBe(search);
    // A command that is announced is named: another call is not about it.
    expect(calls.find(execOf('rm x'))).toBeUndefined();
    calls.add(callOf('save_memory'));
    expect(calls.find(hookOf({ type: 'info' }))).toBeUndefined();
    expect(calls.questions()).toEqual([question]);
    expect(calls.find(hookOf({ type: 'ask_user' }))).toBe(question);
  });

  it('gives an allowance to one dialog, and to none after the call has run or the turn is over', () => {
    const calls = new PendingCalls();
    const allow = (command: string): void => {
      calls.add(shellOf(command));
      calls.allow({ call: shellOf(command), edit: undefined });
    };
    allow('one');
    expect(calls.takeAllowed(execOf('two'))).toBeUndefined();
    expect(calls.takeAllowed(execOf('one'))?.call.tool_input).toEqual({ command: 'one' });
    expect(calls.takeAllowed(execOf('one'))).toBeUndefined();
    allow('one');
    calls.end(afterOf(shellOf('one')));
    expect(calls.takeAllowed(execOf('one'))).toBeUndefined();
    allow('one');
    calls.clear();
    expect([calls.takeAllowed(execOf('one')), calls.find(execOf('one'))]).toEqual(Array(2));
  });
});
