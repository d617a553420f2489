import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { GEMINI, makeFolder, openLab, read } from './support.js';
import { running, shell, write, writing } from './tool-calls.js';

const MB = 1_000_000;
/** Creates text in which no line is repeated, so that a gap is noticed. */
const numbered = (bytes: number) => {
  const lines: string[] = [];
  for (let size = 0, n = 0; size < bytes; n++) {
    const line = `line ${n} of a long answer, not like line ${n * 7919}\n`;
    lines.push(line);
    size += line.length;
  }
  return lines.join('');
};

describe('a long answer', () => {
  it('of 20 MB, in pieces of 5 MB, is returned complete', async () => {
    const text = numbered(20 * MB);
    const pieces = Array.from({ length: Math.ceil(text.length / (5 * MB)) }, (_, index) => {
      return text.slice(index * 5 * MB, (index + 1) * 5 * MB);
    });
    const lab = await openLab([{ text: pieces }]);
    const result = await lab.run();
    expect(result.text.length).toBe(text.length);
    expect(result.text === text).toBe(true);
    expect(result.recovered).toBe(false);
  });

  it('is recovered from the session file when stdout was cut', async () => {
    const text = numbered(1 * MB);
    const lab = await openLab([writing('a.txt', 'x'), { text }]);
    const result = await lab.run('go', {
      cliPath: join(import.meta.dirname, 'programs', 'lossy-gemini.mjs'),
      env: { ...lab.model.env, LOSSY_BYTES: '3000', REAL_GEMINI: GEMINI },
    });
    expect(result.recovered).toBe(true);
    expect(result.text === text.trim()).toBe(true);
    expect(result.files).toMatchObject([{ path: 'a.txt', confirmed: true }]);
    expect(result.usage).toMatchObject({ total: 220 });
    expect(result.warnings.map(({ code }) => code)).toContain('RECOVERED');
  });

  it('that was cut before the step was cancelled is in partial as far as the session file has it', async () => {
    const lab = await openLab([
      {
        text: 'First I write. ',
        ...writing('a.txt', 'x'),
      },
      { text: 'Then I wait. ', endless: 'stall' },
    ]);
    const cancel = new AbortController();
    const failing = lab.fail('go', {
      signal: cancel.signal,
      cliPath: join(import.meta.dirname, 'programs', 'lossy-gemini.mjs'),
      env: { ...lab.model.env, LOSSY_BYTES: '150', REAL_GEMINI: GEMINI },
    });
    while (lab.model.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
    cancel.abort();
    const { code, partial } = await failing;
    expect(code).toBe('CANCELLED');
    expect(partial).toMatchObject({
      text: 'First I write.',
      recovered: true,
      usage: { total: 110 },
    });
    expect(partial?.files).toMatchObject([{ path: 'a.txt', confirmed: true }]);
  });
});

describe('events', () => {
  it('carry the raw event of the CLI and its meaning, in order', async () => {
    const lab = await openLab(
      [
        {
          text: 'Let me see.',
          toolCalls: [write('a.txt', 'x'), shell('echo out; echo err >&2; exit 3')],
        },
        { text: 'Done.' },
      ],
      { config: { approvalMode: 'yolo' } },
    );
    const events = [];
    for await (const event of lab.provider.stream('go')) {
      // These events come between the others, whenever the session file or the disk shows something new.
      if (event.type !== 'usage-update' && event.type !== 'file-change') events.push(event);
    }
    expect(events).toMatchObject([
      { type: 'session-init', model: 'gemini-2.5-flash', raw: { type: 'init' } },
      { type: 'user-input', text: 'go', isSynthetic: false },
      { type: 'text-delta', text: 'Let me see.', textKind: 'text' },
      {
        type: 'tool-invocation',
        toolName: 'write_file',
        kind: 'edit',
        category: 'file-write',
        locations: ['a.txt'],
      },
      {
        type: 'tool-invocation',
        toolName: 'run_shell_command',
        kind: 'execute',
        category: 'command',
      },
      {
        type: 'tool-completion',
        toolName: 'write_file',
        status: 'completed',
        derived: { mutation: { tool: 'write_file', path: 'a.txt' } },
      },
      {
        type: 'tool-completion',
        toolName: 'run_shell_command',
        derived: { commandOutput: 'out\nerr' },
      },
      { type: 'text-delta', text: 'Done.' },
      { type: 'session-messages' },
      {
        type: 'turn-complete',
        subtype: 'success',
        isError: false,
        usage: { total: 220 },
        result: { text: 'Let me see.Done.' },
      },
    ]);
  });

  it('wait for a slow listener, and none is lost', async () => {
    const text = Array.from({ length: 40 }, (_, n) => `piece ${n} `);
    const lab = await openLab([{ text }]);
    let received = '';
    for await (const event of lab.provider.stream('go')) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (event.type === 'text-delta') received += event.text;
      if (event.type === 'turn-complete') expect(event.result?.text).toBe(received);
    }
    expect(received).toBe(text.join(''));
  });
});

