import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { beginResume, msUntilSafe } from '../../../src/agents/acp/resume-session.js';
import { resolveAgentStep } from '../../../src/agents/resolve-step.js';
import { createPrivateDirectory } from '../../../src/base/process/private-directory.js';
import { resolveConfig } from '../../../src/config/resolve-config.js';
import { addFiles, failureOf, makeFolder } from '../../fixtures/cli/support.js';

const CLI = { path: 'x', foundIn: 'x', command: 'x', args: [], script: undefined };

/** Creates a project with a session of two messages. `begin` prepares to resume the session that `resume` names. */
async function open(resume: string | undefined, startTime = '2026-11-15T10:00:30.000Z') {
  const [workingDir, geminiHome] = [makeFolder(), makeFolder()];
  const name = 'tmp/app/chats/session-1.jsonl';
  const lines = [
    { sessionId: 'the-session', startTime },
    { id: 'm1', type: 'user', content: 'hello' },
    { id: 'm2', type: 'gemini', content: 'hi' },
  ];
  addFiles(geminiHome, {
    'projects.json': JSON.stringify({ projects: { [workingDir]: 'app' } }),
    [name]: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  });
  const config = resolveConfig({ transport: 'acp', workingDir, ...(resume && { resume }) });
  const request = { generationId: 'generation-1', config, context: {} };
  const resolved = resolveAgentStep(request, {}, { location: CLI, version: undefined });
  const directory = await createPrivateDirectory();
  onTestFinished(() => directory.remove());
  return {
    file: join(geminiHome, name),
    begin: (home: string | undefined = geminiHome, signal = new AbortController().signal) => {
      return beginResume({ ...resolved, geminiHome: home }, directory, signal);
    },
    beginElsewhere: () => {
      return beginResume({ ...resolved, geminiHome: undefined }, directory, AbortSignal.abort());
    },
  };
}

describe('resuming a session', () => {
  it('does nothing without the option resume', async () => {
    expect(await (await open(undefined)).begin()).toBeUndefined();
  });

  it.each(['latest', '1', 'the-session', 'the-sess'])('finds the session by %s', async (resume) => {
    const resumed = await (await open(resume)).begin();
    expect(resumed?.sessionId).toBe('the-session');
    await resumed?.check();
  });

  it('fails if the session does not exist', async () => {
    expect(await failureOf((await open('none')).begin)).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('There is no session none'),
    });
  });

  it('fails if the project has no sessions, even if the CLI knows the project', async () => {
    const { begin, file } = await open('latest');
    const home = makeFolder({
      'projects.json': readFileSync(join(file, '../../../../projects.json')),
    });
    expect(await failureOf(() => begin(home))).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('of another agent passes the id on unchanged', async () => {
    const resumed = await (await open('its-own-id')).beginElsewhere();
    expect(resumed?.sessionId).toBe('its-own-id');
    await resumed?.check();
  });

  it('accepts a session file that has grown', async () => {
    const { begin, file } = await open('latest');
    const resumed = await begin();
    appendFileSync(file, '{"id":"m3","type":"user","content":"more"}\n');
    await resumed?.check();
    expect(readFileSync(file, 'utf8')).toContain('more');
  });

  it('accepts that the CLI drops the empty record before a tool call', async () => {
    const { begin, file } = await open('latest');
    const toolCalls = [{ id: 'call-1', name: 'write_file', args: {}, status: 'success' }];
    const answers = [
      { id: 'm3', type: 'gemini', content: '', thoughts: [] },
      { id: 'm4', type: 'gemini', content: '', toolCalls },
    ];
    appendFileSync(file, answers.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const resumed = await begin();
    const messages = [
      { id: 'm1', type: 'user', content: 'hello' },
      { id: 'm2', type: 'gemini', content: [{ text: 'hi' }] },
      answers[1],
    ];
    appendFileSync(file, `${JSON.stringify({ $set: { messages } })}\n`);
    await resumed?.check();
    appendFileSync(file, `${JSON.stringify({ $set: { messages: messages.slice(0, 2) } })}\n`);
    expect(await failureOf(async () => resumed?.check())).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('restores a session file that has lost messages, and fails', async () => {
    const { begin, file } = await open('latest');
    const before = readFileSync(file, 'utf8');
    const resumed = await begin();
    // CLI 0.61 appends these lines if it loads a session in the minute of its creation.
    const fresh = { sessionId: 'the-session', startTime: '2026-11-15T10:00:40.000Z' };
    const set = { $set: { messages: [{ id: 'x', type: 'info', content: 'new' }] } };
    appendFileSync(file, `${JSON.stringify(fresh)}\n${JSON.stringify(set)}\n`);
    expect(await failureOf(async () => resumed?.check())).toMatchObject({
      code: 'INVALID_INPUT',
      sessionId: 'the-session',
      hint: expect.stringContaining('restored'),
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('waits until the minute of its creation is over, unless the caller aborts', async () => {
    const { begin } = await open('latest', new Date(Date.now() + 30_000).toISOString());
    expect(await begin(undefined, AbortSignal.abort())).toMatchObject({ sessionId: 'the-session' });
  });
});

describe('the time until a session is safe to load', () => {
  it.each([
    ['2026-11-15T10:00:00.000Z', '2026-11-15T10:00:00.000Z', 60_000],
    ['2026-11-15T10:00:30.000Z', '2026-11-15T10:00:31.500Z', 28_500],
    ['2026-11-15T10:00:59.999Z', '2026-11-15T10:01:00.000Z', 0],
    ['2026-11-15T10:00:30.000Z', '2026-11-15T12:00:00.000Z', 0],
    ['', '2026-11-15T10:00:00.000Z', 0],
    ['some day', '2026-11-15T10:00:00.000Z', 0],
  ])('is right for a session created at %s and loaded at %s', (startTime, now, ms) => {
    expect(msUntilSafe(startTime, Date.parse(now))).toBe(ms);
  });
});
