import { getEventListeners } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { closeIdleReaper } from '../../src/base/process/reaper.js';
import { GeminiCliProvider } from '../../src/step/gemini-cli-provider.js';
import { failureOf, makeFolder, program } from '../fixtures/cli/support.js';

afterAll(closeIdleReaper);

/** Creates a provider with one of the tiny programs, or with a script of its own. */
function open(cliPath: string, config: Record<string, unknown> = {}) {
  const workingDir = makeFolder();
  const env = { GEMINI_CLI_HOME: makeFolder() };
  const provider = new GeminiCliProvider({ cliPath, workingDir, env, ...config });
  return { workingDir, provider, generate: (prompt = 'go') => provider.generate(prompt) };
}

function script(version: string, lines: string): string {
  const text = `#!/bin/sh\n[ "$1" = --version ] && echo ${version} && exit\n${lines}\n`;
  return join(makeFolder({ 'gemini*': text }), 'gemini');
}
const RESULT = `echo '{"type":"result","status":"success","stats":{"total_tokens":1,"models":{"m":{}}}}'`;

describe('a step', () => {
  it('succeeds in spite of noise and reports it in warnings', async () => {
    const result = await open(program('noisy.mjs')).generate();
    expect(result).toMatchObject({
      text: 'fine',
      sessionId: 'noisy',
      model: 'tiny',
      recovered: false,
    });
    expect(result.warnings).toEqual([
      {
        code: 'NON_JSON_OUTPUT',
        count: 2,
        message: expect.stringContaining('Loaded cached credentials.'),
      },
      expect.objectContaining({ code: 'UNKNOWN_EVENT', count: 1 }),
      expect.objectContaining({ code: 'INVALID_EVENT', count: 1 }),
    ]);
  });

  it('keeps its output if the CLI crashes after the result', async () => {
    expect(await failureOf(open(program('fails-after-success.mjs')).generate)).toMatchObject({
      code: 'UNKNOWN',
      message: 'The CLI reported success and then exited with 1',
      exitCode: 1,
      stderrTail: 'TypeError: cannot read properties of undefined',
      sessionId: 'crashing',
      partial: { text: 'all said', usage: { total: 1 } },
    });
  });

  it('with another program fails with PROTOCOL and has its output in a warning', async () => {
    expect(await failureOf(open(program('garbage.mjs')).generate)).toMatchObject({
      code: 'PROTOCOL',
      retryable: false,
      hint: expect.stringContaining('cliPath'),
      partial: { warnings: [{ code: 'NON_JSON_OUTPUT', count: 2 }] },
    });
  });

  it('kills processes that the CLI has left behind, and succeeds', async () => {
    const { warnings } = await open(program('scattering.mjs')).generate();
    expect(warnings).toMatchObject([{ code: 'PROCESSES_LEFT' }]);
  });

  it('passes a system prompt to the CLI in a file', async () => {
    const cli = script('0.61.0', `cat "$GEMINI_SYSTEM_MD" > seen.txt\n${RESULT}`);
    const systemPrompt = { mode: 'replace', text: 'You are a crow.' };
    const { workingDir, generate } = open(cli, { systemPrompt });
    await generate();
    expect(readFileSync(join(workingDir, 'seen.txt'), 'utf8')).toBe('You are a crow.');
  });

  it('leaves no files in the temp folder after success or failure', async () => {
    const temp = makeFolder();
    vi.stubEnv('TMPDIR', temp);
    onTestFinished(() => void vi.unstubAllEnvs());
    const missing = join(temp, 'missing');
    await open(program('quick.sh')).generate();
    await failureOf(open(program('garbage.mjs')).generate);
    await failureOf(() => open(program('quick.sh')).generate(' '));
    expect(readdirSync(temp).filter((name) => name.startsWith('gemini-cli-provider-'))).toEqual([]);
    const { generate } = open(program('quick.sh'));
    vi.stubEnv('TMPDIR', missing);
    expect(await failureOf(generate)).toMatchObject({
      code: 'UNKNOWN',
      hint: expect.stringContaining('TMPDIR'),
    });
  });

  it('keeps its artifacts, or warns with the reason', async () => {
    const keepArtifacts = makeFolder({ file: '' });
    const { artifactsDir } = await open(program('quick.sh'), { keepArtifacts }).generate(
      'my prompt',
    );
    expect(readFileSync(join(artifactsDir ?? '', 'stdin.txt'), 'utf8')).toBe('my prompt');
    const blocked = { keepArtifacts: join(keepArtifacts, 'file') };
    const { warnings, artifactsDir: none } = await open(program('quick.sh'), blocked).generate();
    expect(warnings).toMatchObject([{ code: 'ARTIFACTS_NOT_KEPT' }]);
    expect(none).toBeUndefined();
  });

  describe('with a CLI that prints its secrets', () => {
    const secret = /planted-token|planted-password/;
    const env = {
      MY_TOKEN: 'planted-token-1',
      HTTPS_PROXY: 'http://joe:planted-password@127.0.0.1:1',
    };

    it('contains them only in the text of the model', async () => {
      const { provider } = open(program('indiscreet.mjs'), { env });
      const remarks: unknown[] = [];
      for await (const event of provider.stream('go')) {
        if (event.type === 'session-status') remarks.push(event);
        if (event.type !== 'turn-complete') continue;
        const codes = ['NON_JSON_OUTPUT', 'CLI_RETRIED', 'CLI_WARNING'];
        expect(event.result).toMatchObject({
          text: 'it is planted-token-1',
          warnings: codes.map((code) => ({ code })),
          deniedTools: [{ message: 'not with [redacted]' }],
        });
        expect(JSON.stringify({ ...event.result, text: '' })).not.toMatch(secret);
      }
      expect(remarks).toHaveLength(2);
      expect(JSON.stringify(remarks)).not.toMatch(secret);
    });

    it('contains them in no form of its error', async () => {
      const { generate } = open(program('indiscreet.mjs'), { env });
      const error = await failureOf(() => generate('fail'));
      expect(error).toMatchObject({
        message: '[redacted] by http://joe:[redacted]@127.0.0.1:1',
        partial: { text: 'it is [redacted]' },
      });
      expect(inspect(error, { depth: 9 })).not.toMatch(secret);
      expect(JSON.stringify(error)).not.toMatch(secret);
    });
  });

  it('removes the reports that the CLI leaves in the temp folder', async () => {
    const report = join(
      makeFolder({ 'gemini-client-error-1.json': '{}' }),
      'gemini-client-error-1.json',
    );
    const cli = script('0.61.0', `echo "Full report available at: ${report}" >&2\n${RESULT}`);
    await open(cli).generate();
    expect(existsSync(report)).toBe(false);
  });
});

