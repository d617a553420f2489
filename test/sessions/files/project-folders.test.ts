import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  allProjectFolders,
  findSlug,
  projectDirs,
  projectFolders,
} from '../../../src/sessions/files/project-folders.js';
import { makeTree } from '../../base/fs/make-tree.js';

const APP = '/projects/app';
const HASH = createHash('sha256').update(APP).digest('hex');

function slugs(projects: unknown): Record<string, string> {
  return { 'projects.json': JSON.stringify({ projects }) };
}

function home(files: Readonly<Record<string, string>>) {
  return { geminiHome: makeTree(files), projectDir: APP };
}

describe("the CLI's short name for a project", () => {
  it('is in its list', () => {
    expect(findSlug(home(slugs({ [APP]: 'app-1' })))).toBe('app-1');
  });

  it('is found by any spelling of the path', () => {
    const root = makeTree({ 'real/': '' });
    symlinkSync('real', join(root, 'link'));
    const geminiHome = makeTree(slugs({ [join(root, 'real')]: 'real' }));
    for (const name of ['real', 'real/', 'link', 'link/../real', './real/.']) {
      expect(findSlug({ geminiHome, projectDir: `${root}/${name}` })).toBe('real');
    }
  });

  it('is not one that another project has taken', () => {
    const files = { ...slugs({ [APP]: 'app' }), 'tmp/app/.project_root': '/projects/other' };
    expect(findSlug(home(files))).toBeUndefined();
  });

  it.each([
    ['there is no list', {}],
    ['it is broken', { 'projects.json': '{"projects":' }],
    ['it is something else', { 'projects.json': '[1]' }],
    ['it is nothing', { 'projects.json': 'null' }],
    ['it has no projects', { 'projects.json': '{}' }],
    ['it has other projects', slugs({ '/else': 'else' })],
    ['the name is none', slugs({ [APP]: 7 })],
    ['the name is empty', slugs({ [APP]: '' })],
    ['the projects are a list', slugs([APP])],
    ['the projects are text', slugs(APP)],
  ])('is not known where %s', (_when, files) => {
    expect(findSlug(home(files))).toBeUndefined();
    expect(projectFolders(home(files))).toEqual([]);
  });
});

describe('the folders of a project', () => {
  it('are named in four ways, the one in use first', () => {
    const files = {
      ...slugs({ [APP]: 'app' }),
      'tmp/app/.project_root': APP,
      'tmp/aaa/.project_root': `${APP}\n`,
      [`tmp/${HASH}/chats/`]: '',
      'tmp/other/.project_root': '/projects/other',
      'tmp/bin/': '',
      'tmp/zzz': 'a file',
    };
    expect(projectFolders(home(files))).toEqual(['app', 'aaa', HASH]);
  });

  it('do not include one that is only in the list', () => {
    expect(projectFolders(home(slugs({ [APP]: 'app' })))).toEqual([]);
  });

  it('are found where the project itself is gone', () => {
    expect(projectFolders(home({ [`tmp/${HASH}/x`]: '' }))).toEqual([HASH]);
  });
});

describe('all folders', () => {
  it('are in the order of their names, without files', () => {
    const geminiHome = makeTree({ 'tmp/b/': '', 'tmp/a/': '', 'tmp/c': '' });
    expect(allProjectFolders(geminiHome)).toEqual(['a', 'b']);
    expect(allProjectFolders(join(geminiHome, 'nowhere'))).toEqual([]);
  });
});

describe('the project of a folder', () => {
  it('is known by its own word, by the list, or by its hash', () => {
    const geminiHome = makeTree({
      ...slugs({ [APP]: 'app', '/projects/moved': 'moved' }),
      'tmp/moved/.project_root': '/projects/newer',
      'tmp/marked/.project_root': '/projects/marked\n',
      [`tmp/${HASH}/`]: '',
      'tmp/empty/.project_root': ' \n',
    });
    mkdirSync(join(geminiHome, 'tmp/odd/.project_root'), { recursive: true });
    const dirOf = projectDirs(geminiHome);
    expect(dirOf('app')).toBe(APP);
    expect(dirOf('moved')).toBe('/projects/newer');
    expect(dirOf('marked')).toBe('/projects/marked');
    expect(dirOf(HASH)).toBe(APP);
    expect(dirOf('empty')).toBeUndefined();
    expect(dirOf('odd')).toBeUndefined();
    expect(dirOf('nobody')).toBeUndefined();
  });
});
