import type { GenerateResult } from 'gemini-cli-provider';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLab, shareLab } from './support.js';
import { shell } from './tool-calls.js';

/** Returns the rules for `allowedTools` that a hint names. */
function rulesIn(hint: string | undefined): string[] {
  const list = /allowedTools: (\[.*?\])/.exec(hint ?? '')?.[1];
  return JSON.parse(list ?? '[]');
}

const tracker = {
  name: 'tracker_create_task',
  args: { title: 'a', description: 'b', type: 'task' },
};

type Mode = 'auto_edit' | 'default';

/** Commands with the prefixes that their hint must name. Undefined if no rule short of all commands allows the command. */
const REFUSED: Record<Mode, readonly (readonly [string, readonly string[] | undefined])[]> = {
  auto_edit: [
    ['cd /tmp && ls -la', ['cd', 'ls']],
    ['echo hi > f.txt', ['echo hi']],
    ['echo $(date)', undefined],
    ['npm test -- --ci', ['npm test']],
  ],
  default: [
    ['echo hi | sort; pwd', ['echo hi', 'sort', 'pwd']],
    ['echo hi > f.txt', ['echo hi']],
  ],
};

/** Groups of commands that one step runs. A rule for one command of a group allows no other command of the group. */
const ALLOWED: Record<Mode, readonly (readonly string[])[]> = {
  auto_edit: [['cd /tmp && ls -la', 'echo hi > f.txt'], ['echo $(date)']],
  default: [['echo hi | sort; pwd'], ['echo hi > f.txt']],
};

describe.each(['auto_edit', 'default'] as const)('tools refused in %s mode', (approvalMode) => {
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

  it('are listed one by one, and the step continues', () => {
    expect(refused.text).toBe('end');
    expect(refused.deniedTools.map(({ tool, reason }) => [tool, reason])).toEqual(
      calls.map(({ name }) => [name, 'not_registered']),
    );
    expect(refused.deniedTools.at(-1)?.hint).toContain('No setting allows ');
    expect(refused.deniedTools.at(-2)?.hint).toContain(
      '`experimental.taskTracker: true` in settings.json',
    );
  });

  it.for(REFUSED[approvalMode])(
    'have a hint with the narrowest rule: %s',
    ([command, prefixes]) => {
      expect(rulesIn(hintFor(command))).toEqual(
        prefixes?.map((prefix) => `run_shell_command(${prefix})`) ?? ['run_shell_command'],
      );
    },
  );

  it.for(ALLOWED[approvalMode])('run when the rules of their hints are set: %j', async (group) => {
    const allowedTools = group.flatMap((command) => rulesIn(hintFor(command)));
    const hints = group.map((command) => hintFor(command) ?? '');
    const allowRedirection = hints.some((hint) => hint.includes('allowRedirection: true'));
    const rules = { allowedTools, ...(allowRedirection ? { allowRedirection } : {}) };
    const { deniedTools, files } = await lab().run(group.join(), rules);
    expect(deniedTools).toEqual([]);
    const written = group.join().includes('> f.txt') ? ['f.txt created'] : [];
    expect(files.map(({ path, kind }) => `${path} ${kind}`)).toEqual(written);
  });
});

describe('a tool that the CLI offers only with a setting', () => {
  it('is offered when the setting in its hint is on', async () => {
    const settings = { experimental: { taskTracker: true } };
    const lab = await openLab([{ toolCalls: [tracker] }, { text: 'end' }], { settings });
    expect((await lab.run()).deniedTools).toEqual([]);
    expect(lab.model.requests[0]?.tools).toContain('tracker_visualize');
  });
});
