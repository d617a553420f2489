import { describe, expect, it } from 'vitest';
import { describeScope, SessionRules } from '../../../src/remote/broker/session-rules.js';

const call = (command?: string, sessionId = 's', toolName = 'run_shell_command') => ({
  ...{ sessionId, toolName, command },
  input: command === undefined ? {} : { command },
});

describe('a rule', () => {
  it('is made once for calls of the same kind, and one for each other kind and session', () => {
    const rules = new SessionRules();
    const first = rules.create(call('npm test'), 'phone');
    expect(rules.create(call('npm test -- src'), 'tablet')).toBe(first);
    expect(rules.create(call('find . -name x'), 'phone')).not.toBe(first);
    expect(rules.create(call('find . -name x'), 'phone')).toBe(rules.list()[1]);
    expect(rules.create(call('npm test', 'other'), 'phone')).not.toBe(first);
    expect(rules.create(call(undefined, 's', 'write_file'), 'phone')).not.toBe(first);
    expect(rules.list().map(({ by }) => by)).toEqual(Array(4).fill('phone'));
    expect(rules.endSession('other')).toHaveLength(1);
    expect(rules.list()).toHaveLength(3);
  });

  it('of an earlier run of the server holds until it is revoked, once', () => {
    const rules = new SessionRules();
    const made = new SessionRules().create(call('npm test'), 'phone');
    if (made === undefined) throw new Error('No rule was made');
    rules.restore(made);
    expect(rules.find(call('npm test'))).toBe(made);
    expect([rules.revoke(made.id), rules.revoke(made.id)]).toEqual([made, undefined]);
    expect(rules.find(call('npm test'))).toBeUndefined();
  });

  it('for a tool never allows a command, nor one for a command a tool', () => {
    const rules = new SessionRules();
    rules.create(call('npm test', 's', 'terminal'), 'phone');
    expect(rules.find(call(undefined, 's', 'terminal'))).toBeUndefined();
    const tool = new SessionRules();
    tool.create(call(undefined, 's', 'terminal'), 'phone');
    expect(tool.find(call('rm -rf all', 's', 'terminal'))).toBeUndefined();
  });

  it('is described by what it would allow', () => {
    expect(describeScope(call('npm test -- src'))).toBe('npm test …');
    expect(describeScope(call('rm x'))).toBe('rm x');
    expect(describeScope(call(undefined, 's', 'write_file'))).toBe('write_file');
    expect(describeScope(call(undefined))).toBeUndefined();
  });
});
