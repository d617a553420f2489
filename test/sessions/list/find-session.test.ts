import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  findSessionFile,
  isFilePath,
  requireSessionFile,
} from '../../../src/sessions/list/find-session.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { failureOf } from '../../fixtures/cli/support.js';
import { APP, chat, gemini, HASH, PROJECTS, record, recordOld, user } from './gemini-home.js';

const ID = '9562a0f3-4cd6-416d-b96d-b2a9790395ef';
/** Id that begins with the same eight characters. */
const TWIN = '9562a0f3-ffff-ffff-ffff-ffffffffffff';

function home(files: Readonly<Record<string, string>>) {
  const geminiHome = makeTree(files);
  const find = async (wanted: string | number, projectDir = APP) => {
    const file = await findSessionFile(wanted, { geminiHome, projectDir });
    return file?.slice(geminiHome.length + 1);
  };
  return { geminiHome, find };
}

describe('a session is found by its id', () => {
  it.each([
    ['in its project', chat(ID), record(ID)],
    ['in another project', chat(ID, 'other'), record(ID)],
    ['in a folder of the older form', chat(ID, HASH, 'json'), recordOld(ID, [user('1', 'x')])],
    [
      'in the oldest form of all',
      `tmp/${HASH}/session-2025-10-29T10-36-9562a0f3.json`,
      recordOld(ID, [user('1', 'x')]),
    ],
    ['below its parent', `tmp/app/chats/parent/${ID}.jsonl`, record(ID)],
    ['under another name', 'tmp/app/chats/copy of it.jsonl', record(ID)],
    ['without a prompt', chat(ID), record(ID, { prompt: '' })],
  ])('%s', async (_where, file, text) => {
    const { find } = home({ ...PROJECTS, [file]: text, [chat('x')]: record('x') });
    expect(await find(ID)).toBe(file);
    expect(await find(` ${ID}\n`)).toBe(file);
    expect(await find('9562a0f3')).toBe(file);
  });

  it.each(['9562a0f', '9562a0f3-', '9562a0f3-4cd6', 'ffffffff', '', ' ', '0', '-1', '1.5', '*'])(
    'but not by %j',
    async (wanted) => {
      expect(await home({ ...PROJECTS, [chat(ID)]: record(ID) }).find(wanted)).toBeUndefined();
    },
  );

  it('if another id begins the same', async () => {
    const other = 'tmp/app/chats/session-2026-11-16T00-01-9562a0f3.jsonl';
    const { find } = home({
      ...PROJECTS,
      [chat(ID)]: record(ID, { at: 1 }),
      [other]: record(TWIN, { at: 2 }),
    });
    expect(await find(ID)).toBe(chat(ID));
    expect(await find(TWIN)).toBe(other);
    // The newer session of the two.
    expect(await find('9562a0f3')).toBe(other);
  });

  it('in its own project first', async () => {
    const files = {
      'projects.json': JSON.stringify({ projects: { [APP]: 'zzz' } }),
      [chat(ID, 'aaa')]: record(ID, { at: 9 }),
      [chat(ID, 'zzz')]: record(ID, { at: 1 }),
    };
    expect(await home(files).find(ID)).toBe(chat(ID, 'zzz'));
    expect(await home(files).find(ID, '/elsewhere')).toBe(chat(ID, 'aaa'));
  });

  it('by the file name before other files are opened', async () => {
    const files = {
      ...PROJECTS,
      'tmp/app/chats/renamed.jsonl': record(ID, { at: 9 }),
      [chat(ID, 'other')]: record(ID, { at: 1 }),
    };
    expect(await home(files).find(ID)).toBe(chat(ID, 'other'));
  });

  it('in the resumable file if a resume has left another one', async () => {
    const empty = 'tmp/app/chats/session-2026-11-16T00-09-9562a0f3.jsonl';
    const { find } = home({
      ...PROJECTS,
      [chat(ID)]: record(ID, { at: 1, records: [gemini('1')] }),
      [empty]: record(ID, { at: 9, prompt: '' }),
    });
    expect(await find(ID)).toBe(chat(ID));
    expect(await find('9562a0f3')).toBe(chat(ID));
    expect(await find('latest')).toBe(chat(ID));
  });

  it('if the caller has chosen a short id', async () => {
    const { find } = home({ ...PROJECTS, [chat('step_7')]: record('step_7') });
    expect(await find('step_7')).toBe(chat('step_7'));
    expect(await find('step_')).toBeUndefined();
  });

  it('if the id looks like a number', async () => {
    const { find } = home({
      ...PROJECTS,
      [chat('42')]: record('42', { at: 2 }),
      [chat('x')]: record('x', { at: 1 }),
      [chat('87654321')]: record('87654321-cccc', { at: 3 }),
    });
    expect(await find('42')).toBe(chat('42'));
    expect(await find(42)).toBe(chat('42'));
    expect(await find('87654321')).toBe(chat('87654321'));
  });
});

