import { describe, expect, it } from 'vitest';
import { renderPolicy } from '../../src/config/policy-file.js';
import { type ConfigValues, resolveConfig } from '../../src/config/resolve-config.js';

/** Renders the policy of a headless step in the mode yolo without protected paths: only the given rules remain. */
function render(allowed: readonly string[], denied: readonly string[] = []): string | undefined {
  const values = { approvalMode: 'yolo', protectedPaths: false };
  return renderFor({ ...values, allowedTools: allowed, deniedTools: denied });
}

function renderFor(
  values: ConfigValues,
  workingDir: string | undefined = '/app',
): string | undefined {
  return renderPolicy({ config: resolveConfig(values), workingDir });
}

function rulesOf(text: string | undefined): string[] {
  return (text ?? '').split('[[rule]]\n').slice(1);
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

describe('the rules of a mode', () => {
  it('allow the edit tools in auto_edit, because the CLI runs in its mode default', () => {
    const rules = rulesOf(renderFor({ approvalMode: 'auto_edit' })).filter((rule) => {
      return rule.includes('"allow"');
    });
    expect(rules.map((rule) => /^toolName = "(\w+)"$/m.exec(rule)?.[1])).toEqual([
      'write_file',
      'replace',
      'web_fetch',
    ]);
    expect(renderFor({ approvalMode: 'default' })).not.toContain('"allow"');
  });

  it.each(['default', 'auto_edit', 'plan'])(
    'refuse to leave the plan mode in %s',
    (approvalMode) => {
      const refused = rulesOf(renderFor({ approvalMode })).filter((rule) =>
        rule.includes('_plan_mode'),
      );
      expect(refused).toHaveLength(2);
      for (const rule of refused) expect(rule).toContain('decision = "deny"');
    },
  );

  it('make a warm process ask for every command, and are the same for every mode', () => {
    const texts = ['default', 'auto_edit', 'plan', 'yolo'].map((approvalMode) => {
      return renderPolicy({ config: resolveConfig({ approvalMode }), workingDir: undefined });
    });
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('decision = "ask_user"');
  });
});

describe('the redirection of an allowed command', () => {
  const allowedTools = [
    'run_shell_command(npm test)',
    'run_shell_command(echo)',
    'run_shell_command',
  ];

  it.each([
    [undefined, [false, false, true]],
    [true, [true, true, true]],
    [false, [false, false, false]],
    [['run_shell_command(echo)'], [false, true, false]],
  ])('is allowed with allowRedirection: %j for the rules %j', (allowRedirection, expected) => {
    const text = renderFor({ approvalMode: 'yolo', allowedTools, allowRedirection });
    expect(rulesOf(text).map((rule) => rule.includes('allowRedirection = true'))).toEqual(expected);
  });
});

/** Returns true if a rule of the policy refuses `write_file` for the path, as the CLI compares it. */
function refuses(text: string | undefined, path: string): boolean {
  const args = `{\0"content":"x"\0,\0"file_path":${JSON.stringify(path)}\0}`;
  return rulesOf(text).some((rule) => {
    const pattern = /^argsPattern = (.*)$/m.exec(rule)?.[1];
    if (pattern === undefined || !rule.includes('toolName = "write_file"')) return false;
    return new RegExp(JSON.parse(pattern)).test(args);
  });
}

describe('the protection of paths', () => {
  it.each([
    '.gemini/settings.json',
    './.gemini/settings.json',
    '/app/.gemini/commands/x.toml',
    'a/../.gemini//settings.json',
    'packages/a/.gemini/settings.json',
    '.env',
    'sub/.env',
    '.git',
    'sub/.git',
    '.git/config',
    '.git/hooks/pre-commit',
    '.git/modules/a/hooks/post-checkout',
    '.git/info/attributes',
    '.git/x/../config',
    'gemini-cli-provider.yaml',
    '.config/gemini-cli-provider.json',
    '/home/user/.gemini/tmp/project/chats/session-1.jsonl',
  ])('refuses %s in auto_edit, default and plan (claim: protected-paths-refused)', (path) => {
    for (const approvalMode of ['auto_edit', 'default', 'plan'])
      expect(refuses(renderFor({ approvalMode }), path)).toBe(true);
    expect(refuses(renderFor({ approvalMode: 'yolo' }), path)).toBe(false);
    expect(refuses(renderFor({ protectedPaths: false }), path)).toBe(false);
  });

  it.each([
    'gemini/settings.json',
    '.geminirc',
    '.env.example',
    'a.env',
    '.gitignore',
    '.github/workflows/ci.yml',
    '.git/refs/heads/x',
    '.gemini/tmp/x/plans/plan.md',
    'src/.gemini.ts',
  ])('leaves %s free', (path) => {
    expect(refuses(renderFor({}), path)).toBe(false);
  });

  it('refuses globs and absolute paths of the caller, also in yolo', () => {
    const text = renderFor({
      approvalMode: 'yolo',
      protectedPaths: ['conf/**', 'lock-?.txt', '/etc/app', '**/secret.txt'],
    });
    for (const path of [
      'conf/a/b.json',
      './conf/a',
      '/app/conf/a',
      'lock-1.txt',
      '/etc/app/x',
      '/etc/app',
      'a/b/secret.txt',
      'secret.txt',
    ])
      expect([path, refuses(text, path)]).toEqual([path, true]);
    for (const path of ['a/conf/b', 'lock-12.txt', '/etc/application', 'secret.txt.md'])
      expect([path, refuses(text, path)]).toEqual([path, false]);
  });

  it('has patterns that the CLI accepts: no quantifier after a group, at most 2048 characters', () => {
    const protectedPaths = ['a/**/b*/**', '**/x', `${'long/'.repeat(600)}x`, '{a,b}/c'];
    const patterns = rulesOf(renderFor({ protectedPaths })).flatMap((rule) => {
      const pattern = /^argsPattern = (.*)$/m.exec(rule)?.[1];
      return pattern === undefined ? [] : [String(JSON.parse(pattern))];
    });
    expect(patterns.length).toBeGreaterThan(12);
    for (const pattern of patterns) {
      expect(pattern.length).toBeLessThanOrEqual(2048);
      expect(pattern).not.toMatch(/\([^)]*[*+?{].*\)[*+?{]/);
    }
  });
});
