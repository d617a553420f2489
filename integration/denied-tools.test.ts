import { describe, expect, it } from 'vitest';
import { openLab } from './support.js';

/** The rules that a hint names for `allowedTools`. */
function rulesIn(hint: string | undefined): string[] {
  const list = /allowedTools: (\[.*?\])/.exec(hint ?? '')?.[1];
  return JSON.parse(list ?? '[]');
}

describe('the hint for a refused shell command', () => {
  it.each([
    ['cd /tmp && ls -la', 'auto_edit', ['cd', 'ls']],
    ['echo hi | sort; pwd', 'default', ['echo hi', 'sort', 'pwd']],
    ['echo hi > f.txt', 'auto_edit', ['echo hi']],
    ['echo hi > f.txt', 'default', undefined],
    ['echo $(date)', 'auto_edit', undefined],
  ] as const)('really allows it: %s in %s', async (command, approvalMode, prefixes) => {
    const call = { name: 'run_shell_command', args: { command } };
    const lab = await openLab(
      [
        { prompt: 'refused', turns: [{ toolCalls: [call] }, { text: 'end' }] },
        { prompt: 'allowed', turns: [{ toolCalls: [call] }, { text: 'end' }] },
      ],
      { config: { approvalMode } },
    );
    const { deniedTools } = await lab.run('refused');
    const allowedTools = rulesIn(deniedTools[0]?.hint);
    expect(allowedTools).toEqual(
      prefixes?.map((prefix) => `run_shell_command(${prefix})`) ?? ['run_shell_command'],
    );
    expect((await lab.run('allowed', { allowedTools })).deniedTools).toEqual([]);
  });
});

describe('the hint for a tool that the CLI has only in some settings', () => {
  it('really makes the CLI offer it', async () => {
    const settings = { experimental: { taskTracker: true } };
    const call = {
      name: 'tracker_create_task',
      args: { title: 'a', description: 'b', type: 'task' },
    };
    const script = [{ toolCalls: [call] }, { text: 'end' }];
    const { deniedTools } = await (await openLab(script)).run();
    expect(deniedTools[0]?.hint).toContain('`experimental.taskTracker: true` in settings.json');
    const lab = await openLab(script, { settings });
    expect((await lab.run()).deniedTools).toEqual([]);
    expect(lab.model.requests[0]?.tools).toContain('tracker_visualize');
  });
});
