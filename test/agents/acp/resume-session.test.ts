import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { beginResume, msUntilSafe } from '../../../src/agents/acp/resume-session.js';
import { resolveAgentStep } from '../../../src/agents/resolve-step.js';
import { createPrivateDirectory } from '../../../src/base/process/private-directory.js';
import { resolveConfig } from '../../../src/config/resolve-config.js';
import { addFiles, failureOf, makeFolder } from '../../fixtures/cli/support.js';

const CLI = { path: 'x', foundIn: 'x', command: 'x', args: [], script: undefined };

/** A session with two messages, of a project; `resume` begins to resume it. */
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
  it('is nothing where nobody asks for it', async () => {
    expect(await (await open(undefined)).begin()).toBeUndefined();
  });

  it.each(['latest', '1', 'the-session', 'the-sess'])('finds it by %s', async (resume) => {
    const resumed = await (await open(resume)).begin();
    expect(resumed?.sessionId).toBe('the-session');
    await resumed?.check();
  });

  it('that does not exist is refused', async () => {
    expect(await failureOf((await open('none')).begin)).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('There is no session none'),
    });
  });

  it('in a project without any is refused, although the CLI knows the project', async () => {
    const { begin, file } = await open('latest');
    const home = makeFolder({
      'projects.json': readFileSync(join(file, '../../../../projects.json')),
    });
    expect(await failureOf(() => begin(home))).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('of another agent is left to that agent', async () => {
    const resumed = await (await open('its-own-id')).beginElsewhere();
    expect(resumed?.sessionId).toBe('its-own-id');
    await resumed?.check();
  });

  it('that has grown is fine', async () => {
    const { begin, file } = await open('latest');
    const resumed = await begin();
    appendFileSync(file, '{"id":"m3","type":"user","content":"more"}\n');
    await resumed?.check();
    expect(readFileSync(file, 'utf8')).toContain('more');
  });

  it('that has lost messages puts its file back, and says so', async () => {
    const { begin, file } = await open('latest');
    const before = readFileSync(file, 'utf8');
    const resumed = await begin();
    // As CLI 0.61 does within the minute.
    const fresh = { sessionId: 'the-session', startTime: '2026-11-15T10:00:40.000Z' };
    const set = { $set: { messages: [{ id: 'x', type: 'info', content: 'new' }] } };
    appendFileSync(file, `${JSON.stringify(fresh)}\n${JSON.stringify(set)}\n`);
    expect(await failureOf(async () => resumed?.check())).toMatchObject({
      code: 'INVALID_INPUT',
      sessionId: 'the-session',
      hint: expect.stringContaining('put back'),
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('of this very minute waits, but not longer than the caller', async () => {
    const { begin } = await open('latest', new Date(Date.now() + 30_000).toISOString());
    expect(await begin(undefined, AbortSignal.abort())).toMatchObject({ sessionId: 'the-session' });
  });
});

describe('how long a session is not safe to load', () => {
  it.each([
    ['2026-11-15T10:00:00.000Z', '2026-11-15T10:00:00.000Z', 60_000],
    ['2026-11-15T10:00:30.000Z', '2026-11-15T10:00:31.500Z', 28_500],
    ['2026-11-15T10:00:59.999Z', '2026-11-15T10:01:00.000Z', 0],
    ['2026-11-15T10:00:30.000Z', '2026-11-15T12:00:00.000Z', 0],
    ['', '2026-11-15T10:00:00.000Z', 0],
    ['some day', '2026-11-15T10:00:00.000Z', 0],
  ])('made at %s, seen at %s', (startTime, now, ms) => {
    expect(msUntilSafe(startTime, Date.parse(now))).toBe(ms);
  });
});
