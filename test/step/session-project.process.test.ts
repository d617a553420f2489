import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { closeIdleReaper } from '../../src/base/process/reaper.js';
import { listSessions } from '../../src/sessions/list/list-sessions.js';
import { GeminiCliProvider } from '../../src/step/gemini-cli-provider.js';
import { failureOf, makeFolder } from '../fixtures/cli/support.js';

afterAll(closeIdleReaper);

/** A CLI that writes a session of its working directory as the real one does, and fails if the prompt says so. */
const CLI = `#!/usr/bin/env node
const { mkdirSync, appendFileSync, readFileSync, existsSync, writeFileSync } = require('node:fs');
if (process.argv.includes('--version')) { console.log('0.61.0'); process.exit(0); }
const home = process.env.GEMINI_CLI_HOME + '/.gemini';
const list = home + '/projects.json';
const { projects } = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : { projects: {} };
const slug = projects[process.cwd()] ?? 'p' + Object.keys(projects).length;
writeFileSync(list, JSON.stringify({ projects: { ...projects, [process.cwd()]: slug } }));
const chats = home + '/tmp/' + slug + '/chats';
mkdirSync(chats, { recursive: true });
writeFileSync(home + '/tmp/' + slug + '/.project_root', process.cwd());
const file = chats + '/session-2026-11-16T00-00-12345678.jsonl';
const sessionId = '12345678-a';
const add = (line) => appendFileSync(file, JSON.stringify(line) + '\\n');
if (!existsSync(file)) add({ sessionId, projectHash: 'x', startTime: '2026-11-16T00:00:00.000Z' });
const prompt = readFileSync(0, 'utf8');
add({ id: 'u' + Date.now(), type: 'user', content: prompt + ' in ' + process.cwd() });
console.log(JSON.stringify({ type: 'init', session_id: sessionId, model: 'tiny' }));
if (prompt.includes('fail')) process.exit(1);
console.log(JSON.stringify({ type: 'message', role: 'assistant', content: 'done', delta: true }));
console.log(JSON.stringify({ type: 'result', status: 'success', stats: { total_tokens: 1, models: { m: {} } } }));
`;

function open() {
  const [home, projectDir, workingDir] = [
    makeFolder({ '.gemini/x': '' }),
    makeFolder(),
    makeFolder(),
  ];
  const cliPath = join(makeFolder({ 'gemini*': CLI }), 'gemini');
  const provider = new GeminiCliProvider({ cliPath, workingDir, env: { GEMINI_CLI_HOME: home } });
  const geminiHome = join(home, '.gemini');
  return {
    projectDir,
    workingDir,
    provider,
    geminiHome,
    sessions: () => listSessions({ geminiHome, projectDir }),
    dirs: () => {
      const { projects } = JSON.parse(readFileSync(join(geminiHome, 'projects.json'), 'utf8'));
      return Object.keys(projects);
    },
  };
}

describe('a step with sessionProject', () => {
  it('leaves its session to that project, and a later step resumes the session', async () => {
    const { provider, projectDir, workingDir, sessions, dirs, geminiHome } = open();
    const { sessionId } = await provider.generate('first', { sessionProject: projectDir });
    const [session] = await sessions();
    expect(session).toMatchObject({ id: sessionId, firstPrompt: `first in ${projectDir}` });
    expect(dirs()).toEqual([projectDir]);
    expect(readdirSync(join(geminiHome, 'tmp'))).toHaveLength(1);
    await provider.generate('second', { session_project: projectDir }, { resume: 'latest' });
    const text = readFileSync(session?.file ?? '', 'utf8');
    expect(text).toContain(`first in ${projectDir}`);
    expect(text).toContain(`second in ${projectDir}`);
    expect(text).not.toContain(workingDir);
    expect(dirs()).toEqual([projectDir]);
    await provider.dispose();
  });

  it('does so also if it fails', async () => {
    const { provider, projectDir, sessions, dirs } = open();
    await failureOf(() => provider.generate('fail', { sessionProject: projectDir }));
    expect(await sessions()).toHaveLength(1);
    await provider.dispose();
    expect(dirs()).toEqual([projectDir]);
  });

  it('runs although the home of the CLI cannot take a record', async () => {
    const { provider, projectDir, workingDir, geminiHome } = open();
    const folder = join(geminiHome, 'tmp');
    mkdirSync(folder);
    writeFileSync(join(folder, '.gemini-cli-provider'), 'a file');
    const result = await provider.generate('first', { sessionProject: projectDir });
    expect(result.text).toBe('done');
    expect(await listSessions({ geminiHome, projectDir: workingDir })).toHaveLength(1);
    await provider.dispose();
  });

  it('is refused if the value is no path', async () => {
    const { provider } = open();
    const context = JSON.parse('{"sessionProject":7}');
    expect(await failureOf(() => provider.generate('go', context))).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('sessionProject'),
    });
    await provider.dispose();
  });
});
