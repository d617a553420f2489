import { describe, expect, it } from 'vitest';
import { SessionRules } from '../../../src/remote/broker/session-rules.js';

const call = (command?: string, sessionId = 's', toolName = 'run_shell_command') => ({
  sessionId,
  toolName,
  command,
});

describe('SessionRules', () => {
  it.each([
    ['npm test', 'npm test -- --watch', true],
    ['npm test', 'npm testing', false],
    ['npm test', 'npm install evil', false],
    ['ls -la', 'ls /tmp', true],
    ['git status', 'git push', false],
    ['ls', 'ls; rm -rf /', false],
    ['ls', 'ls > out.txt', false],
    ['ls', 'ls $(id)', false],
    ['ls', 'ls\nid', false],
  ])('a rule made for "%s": "%s" is allowed: %s', (made, asked, isAllowed) => {
    const rules = new SessionRules();
    rules.create(call(made), 'phone');
    expect(rules.find(call(asked)) !== undefined).toBe(isAllowed);
  });

  it.each([
    'bash -c x',
    'node x.js',
    'sudo ls',
    'env X=1 ls',
    'X=1 ls',
    './run',
    'ls; id',
    'git',
    'npm --version',
  ])('makes no rule for "%s", which could run anything', (command) => {
    expect(new SessionRules().create(call(command), 'phone')).toBeUndefined();
  });

  it('holds a rule to its session and its tool, and ends it with the session', () => {
    const rules = new SessionRules();
    rules.create(call(undefined, 's', 'write_file'), 'phone');
    expect(rules.find(call(undefined, 's', 'write_file'))).toBeDefined();
    expect(rules.find(call(undefined, 'other', 'write_file'))).toBeUndefined();
    expect(rules.find(call(undefined, 's', 'replace'))).toBeUndefined();
    expect(rules.endSession('s')).toHaveLength(1);
    expect(rules.find(call(undefined, 's', 'write_file'))).toBeUndefined();
  });
});
