import { describe, expect, it } from 'vitest';
import {
  findCommandRules,
  hasRedirection,
  removeRedirections,
} from '../../../src/agents/events/shell-rules.js';

describe('the rules that allow a shell command', () => {
  it.each([
    ['npm test', ['npm test']],
    ['npm run build -- --ci', ['npm run']],
    ['ls -la', ['ls']],
    ['./scripts/x.sh', ['./scripts/x.sh']],
    ['echo "a && b"', ['echo']],
    ["grep 'x > y' f", ['grep']],
    ['find . -name x -exec touch {} \\;', ['find']],
    ['rm -rf dist', ['rm']],
  ])('are the first words of the command: %s', (command, prefixes) => {
    expect(findCommandRules(command).prefixes).toEqual(prefixes);
  });

  it.each([
    ['cd /tmp && ls -la', ['cd', 'ls']],
    [
      'npm ci && npm run build || echo no; pwd | wc -l',
      ['npm ci', 'npm run', 'echo no', 'pwd', 'wc'],
    ],
    ['cat a | sort | uniq | sort -r', ['cat a', 'sort', 'uniq']],
    // The first prefix must match the beginning of the whole command, up to a blank.
    ['cd a;ls', ['cd', 'ls']],
  ])('are the first words of each part of a chain: %s', (command, prefixes) => {
    expect(findCommandRules(command).prefixes).toEqual(prefixes);
  });

  it.each(['npm test > log', 'npm test 2>&1', 'npm test &> log', 'npm test < in 2>/dev/null'])(
    'are narrow for a redirection, together with allowRedirection: %s',
    (command) => {
      const { prefixes, redirects } = findCommandRules(command);
      expect(prefixes).toEqual(['npm test']);
      expect(redirects).toBe(true);
      expect(findCommandRules('npm test').redirects).toBe(false);
    },
  );

  it.each([
    'echo $(date)',
    'echo `date`',
    'echo "$(date)"',
    'FOO=1 npm test',
    '(cd a; ls)',
    'sleep 5 &',
    'ls;pwd',
    'ls -la\npwd',
    ' ls -la',
    'cat <<EOF',
    'diff <(ls) x',
    'for f in a b; do echo $f; done',
    'if true; then ls; fi',
    'bash -c "ls && pwd"',
    '/bin/sh -c ls',
    '"npm" test',
    'ls # all',
    '',
  ])('are only the rule for all commands if the command is no plain chain: %j', (command) => {
    expect(findCommandRules(command)).toEqual({ isAllowedByTool: true });
  });

  it.each(['rm -rf $(cat list)', 'sudo x &', 'git log `date`'])(
    'are empty if the CLI may consider the command dangerous: %s',
    (command) => {
      expect(findCommandRules(command)).toEqual({ isAllowedByTool: false });
    },
  );
});

describe('a redirection', () => {
  it.each([
    'a > b',
    'a>>b',
    'a 2> b',
    'a &> b',
    'a >| b',
    'a <> b',
    'a < b',
    'cat <<EOF',
    'diff <(ls) x',
  ])('is found: %s', (command) => {
    expect(hasRedirection(command)).toBe(true);
  });

  it.each(['echo "a > b"', "echo 'a > b'", 'echo a \\> b'])(
    'is not found in quotes: %s',
    (command) => {
      expect(hasRedirection(command)).toBe(false);
    },
  );

  it.each([
    ['npm test > log', /^npm test\s*$/],
    ['npm test > "a b" 2>&1', /^npm test\s*$/],
    ['npm test > log; rm x', /;/],
    ['npm test > $(x)', />/],
  ])('is removed with its target, and nothing else is: %s', (command, left) => {
    expect(removeRedirections(command)).toMatch(left);
  });
});
