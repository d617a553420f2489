import { describe, expect, it } from 'vitest';
import { renderPolicy } from '../../src/config/policy-file.js';
import { parseToolRules } from '../../src/config/tool-rule.js';

function render(allowed: readonly string[], denied: readonly string[] = []): string | undefined {
  return renderPolicy(parseToolRules(allowed), parseToolRules(denied));
}

describe('a policy file', () => {
  it('is not written without rules', () => {
    expect(render([])).toBeUndefined();
  });

  it('allows a tool', () => {
    expect(render(['write_file'])).toBe(
      '[[rule]]\ntoolName = "write_file"\ndecision = "allow"\npriority = 500\n',
    );
  });

  it('allows shell commands by their first words', () => {
    expect(render(['run_shell_command(npm test)'])).toBe(
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "npm test"\ndecision = "allow"\npriority = 500\n',
    );
  });

  it('allows all shell commands, those with a redirection included', () => {
    expect(render(['run_shell_command'])).toContain('allowRedirection = true\n');
    expect(render(['run_shell_command(echo)'])).not.toContain('allowRedirection');
    expect(render([], ['run_shell_command'])).not.toContain('allowRedirection');
    expect(render(['write_file'])).not.toContain('allowRedirection');
  });

  it('gives a denial a higher priority than a permission', () => {
    const text = render(['run_shell_command'], ['run_shell_command(rm)']) ?? '';
    const rules = text.split('[[rule]]\n').slice(1);
    const priorities = rules.map((rule) => Number(/^priority = (\d+)$/m.exec(rule)?.[1]));
    expect(rules.map((rule) => /^decision = "(\w+)"$/m.exec(rule)?.[1])).toEqual(['allow', 'deny']);
    expect(priorities[1]).toBeGreaterThan(priorities[0] ?? Number.NaN);
    expect(Math.max(...priorities)).toBeLessThanOrEqual(999);
    expect(rules[1]).toContain('commandPrefix = "rm"');
  });

  it('escapes quotes and backslashes', () => {
    expect(render(['run_shell_command(echo "a\\b")'])).toContain(
      'commandPrefix = "echo \\"a\\\\b\\""\n',
    );
  });
});
