import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEventLoopYield } from '../../../src/base/process/yield-to-event-loop.js';
import { createAtTargets } from '../../../src/step/prompt/at-targets.js';
import { addFiles, type Files, makeFolder } from '../../fixtures/cli/support.js';

const FILES = {
  'note.md': '',
  'src/Secret.txt': '',
  'src/components/a-rather-long-name.tsx': '',
  'my file.txt': '',
  'a+b[1].txt': '',
};

function open(files: Files = FILES, more: readonly string[] = []) {
  const workspace = makeFolder(files);
  const home = makeFolder();
  return { workspace, home, targets: createAtTargets([workspace, ...more], home) };
}

describe('the target of an @word', () => {
  it.each([
    'note.md',
    './note.md',
    'src',
    'src/',
    'src/../note.md',
    'my file.txt',
    'secret',
    'NOTE',
    'ote.m',
    'rc/sec',
    'a+b[1]',
    'src/*.txt',
    'n*d',
    'n**',
    '***',
    's*s*e*t.txt',
    'src*name',
  ])('is a file or folder of the workspace for %s', async (path) => {
    expect(await open().targets.matches(path)).toBe(true);
  });

  it.each([
    'nothing',
    'types/node',
    'example.com',
    'src/note',
    'a+b.1.',
    'sec?et',
    '../outside.txt',
    '/etc/passwd',
    'note.md"',
    'nul\0byte',
    'd*n',
    'note*note',
    'src*components',
    'te*e.md',
  ])('does not exist for %j', async (path) => {
    expect(await open().targets.matches(path)).toBe(false);
  });

  it('may be given by its absolute path inside the workspace', async () => {
    const { workspace, targets } = open();
    expect(await targets.matches(join(workspace, 'note.md'))).toBe(true);
  });

  it.each(['codebase_investigator', 'generalist', 'reviewer', 'personal'])(
    'is the agent %s',
    async (agent) => {
      const { workspace, home, targets } = open();
      addFiles(workspace, { '.gemini/agents/reviewer.md': '', '.gemini/agents/plain.txt': '' });
      addFiles(home, { 'agents/personal.md': '' });
      expect(await targets.matches(agent)).toBe(true);
      expect(await targets.matches('investigator')).toBe(false);
    },
  );

  it('may be a file of an included folder outside the working directory', async () => {
    const other = makeFolder({ 'deep/hidden.cfg': '' });
    const { targets } = open(FILES, [other]);
    expect(await targets.matches('deep/hidden.cfg')).toBe(true);
    expect(await targets.matches('hidden')).toBe(true);
    expect(await targets.matches(join(other, 'deep'))).toBe(true);
    expect(await open().targets.matches('hidden')).toBe(false);
  });

  it('may be a symlink, but no file below a symlink that leads outside', async () => {
    const outside = makeFolder({ 'far.txt': '' });
    const { workspace, targets } = open();
    symlinkSync('note.md', join(workspace, 'link.md'));
    symlinkSync(outside, join(workspace, 'elsewhere'));
    expect(await targets.matches('link.md')).toBe(true);
    expect(await targets.matches('elsewhere')).toBe(true);
    expect(await targets.matches('elsewhere/far.txt')).toBe(false);
    expect(await targets.matches('far.txt')).toBe(false);
  });

  it('is not an ignored file, unless its path is given', async () => {
    const ignored = {
      '.gitignore': 'out/\n*.log\n!keep.log\n',
      'out/widget.js': '',
      'debug.log': '',
      'keep.log': '',
      'src/.geminiignore': 'private.txt\n',
      'src/private.txt': '',
      'node_modules/widget/widget.js': '',
    };
    const { workspace, targets } = open(ignored);
    execFileSync('git', ['init', '-q', workspace]);
    expect(await targets.matches('widget')).toBe(false);
    expect(await targets.matches('debug')).toBe(false);
    expect(await targets.matches('private')).toBe(false);
    expect(await targets.matches('keep')).toBe(true);
    expect(await targets.matches('out/widget.js')).toBe(true);
  });

  it('may be listed in .gitignore outside a repository, because the CLI reads that file only in one', async () => {
    const { targets } = open({ '.gitignore': 'out/\n', 'out/widget.js': '' });
    expect(await targets.matches('widget')).toBe(true);
  });
});

describe('a long word that looks like a piece of a log', () => {
  it.each([
    ['src/components/a-rather-long-name.tsx"', true],
    ['src/components/a-rather-long-name.tsx:12:5"', true],
    ['(src/components/a-rather-long-name.tsx),"', true],
    ['...src/components/a-rather-long-name.tsx...', true],
    ['x\tnote.md\ty', true],
    [`${'x'.repeat(256)} note.md`, true],
    [`${'x'.repeat(256)} nothing`, false],
    ['src/components/no-such-name-at-all.tsx"', false],
    ['note.md"', false],
  ])('%j is searched for the paths in it', async (path, expected) => {
    expect(await open().targets.matches(path)).toBe(expected);
  });
});

describe('an empty workspace', () => {
  it('matches only its folders and the agents of the CLI', async () => {
    const { workspace, targets } = open({});
    mkdirSync(join(workspace, 'empty'));
    expect(await targets.matches('empty')).toBe(true);
    expect(await targets.matches('.')).toBe(true);
    expect(await targets.matches('a')).toBe(false);
  });
});

describe('the search for an @word', () => {
  it('stops after an abort, before the first word or between two words', async () => {
    const workspace = makeFolder(FILES);
    const cancel = new AbortController();
    const eventLoop = createEventLoopYield({ signal: cancel.signal });
    const targets = createAtTargets([workspace], makeFolder(), eventLoop);
    expect(await targets.matches('nothing-like-it')).toBe(false);
    cancel.abort('enough');
    await expect(targets.matches('something-else')).rejects.toBe('enough');
    const late = createAtTargets([workspace], makeFolder(), eventLoop);
    await expect(late.matches('nothing-like-it')).rejects.toBe('enough');
  });
});

describe('a word that is long or full of stars', () => {
  // A regular expression took longer for each of these than any test may take.
  it.each([
    ['stars', `${'*'.repeat(2000)}Q/`],
    ['stars between letters', `${'*e'.repeat(2000)}Q`],
    ['dots', `${'.'.repeat(1_000_000)}x`],
  ])('is looked up in reasonable time (%s)', async (_what, path) => {
    expect(await open().targets.matches(path)).toBe(false);
  });
});

describe('letters with more than two cases', () => {
  it.each(['ΟΔΟΣ', 'οδος', 'οδοσ', 'STRASSE', 'straße'])('match in %s', async (path) => {
    const { targets } = open({ 'ΟΔΟΣ.txt': '', 'Straße.txt': '' });
    expect(await targets.matches(path)).toBe(true);
  });
});
