import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseSession, listProjectSessions } from '../../src/session/project-sessions.js';
import { makeTree } from '../workspace/make-tree.js';

const PROJECTS = { 'projects.json': JSON.stringify({ projects: { '/projects/app': 'app' } }) };

function header(sessionId: string, startTime?: string): string {
  return `${JSON.stringify({ sessionId, projectHash: 'x', startTime })}\n{"more":1}\n`;
}

function list(files: Readonly<Record<string, string>>) {
  const geminiHome = makeTree(files);
  const sessions = listProjectSessions({ geminiHome, projectDir: '/projects/app' });
  return { geminiHome, sessions };
}

describe('the sessions of a project', () => {
  it('are listed from the oldest on, whatever their files are called', () => {
    const { geminiHome, sessions } = list({
      ...PROJECTS,
      'tmp/app/chats/session-a.jsonl': header('two', '2026-11-16T02:00:00.000Z'),
      'tmp/app/chats/session-b.jsonl': header('three', '2026-11-16T03:00:00.000Z'),
      'tmp/app/chats/session-c.jsonl': header('one', '2026-11-16T01:00:00.000Z'),
      'tmp/other/chats/session-d.jsonl': header('foreign', '2026-11-16T00:00:00.000Z'),
    });
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(['one', 'two', 'three']);
    expect(sessions[0]).toEqual({
      file: join(geminiHome, 'tmp/app/chats/session-c.jsonl'),
      sessionId: 'one',
      startTime: '2026-11-16T01:00:00.000Z',
    });
  });

  it('are neither those of sub-agents, nor older files, nor what cannot be read', () => {
    const { sessions } = list({
      ...PROJECTS,
      'tmp/app/chats/good.jsonl': header('good'),
      'tmp/app/chats/old.json': '{"sessionId":"old","messages":[]}',
      'tmp/app/chats/good/agent.jsonl': header('agent'),
      'tmp/app/chats/empty.jsonl': '',
      'tmp/app/chats/broken.jsonl': '{"sessionId":\n',
      'tmp/app/chats/odd.jsonl': '{"id":"m","type":"user"}\n',
    });
    expect(sessions).toMatchObject([{ sessionId: 'good', startTime: '' }]);
  });

  it.each([
    ['the CLI has never run', {}],
    ['the CLI does not know the project', { 'projects.json': '{"projects":{}}' }],
    ['the project has none yet', PROJECTS],
    ['the project has none any more', { ...PROJECTS, 'tmp/app/chats/': '' }],
  ])('are none where %s', (_when, files) => {
    expect(list(files).sessions).toEqual([]);
  });
});

describe('a session is chosen', () => {
  const ids = ['12345678-aaaa', '12345678-bbbb', '87654321-cccc'];
  const sessions = ids.map((sessionId) => ({ sessionId, file: sessionId, startTime: '' }));

  it.each([
    ['latest', '87654321-cccc'],
    ['1', '12345678-aaaa'],
    ['3', '87654321-cccc'],
    ['4', undefined],
    ['0', undefined],
    ['12345678-bbbb', '12345678-bbbb'],
    // A number of eight digits is the beginning of an id.
    ['87654321', '87654321-cccc'],
    ['12345678', '12345678-aaaa'],
    ['8765', undefined],
    ['', undefined],
  ])('by %j', (wanted, sessionId) => {
    expect(chooseSession(sessions, wanted)?.sessionId).toBe(sessionId);
  });

  it('from none', () => {
    expect(chooseSession([], 'latest')).toBeUndefined();
  });
});
