import { describe, expect, it } from 'vitest';
import { findFlagProblems } from '../../src/config/owned-flags.js';

/** Returns the first problem. */
const findFlagProblem = (args: readonly string[]) => findFlagProblems(args)[0];

describe('an extra argument', () => {
  it.each([
    ['-p', 'prompt'],
    ['--prompt', 'prompt'],
    ['-i', 'prompt'],
    ['--prompt-interactive', 'prompt'],
    ['-o', 'output format'],
    ['--output-format', 'output format'],
    ['-m', '`model`'],
    ['--model', '`model`'],
    ['-y', '`approvalMode: "yolo"`'],
    ['--yolo', '`approvalMode: "yolo"`'],
    ['--approval-mode', '`approvalMode`'],
    ['-s', '`sandbox`'],
    ['--sandbox', '`sandbox`'],
    ['--include-directories', '`includeDirectories`'],
    ['--allowed-tools', '`allowedTools`'],
    ['-r', '`resume`'],
    ['--resume', '`resume`'],
    ['--session-id', '`sessionId`'],
    ['--session-file', '`resume`'],
    ['--skip-trust', '`trustWorkspace`'],
    ['-w', '`workingDir`'],
    ['--worktree', '`workingDir`'],
    ['--acp', '`transport`'],
    ['--experimental-acp', '`transport`'],
    ['--list-sessions', 'CLI itself'],
    ['--delete-session', 'CLI itself'],
    ['-l', 'CLI itself'],
    ['--list-extensions', 'CLI itself'],
    ['-v', '`validate()`'],
    ['--version', '`validate()`'],
    ['-h', 'CLI itself'],
    ['--help', 'CLI itself'],
  ])('%s is refused with advice on what to use instead', (flag, instead) => {
    const problem = findFlagProblem(['--debug', flag]);
    expect(problem).toContain(`must not contain ${flag}: `);
    expect(problem).toContain(instead);
  });

  it.each([
    ['with its value', '--model=gemini-x', '--model'],
    ['with its value glued on', '-mgemini-x', '-m'],
    ['short with an equals sign', '-m=gemini-x', '-m'],
    ['in camelCase', '--approvalMode=yolo', '--approval-mode'],
    ['in camelCase without a value', '--outputFormat', '--output-format'],
    ['negated', '--no-sandbox', '--sandbox'],
    ['negated in camelCase', '--no-skipTrust', '--skip-trust'],
  ])('that is reserved is refused %s', (_how, argument, flag) => {
    expect(findFlagProblem([argument])).toContain(`must not contain ${flag}: `);
  });

  it.each([
    [[]],
    [['--debug']],
    [['-e', 'none']],
    [['--extensions=none', '-d']],
    [['--policy', '/etc/rules.toml', '--allowed-mcp-server-names=a,b']],
    [['--screen-reader', '--model-router']],
  ])('that is not reserved is accepted: %j', (args) => {
    expect(findFlagProblem(args)).toBeUndefined();
  });

  it.each([[['hello']], [['--extensions=none', 'hello']]])(
    'that the CLI would take as the prompt is refused: %j',
    (args) => {
      expect(findFlagProblem(args)).toMatch(/"hello" is not a flag: .* prompt/);
    },
  );

  it.each([
    ['--y', '-y'],
    ['-dy', '-y'],
    ['--m=x', '-m'],
    ['--p=hi', '-p'],
    ['--o=json', '-o'],
  ])("%s is refused, because the CLI's parser reads it as %s", (argument, flag) => {
    expect(findFlagProblem([argument])).toContain(`must not contain ${flag}: `);
  });

  it('is named beside all others that are refused', () => {
    expect(findFlagProblems(['--model', 'x', '--yolo', 'y', 'z', '--yolo'])).toEqual([
      'must not contain --model: use `model`',
      'must not contain --yolo: use `approvalMode: "yolo"`',
      '"z" is not a flag: the CLI would take it as the prompt',
    ]);
  });

  it('that already has a value takes no second one', () => {
    expect(findFlagProblem(['-e', 'one', 'two'])).toMatch(/"two" is not a flag/);
  });

  it('that ends the list of flags ("--") is refused', () => {
    expect(findFlagProblem(['--', 'hello'])).toMatch(/must not contain "--"/);
  });
});
