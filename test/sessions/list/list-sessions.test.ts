import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ListSessionsOptions } from '../../../src/api/session-list.js';
import { listSessions } from '../../../src/sessions/list/list-sessions.js';
import { makeTree } from '../../base/fs/make-tree.js';
import {
  APP,
  chat,
  gemini,
  HASH,
  PROJECTS,
  record,
  recordOld,
  timeAt,
  user,
} from './gemini-home.js';

type Files = Readonly<Record<string, string>>;

function list(files: Files, options: ListSessionsOptions = {}) {
  return listSessions({ geminiHome: makeTree(files), ...options });
}

async function idsOf(files: Files, options?: ListSessionsOptions): Promise<string[]> {
  return (await list(files, options)).map(({ id }) => id);
}

describe('the list of sessions', () => {
  it('has all facts of each session', async () => {
    const geminiHome = makeTree({
      ...PROJECTS,
      [chat('one')]: record('one', {
        at: 5,
        prompt: 'Do it.',
        records: [gemini('1'), { $set: { lastUpdated: timeAt(9), summary: 'Doing it' } }],
      }),
    });
    const [session, ...more] = await listSessions({ geminiHome });
    expect(more).toEqual([]);
    expect(session).toEqual({
      id: 'one',
      file: join(geminiHome, chat('one')),
      projectName: 'app',
      projectDir: APP,
      number: 1,
      kind: 'main',
      parentId: undefined,
      startedAt: timeAt(5),
      updatedAt: timeAt(9),
      firstPrompt: 'Do it.',
      summary: 'Doing it',
      model: 'flash',
      messageCount: 2,
      tokens: { total: 12, input: 10, output: 2, cached: 0, thoughts: 0, tool: 0 },
      cost: expect.objectContaining({ usd: undefined, unknownModels: ['flash'] }),
      bytes: expect.any(Number),
    });
  });

  it('has the newest session first, for any file names', async () => {
    const files = {
      [chat('bbb')]: record('bbb', { at: 2 }),
      [chat('aaa')]: record('aaa', { at: 3 }),
      [chat('ccc', 'other')]: record('ccc', { at: 1 }),
      [chat('ddd', 'other')]: record('ddd', {
        at: 0,
        records: [{ $set: { lastUpdated: timeAt(4) } }],
      }),
    };
    expect(await idsOf(files)).toEqual(['ddd', 'aaa', 'bbb', 'ccc']);
  });

  it.each([
    [0, []],
    [1, ['three']],
    [2, ['three', 'two']],
    [99, ['three', 'two', 'one']],
    [-1, []],
  ])('may be limited to %d', async (limit, ids) => {
    const files = {
      [chat('one')]: record('one', { at: 1 }),
      [chat('two')]: record('two', { at: 2 }),
      [chat('three')]: record('three', { at: 3 }),
    };
    expect(await idsOf(files, { limit })).toEqual(ids);
  });

  it('has the sessions of all projects, or of one by any of its names', async () => {
    const files = {
      ...PROJECTS,
      [chat('slugged')]: record('slugged', { at: 4 }),
      'tmp/elsewhere/.project_root': APP,
      [chat('marked', 'elsewhere')]: record('marked', { at: 3 }),
      [chat('hashed', HASH, 'json')]: recordOld('hashed', [user('1', 'x')]),
      [`tmp/${HASH}/session-oldest.json`]: recordOld('oldest', [user('1', 'x')], {
        lastUpdated: timeAt(0),
      }),
      [chat('foreign', 'other')]: record('foreign', { at: 5 }),
    };
    const own = ['slugged', 'marked', 'hashed', 'oldest'];
    expect(await idsOf(files)).toEqual(['foreign', ...own]);
    for (const projectDir of [APP, `${APP}/`, `${APP}/src/..`]) {
      expect(await idsOf(files, { projectDir })).toEqual(own);
    }
    const all = await list(files);
    expect(all.map(({ projectDir }) => projectDir)).toEqual([undefined, APP, APP, APP, APP]);
    expect(await idsOf(files, { projectDir: '/projects/none' })).toEqual([]);
  });

  it('names the project of a folder that is known by its hash only', async () => {
    const files = { [chat('hashed', HASH, 'json')]: recordOld('hashed', [user('1', 'x')]) };
    expect(await list(files, { projectDir: APP })).toMatchObject([
      { projectDir: APP, projectName: HASH, number: 1 },
    ]);
    expect(await list(files)).toMatchObject([{ projectDir: undefined, projectName: HASH }]);
  });

  it('uses the home of the CLI by default', async () => {
    const home = makeTree({ [`.gemini/${chat('mine')}`]: record('mine') });
    vi.stubEnv('GEMINI_CLI_HOME', home);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    expect(await listSessions()).toMatchObject([{ id: 'mine' }]);
  });

  it('is empty if the CLI never ran', async () => {
    expect(await listSessions({ geminiHome: '/nowhere' })).toEqual([]);
    expect(await list({ 'tmp/app/chats/': '', 'tmp/bin/rg': '' })).toEqual([]);
  });
});