describe('secrets', () => {
  const KEY = 'AIzaSyPLANTED-0123456789-abcdefghijklmno';
  const TOKEN = 'planted-token-"with\\quotes"-123456';

  it('are redacted in errors, logs and artifacts', async () => {
    const message = `API key not valid: ${KEY}. Token ${TOKEN}; Authorization: Bearer planted.bearer.value-12345`;
    const lab = await openLab([
      {
        text: `The key is ${KEY}. `,
        ...writing('k.txt', KEY),
      },
      { error: { status: 400, message } },
    ]);
    const logged: unknown[] = [];
    const log = (fields: object, text: string) => void logged.push({ fields, text });
    const kept = makeFolder();
    const error = await lab.fail('go', {
      env: { ...lab.model.env, GEMINI_API_KEY: KEY, MY_SERVICE_TOKEN: TOKEN },
      keepArtifacts: kept,
      logger: { debug: log, info: log, warn: log, error: log },
    });
    expect(error.code).toBe('AUTH');
    const folder = error.partial?.artifactsDir ?? '';
    const artifacts = readdirSync(folder).map((name) => read(folder, name));
    expect(artifacts.join('')).toContain('[redacted]');
    const shown = JSON.stringify([
      error,
      logged,
      error.message,
      error.hint,
      error.stderrTail,
      error.stack,
      artifacts,
    ]);
    expect(logged.length).toBeGreaterThan(0);
    for (const secret of [KEY, 'planted-token', 'planted.bearer.value'])
      expect(shown).not.toContain(secret);
  });
});

describe('artifacts', () => {
  it('are kept complete in a private folder when keepArtifacts is set', async () => {
    const kept = makeFolder();
    const lab = await openLab([{ text: 'ok' }]);
    const { artifactsDir } = await lab.run('my prompt', {
      keepArtifacts: kept,
      allowedTools: ['write_file'],
    });
    expect(artifactsDir?.startsWith(kept)).toBe(true);
    const names = readdirSync(artifactsDir ?? '').sort();
    expect(names).toEqual(['call.json', 'policy.toml', 'stderr.txt', 'stdin.txt', 'stdout.ndjson']);
    expect(read(artifactsDir ?? '', 'stdin.txt')).toBe('my prompt');
    expect(statSync(artifactsDir ?? '').mode & 0o777).toBe(0o700);
    expect(JSON.parse(read(artifactsDir ?? '', 'call.json'))).toMatchObject({
      exitCode: 0,
      workingDir: lab.workspace,
    });
  });
});

describe('the environment of the CLI', () => {
  it('has the variables of the allow-list and of `env`, or all with inheritEnv', async () => {
    vi.stubEnv('UNRELATED_SETTING', 'no');
    vi.stubEnv('WANTED_SETTING', 'yes');
    onTestFinished(() => void vi.unstubAllEnvs());
    const command = 'env > env.txt';
    const lab = await openLab([running(command), { text: 'ok' }], {
      config: { approvalMode: 'yolo' },
    });
    await lab.run('go', { env: { ...lab.model.env, WANTED_SETTING: true } });
    const env = readFileSync(join(lab.workspace, 'env.txt'), 'utf8');
    expect(env).toContain('WANTED_SETTING=yes');
    expect(env).not.toContain('UNRELATED_SETTING');
    await lab.run('go', { inheritEnv: true });
    expect(readFileSync(join(lab.workspace, 'env.txt'), 'utf8')).toContain('UNRELATED_SETTING=no');
  });
});
