import { describe, expect, it } from 'vitest';
import { SessionRules } from '../../../src/remote/broker/session-rules.js';

const call = (command?: string, sessionId = 's', toolName = 'run_shell_command', input = {}) => ({
  ...{ sessionId, toolName, command },
  input: command === undefined ? input : { command, description: `${Math.random()}`, ...input },
});

describe('SessionRules', () => {
  it.each([
    ['npm test', 'npm test -- src/a.test.ts', true],
    ['npm test', 'npm test -- --watch', false],
    ['npm test', 'npm test --script-shell=evil', false],
    ['npm test', 'npm testing', false],
    ['npm test', 'npm install evil', false],
    ['ls -la', 'ls src docs', true],
    ['ls -la', 'ls /tmp', false],
    ['ls', "ls '/etc'", false],
    ['ls', 'ls ~', false],
    ['ls', 'ls src/../..', false],
    ['ls', 'ls .?/x', false],
    ['ls', 'ls {/etc,src}', false],
    ['ls', 'ls\u00a0x', false],
    ['cat a.txt', 'cat b.txt', true],
    ['cat a.txt', 'cat ../secret', false],
    ['grep x a', 'grep -n "some words" src/b', true],
    ['grep x a', 'grep -f/etc/passwd b', false],
    ['grep x a', 'grep --file=/etc/passwd b', false],
    ['git status', 'git push', false],
    ['git log src', 'git log test', true],
    ['git log src', 'git log --output=x', false],
    ['git log src', 'git log -1 "--output=x"', false],
    ['git diff HEAD', 'git diff main..HEAD -- src', true],
    ['go test ./...', 'go test ./a/...', true],
    ['go test ./...', 'go test -exec evil ./...', false],
    ['cargo test', 'cargo test --config evil.toml', false],
    ['eslint .', 'eslint src/*.ts', true],
    ['eslint .', 'eslint -c evil.cjs src', false],
    ['ls', 'ls; rm -rf /', false],
    ['ls', 'ls > out.txt', false],
    ['ls', 'ls $(id)', false],
    ['ls', 'ls\nid', false],
    ['npm run build', 'npm run build -- src', true],
    ['npm run build', 'npm run build -- --watch', false],
    ['npm run build', 'npm run other', false],
    ['find . -name x', 'find . -name x', true],
    ['find . -name x', 'find . -exec rm {}', false],
    ['bash -c x', 'bash -c y', false],
    ['ls > out.txt', 'ls > out.txt', true],
    ['ls > out.txt', 'ls > other.txt', false],
  ])('a rule made for "%s": "%s" is allowed: %s', (made, asked, isAllowed) => {
    const rules = new SessionRules();
    rules.create(call(made), 'phone');
    expect(rules.find(call(asked)) !== undefined).toBe(isAllowed);
  });

  it.each([
    ...['bash -c x', 'node x.js', 'sudo ls', 'env X=1 ls', 'X=1 ls', './run', 'ls; id', 'git'],
    ...[
      'npm --version',
      'find . -name x',
      'awk 1 x',
      'npm exec x',
      'docker run x',
      'git bisect run x',
    ],
    ...['timeout 5 ls', 'nice ls', 'git fetch', 'sort x', 'rg x', 'npm run $x', 'cargo run'],
    ...['uniq a b', 'make test', 'git branch x', 'git stash', 'git commit', 'touch x', 'date'],
    ...[
      'npm view x',
      'npm run --silent',
      'npm test --watch',
      'eslint --fix .',
      'ls /tmp',
      'cat ~/x',
    ],
    ...['git log --output=x', 'go test -v ./...'],
  ])('a rule made for "%s", which may run anything, holds for this command alone', (command) => {
    const rules = new SessionRules();
    expect(rules.create(call(command), 'phone')).toMatchObject({ command });
    expect(rules.find(call(command))).toBeDefined();
    expect(rules.find(call(`${command} more`))).toBeUndefined();
    const elsewhere = call(command, 's', 'run_shell_command', { dir_path: 'other' });
    expect(rules.find(elsewhere)).toBeUndefined();
  });

  it('holds a rule for a program to the folder in which its command ran', () => {
    const rules = new SessionRules();
    rules.create(call('npm test', 's', 'run_shell_command', { dir_path: 'a' }), 'phone');
    const asked = (input: object) => rules.find(call('npm test', 's', 'run_shell_command', input));
    expect(asked({ dir_path: 'a' })).toBeDefined();
    expect(asked({ dir_path: 'b' })).toBeUndefined();
    expect(asked({})).toBeUndefined();
  });

  it('makes no rule for an unknown tool, or a shell call whose command is not known', () => {
    expect(new SessionRules().create(call(undefined), 'phone')).toBeUndefined();
    expect(new SessionRules().create(call('ls', 's', ''), 'phone')).toBeUndefined();
    expect(new SessionRules().create(call(undefined, 's', ''), 'phone')).toBeUndefined();
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
