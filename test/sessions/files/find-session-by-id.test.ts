import { execFileSync } from 'node:child_process';
import fs, { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { chooseById, findSessionById } from '../../../src/sessions/files/find-session-by-id.js';
import type { FoundSession } from '../../../src/sessions/files/found-session.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { timeAt } from '../list/gemini-home.js';

const ID = '9562a0f3-4cd6-416d-b96d-b2a9790395ef';
/** Id that begins with the same eight characters. */
const TWIN = '9562a0f3-ffff-ffff-ffff-ffffffffffff';

function header(sessionId: string): string {
  return `${JSON.stringify({ sessionId, projectHash: 'x', kind: 'main' })}\n`;
}

function chat(project: string, minute: string, sessionId: string, ending = 'jsonl'): string {
  return `tmp/${project}/chats/session-2026-11-15T23-${minute}-${sessionId.slice(0, 8)}.${ending}`;
}

describe('the file of a session', () => {
  it("is found by the CLI's short name for the project", () => {
    const wanted = chat('app-1', '41', ID);
    const geminiHome = makeTree({
      'projects.json': JSON.stringify({ projects: { '/projects/app': 'app-1' } }),
      [wanted]: header(ID),
      // A copy in another project, which is first in the alphabet.
      [chat('aaa', '41', ID)]: header(ID),
    });
    const file = findSessionById({ geminiHome, sessionId: ID, projectDir: '/projects/app' });
    expect(file).toBe(join(geminiHome, wanted));
  });

  it('is found if the project is given as a link', () => {
    const root = makeTree();
    mkdirSync(join(root, 'real'));
    symlinkSync('real', join(root, 'link'));
    const wanted = chat('zzz', '41', ID);
    const geminiHome = makeTree({
      'projects.json': JSON.stringify({ projects: { [join(root, 'real')]: 'zzz' } }),
      [chat('aaa', '41', ID)]: header(ID),
      [wanted]: header(ID),
    });
    const file = findSessionById({ geminiHome, sessionId: ID, projectDir: join(root, 'link') });
    expect(file).toBe(join(geminiHome, wanted));
  });

  it.each([
    ['there is no list of projects', {}],
    ['the list is broken', { 'projects.json': '{"projects":' }],
    ['the list does not know the project', { 'projects.json': '{"projects":{"/else":"else"}}' }],
    ['the list is out of date', { 'projects.json': '{"projects":{"/projects/app":"gone"}}' }],
  ])('is searched in all projects if %s', (_when, files) => {
    const wanted = chat('0a1b2c3d', '41', ID);
    const geminiHome = makeTree({
      ...files,
      'tmp/other/chats/': '',
      'tmp/bin/rg': 'x',
      [wanted]: header(ID),
    });
    const file = findSessionById({ geminiHome, sessionId: ID, projectDir: '/projects/app' });
    expect(file).toBe(join(geminiHome, wanted));
  });

  it.each([
    ['earlier', '40'],
    ['later', '59'],
  ])('is not confused with an %s one whose id begins the same', (_which, minute) => {
    const wanted = chat('app', '45', ID);
    const geminiHome = makeTree({
      [chat('app', minute, TWIN)]: header(TWIN),
      [wanted]: header(ID),
    });
    const query = { geminiHome, projectDir: '/projects/app' };
    expect(findSessionById({ ...query, sessionId: ID })).toBe(join(geminiHome, wanted));
    expect(findSessionById({ ...query, sessionId: TWIN })).toBe(
      join(geminiHome, chat('app', minute, TWIN)),
    );
  });

  it('may be of the older generation', () => {
    const wanted = chat('app', '45', ID, 'json');
    const geminiHome = makeTree({
      [wanted]: JSON.stringify({ sessionId: ID, messages: [] }, null, 2),
    });
    const file = findSessionById({ geminiHome, sessionId: ID, projectDir: '/projects/app' });
    expect(file).toBe(join(geminiHome, wanted));
  });

  it('may have an id that the caller chose', () => {
    const wanted = chat('app', '45', 'step_7');
    const geminiHome = makeTree({ [wanted]: header('step_7') });
    const file = findSessionById({ geminiHome, sessionId: 'step_7', projectDir: '/projects/app' });
    expect(file).toBe(join(geminiHome, wanted));
  });

  it.each([
    ['there are no files', {}],
    ['there are only other sessions', { [chat('app', '41', TWIN)]: header(TWIN) }],
    ['the file is of another kind', { [chat('app', '41', ID, 'jsonl.bak')]: header(ID) }],
    ['the file is empty', { [chat('app', '41', ID)]: '' }],
  ])('is not found if %s', (_when, files) => {
    const geminiHome = makeTree(files);
    expect(
      findSessionById({ geminiHome, sessionId: ID, projectDir: '/projects/app' }),
    ).toBeUndefined();
  });

  it.each(['40', '50'])('is the last written one of two', (minute) => {
    const [wanted, other] = [chat('app', '45', ID), chat('app', minute, ID)];
    const geminiHome = makeTree({ [other]: header(ID), [wanted]: header(ID) });
    utimesSync(join(geminiHome, other), 1000, 1000);
    utimesSync(join(geminiHome, wanted), 2000, 2000);
    const file = findSessionById({ geminiHome, sessionId: ID, projectDir: '/projects/app' });
    expect(file).toBe(join(geminiHome, wanted));
  });

  it('is not searched in the folders of sub-agents', () => {
    const geminiHome = makeTree({ [`tmp/app/chats/parent/${ID}.jsonl`]: header(ID) });
    expect(
      findSessionById({ geminiHome, sessionId: ID, projectDir: '/projects/app' }),
    ).toBeUndefined();
  });

  it('may lie beside the folder `chats`, as the oldest CLIs wrote it', () => {
    const wanted = `tmp/app/session-${ID}.json`;
    const geminiHome = makeTree({ [wanted]: JSON.stringify({ sessionId: ID, messages: [] }) });
    const file = findSessionById({ geminiHome, sessionId: ID, projectDir: '/projects/app' });
    expect(file).toBe(join(geminiHome, wanted));
  });

  it('is found by a header that is longer than the first part that is read', () => {
    const wanted = chat('app', '45', ID);
    const long = JSON.stringify({ summary: 'x'.repeat(20_000), sessionId: ID });
    const geminiHome = makeTree({ [wanted]: `${long}\n` });
    const file = findSessionById({ geminiHome, sessionId: ID, projectDir: '/projects/app' });
    expect(file).toBe(join(geminiHome, wanted));
  });

  it('is found by the beginning of its file, unless two files have the id', () => {
    const [first, second] = [chat('app', '45', ID), chat('app', '46', ID)];
    const line = `${JSON.stringify({ id: 'a', type: 'gemini', content: 'x'.repeat(1000) })}\n`;
    const geminiHome = makeTree({ [first]: header(ID) + line.repeat(1000) });
    const query = { geminiHome, sessionId: ID, projectDir: '/projects/app' };
    const reading = vi.spyOn(fs, 'readSync');
    syncBuiltinESMExports();
    onTestFinished(() => {
      reading.mockRestore();
      syncBuiltinESMExports();
    });
    expect(findSessionById(query)).toBe(join(geminiHome, first));
    expect(reading).toHaveBeenCalledTimes(1);
    fs.copyFileSync(join(geminiHome, first), join(geminiHome, second));
    expect(findSessionById(query)).toBeDefined();
    expect(reading.mock.calls.length).toBeGreaterThan(4);
  });

  it('is found among files that only look like sessions', () => {
    const wanted = chat('app', '45', ID);
    const geminiHome = makeTree({
      [`${chat('app', '41', ID)}/`]: '',
      [chat('app', '46', ID)]: 'garbage',
      [wanted]: header(ID),
      'projects.json': JSON.stringify({ projects: { '/projects/app': 7 } }),
    });
    symlinkSync('nowhere', join(geminiHome, chat('app', '42', ID)));
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(geminiHome, chat('app', '43', ID))]);
    const file = findSessionById({ geminiHome, sessionId: ID, projectDir: '/projects/app' });
    expect(file).toBe(join(geminiHome, wanted));
  });

  it('is not found if the CLI never ran', () => {
    const geminiHome = join(makeTree(), 'nope');
    expect(
      findSessionById({ geminiHome, sessionId: ID, projectDir: '/projects/app' }),
    ).toBeUndefined();
  });
});

