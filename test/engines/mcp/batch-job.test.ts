import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PlanStep } from '../../../src/api/batch-plan.js';
import { createBatchWork } from '../../../src/engines/mcp/batch-job.js';
import { CallCeiling } from '../../../src/engines/mcp/call-ceiling.js';
import { WorkspaceRoots } from '../../../src/engines/mcp/workspace-roots.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { failureOf } from '../../fixtures/cli/support.js';
import { fakeSteps, session, succeeds, text } from '../ai-sdk/fake-steps.js';

function openLab(ceiling = new CallCeiling('auto_edit', ['run_shell_command(npm test)'])) {
  const cwd = makeTree({ 'a.txt': 'a', 'prompt.md': 'from a file' });
  const inner = fakeSteps([session, text('Working'), succeeds({ text: 'done' })]);
  const validate = async () => {
    return { cliPath: '', cliVersion: '', workingDir: cwd, notes: [] };
  };
  const server = { provider: { ...inner, validate }, ceiling, roots: new WorkspaceRoots([cwd]) };
  const activities: string[] = [];
  const run = (plan: string | readonly PlanStep[], allowShell = false) => {
    const request = { cwd, plan, concurrency: 2, allowShell };
    const { signal } = new AbortController();
    const report = (activity: string): void => void activities.push(activity);
    return createBatchWork(request, server).run({ id: 'j', signal, report });
  };
  return { cwd, inner, run, activities };
}

describe('a batch of the MCP server', () => {
  it('reports the steps as they begin, work and end', async () => {
    const { inner, run, activities } = openLab();
    const { batch } = await run([
      { id: 'a', prompt: 'go' },
      { id: 'b', promptFile: 'prompt.md', needs: ['a'] },
    ]);
    expect(batch).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 2 } });
    expect(inner.steps.map(({ prompt }) => prompt)).toEqual(['go', 'from a file']);
    expect(activities).toEqual(
      expect.arrayContaining(['0/2 a: started', '1/2 a: succeeded', '2/2 b: succeeded']),
    );
    // The provider belongs to the server.
    expect(inner.disposals.count).toBe(0);
  });

  it('gives a step the mode of the call, unless the step asks for a lower one', async () => {
    const { inner, run } = openLab();
    await run([
      { id: 'a', prompt: 'go' },
      { id: 'b', prompt: 'look', approvalMode: 'plan', needs: ['a'] },
    ]);
    expect(inner.steps.map(({ options }) => options.approvalMode)).toEqual(['auto_edit', 'plan']);
    expect(inner.steps[0]?.options.allowedTools).toEqual([]);
  });

  it('is refused with everything that asks for more than the server allows', async () => {
    const { inner, run } = openLab();
    const error = await failureOf(() =>
      run([
        {
          id: 'a',
          prompt: 'go',
          approvalMode: 'yolo',
          env: { SECRET: 'hidden-value' },
          workingDir: '/',
          includeDirectories: ['/etc', '.'],
          systemPrompt: { mode: 'prepend', file: '/etc/passwd' },
          expects: { command: 'rm -rf x' },
        },
        { id: 'b', prompt: 'go', systemPrompt: 'a text', expects: { command: 'npm test' } },
      ]),
    );
    expect(error).toMatchObject({ code: 'INVALID_CONFIG' });
    const lines = String(error);
    for (const part of ['a.approvalMode', 'a.env', 'a.path', 'a.expects.command'])
      expect(lines).toContain(part);
    expect(lines).toContain('b.expects.command');
    expect(lines).not.toContain('hidden-value');
    expect(inner.steps).toEqual([]);
  });

  it('runs commands of a plan only with allowShell and a rule for them', async () => {
    const { run } = openLab(new CallCeiling('auto_edit', ['run_shell_command(true)']));
    const step = { id: 'a', prompt: 'go', expects: { command: 'true' } };
    expect(String(await failureOf(() => run([step])))).toContain('set allowShell');
    expect((await run([step], true)).batch?.outcome).toBe('succeeded');
  });

  it('refuses commands at the end of a plan, unless the server allows all commands', async () => {
    const plan = { steps: [{ id: 'a', prompt: 'go' }], onFinish: { always: 'true' } };
    const files = { 'plan.json': JSON.stringify(plan) };
    const file = join(makeTree(files), 'plan.json');
    const refused = openLab();
    const error = await failureOf(() => refused.run(file, true));
    expect(String(error)).toContain('onFinish');
    expect(refused.inner.steps).toEqual([]);
  });

  it('gives the steps of a server that allows everything its own mode', async () => {
    const { inner, run } = openLab(new CallCeiling('yolo', []));
    await run([{ id: 'a', prompt: 'go' }], true);
    expect(inner.steps[0]?.options.approvalMode).toBe('yolo');
  });
});