describe('a session is found by its number', () => {
  const files = {
    ...PROJECTS,
    [chat('second')]: record('second', { at: 2 }),
    [chat('first')]: record('first', { at: 1 }),
    [chat('silent')]: record('silent', { at: 9, prompt: '' }),
    'tmp/app/chats/first/agent.jsonl': record('agent', { header: { kind: 'subagent' } }),
    [chat('foreign', 'other')]: record('foreign', { at: 9 }),
  };

  it.each([
    [1, chat('first')],
    ['1', chat('first')],
    ['2', chat('second')],
    ['latest', chat('second')],
    [3, undefined],
    [0, undefined],
    [-1, undefined],
    [1.5, undefined],
    [Number.NaN, undefined],
    ['999999', undefined],
  ])('in its project: %j', async (wanted, file) => {
    expect(await home(files).find(wanted)).toBe(file);
  });

  it('not in another project', async () => {
    expect(await home(files).find('latest', '/projects/none')).toBeUndefined();
  });

  it('in the folder that the CLI uses', async () => {
    const { find } = home({ ...files, [chat('hashed', HASH)]: record('hashed', { at: 0 }) });
    expect(await find(1)).toBe(chat('first'));
    const old = home({ [chat('hashed', HASH, 'json')]: recordOld('hashed', [user('1', 'x')]) });
    expect(await old.find(1)).toBe(chat('hashed', HASH, 'json'));
  });

  it('in the current directory by default', async () => {
    const geminiHome = makeTree({
      'projects.json': JSON.stringify({ projects: { [process.cwd()]: 'here' } }),
      [chat('mine', 'here')]: record('mine'),
    });
    expect(await findSessionFile('latest', { geminiHome })).toBe(
      join(geminiHome, chat('mine', 'here')),
    );
  });
});

describe('the home in which sessions are searched', () => {
  it('is that of the CLI', async () => {
    const home = makeTree({ [`.gemini/${chat(ID)}`]: record(ID) });
    vi.stubEnv('GEMINI_CLI_HOME', home);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    expect(await findSessionFile(ID)).toBe(join(home, '.gemini', chat(ID)));
    expect(await findSessionFile(ID, { geminiHome: '/nowhere' })).toBeUndefined();
  });
});

describe('requireSessionFile', () => {
  it('accepts the path of a file', async () => {
    const file = join(makeTree({ 'any.jsonl': '' }), 'any.jsonl');
    expect(await requireSessionFile(file)).toBe(file);
  });

  it.each([
    ['unknown-session', 'There is no session unknown-session'],
    [7, `There is no session 7 in the project ${APP}`],
    ['./nowhere.jsonl', 'There is no session file ./nowhere.jsonl'],
    ['nowhere.json', 'There is no session file nowhere.json'],
  ])('throws if there is no session: %j', async (wanted, message) => {
    const geminiHome = makeTree({ ...PROJECTS });
    const location = { geminiHome, projectDir: APP };
    expect(await failureOf(() => requireSessionFile(wanted, location))).toMatchObject({
      code: 'INVALID_INPUT',
      message,
      hint: expect.stringContaining('`listSessions()` shows them'),
    });
  });

  it('names the project that has no latest session', async () => {
    const location = { geminiHome: makeTree({ ...PROJECTS }), projectDir: APP };
    expect(await failureOf(() => requireSessionFile('latest', location))).toMatchObject({
      message: `There is no session latest in the project ${APP}`,
      hint: expect.stringContaining('Run a step in this folder first'),
    });
  });

  it('does not accept a path below a file', async () => {
    const wanted = join(makeTree({ 'any.jsonl': '' }), 'any.jsonl', 'x.jsonl');
    expect(await failureOf(() => requireSessionFile(wanted))).toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('does not accept a folder', async () => {
    const folder = makeTree();
    mkdirSync(join(folder, 'x.jsonl'));
    const wanted = join(folder, 'x.jsonl');
    expect(await failureOf(() => requireSessionFile(wanted))).toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

describe('the path of a file', () => {
  it.each(['a/b', './x', 'x.json', 'x.jsonl', 'C:\\x', '/x'])('is %j', (wanted) => {
    expect(isFilePath(wanted)).toBe(true);
  });

  it.each([ID, 'latest', '7', 7, 'x.json.bak', 'jsonl'])('is not %j', (wanted) => {
    expect(isFilePath(wanted)).toBe(false);
  });
});
