import { describe, expect, it } from 'vitest';
import { explainSensitivity } from '../../../src/step/manifest/sensitive-files.js';

function explain(path: string, before?: string, after?: string): string | undefined {
  return explainSensitivity({ path, contextFiles: ['GEMINI.md', 'HOUSE.md'], before, after });
}

describe('a sensitive file (claim: sensitive-files-marked)', () => {
  it.each([
    ['GEMINI.md', /instructions/],
    ['docs/HOUSE.md', /instructions/],
    ['AGENTS.md', /instructions/],
    ['.claude/settings.json', /instructions or settings/],
    ['.gemini/settings.json', /next start/],
    ['sub/.env', /next start/],
    ['.git/hooks/pre-commit', /git/],
    ['.npmrc', /package managers/],
    ['package-lock.json', /install/],
    ['.github/workflows/ci.yml', /CI/],
    ['.gitlab-ci.yml', /CI/],
    ['Jenkinsfile', /CI/],
    ['.vscode/tasks.json', /editor/],
    ['.idea/workspace.xml', /editor/],
    ['.husky/pre-commit', /hooks/],
    ['.gitattributes', /git/],
    ['.envrc', /shell/],
    ['Makefile', /build/],
    ['sub/Dockerfile', /build/],
    ['/home/user/.ssh/authorized_keys', /system/],
    ['/home/user/.bashrc', /shell/],
    ['/etc/cron.d/x', /system/],
  ])('is %s', (path, reason) => {
    expect(explain(path)).toMatch(reason);
  });

  it.each([
    'src/index.ts',
    'README.md',
    '.gitignore',
    '.env.example',
    'docs/makefile.md',
    '.vscode/notes.txt',
    'src/environment.ts',
    '.gemini/tmp/plan.md',
  ])('is not %s', (path) => {
    expect(explain(path)).toBeUndefined();
  });

  it('is package.json if scripts or dependencies differ', () => {
    const text = (more: object) => JSON.stringify({ name: 'a', scripts: { test: 'x' }, ...more });
    expect(explain('package.json', text({}), text({ version: '2' }))).toBeUndefined();
    expect(explain('a/package.json', text({}), text({ scripts: { test: 'y' } }))).toMatch(
      /scripts/,
    );
    expect(explain('package.json', text({}), text({ dependencies: { b: '1' } }))).toMatch(
      /install/,
    );
    expect(explain('package.json', undefined, text({}))).toMatch(/scripts/);
    expect(explain('package.json', undefined, '{ "name": "a" }')).toBeUndefined();
  });
});