describe('a step with an older CLI', () => {
  it('passes its rules by --allowed-tools if there are no policies', async () => {
    const config = { allowedTools: ['write_file'] };
    const { text } = await open(program('without-policy.mjs'), config).generate();
    expect(text).toContain('--output-format=stream-json');
    expect(text).toContain('--allowed-tools=write_file');
  });

  it('is refused if the CLI cannot enforce a rule', async () => {
    const denying = open(program('without-policy.mjs'), { deniedTools: ['write_file'] });
    expect(await failureOf(denying.generate)).toMatchObject({
      code: 'CLI_NOT_FOUND',
      message: 'This version of the CLI is too old for deniedTools',
    });
    const old = open(program('old-0.10.mjs'), { resume: 'latest' });
    expect(await failureOf(old.generate)).toMatchObject({
      code: 'CLI_NOT_FOUND',
      message: 'This version of the CLI is too old for resume',
    });
  });

  it('reads its output from one JSON object', async () => {
    expect(await open(program('old-0.10.mjs')).generate()).toMatchObject({
      text: '--output-format=json --approval-mode=auto_edit',
      usage: { total: 12, input: 10, output: 2, cached: 0, thoughts: 0, tool: 0, toolCalls: 0 },
      cliVersion: '0.10.0',
      sessionId: undefined,
      warnings: [],
    });
  });

  it('fails if the API has failed, although the CLI exits with 0', async () => {
    const failing = () => open(program('old-0.10.mjs')).generate('fail');
    expect(await failureOf(failing)).toMatchObject({
      exitCode: 0,
      stderrTail: expect.stringContaining('Error when talking to Gemini API'),
      partial: { text: '' },
    });
  });

  it('lists files that no event reports', async () => {
    const answer = '{"response":"made it","stats":{"models":{"m":{"tokens":{"total":1}}}}}';
    const { generate } = open(script('0.10.0', `echo x > made.txt\necho '${answer}'`));
    expect((await generate()).files).toMatchObject([
      { path: 'made.txt', kind: 'created', tools: ['unknown'], confirmed: true },
    ]);
  });
});

describe('sixty steps, four at a time', () => {
  it('leave no listener, no open file and no unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const events = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'beforeExit', 'uncaughtException'];
    const listeners = () => events.map((event) => process.listenerCount(event));
    const openFiles = () => readdirSync('/proc/self/fd').length;
    const { provider, generate } = open(program('quick.sh'));
    const cancel = new AbortController();
    await generate();
    const before = { listeners: listeners(), openFiles: openFiles() };
    const options = { signal: cancel.signal };
    const runSome = async () => {
      for (let round = 0; round < 15; round++) {
        expect((await provider.generate('go', {}, options)).text).toBe('quick');
      }
    };
    await Promise.all([runSome(), runSome(), runSome(), runSome()]);
    expect(listeners()).toEqual(before.listeners);
    expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
    await expect.poll(openFiles).toBeLessThanOrEqual(before.openFiles + 2);
    expect(unhandled).toEqual([]);
  }, 60_000);
});

describe('a CLI without a version and without tool call events', () => {
  it('still has its files in the manifest', async () => {
    const output = '{"response":"hi","stats":{"models":{"m":{"tokens":{"total":3}}}}}';
    const lines = [
      '[ "$1" = --version ] && exit 1',
      'case "$*" in *stream-json*)',
      `echo '  Argument: output-format, Given: "stream-json"' >&2; exit 1;; esac`,
      `echo x > made.txt; echo '${output}'`,
    ];
    const cli = join(makeFolder({ 'gemini*': `#!/bin/sh\n${lines.join('\n')}\n` }), 'gemini');
    const { text, files } = await open(cli).generate();
    expect(text).toBe('hi');
    expect(files).toMatchObject([{ path: 'made.txt', kind: 'created', tools: ['unknown'] }]);
  });
});
