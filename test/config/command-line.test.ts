import { describe, expect, it } from 'vitest';
import { splitCommandLine } from '../../src/config/command-line.js';

describe('a command line', () => {
  it.each([
    ['npx tsc --noEmit', ['npx', 'tsc', '--noEmit']],
    ['  npm\t test  ', ['npm', 'test']],
    [`node -e 'a "b" \\ $x && c'`, ['node', '-e', 'a "b" \\ $x && c']],
    ['grep "a b" "say \\"x\\"" "a\\\\b" "\\$5"', ['grep', 'a b', 'say "x"', 'a\\b', '$5']],
    ['ls a\\ b \\* \\&\\& "*" "a|b > c"', ['ls', 'a b', '*', '&&', '*', 'a|b > c']],
    [`pre'fi'"x"`, ['prefix']],
    [`a '' "" b`, ['a', '', '', 'b']],
    ['"back\\slash stays"', ['back\\slash stays']],
    ['make A=1 a~b 5$ "100$"', ['make', 'A=1', 'a~b', '5$', '100$']],
    ["'my tool' ünï", ['my tool', 'ünï']],
  ])('%j is split into words as by a shell', (line, [command, ...args]) => {
    expect(splitCommandLine(line)).toEqual({ command, args });
  });

  it.each([
    ['a && b', '&&'],
    ['a || b', '||'],
    ['a | b', '|'],
    ['a; b', ';'],
    ['a &', '&'],
    ['a > out', '>'],
    ['a >> out', '>>'],
    ['a < in', '<'],
    ['a 2>&1', '>'],
    ['a $(b)', '$('],
    ['a "$(b)"', '$('],
    ['a `b`', '`'],
    ['a "`b`"', '`'],
    ['a $HOME', '$H'],
    [`a "$\{x}"`, '${'],
    ['ls *.ts', '*'],
    ['ls a?.ts', '?'],
    ['ls [ab].ts', '['],
    ['ls {a,b}', '{'],
    ['(a)', '('],
    ['~/bin/a', '~'],
    ['a\nb', 'a line break'],
  ])('%j is refused, because it needs a shell', (line, operator) => {
    expect(splitCommandLine(line)).toEqual({
      problem: expect.stringContaining(`has ${operator}, which only a shell understands`),
    });
  });

  it.each([
    ['', 'must name a program'],
    ['  ', 'must name a program'],
    ["'' a", 'must name a program'],
    ['a "b', 'has a " that is not closed'],
    ["a 'b", "has a ' that is not closed"],
    ['a \\', 'ends with a backslash'],
    ['NODE_ENV=test npm test', 'begins with a variable'],
  ])('%j is refused with a reason', (line, problem) => {
    expect(splitCommandLine(line)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
