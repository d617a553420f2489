import type { Logger } from 'gemini-cli-provider';
import { describe, expect, it } from 'vitest';
import { openLab } from './support.js';
import { running, writing } from './tool-calls.js';

interface LogLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function createLog() {
  const lines: LogLine[] = [];
  const note = (level: keyof Logger) => (fields: object, message: string) => {
    lines.push({ level, message, fields: { ...fields } });
  };
  const logger: Logger = {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
  };
  const find = (message: string): LogLine => {
    const line = lines.find((each) => each.message === message);
    if (line === undefined) throw new Error(`No line ${message}: ${JSON.stringify(lines)}`);
    return line;
  };
  return { lines, logger, find };
}

describe.each(['headless', 'acp'] as const)('the log of a step over %s', (transport) => {
  it('answers what happened to a failed step', async () => {
    const refused = { status: 400, message: 'The request is wrong.' };
    const script = [writing('a.txt', 'x'), running('rm -rf /nowhere'), { error: refused }];
    const { lines, logger, find } = createLog();
    const lab = await openLab(script, { config: { transport, logger } });
    const error = await lab.fail('go', { extraArgs: ['--debug'] });
    expect(error).toMatchObject({ code: 'API_REQUEST', httpStatus: 400 });

    // Which step was it, in which folder, with which model, in which mode?
    expect(find('Step starts')).toMatchObject({
      level: 'info',
      fields: {
        driver: transport,
        cliVersion: '0.61.0',
        model: 'gemini-2.5-flash',
        approvalMode: 'auto_edit',
        workingDir: lab.workspace,
      },
    });
    // Which process ran it, how was it started, was it warm?
    const started = find(
      transport === 'headless' ? 'Agent process started' : 'Slot of a pooled process taken',
    );
    expect(started).toMatchObject({
      level: 'debug',
      fields: { driver: transport, isWarm: false, argv: expect.arrayContaining(['--debug']) },
    });
    // Which session can be looked at?
    expect(find('Session opened')).toMatchObject({
      level: 'info',
      fields: { sessionId: error.sessionId, model: 'gemini-2.5-flash' },
    });
    // Which tools were called, on what, and how did they end?
    const calls = lines.filter(({ message }) => message === 'Tool call');
    expect(calls[0]?.fields).toMatchObject({
      tool: 'write_file',
      input: { file_path: expect.stringContaining('a.txt') },
    });
    const ends = lines.filter(({ message }) => message === 'Tool call ended');
    expect(ends.map(({ fields }) => fields['status'])).toEqual(['completed', 'failed']);
    // How did the turn end, and why is that the verdict?
    expect(find('Turn judged')).toMatchObject({
      level: 'debug',
      fields: {
        verdict: 'API_REQUEST',
        reason: error.message,
        evidence: transport === 'headless' ? { result: 'error' } : { error: { code: 400 } },
      },
    });
    // How long did it take, what did it cost, what was refused, what is to be done?
    const end = find(error.message);
    expect(end).toMatchObject({
      level: 'warn',
      fields: {
        code: 'API_REQUEST',
        httpStatus: 400,
        retryable: false,
        hint: error.hint,
        sessionId: error.sessionId,
        model: 'gemini-2.5-flash',
        tokens: { total: error.partial?.usage?.total },
        deniedTools: [expect.stringContaining('run_shell_command')],
        files: 1,
        durationMs: error.partial?.durationMs,
      },
    });
    if (transport === 'headless') expect(end.fields['exitCode']).toBe(error.exitCode);
    // Every line can be joined with result, events and artifacts, and none has a secret or a prompt.
    expect(new Set(lines.map(({ fields }) => fields['generationId']))).toEqual(
      new Set([error.generationId]),
    );
    expect(JSON.stringify(lines)).not.toContain(lab.model.env['GEMINI_API_KEY']);
  });

  it('tells the session, the tokens and the refused tools of a success at info', async () => {
    const { lines, logger, find } = createLog();
    const script = [running('rm -rf /nowhere'), { text: 'I may not.' }];
    const lab = await openLab(script, { config: { transport, logger } });
    const result = await lab.run('go');
    expect(find('Step succeeded')).toMatchObject({
      level: 'info',
      fields: {
        sessionId: result.sessionId,
        models: ['gemini-2.5-flash'],
        tokens: { total: result.usage?.total, cached: 0 },
        deniedTools: [expect.stringContaining('run_shell_command')],
        files: 0,
      },
    });
    const infos = lines.filter(({ level }) => level === 'info').map(({ message }) => message);
    expect(infos).toEqual(['Step starts', 'Session opened', 'Step succeeded']);
  });
});

it('a step that never started is logged too', async () => {
  const { lines, logger } = createLog();
  const lab = await openLab([{ text: 'Hi.' }], { config: { logger } });
  const error = await lab.fail('go', { cliPath: '/nowhere/gemini' });
  expect(lines).toMatchObject([
    { level: 'warn', message: error.message, fields: { code: 'CLI_NOT_FOUND', hint: error.hint } },
  ]);
});
