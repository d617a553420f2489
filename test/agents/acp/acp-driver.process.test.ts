import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { GeminiCliProvider } from '../../../src/step/gemini-cli-provider.js';
import { addFiles, failureOf, makeFolder, program } from '../../fixtures/cli/support.js';

afterAll(closeIdleReaper);

/** Creates a provider whose CLI is the tiny agent. */
function open(config: object = {}, version = '0.61.0') {
  const [workingDir, home] = [makeFolder(), makeFolder()];
  const agent = `${process.execPath} ${program('acp-agent.mjs')}`;
  const lines = [`[ "$1" = --version ] && echo ${version} && exit`, `exec ${agent} "$@"`];
  const cliPath = join(makeFolder({ 'gemini*': `#!/bin/sh\n${lines.join('\n')}\n` }), 'gemini');
  const provider = new GeminiCliProvider({
    cliPath,
    workingDir,
    env: {
      GEMINI_CLI_HOME: home,
      START: `destroy ${join(home, '.gemini/tmp/app/chats/session-s.jsonl')}`,
    },
    transport: 'acp',
    trustWorkspace: true,
    ...config,
  });
  onTestFinished(() => provider.dispose());
  return { provider, workingDir, home, generate: (prompt: string) => provider.generate(prompt) };
}

describe('the Gemini CLI over ACP', () => {
  it('is started with its flags and rules, and reports its version', async () => {
    const { generate } = open({ allowedTools: ['web_fetch'] });
    const result = await generate('args');
    expect(result).toMatchObject({ transport: 'acp', cliVersion: '0.61.0' });
    expect(result.text).toMatch(/^--acp --policy=\S+policy\.toml$/);
  });

  it('is started with --experimental-acp if its version is older', async () => {
    const { text } = await open({}, '0.32.0').generate('args');
    expect(text).toMatch(/^--experimental-acp --policy=/);
  });

  it('works in the folder of the session, while its process runs in another folder', async () => {
    const { generate, workingDir } = open();
    const [session, own] = (await generate('cwd')).text.split(' ');
    expect(session).toBe(workingDir);
    expect(own).not.toBe(workingDir);
  });

  it('gets a changed prompt if it would run the original as a command', async () => {
    const { text, warnings } = await open().generate('/help me');
    expect(text).toBe('\u200b/help me');
    expect(warnings).toMatchObject([{ code: 'PROMPT_CHANGED' }]);
  });

  it('runs no command in auto_edit without a rule, and the tool is listed as denied', async () => {
    const { text, deniedTools } = await open().generate('shell ls');
    expect(text).toBe('did not run');
    expect(deniedTools).toMatchObject([{ reason: 'permission' }]);
  });

  it.each([
    ['41', 'AUTH'],
    ['52', 'CLI_CONFIG'],
    ['1 Usage: gemini [options]', 'CLI_CONFIG'],
    ['1 who knows', 'PROTOCOL'],
  ])('that exits at once with "%s" fails the step with %s', async (how, code) => {
    const { generate } = open({ env: { GEMINI_CLI_HOME: makeFolder(), START: `exit ${how}` } });
    expect(await failureOf(() => generate('say x'))).toMatchObject({
      code,
      exitCode: Number(how.split(' ')[0]),
    });
  });

  it('that destroys a session while loading it fails the step, and the session file is restored', async () => {
    const { provider, workingDir, home } = open();
    const lines = [
      { sessionId: 'the-session', startTime: '2026-11-15T10:00:30.000Z' },
      { id: 'm1', type: 'user', content: 'hello' },
      { id: 'm2', type: 'gemini', content: 'hi' },
    ].map((line) => `${JSON.stringify(line)}\n`);
    addFiles(join(home, '.gemini'), {
      'projects.json': JSON.stringify({ projects: { [workingDir]: 'app' } }),
      'tmp/app/chats/session-s.jsonl': lines.join(''),
    });
    const file = join(home, '.gemini/tmp/app/chats/session-s.jsonl');
    expect(
      await failureOf(() => provider.generate('go on', {}, { resume: 'latest' })),
    ).toMatchObject({ code: 'INVALID_INPUT', sessionId: 'the-session' });
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(lines.join(''));
  });
});
