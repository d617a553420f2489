import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AgentEvent } from '../../src/api/agent-event.js';
import { ProviderError } from '../../src/base/errors/provider-error.js';
import { closeIdleReaper } from '../../src/base/process/reaper.js';
import { CONFIG_KEYS } from '../../src/config/schema.js';
import { GeminiCliProvider } from '../../src/step/gemini-cli-provider.js';
import { failureOf, isAlive, makeFolder, program, until } from '../fixtures/cli/support.js';

afterAll(closeIdleReaper);

/** Creates a provider in a workspace of its own. */
function provide(cli: string, config: object = {}) {
  const workingDir = makeFolder();
  const env = { GEMINI_CLI_HOME: makeFolder() };
  const provider = new GeminiCliProvider({ cliPath: program(cli), workingDir, env, ...config });
  return { provider, workingDir };
}

async function collect(events: AsyncIterable<AgentEvent>, seen: AgentEvent[] = []) {
  const error = await (async () => {
    for await (const event of events) seen.push(event);
  })().catch((reason: unknown) => reason);
  return { seen, error };
}

/** Collects log lines and process warnings. */
function listen() {
  const logged: string[] = [];
  const log = (_fields: object, message: string) => void logged.push(message);
  const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  onTestFinished(() => emitted.mockRestore());
  const warned = () => emitted.mock.calls.map(([message]) => String(message));
  return { logger: { debug: log, info: log, warn: log, error: log }, logged, warned };
}

describe('a provider', () => {
  it('has metadata', () => {
    expect(GeminiCliProvider.getMetadata()).toEqual({
      name: 'gemini-cli',
      description: expect.stringContaining('Gemini CLI'),
      requiresConfig: false,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      configKeys: CONFIG_KEYS,
      configSchema: expect.objectContaining({ type: 'object' }),
      defaultResponseTimeout: 600,
      fsAbility: 'local-write',
    });
  });

  it('refuses a wrong configuration with every problem at once', async () => {
    const config = { timeout: -1, approval_mode: 'please', extraArgs: ['--model=x'], cliPath: '' };
    const error = await failureOf(() => new GeminiCliProvider(config));
    expect(error).toMatchObject({ code: 'INVALID_CONFIG', retryable: false });
    expect(ProviderError.isInstance(error) && error.problems?.map(({ key }) => key).sort()).toEqual(
      ['approval_mode', 'cliPath', 'extraArgs', 'timeout'],
    );
  });

  it('refuses missing folders with absolute paths', async () => {
    const missing = join(makeFolder(), 'none');
    const config = { workingDir: missing, includeDirectories: [missing] };
    expect(await failureOf(() => new GeminiCliProvider(config))).toMatchObject({
      code: 'INVALID_CONFIG',
      hint: expect.stringMatching(/^Correct workingDir, includeDirectories\. Examples: /),
    });
    expect(() => new GeminiCliProvider({ includeDirectories: ['relative'] })).not.toThrow();
  });

  it('warns of unknown keys in the log, or without a logger by a process warning', async () => {
    const { logger, logged, warned } = listen();
    const { provider } = provide('answering.mjs', { logger, modle: 'x', colour: 'red' });
    const expected = [
      'Unknown configuration key "modle" is ignored. Did you mean "model"?',
      'Unknown configuration key "colour" is ignored.',
    ];
    expect([logged, warned()]).toEqual([expected, []]);
    provide('answering.mjs', { modle: 'x', colour: 'red' });
    expect(warned()).toEqual(expected);
    const options: object = { time_out: 5 };
    await provider.generate('go', {}, options);
    expect(logged).toContain(
      'Unknown configuration key "time_out" is ignored. Did you mean "timeout"?',
    );
  });

  it('validates without starting a step', async () => {
    const { provider, workingDir } = provide('old-0.10.mjs');
    const cliPath = program('old-0.10.mjs');
    const report = await provider.validate();
    expect(report).toMatchObject({ cliPath, cliVersion: '0.10.0', workingDir });
    expect(report.notes).toContainEqual(expect.stringContaining('reports no tool calls'));
    const { provider: none } = provide('no-such-program');
    expect(await failureOf(() => none.validate())).toMatchObject({ code: 'CLI_NOT_FOUND' });
  });
});

