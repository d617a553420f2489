import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentPool, detectCli, diagnose, type ExecuteOptions, execute } from 'gemini-cli-provider';
import { loadMessages } from 'gemini-cli-provider/sessions';
import { type ScriptedModel, startScriptedModel } from 'gemini-cli-provider/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GEMINI, makeFolder } from './support.js';
import { shell, write } from './tool-calls.js';

const SCRIPT = [
  { toolCalls: [write('a.txt', 'a'), shell('echo b > b.txt')] },
  { text: 'I tried both.' },
];

describe('execute on the real CLI', () => {
  const pool = new AgentPool({ maxProcesses: 1 });
  let model: ScriptedModel;
  beforeAll(async () => {
    model = await startScriptedModel([{ turns: SCRIPT }]);
  });
  afterAll(async () => {
    await pool.dispose();
    await model.close();
  });

  it.each([
    ['default', false, false],
    ['acceptEdits', true, false],
    ['bypassPermissions', true, true],
  ] as const)('%s: writes files %s, runs commands %s', async (permissionMode, writes, runs) => {
    const workingDir = makeFolder();
    const options: ExecuteOptions = {
      prompt: 'go',
      permissionMode,
      workingDir,
      transport: 'acp',
      pool,
      cliPath: GEMINI,
      model: 'gemini-2.5-flash',
      env: model.env,
      trustWorkspace: true,
    };
    const result = await execute(options);
    if (!result.success) throw result.error;
    expect([existsSync(join(workingDir, 'a.txt')), existsSync(join(workingDir, 'b.txt'))]).toEqual([
      writes,
      runs,
    ]);
    const [prompt, ...answers] = result.messages;
    expect(prompt).toMatchObject({ role: 'user', content: [{ type: 'text', text: 'go' }] });
    const blocks = answers.flatMap(({ content }) => content);
    const named = blocks.flatMap((block) => (block.type === 'tool_use' ? block.name : []));
    // The CLI records no call that was refused over ACP, only its answer to the model.
    expect(named).toEqual([...(writes ? ['Write'] : []), ...(runs ? ['Bash'] : [])]);
    expect(blocks.filter(({ type }) => type === 'tool_result')).toHaveLength(2);
    expect(blocks.at(-1)).toEqual({ type: 'text', text: 'I tried both.' });
    const geminiHome = join(model.home, '.gemini');
    expect(await loadMessages({ projectDir: workingDir, geminiHome })).toEqual(result.messages);
  });

  it('runs with the CLI that detectCli finds, on a machine that diagnose calls sound', async () => {
    expect(detectCli({ cliPath: GEMINI })).toBe(GEMINI);
    const config = { cliPath: GEMINI, env: model.env, workingDir: makeFolder() };
    expect(await diagnose({ ...config, trustWorkspace: true })).toMatchObject({ ok: true });
    const { ok, findings } = await diagnose({ ...config, timeout: -1, approvalMode: 'default' });
    expect(ok).toBe(false);
    const problems = findings.filter(({ status }) => status === 'problem');
    expect(problems.map(({ check, code }) => [check, code])).toEqual([
      ['configuration', 'INVALID_CONFIG'],
      ['workspace trust', 'UNTRUSTED_WORKSPACE'],
    ]);
  });
});
