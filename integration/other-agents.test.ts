import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AcpAgentProvider,
  type AgentEvent,
  AgentPool,
  type GenerateOptions,
  ProviderError,
} from 'gemini-cli-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenAiModel, QWEN_SETTINGS, startOpenAiModel, TOKENS } from './openai-model.js';
import { findProcesses, makeFolder, read } from './support.js';

const modules = join(import.meta.dirname, '..', 'node_modules');

describe.concurrent('the example agent of the ACP SDK', () => {
  const script = join(modules, 'acp-example-agent', 'dist', 'examples', 'agent.js');
  const folder = makeFolder({}, afterAll);
  const config = {
    name: 'Example',
    command: process.execPath,
    args: [script],
    workingDir: folder,
    approvalMode: 'default',
  } as const;
  const provider = new AcpAgentProvider(config);
  afterAll(() => provider.dispose());

  it('streams text and tool calls in their order, and edits a file when a rule allows the edit', async () => {
    const events = await collect(provider, 'go', { allowedTools: ['edit'] });
    // On a busy machine the step waits for a slot, and says so.
    const ofAgent = events.filter(({ type }) => type !== 'session-status');
    const summaries = ofAgent.map((event) => {
      return 'callId' in event ? `${event.type} ${event.callId}` : event.type;
    });
    expect(summaries).toEqual([
      'session-init',
      'user-input',
      'text-delta',
      'tool-invocation call_1',
      'tool-completion call_1',
      'text-delta',
      'tool-invocation call_2',
      'tool-update call_2',
      'permission-request call_2',
      'tool-completion call_2',
      'text-delta',
      'turn-complete',
    ]);
    expect(events.at(-1)).toMatchObject({
      subtype: 'success',
      result: {
        text: expect.stringMatching(/^I'll help you .* Now I understand .* Perfect!/),
        // The agent reports an edit outside of the workspace without a diff, so the manifest has nothing to check.
        files: [],
        deniedTools: [],
        warnings: [],
        usage: undefined,
      },
    });
  });

  it('continues after a rejected edit, and the result names the setting that allows the edit', async () => {
    const { text, deniedTools, warnings } = await provider.generate('go', {}, { model: 'any' });
    expect(text).toContain('I understand you prefer not to make that change.');
    expect(deniedTools).toEqual([
      {
        tool: 'edit',
        toolId: 'call_2',
        reason: 'permission',
        message: 'Permission for edit was not given',
        hint: 'Set allowedTools: ["edit"] or approvalMode: "auto_edit", or decide in onPermission.',
      },
    ]);
    expect(warnings).toMatchObject([
      {
        code: 'CLI_WARNING',
        message: 'Example offers no choice of models: model any was not set.',
      },
    ]);
  });

  it('is cancelled in the middle of a turn, and its process ends when the provider is disposed', async ({
    onTestFinished,
  }) => {
    const tag = makeFolder({}, onTestFinished);
    const own = new AcpAgentProvider({ ...config, env: { LAB: tag } });
    onTestFinished(() => own.dispose());
    const failure = await cancelAt('tool-invocation', own);
    expect(failure).toMatchObject({
      code: 'CANCELLED',
      partial: { text: expect.stringMatching(/^I'll help you/), deniedTools: [] },
    });
    expect(findProcesses(`LAB=${tag}`)).toHaveLength(1);
    await own.dispose();
    expect(findProcesses(`LAB=${tag}`)).toEqual([]);
  });
});

describe('Qwen Code, a coding agent of another vendor', () => {
  const qwen = join(modules, '@qwen-code', 'qwen-code', 'cli.js');
  const pool = new AgentPool();
  const home = makeFolder({}, afterAll);
  const folder = makeFolder({}, afterAll);
  let model: OpenAiModel;
  let provider: AcpAgentProvider;

  beforeAll(async () => {
    model = await startOpenAiModel();
    const second = { id: 'second', name: 'Second', baseUrl: model.url, envKey: 'OPENAI_API_KEY' };
    const settings = { ...JSON.parse(QWEN_SETTINGS), modelProviders: { openai: [second] } };
    mkdirSync(join(home, '.qwen'));
    writeFileSync(join(home, '.qwen', 'settings.json'), JSON.stringify(settings));
    provider = new AcpAgentProvider({
      name: 'Qwen Code',
      command: process.execPath,
      args: [qwen, '--acp', '--auth-type', 'openai'],
      workingDir: folder,
      pool,
      env: {
        HOME: home,
        OPENAI_API_KEY: 'none',
        OPENAI_BASE_URL: model.url,
        OPENAI_MODEL: 'first',
      },
    });
  });
  afterAll(async () => {
    await provider.dispose();
    await pool.dispose();
    await model.close();
    expect(findProcesses(`HOME=${home}`)).toEqual([]);
  });

  const write = (path: string, content: string) => ({
    tool: { name: 'write_file', args: { file_path: path, content } },
  });
  const fail = async (prompt: string, options: GenerateOptions = {}): Promise<ProviderError> => {
    const outcome = await provider.generate(prompt, {}, options).catch((error: unknown) => error);
    if (ProviderError.isInstance(outcome)) return outcome;
    throw new Error(`The step should have failed: ${JSON.stringify(outcome)}`);
  };

  it('writes a file in auto_edit mode without a permission request, and the result has the tokens of all requests', async () => {
    const path = join(folder, 'sub', 'new.txt');
    model.script('WRITE', [{ text: 'Writing. ', ...write(path, 'new\n') }, { text: 'Done.' }]);
    const { text, files, usage, cliVersion, warnings } = await provider.generate('WRITE');
    expect(text).toBe('Writing. Done.');
    expect(files).toMatchObject([
      {
        path: 'sub/new.txt',
        kind: 'created',
        tools: ['write_file'],
        confirmed: true,
        diff: expect.stringContaining('+new'),
      },
    ]);
    expect(read(path)).toBe('new\n');
    expect(usage).toMatchObject({
      total: 2 * TOKENS.total_tokens,
      input: 2 * TOKENS.prompt_tokens,
      output: 2 * TOKENS.completion_tokens,
      toolCalls: 1,
    });
    expect(cliVersion).toBe('0.15.10');
    expect(warnings).toEqual([]);
  });

  it('asks for permission in default mode: the write is rejected and listed, or a rule for its kind allows the write', async () => {
    const path = join(folder, 'asked.txt');
    const turns = [write(path, 'asked\n'), { text: 'Went on.' }];
    model.script('REJECT', turns);
    const rejected = await provider.generate('REJECT', {}, { approvalMode: 'default' });
    expect(rejected).toMatchObject({ text: 'Went on.', files: [] });
    expect(rejected.deniedTools).toMatchObject([
      {
        tool: 'edit',
        reason: 'permission',
        hint: expect.stringContaining('allowedTools: ["edit"]'),
      },
    ]);
    model.script('ALLOW', turns);
    const options = { approvalMode: 'default', allowedTools: ['edit'] } as const;
    const allowed = await provider.generate('ALLOW', {}, options);
    expect(allowed.deniedTools).toEqual([]);
    expect(allowed.files).toMatchObject([{ path: 'asked.txt', kind: 'created', confirmed: true }]);
  });

  it('runs a command in yolo mode, and the manifest finds the written file by comparing the workspace', async () => {
    const args = { command: 'echo made > made.txt', description: 'make', is_background: false };
    model.script('SHELL', [{ tool: { name: 'run_shell_command', args } }, { text: 'Made.' }]);
    const { files } = await provider.generate('SHELL', {}, { approvalMode: 'yolo' });
    expect(files).toMatchObject([
      { path: 'made.txt', kind: 'created', tools: ['run_shell_command'], confirmed: true },
    ]);
    expect(read(folder, 'made.txt')).toBe('made\n');
  });

  it('plans in its own plan mode', async () => {
    model.script('PLAN', [{ text: 'A plan.' }]);
    await provider.generate('PLAN', {}, { approvalMode: 'plan' });
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('Plan mode is active');
  });

  it('runs the model with the requested name, and an unknown model is MODEL_NOT_FOUND', async () => {
    model.script('MODEL', [{ text: 'Me.' }]);
    const { text } = await provider.generate('MODEL', {}, { model: 'Second' });
    expect([text, model.requests.at(-1)?.model]).toEqual(['Me.', 'second']);
    expect(await fail('MODEL', { model: 'third' })).toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message: expect.stringContaining("'third' not found"),
    });
  });

  it.each([
    [401, 'AUTH', 'Give Qwen Code credentials'],
    [400, 'API_REQUEST', 'The API refused the request'],
  ])('turns HTTP status %i of its model into the error %s', async (status, code, hint) => {
    model.script('REFUSED', [{ status }]);
    expect(await fail('REFUSED')).toMatchObject({
      code,
      retryable: false,
      httpStatus: status,
      message: `HTTP ${status}: The scripted model refuses.`,
      hint: expect.stringContaining(hint),
    });
  });

  it('runs two steps at once, each in its own folder', async () => {
    const other = makeFolder();
    const folders = [folder, other];
    const steps = folders.map((workingDir, index) => {
      const path = join(workingDir, 'mine.txt');
      model.script(`FOLDER-${index}`, [write(path, `${index}\n`), { text: `Step ${index}.` }]);
      return provider.generate(`FOLDER-${index}`, {}, { workingDir });
    });
    const results = await Promise.all(steps);
    for (const [index, { text, files, usage }] of results.entries()) {
      const absolutePath = join(folders[index] ?? '', 'mine.txt');
      expect(text).toBe(`Step ${index}.`);
      expect(files).toMatchObject([{ path: 'mine.txt', absolutePath, confirmed: true }]);
      expect(read(absolutePath)).toBe(`${index}\n`);
      expect(usage?.total).toBe(2 * TOKENS.total_tokens);
    }
  });

  it('is cancelled with the text so far in partial, and the same process runs the next step', async () => {
    const { started } = pool.stats();
    model.script('ENDLESS', [{ text: 'half of it', isEndless: true }]);
    expect(await cancelAt('text-delta', provider, 'ENDLESS')).toMatchObject({
      code: 'CANCELLED',
      partial: { text: expect.stringMatching(/^half/) },
    });
    model.script('NEXT', [{ text: 'Next.' }]);
    expect(await provider.generate('NEXT')).toMatchObject({ text: 'Next.' });
    expect(pool.stats().started).toBe(started);
  });

  it('ends a step as INCOMPLETE with text and files in partial when its process is killed', async () => {
    const path = join(folder, 'kept.txt');
    model.script('KILL', [write(path, 'kept\n'), { text: 'half of it', isEndless: true }]);
    const failure = await disturbAt('text-delta', provider, 'KILL', () => {
      for (const { pid } of findProcesses(`HOME=${home}`)) process.kill(pid, 'SIGKILL');
    });
    expect(failure).toMatchObject({
      code: 'INCOMPLETE',
      retryable: true,
      partial: { text: expect.stringMatching(/^half/), files: [{ path: 'kept.txt' }] },
    });
  });
});

/** Runs a step that succeeds. Returns its events. */
async function collect(
  provider: AcpAgentProvider,
  prompt: string,
  options: GenerateOptions,
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of provider.stream(prompt, {}, options)) events.push(event);
  return events;
}

/** Runs a step and calls `disturb` at each event of the given type. Returns the error of the step. */
async function disturbAt(
  type: 'text-delta' | 'tool-invocation',
  provider: AcpAgentProvider,
  prompt: string,
  disturb: () => void,
  options: GenerateOptions = {},
): Promise<unknown> {
  try {
    for await (const event of provider.stream(prompt, {}, options)) {
      if (event.type === type && !('text' in event && event.text === '')) disturb();
    }
  } catch (error) {
    return error;
  }
  throw new Error('The step should have failed');
}

function cancelAt(
  type: 'text-delta' | 'tool-invocation',
  provider: AcpAgentProvider,
  prompt = 'go',
): Promise<unknown> {
  const controller = new AbortController();
  const { signal } = controller;
  return disturbAt(type, provider, prompt, () => controller.abort(), { signal });
}