describe('two sessions of which one id contains the other', () => {
  it('are not confused', () => {
    const [short, long] = ['nightly-build', 'nightly-build-2'];
    const geminiHome = makeTree({
      [chat('app', '40', long)]: header(long),
      [chat('app', '41', short)]: header(short),
    });
    const find = (sessionId: string) =>
      findSessionById({ geminiHome, sessionId, projectDir: '/app' });
    expect(find(short)).toBe(join(geminiHome, chat('app', '41', short)));
    expect(find(long)).toBe(join(geminiHome, chat('app', '40', long)));
    expect(find('nightly-')).toBeUndefined();
  });
});

function session(sessionId: string, at = 0, isResumable = true): FoundSession {
  return {
    path: `${sessionId} ${at}`,
    folder: 'app',
    parentId: undefined,
    summary: {
      header: { sessionId },
      startedAt: timeAt(at),
      updatedAt: timeAt(at),
      firstPrompt: 'x',
      isResumable,
      model: undefined,
      bytes: 1,
    },
  };
}

const sessions = [session('12345678-aaaa'), session('12345678-bbbb', 5), session('87654321-cccc')];

describe('a session is chosen', () => {
  it.each([
    ['12345678-bbbb', '12345678-bbbb'],
    // A number of eight digits is the beginning of an id.
    ['87654321', '87654321-cccc'],
    // The newer one of two that begin the same.
    ['12345678', '12345678-bbbb'],
    ['8765', undefined],
    ['', undefined],
  ])('by id: %j', (wanted, id) => {
    expect(chooseById(sessions, wanted)?.summary.header.sessionId).toBe(id);
  });

  it('by its whole id alone if short ids are not accepted', () => {
    expect(chooseById(sessions, '12345678', false)).toBeUndefined();
    expect(chooseById(sessions, '12345678-bbbb', false)?.path).toBe('12345678-bbbb 5');
  });

  it('not from an empty list by id', () => {
    expect(chooseById([], 'x')).toBeUndefined();
  });

  it('by the resumable file, then by the newest', () => {
    const files = [session('x', 1), session('x', 3), session('x', 2), session('x', 9, false)];
    expect(chooseById(files, 'x')?.path).toBe('x 3');
  });
});
