import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { projectName } from '../../../src/sessions/list/project-name.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { APP, HASH, PROJECTS } from './gemini-home.js';

describe('the name of a project', () => {
  it.each([
    ['in the list of the CLI', PROJECTS, 'app'],
    ['in its folder', { 'tmp/marked/.project_root': APP }, 'marked'],
    ['in the hash of an older version', { [`tmp/${HASH}/chats/`]: '' }, HASH],
    ['in the list first', { ...PROJECTS, [`tmp/${HASH}/`]: '', 'tmp/app/': '' }, 'app'],
    [
      'in its folder, where the list is out of date',
      { ...PROJECTS, 'tmp/app/.project_root': '/projects/other', 'tmp/app-1/.project_root': APP },
      'app-1',
    ],
    ['nowhere', { 'tmp/other/': '' }, undefined],
  ])('is found %s', (_where, files, name) => {
    expect(projectName(APP, { geminiHome: makeTree(files) })).toBe(name);
  });

  it('is searched in the home of the CLI', () => {
    vi.stubEnv('GEMINI_CLI_HOME', makeTree({ '.gemini/projects.json': PROJECTS['projects.json'] }));
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    expect(projectName(`${APP}/`)).toBe('app');
  });
});
