import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  chooseByNumber,
  isNumber,
  readNumberedSessions,
} from '../../../src/sessions/list/numbered-sessions.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { APP, chat, PROJECTS, record, recordOld, timeAt, user } from './gemini-home.js';

function number(files: Readonly<Record<string, string>>) {
  const geminiHome = makeTree(files);
  const sessions = readNumberedSessions({ geminiHome, projectDir: APP });
  return { geminiHome, sessions, ids: sessions.map(({ summary }) => summary.header.sessionId) };
}

describe('the numbered sessions of a project', () => {
  it('begin with the oldest, for any file names', () => {
    const { geminiHome, sessions, ids } = number({
      ...PROJECTS,
      'tmp/app/chats/session-a.jsonl': record('two', { at: 2 }),
      'tmp/app/chats/session-b.jsonl': record('three', { at: 3 }),
      'tmp/app/chats/session-c.jsonl': record('one', { at: 1 }),
      'tmp/other/chats/session-d.jsonl': record('foreign', { at: 0 }),
    });
    expect(ids).toEqual(['one', 'two', 'three']);
    expect(sessions[0]?.path).toBe(join(geminiHome, 'tmp/app/chats/session-c.jsonl'));
  });

  it('keep their number when they are resumed', () => {
    const { ids } = number({
      ...PROJECTS,
      [chat('one')]: record('one', { at: 1, records: [{ $set: { lastUpdated: '2030-01-01' } }] }),
      [chat('two')]: record('two', { at: 2 }),
    });
    expect(ids).toEqual(['one', 'two']);
  });

  it('include both generations', () => {
    const { ids } = number({
      ...PROJECTS,
      [chat('new')]: record('new', { at: 1 }),
      [chat('old', 'app', 'json')]: recordOld('old', [user('1', 'x')]),
    });
    expect(ids).toEqual(['old', 'new']);
  });

  it('do not include sub-agents, copies and unreadable files', () => {
    const { ids } = number({
      ...PROJECTS,
      [chat('good')]: record('good'),
      'tmp/app/chats/good.jsonl': record('copied'),
      'tmp/app/chats/good/session-agent.jsonl': record('agent'),
      [chat('stray')]: record('stray', { header: { kind: 'subagent' } }),
      'tmp/app/chats/session-empty.jsonl': '',
      'tmp/app/chats/session-broken.jsonl': '{"sessionId":\n',
      'tmp/app/chats/session-odd.jsonl': '{"id":"m","type":"user"}\n',
      [chat('silent')]: record('silent', { prompt: '' }),
    });
    expect(ids).toEqual(['good']);
  });

  it.each([
    ['the CLI has never run', {}],
    ['the CLI does not know the project', { 'projects.json': '{"projects":{}}' }],
    ['the project has none yet', PROJECTS],
    ['the project has none any more', { ...PROJECTS, 'tmp/app/chats/': '' }],
  ])('do not exist if %s', (_when, files) => {
    expect(number(files).ids).toEqual([]);
  });
});

describe('a session is chosen', () => {
  const sessions = ['12345678-aaaa', '12345678-bbbb', '87654321-cccc'].map((sessionId) => ({
    path: sessionId,
    folder: 'app',
    parentId: undefined,
    summary: {
      header: { sessionId },
      startedAt: timeAt(0),
      updatedAt: timeAt(0),
      firstPrompt: 'x',
      isResumable: true,
      model: undefined,
      bytes: 1,
    },
  }));

  it.each([
    ['latest', '87654321-cccc'],
    ['1', '12345678-aaaa'],
    ['3', '87654321-cccc'],
    ['4', undefined],
    ['0', undefined],
  ])('by number: %j', (wanted, id) => {
    expect(chooseByNumber(sessions, wanted)?.summary.header.sessionId).toBe(id);
  });

  it('not from an empty list by number', () => {
    expect(chooseByNumber([], 'latest')).toBeUndefined();
  });
});

describe('a number', () => {
  it.each(['latest', '1', '42', '999999'])('is %s', (wanted) => {
    expect(isNumber(wanted)).toBe(true);
  });

  it.each(['0', '01', '-1', '1.5', '87654321', 'x', ''])('is not %j', (wanted) => {
    expect(isNumber(wanted)).toBe(false);
  });
});
