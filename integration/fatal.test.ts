import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gateCases } from './gate-cases.js';
import { makeFolder, openLab } from './support.js';
import { writing } from './tool-calls.js';

describe('a CLI that refuses to start', () => {
  it('without authentication is AUTH', async () => {
    const lab = await openLab([{ text: 'never' }]);
    writeFileSync(join(lab.model.home, '.gemini', 'settings.json'), '{}');
    const error = await lab.fail('go', { env: { GEMINI_CLI_HOME: lab.model.home } });
    expect(error).toMatchObject({ code: 'AUTH', exitCode: 41, retryable: false });
    expect(error.hint).toMatch(/GEMINI_API_KEY.*Vertex.*selectedType/);
    expect(error.stderrTail).toContain('Auth method');
  });

  it('with broken settings is CLI_CONFIG', async () => {
    const lab = await openLab([{ text: 'never' }]);
    writeFileSync(join(lab.model.home, '.gemini', 'settings.json'), '{oops');
    expect(await lab.fail()).toMatchObject({ code: 'CLI_CONFIG', exitCode: 52 });
  });

  it('because the sandbox command is missing is SANDBOX', async () => {
    const lab = await openLab([{ text: 'never' }]);
    expect(await lab.fail('go', { sandbox: 'podman' })).toMatchObject({
      code: 'SANDBOX',
      exitCode: 44,
    });
  });

  it('because of an unknown session is INVALID_INPUT', async () => {
    const lab = await openLab([{ text: 'never' }]);
    const error = await lab.fail('go', { resume: randomUUID() });
    expect(error).toMatchObject({ code: 'INVALID_INPUT', exitCode: 42 });
    expect(error.message).toContain('session');
  });

  it('because of an unknown flag is CLI_CONFIG', async () => {
    const lab = await openLab([{ text: 'never' }]);
    expect(await lab.fail('go', { extraArgs: ['--no-such-flag'] })).toMatchObject({
      code: 'CLI_CONFIG',
      exitCode: 1,
      message: 'The CLI rejected its command-line arguments',
    });
  });

  it('because its settings forbid yolo mode is CLI_CONFIG', async () => {
    const settings = { security: { disableYoloMode: true } };
    const lab = await openLab([{ text: 'never' }], { settings });
    expect(await lab.fail('go', { approvalMode: 'yolo' })).toMatchObject({ code: 'CLI_CONFIG' });
  });
});

describe('a step that the CLI reports as a success', () => {
  it('although the CLI stopped it because of a loop is LOOP_DETECTED', async () => {
    const lab = await openLab(
      [{ toolCalls: [{ name: 'read_file', args: { file_path: 'a.txt' } }] }],
      {
        files: { 'a.txt': 'x' },
      },
    );
    expect(await lab.fail()).toMatchObject({
      code: 'LOOP_DETECTED',
      retryable: false,
      exitCode: 0,
    });
  });

  it('although its history grew too long after a tool call is CONTEXT_OVERFLOW, with the file in partial', async () => {
    const lab = await openLab([
      { ...writing('a.txt', 'x\n'), usage: { prompt: 1_048_570 } },
      { text: 'never' },
    ]);
    const error = await lab.fail('word '.repeat(1000));
    expect(error).toMatchObject({ code: 'CONTEXT_OVERFLOW', exitCode: 0 });
    expect(error.partial?.files.map(({ path }) => path)).toEqual(['a.txt']);
  });

  it.each(gateCases(['BeforeAgent', 'AfterTool', 'BeforeModel', 'AfterModel', 'BeforeTool'], 2))(
    'although a %s hook stopped it is HOOK_STOPPED',
    async (event) => {
      const command = `echo '{"continue":false,"stopReason":"not today"}'`;
      const hooks = { [event]: [{ matcher: '*', hooks: [{ type: 'command', command }] }] };
      const lab = await openLab([writing('a.txt', 'x\n'), { text: 'fin' }], {
        settings: { hooks },
      });
      expect(await lab.fail()).toMatchObject({
        code: 'HOOK_STOPPED',
        exitCode: 0,
        retryable: false,
      });
    },
  );
});

describe('a step with a limit', () => {
  it('of turns is TURN_LIMIT, with text, files and usage in partial', async () => {
    const lab = await openLab(
      [
        { text: 'One. ', ...writing('a.txt', 'x\n') },
        writing('b.txt', 'x\n'),
        writing('c.txt', 'x\n'),
      ],
      {
        settings: { model: { maxSessionTurns: 2 } },
      },
    );
    const error = await lab.fail();
    expect(error).toMatchObject({ code: 'TURN_LIMIT', exitCode: 53, partial: { text: 'One. ' } });
    expect(error.partial?.files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt']);
    expect(error.partial?.usage?.total).toBe(220);
    expect(error.sessionId).toBe(error.partial?.sessionId);
  });
});

describe('a session', () => {
  it('has the chosen id, can be resumed, and its id is refused for a second session', async () => {
    const lab = await openLab([
      { prompt: 'first', turns: [writing('a.txt', 'x\n'), { text: 'I am one.' }] },
      { prompt: 'second', turns: [{ text: 'two' }] },
    ]);
    const sessionId = `chosen-${randomUUID()}`;
    const first = await lab.run('first', { sessionId });
    expect(first.sessionId).toBe(sessionId);
    const second = await lab.run('second', { resume: sessionId });
    expect(second).toMatchObject({ text: 'two', sessionId, files: [], usage: { total: 110 } });
    const contents = JSON.stringify(lab.model.requests.at(-1)?.body['contents']);
    for (const earlier of ['first', 'I am one.']) expect(contents).toContain(earlier);
    const third = await lab.run('second', { resume: 'latest' });
    expect(third.sessionId).toBe(sessionId);
    expect(await lab.fail('first', { sessionId })).toMatchObject({
      code: 'INVALID_INPUT',
      exitCode: 42,
    });
  });

  it('gets its system prompt from a file, or as text before the prompt', async () => {
    const folder = makeFolder({ 'system.md': 'You are a parrot.' });
    const lab = await openLab([{ text: 'ok' }]);
    await lab.run('go', { systemPrompt: { mode: 'replace', file: join(folder, 'system.md') } });
    await lab.run('go', { systemPrompt: 'Speak softly.' });
    const [parrot, soft] = lab.model.requests;
    expect(parrot?.systemInstruction).toMatch(/^You are a parrot\./);
    expect(soft?.systemInstruction).not.toContain('softly');
    expect(soft?.prompt).toBe('Speak softly.\n\ngo');
  });
});