describe('a session that has several files', () => {
  it('is listed once after a resume, with the resumable file', async () => {
    // The CLI creates a new file before it finds the existing one.
    const files = {
      [chat('one')]: record('one', { at: 1, records: [gemini('1')] }),
      'tmp/app/chats/session-2026-11-16T00-09-one.jsonl': record('one', { at: 9, prompt: '' }),
    };
    expect(await list(files)).toMatchObject([{ id: 'one', number: 1, messageCount: 2 }]);
  });

  it('is listed once after a change of format, with the newer file', async () => {
    const file = chat('one', 'app', 'json');
    const files = {
      [file]: recordOld('one', [user('1', 'x')]),
      [`${file}l`]: record('one', { at: 9 }),
    };
    expect(await list(files)).toMatchObject([{ id: 'one', updatedAt: timeAt(9), number: 1 }]);
  });

  it('is listed once after its folder was copied', async () => {
    const files = {
      ...PROJECTS,
      [chat('one')]: record('one', { at: 1 }),
      [chat('one', HASH)]: record('one', { at: 1 }),
    };
    expect(await list(files)).toMatchObject([{ id: 'one', projectName: 'app', number: 1 }]);
    expect(await list(files, { projectDir: APP })).toMatchObject([{ projectName: 'app' }]);
  });
});

describe('the sessions of sub-agents', () => {
  const files = {
    [chat('parent')]: record('parent', { at: 1 }),
    'tmp/app/chats/parent/child.jsonl': record('child', { at: 2, header: { kind: 'subagent' } }),
    [chat('stray')]: record('stray', { at: 3, header: { kind: 'subagent' } }),
  };

  it('are left out', async () => {
    expect(await idsOf(files)).toEqual(['parent']);
  });

  it('are listed with subagents: true, without a number', async () => {
    expect(await list(files, { subagents: true })).toMatchObject([
      { id: 'stray', kind: 'subagent', parentId: undefined, number: undefined },
      { id: 'child', kind: 'subagent', parentId: 'parent', number: undefined },
      { id: 'parent', kind: 'main', number: 1 },
    ]);
  });
});

describe('the numbers of sessions', () => {
  it('are those of the CLI', async () => {
    const files = {
      ...PROJECTS,
      [chat('second')]: record('second', { at: 2 }),
      [chat('first')]: record('first', { at: 1 }),
      [chat('silent')]: record('silent', { at: 0, prompt: '' }),
      [chat('command')]: record('command', { at: 0, prompt: '/help' }),
      [chat('question')]: record('question', { at: 0, prompt: '?' }),
      [chat('answered')]: record('answered', { at: 3, prompt: '', records: [gemini('1')] }),
      'tmp/app/chats/copy.jsonl': record('copy', { at: 0 }),
      [chat('other', 'other')]: record('other', { at: 0 }),
      [chat('hashed', HASH)]: record('hashed', { at: 0 }),
      [`tmp/app/session-${'x'}.json`]: recordOld('oldest', [user('1', 'x')]),
    };
    const sessions = await list(files);
    const numbers = Object.fromEntries(sessions.map(({ id, number }) => [id, number]));
    expect(numbers).toEqual({
      first: 1,
      second: 2,
      answered: 3,
      other: 1,
      silent: undefined,
      command: undefined,
      question: undefined,
      copy: undefined,
      hashed: undefined,
      oldest: undefined,
    });
  });
});

