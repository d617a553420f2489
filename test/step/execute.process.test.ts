import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/api/agent-event.js';
import type { ExecuteOptions } from '../../src/api/execute-options.js';
import { closeIdleReaper } from '../../src/base/process/reaper.js';
import { execute } from '../../src/step/execute.js';
import { failureOf, makeFolder, program } from '../fixtures/cli/support.js';

afterAll(closeIdleReaper);

/** Executes a step with a tiny program in the place of the CLI. */
function run(cli: string, more: object = {}) {
  const base = { cliPath: program(cli), workingDir: makeFolder(), prompt: 'go' };
  const options: ExecuteOptions = { ...base, env: { GEMINI_CLI_HOME: makeFolder() }, ...more };
  return execute(options);
}

describe('execute', () => {
  it.each([
    ['default', 'default'],
    // The mode auto_edit of this package is the mode default of the CLI with rules that allow edits.
    ['acceptEdits', 'default'],
    ['bypassPermissions', 'yolo'],
    ['plan', 'plan'],
    [undefined, 'default'],
  ] as const)('maps the permission mode %s', async (permissionMode, mode) => {
    const result = await run('answering.mjs', { permissionMode });
    if (!result.success) throw result.error;
    const { args }: { args: string[] } = JSON.parse(result.text);
    expect(args).toContain(`--approval-mode=${mode}`);
  });

  it('returns the messages of the step, and tells its events', async () => {
    const events: AgentEvent[] = [];
    const onEvent = (event: AgentEvent) => void events.push(event);
    const result = await run('answering.mjs', { onEvent });
    expect(result).toMatchObject({ success: true, files: [], sessionId: expect.any(String) });
    expect(result.messages.map(({ role, tool }) => [role, tool])).toContainEqual([
      'assistant',
      'gemini',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'turn-complete' });
    expect(result).not.toHaveProperty('context');
  });

  it('returns a failed step with everything that it has produced', async () => {
    const result = await run('waiting.mjs', { timeout: 1 });
    expect(result).toMatchObject({
      success: false,
      error: { code: 'TIMEOUT', retryable: true, hint: expect.any(String) },
      text: expect.stringMatching(/./),
      sessionId: expect.any(String),
    });
    expect(result.messages).toMatchObject([{ role: 'assistant' }]);
  });

  it.each([
    [{ permissionMode: 'acceptEdit' }, 'permissionMode', /"plan". Did you mean "acceptEdits"\?/],
    [{ permissionMode: 7 }, 'permissionMode', /must be "default", "acceptEdits"/],
    [{ permissionMode: 'plan', approvalMode: 'yolo' }, 'approvalMode', /combined/],
    [{ permissionMode: 'plan', approval_mode: 'yolo' }, 'approvalMode', /combined/],
    [{ onEvent: 'x' }, 'onEvent', /must be a function/],
    [{ promptFile: 7 }, 'promptFile', /path of a file/],
    [{ timeout: -1 }, 'timeout', /./],
    [{ prompt: undefined }, 'prompt', /must be a text/],
    [{ prompt: 7 }, 'prompt', /must be a text/],
  ])('refuses %j', async (options, key, problem) => {
    const result = await run('answering.mjs', options);
    expect(result).toMatchObject({
      success: false,
      messages: [],
      error: {
        code: 'INVALID_CONFIG',
        problems: [{ key, problem: expect.stringMatching(problem) }],
      },
    });
  });

  it.each(['null', '{}'])('asks for a prompt if it is called with %s', async (json) => {
    expect(await execute(JSON.parse(json))).toMatchObject({
      success: false,
      error: { code: 'INVALID_CONFIG', problems: [{ key: 'prompt' }] },
    });
  });

  it('is cancelled by its signal, and by an exception of onEvent', async () => {
    const signal = AbortSignal.abort('enough');
    expect(await run('answering.mjs', { signal })).toMatchObject({
      success: false,
      error: { code: 'CANCELLED', cause: 'enough' },
    });
    const onEvent = () => {
      throw new TypeError('A bug of the caller');
    };
    expect(await failureOf(() => run('waiting.mjs', { onEvent }))).toBeInstanceOf(TypeError);
  });

  it('reads its prompt from a file', async () => {
    const workingDir = makeFolder({ 'p.md': 'from a file' });
    const result = await run('answering.mjs', { workingDir, prompt: '', promptFile: 'p.md' });
    expect(result.success && JSON.parse(result.text)).toMatchObject({ prompt: 'from a file' });
    expect(existsSync(join(workingDir, 'p.md'))).toBe(true);
  });
});