describe('a step', () => {
  it('may override every option of the configuration without effect on other steps', async () => {
    const { provider } = provide('answering.mjs', { model: 'one', approval_mode: 'plan' });
    const argsOf = async (options: object) => {
      const { text } = await provider.generate('go', {}, options);
      const { args }: { args: string[] } = JSON.parse(text);
      return args.slice(1).filter((arg) => !arg.startsWith('--policy='));
    };
    expect(await argsOf({})).toEqual(['--approval-mode=plan', '--model=one']);
    const overrides = { model: 'two', approvalMode: 'yolo', extra_args: ['--debug'] };
    expect(await argsOf(overrides)).toEqual(['--approval-mode=yolo', '--model=two', '--debug']);
    expect(await argsOf({ model: null, signal: null })).toEqual([
      '--approval-mode=plan',
      '--model=one',
    ]);
  });

  it.each([
    [{ timeout: 0 }, 'timeout'],
    [{ signal: 'stop' }, 'signal'],
    [{ workingDir: '/no/such/folder' }, 'workingDir'],
    [{ sessionId: 'a', resume: 'b' }, 'sessionId'],
  ])('with invalid options %j is refused before the CLI starts', async (options: object, key) => {
    const { seen, error } = await collect(
      provide('answering.mjs').provider.stream('go', {}, options),
    );
    expect(error).toMatchObject({ code: 'INVALID_CONFIG', problems: [{ key }] });
    expect(seen).toEqual([]);
  });

  it('returns its context, and reads prompt file and project from it', async () => {
    const projectRoot = makeFolder({ 'step.md': 'from a file' });
    const { provider } = provide('answering.mjs', { workingDir: undefined });
    const context = { project_root: projectRoot, prompt_file: 'step.md', step: 7 };
    const result = await provider.generate('', context);
    expect(result.context).toBe(context);
    expect(JSON.parse(result.text)).toMatchObject({ prompt: 'from a file' });
  });
});

describe('a provider that was disposed of', () => {
  it.each(['headless', 'acp'])('refuses every call (%s)', async (transport) => {
    const { provider } = provide('answering.mjs', { transport });
    await provider.dispose();
    const refused = { code: 'INVALID_INPUT', message: 'The provider has been disposed of' };
    expect(await failureOf(() => provider.generate('go'))).toMatchObject(refused);
    expect(await failureOf(() => provider.stream('go').next())).toMatchObject(refused);
    expect(await failureOf(() => provider.validate())).toMatchObject(refused);
  });
});

describe('the generationId of a step', () => {
  /** Runs a step and returns everything that it leaves behind. */
  async function take(cli: string, prompt = 'go') {
    const lines: object[] = [];
    const log = (fields: object) => void lines.push(fields);
    const logger = { debug: log, info: log, warn: log, error: log };
    const { provider } = provide(cli, { logger, keepArtifacts: makeFolder() });
    const { seen, error } = await collect(provider.stream(prompt));
    return { lines, seen, error };
  }

  it('is in each event, in each log line, in the result and in the artifacts', async () => {
    const { lines, seen } = await take('answering.mjs');
    const generationId = seen[0]?.generationId;
    expect(generationId).toMatch(/^[\da-f-]{36}$/);
    expect(seen.map((event) => event.generationId)).toEqual(seen.map(() => generationId));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatchObject({ generationId });
    const last = seen.at(-1);
    const result = last?.type === 'turn-complete' ? last.result : undefined;
    const artifactsDir = result?.artifactsDir ?? '';
    expect(result?.generationId).toBe(generationId);
    expect(basename(artifactsDir)).toBe(generationId);
    const call = JSON.parse(readFileSync(join(artifactsDir, 'call.json'), 'utf8'));
    expect(call).toMatchObject({ generationId });
  });

  it('is in the error of a failed step, in its JSON and in its partial output', async () => {
    const { seen, error } = await take('fails-after-success.mjs');
    const generationId = seen[0]?.generationId;
    const expected = { generationId, partial: { generationId } };
    expect(error).toMatchObject(expected);
    expect(ProviderError.isInstance(error) && error.toJSON()).toMatchObject(expected);
    expect(seen.at(-1)).toMatchObject({ generationId, error: expected });
  });

  it('is in an error from before the start of the CLI, and differs each time', async () => {
    const [first, second] = [await take('answering.mjs', ''), await take('answering.mjs', '')];
    const ids = [first.error, second.error].map((error) => {
      return ProviderError.isInstance(error) ? error.generationId : undefined;
    });
    expect(ids[0]).toMatch(/^[\da-f-]{36}$/);
    expect(ids[1]).not.toBe(ids[0]);
    const { provider } = provide('answering.mjs');
    const cancelled = await failureOf(() => {
      return provider.generate('go', {}, { signal: AbortSignal.abort() });
    });
    expect(cancelled).toMatchObject({ code: 'CANCELLED', generationId: expect.any(String) });
  });
});

