import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  registerProject,
  unregisterProject,
} from '../../../src/sessions/projects/project-registry.js';
import { makeTree } from '../../base/fs/make-tree.js';

const OTHER = { '/else/other': 'other' };

function home(projects: object = OTHER, files: Readonly<Record<string, string>> = {}): string {
  return makeTree({ 'projects.json': JSON.stringify({ projects, version: 7 }), ...files });
}

function read(geminiHome: string) {
  return JSON.parse(readFileSync(join(geminiHome, 'projects.json'), 'utf8'));
}

describe('registering a project', () => {
  it.each([
    ['/none/My Repo!', 'my-repo'],
    ['/none/__', 'project'],
    ['/none/other', 'other-1'],
  ])('gives %s the name that the CLI would give: %s', async (dir, slug) => {
    const geminiHome = home();
    expect(await registerProject(geminiHome, dir)).toBe(slug);
    expect(read(geminiHome)).toEqual({ projects: { ...OTHER, [dir]: slug }, version: 7 });
    for (const base of ['tmp', 'history'])
      expect(readFileSync(join(geminiHome, base, slug, '.project_root'), 'utf8')).toBe(dir);
    expect(await registerProject(geminiHome, dir)).toBe(slug);
    expect(readdirSync(geminiHome).sort()).toEqual(['history', 'projects.json', 'tmp']);
  });

  it('takes no name that a folder of another project has', async () => {
    const geminiHome = home({}, { 'history/app/.project_root': '/else/app' });
    expect(await registerProject(geminiHome, '/none/app')).toBe('app-1');
  });

  it('corrects an entry whose folder belongs to another project', async () => {
    const geminiHome = home({ '/none/app': 'app' }, { 'tmp/app/.project_root': '/else/app' });
    expect(await registerProject(geminiHome, '/none/app')).toBe('app-1');
  });

  it('finds a lost entry by the file in its folder', async () => {
    const geminiHome = home(OTHER, { 'history/old-7/.project_root': '/none/app' });
    expect(await registerProject(geminiHome, '/none/app')).toBe('old-7');
    expect(read(geminiHome).projects).toEqual({ ...OTHER, '/none/app': 'old-7' });
  });

  it.each(['{"projects":', '[]', '{"projects":{"/a":"../b"}}'])(
    'leaves a damaged registry alone: %s',
    async (text) => {
      const geminiHome = makeTree({ 'projects.json': text });
      expect(await registerProject(geminiHome, '/none/app')).toBeUndefined();
      expect(await unregisterProject(geminiHome, '/none/app')).toBe(true);
      expect(readFileSync(join(geminiHome, 'projects.json'), 'utf8')).toBe(text);
    },
  );

  it('writes nothing while the registry is locked', async () => {
    const geminiHome = home();
    const lock = join(geminiHome, 'projects.json.lock');
    mkdirSync(lock);
    utimesSync(lock, 1, 1);
    expect(await registerProject(geminiHome, '/none/app')).toBeUndefined();
    expect(await unregisterProject(geminiHome, '/else/other')).toBe(false);
    expect(read(geminiHome).projects).toEqual(OTHER);
  });
});

describe('forgetting a project', () => {
  it('removes its entry and its history, and no other', async () => {
    const geminiHome = home(
      { ...OTHER, '/gone/app': 'app' },
      {
        'history/app/.project_root': '/gone/app',
        'history/app/.git/HEAD': 'x',
        'history/other/.project_root': '/else/other',
      },
    );
    expect(await unregisterProject(geminiHome, '/gone/app')).toBe(true);
    expect(read(geminiHome)).toEqual({ projects: OTHER, version: 7 });
    expect(readdirSync(join(geminiHome, 'history'))).toEqual(['other']);
  });

  it('leaves a project that still has files', async () => {
    const projects = { '/gone/app': 'app' };
    const geminiHome = home(projects, { 'tmp/app/.project_root': '/gone/app' });
    expect(await unregisterProject(geminiHome, '/gone/app')).toBe(true);
    expect(read(geminiHome).projects).toEqual(projects);
    expect(existsSync(join(geminiHome, 'tmp/app'))).toBe(true);
  });

  it('leaves the history of the project that has taken its name', async () => {
    const files = { 'history/app/.project_root': '/else/app' };
    const geminiHome = home({ '/gone/app': 'app' }, files);
    expect(await unregisterProject(geminiHome, '/gone/app')).toBe(true);
    expect(read(geminiHome).projects).toEqual({});
    expect(existsSync(join(geminiHome, 'history/app'))).toBe(true);
  });
});
