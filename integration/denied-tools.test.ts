import type { GenerateResult } from 'gemini-cli-provider';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLab, shareLab } from './support.js';
import { shell } from './tool-calls.js';

/** The rules that a hint names for `allowedTools`. */
function rulesIn(hint: string | undefined): string[] {
  const list = /allowedTools: (\[.*?\])/.exec(hint ?? '')?.[1];
  return JSON.parse(list ?? '[]');
}

const tracker = {
  name: 'tracker_create_task',
  args: { title: 'a', description: 'b', type: 'task' },
};

type Mode = 'auto_edit' | 'default';

/** Commands with the beginnings that a rule must name for them, if it can be less than all commands. */
const REFUSED: Record<Mode, readonly (readonly [string, readonly string[] | undefined])[]> = {
  auto_edit: [
    ['cd /tmp && ls -la', ['cd', 'ls']],
    ['echo hi > f.txt', ['echo hi']],
    ['echo $(date)', undefined],
    ['npm test -- --ci', ['npm test']],
  ],
  default: [
    ['echo hi | sort; pwd', ['echo hi', 'sort', 'pwd']],
    ['echo hi > f.txt', undefined],
  ],
};

/** What is allowed in one run: rules for one command must not help another. */
const ALLOWED: Record<Mode, readonly (readonly string[])[]> = {
  auto_edit: [['cd /tmp && ls -la', 'echo hi > f.txt'], ['echo $(date)']],
  default: [['echo hi | sort; pwd'], ['echo hi > f.txt']],
};

describe.each(['auto_edit', 'default'] as const)('tools that are refused in %s', (approvalMode) => {
  const commands = REFUSED[approvalMode].map(([command]) => command);
  const calls = [...commands.map(shell), tracker, { name: 'no_such_tool' }];
  const lab = shareLab(
    [
      { prompt: 'refused', turns: [{ toolCalls: calls }, { text: 'end' }] },
      ...ALLOWED[approvalMode].map((group) => ({
        prompt: group.join(),
        turns: [{ toolCalls: group.map(shell) }, { text: 'end' }],
      })),
    ],
    { config: { approvalMode } },
  );
  let refused: GenerateResult;
  beforeAll(async () => {
    refused = await lab().run('refused');
  });
  const hintFor = (command: string) => {
    return refused.deniedTools[commands.indexOf(command)]?.hint;
  };

  it('are listed one by one, and the run goes on', () => {
    expect(refused.text).toBe('end');
    expect(refused.deniedTools.map(({ tool, reason }) => [tool, reason])).toEqual(
      calls.map(({ name }) => [name, 'not_registered']),
    );
    expect(refused.deniedTools.at(-1)?.hint).toContain('No setting allows ');
    expect(refused.deniedTools.at(-2)?.hint).toContain(
      '`experimental.taskTracker: true` in settings.json',
    );
  });

  it.for(REFUSED[approvalMode])('have a hint that names the least: %s', ([command, prefixes]) => {
    expect(rulesIn(hintFor(command))).toEqual(
      prefixes?.map((prefix) => `run_shell_command(${prefix})`) ?? ['run_shell_command'],
    );
  });

  it.for(ALLOWED[approvalMode])('are really allowed by their hints: %j', async (group) => {
    const allowedTools = group.flatMap((command) => rulesIn(hintFor(command)));
    const { deniedTools, files } = await lab().run(group.join(), { allowedTools });
    expect(deniedTools).toEqual([]);
    const written = group.join().includes('> f.txt') ? ['f.txt created'] : [];
    expect(files.map(({ path, kind }) => `${path} ${kind}`)).toEqual(written);
  });
});

describe('a tool that the CLI has only in some settings', () => {
  it('is really offered with the setting that its hint names', async () => {
    const settings = { experimental: { taskTracker: true } };
    const lab = await openLab([{ toolCalls: [tracker] }, { text: 'end' }], { settings });
    expect((await lab.run()).deniedTools).toEqual([]);
    expect(lab.model.requests[0]?.tools).toContain('tracker_visualize');
  });
});