describe('the counts of sessions', () => {
  const long = { content: 'x'.repeat(3 * 1024 * 1024) };
  const large = (id: string, at: number, ...records: readonly object[]): string =>
    record(id, { at, records: [...records, { $set: { lastUpdated: timeAt(at) } }] });
  const files = {
    [chat('small')]: record('small', { at: 1, records: [gemini('1')] }),
    [chat('large')]: large('large', 2, gemini('1', long)),
    [chat('larger')]: large(
      'larger',
      3,
      gemini('1', long),
      { $set: { summary: 'in the middle' } },
      gemini('2', long),
    ),
    [chat('newest')]: large('newest', 4, gemini('1', long)),
  };

  it('cover by default all small files and the newest large ones', async () => {
    const sessions = await list(files);
    expect(sessions.map(({ id, messageCount }) => `${id} ${messageCount}`)).toEqual([
      'newest 2',
      'larger undefined',
      'large undefined',
      'small 2',
    ]);
    expect(sessions[1]).not.toHaveProperty('tokens');
  });

  it("cover all files with counts: 'exact', which also finds a summary in the middle", async () => {
    const sessions = await list(files, { counts: 'exact' });
    expect(sessions).toMatchObject([
      { id: 'newest', messageCount: 2, tokens: { total: 12 } },
      { id: 'larger', messageCount: 3, tokens: { total: 24 }, summary: 'in the middle' },
      { id: 'large', messageCount: 2, tokens: { total: 12 } },
      { id: 'small', messageCount: 2, tokens: { total: 12 } },
    ]);
  });

  it('equal the number of unified messages', async () => {
    const answer = { functionResponse: { id: 'c', name: 'x', response: { output: 'x' } } };
    const call = { id: 'c', name: 'x', result: [answer], status: 'success' };
    const records = [
      gemini('1', { toolCalls: [call] }),
      { id: '2', type: 'user', content: [answer] },
      { id: '3', type: 'info', content: 'x' },
      { id: '4', type: 'error', content: 'x' },
      gemini('5'),
    ];
    const text = record('s', { records });
    expect(await list({ [chat('s')]: text })).toMatchObject([{ messageCount: 4 }]);
  });
});

describe('the files among the sessions', () => {
  it('are left out if they are no sessions', async () => {
    const geminiHome = makeTree({
      [chat('good')]: record('good'),
      'tmp/app/chats/session-empty.jsonl': '',
      'tmp/app/chats/session-garbage.jsonl': 'garbage',
      'tmp/app/chats/session-torn.jsonl': '{"sessionId":',
      'tmp/app/chats/session-nobody.jsonl': '{"id":"m","type":"user"}\n',
      'tmp/app/chats/session-folder.jsonl/': '',
      'tmp/app/chats/session-backup.jsonl.bak': record('backup'),
      'tmp/app/logs.json': '[]',
      'tmp/app/checkpoint-x.json': '[]',
      'tmp/app/chats/deep/deeper/agent.jsonl': record('deep'),
      'tmp/file.jsonl': record('outside'),
    });
    const chats = join(geminiHome, 'tmp/app/chats');
    symlinkSync('nowhere', join(chats, 'session-broken.jsonl'));
    symlinkSync('.', join(chats, 'session-circle'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(chats, 'session-pipe.jsonl')]);
    mkdirSync(join(geminiHome, 'tmp/closed/chats'), { recursive: true });
    writeFileSync(join(geminiHome, 'tmp/closed/chats/session-x.jsonl'), 'x');
    chmodSync(join(geminiHome, 'tmp/closed/chats'), 0o000);
    const sessions = await listSessions({ geminiHome, subagents: true, counts: 'exact' });
    chmodSync(join(geminiHome, 'tmp/closed/chats'), 0o755);
    expect(sessions.map(({ id }) => id)).toEqual(['good']);
  });

  it('may be more than a thousand', async () => {
    const geminiHome = makeTree({ ...PROJECTS, [chat('good')]: record('good') });
    const chats = join(geminiHome, 'tmp/app/chats');
    const kinds = ['junk', '', '{"a":1}\n', '{'];
    for (let index = 0; index < 1_500; index++) {
      writeFileSync(join(chats, `session-junk-${index}.jsonl`), kinds[index % 4] ?? '');
    }
    let turns = 0;
    const timer = setInterval(() => turns++);
    const sessions = await listSessions({ geminiHome });
    clearInterval(timer);
    expect(sessions.map(({ id, number }) => `${id} ${number}`)).toEqual(['good 1']);
    // The event loop ran meanwhile.
    expect(turns).toBeGreaterThan(5);
  });
});
