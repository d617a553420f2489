import { describe, expect, it } from 'vitest';
import { findCommandRules } from '../../../src/agents/events/shell-rules.js';

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
    'are narrow for a redirection only in auto_edit: %s',
    (command) => {
      expect(findCommandRules(command, 'auto_edit').prefixes).toEqual(['npm test']);
      expect(findCommandRules(command, 'default').prefixes).toBeUndefined();
      expect(findCommandRules(command).prefixes).toBeUndefined();
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
    expect(findCommandRules(command, 'auto_edit')).toEqual({ isAllowedByTool: true });
  });

  it.each(['rm -rf $(cat list)', 'sudo x &', 'git log `date`'])(
    'are empty if the CLI may consider the command dangerous: %s',
    (command) => {
      expect(findCommandRules(command)).toEqual({ isAllowedByTool: false });
    },
  );
});
