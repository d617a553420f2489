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
  it('is read from projects.json', () => {
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

  it('is not a name that another project has taken', () => {
    const files = { ...slugs({ [APP]: 'app' }), 'tmp/app/.project_root': '/projects/other' };
    expect(findSlug(home(files))).toBeUndefined();
  });

  it.each([
    ['projects.json is missing', {}],
    ['projects.json is broken', { 'projects.json': '{"projects":' }],
    ['projects.json is a list', { 'projects.json': '[1]' }],
    ['projects.json is null', { 'projects.json': 'null' }],
    ['projects.json has no projects', { 'projects.json': '{}' }],
    ['projects.json has only other projects', slugs({ '/else': 'else' })],
    ['the name is no text', slugs({ [APP]: 7 })],
    ['the name is empty', slugs({ [APP]: '' })],
    ['the projects are a list', slugs([APP])],
    ['the projects are text', slugs(APP)],
  ])('is unknown if %s', (_when, files) => {
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

  it('do not include a folder that exists only in projects.json', () => {
    expect(projectFolders(home(slugs({ [APP]: 'app' })))).toEqual([]);
  });

  it('are found if the project itself was removed', () => {
    expect(projectFolders(home({ [`tmp/${HASH}/x`]: '' }))).toEqual([HASH]);
  });
});

describe('all folders', () => {
  it('are sorted by name, without files', () => {
    const geminiHome = makeTree({ 'tmp/b/': '', 'tmp/a/': '', 'tmp/c': '' });
    expect(allProjectFolders(geminiHome)).toEqual(['a', 'b']);
    expect(allProjectFolders(join(geminiHome, 'nowhere'))).toEqual([]);
  });
});

describe('the project of a folder', () => {
  it('is known from .project_root, projects.json or the hash', () => {
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