describe('generate and stream', () => {
  it('give the same result, which is in the last event', async () => {
    // Without a policy file, whose path differs, both steps get the same arguments and return them as text.
    const { provider } = provide('answering.mjs', { approvalMode: 'yolo' });
    const { seen, error } = await collect(provider.stream('go'));
    expect(error).toBeUndefined();
    const last = seen.at(-1);
    expect(last).toMatchObject({ type: 'turn-complete', subtype: 'success', isError: false });
    const {
      durationMs: _one,
      generationId: _first,
      ...streamed
    } = last?.type === 'turn-complete' ? { ...last.result } : {};
    const {
      durationMs: _two,
      generationId: _second,
      messages,
      ...generated
    } = await provider.generate('go');
    expect(generated).toEqual(streamed);
    // The messages are made of the events, which a reader of the stream has seen.
    expect(messages).toHaveLength(1);
  });

  it.each([
    ['fails-after-success.mjs', 'UNKNOWN'],
    ['json-error.mjs', 'AUTH'],
  ])('fail for %s with the same error, which is also in the last event', async (cli, code) => {
    const { provider } = provide(cli);
    const { seen, error } = await collect(provider.stream('go'));
    const data = ProviderError.isInstance(error) ? error.toJSON() : undefined;
    expect(seen.at(-1)).toMatchObject({ type: 'turn-complete', subtype: code, isError: true });
    expect(seen.filter(({ type }) => type === 'turn-complete')).toMatchObject([{ error: data }]);
    const thrown = await failureOf(() => provider.generate('go'));
    expect(thrown).toMatchObject({ code, message: data?.message, exitCode: data?.exitCode });
  });
});

describe('a step that is cancelled before the CLI has started', () => {
  const hang = '#!/bin/sh\necho $$ > "$(dirname "$0")/pid"\nsleep 33.33\n';

  it('ends at once and kills the process that was asked for its version', async () => {
    const folder = makeFolder({ 'gemini*': hang });
    const pidFile = join(folder, 'pid');
    const { provider } = provide('', { cliPath: join(folder, 'gemini'), timeout: 2 });
    const cancel = new AbortController();
    const collecting = collect(provider.stream('go', {}, { signal: cancel.signal }));
    await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
    const aborted = Date.now();
    cancel.abort('enough');
    const { seen, error } = await collecting;
    expect(Date.now() - aborted).toBeLessThan(2_500);
    expect(error).toMatchObject({ code: 'CANCELLED', cause: 'enough' });
    expect(seen).toEqual([]);
    expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  });

  it.each([
    ['the search for files named in the prompt', 'see @nothing-of-that-name', {}],
    ['the snapshot of the workspace', 'go', { workspaceScan: 'always' }],
  ])('ends during %s', async (_what, prompt, config) => {
    const names = Array.from({ length: 300 }, (_, index) => `folder-${index}/file.txt`);
    const workingDir = makeFolder(Object.fromEntries(names.map((name) => [name, ''])));
    const started = join(makeFolder(), 'started');
    const script = `#!/bin/sh\n[ "$1" = --version ] && echo 0.61.0 && exit\n: > "${started}"\n`;
    const cliPath = join(makeFolder({ 'gemini*': script }), 'gemini');
    const { provider } = provide('', { cliPath, workingDir, ...config });
    await provider.validate();
    const cancel = new AbortController();
    const collecting = collect(provider.stream(prompt, {}, { signal: cancel.signal }));
    setImmediate(() => cancel.abort());
    expect((await collecting).error).toMatchObject({ code: 'CANCELLED' });
    expect(existsSync(started)).toBe(false);
  });
});

describe('a stream that the caller leaves while an event is pending', () => {
  it('ends the step although the CLI prints nothing more', async () => {
    const { provider } = provide('waiting.mjs');
    const events = provider.stream('go');
    for (let said = ''; said !== 'text-delta'; ) {
      const { value } = await events.next();
      said = value?.type ?? '';
    }
    const pending = events.next();
    expect(await events.return()).toEqual({ done: true, value: undefined });
    expect((await pending).value).toMatchObject({ type: 'turn-complete', subtype: 'CANCELLED' });
    expect((await events.next()).done).toBe(true);
  });
});

describe('disposing of a provider', () => {
  it('cancels running steps, waits for their end, and refuses further ones', async () => {
    const { provider } = provide('waiting.mjs');
    const heard: AgentEvent[] = [];
    const collecting = [collect(provider.stream('one'), heard), collect(provider.stream('two'))];
    await until(() => heard.length === 2);
    await provider.dispose();
    for (const { seen, error } of await Promise.all(collecting)) {
      expect(error).toMatchObject({ code: 'CANCELLED' });
      expect(seen.at(-1)?.type).toBe('turn-complete');
    }
    expect(heard.map(({ type }) => type)).toEqual(['session-init', 'text-delta', 'turn-complete']);
    const refused = { code: 'INVALID_INPUT', message: 'The provider has been disposed of' };
    expect(await failureOf(() => provider.generate('go'))).toMatchObject(refused);
  });

  it('happens at the end of an `await using` block', async () => {
    const workingDir = makeFolder();
    let collecting: ReturnType<typeof collect> | undefined;
    {
      await using provider = new GeminiCliProvider({ cliPath: program('waiting.mjs'), workingDir });
      collecting = collect(provider.stream('go'));
    }
    expect((await collecting).error).toMatchObject({ code: 'CANCELLED' });
  });
});
