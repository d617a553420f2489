import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { gateCases } from './gate-cases.js';
import { makeFolder, openLab, read, shareLab } from './support.js';
import { shell, write } from './tool-calls.js';

/** Commands that would write the file F, although only `echo` is allowed. */
const TRICKS: readonly string[] = [
  'echo x > F',
  'echo x >> F',
  'echo x 1>F',
  'echo x 2> F',
  'echo x 3> F',
  'echo x &> F',
  'echo x &>> F',
  'echo x >& F',
  'echo x >| F',
  'echo x <> F',
  'echo x > "F"',
  "echo x >$'F'",
  'echo x >\tF',
  'echo x \\\n> F',
  '>F',
  '>F echo x',
  'echo x;>F',
  'echo a{b,c} > F',
  '/bin/echo x > F',
  "'echo' x > F",
  'A=1 echo x > F',
  'echo x > F <<EOF\na\nEOF',
  'echo x <<< y > F',
  'echo x > >(tee F)',
  'echo >(touch F)',
  'echo <(touch F)',
  'echo x | tee F',
  'echo x |& tee F',
  'echo x | sh -c "cat > F"',
  'echo $(touch F)',
  'echo `touch F`',
  'echo "$(touch F)"',
  `echo \${x:=$(touch F)}`,
  'echo x; touch F',
  'echo x && touch F',
  'echo x & touch F',
  'echo x\ntouch F',
  'echo x # comment\ntouch F',
  'A=1 touch F',
  'env touch F',
  '(touch F)',
  '{ touch F; }',
  '! touch F',
  'if true; then touch F; fi',
  'for i in 1; do touch F; done',
  'sh -c "touch F"',
  "bash -c 'echo x > F'",
  'eval "touch F"',
  'command touch F',
  'f() { touch F; }; f',
  'trap "touch F" EXIT; echo x',
  'xargs touch <<< F',
  'time touch F',
  'nohup touch F',
];

/** Commands with the signs of redirections inside of quotes. They may run. */
const QUOTED = ['echo "a > b"', "echo 'a >> b'", 'echo a \\> b', 'echo "a | b; c"'];

const allowedTools = ['run_shell_command(echo)'];
const DRIVERS = ['headless', 'acp'] as const;

const outside = makeFolder({}, afterAll);
const tricks = TRICKS.map((trick, index) => {
  return shell(trick.replaceAll('F', join(outside, `f${index}`)));
});

/** The model tries all tricks, then to leave its mode through the plan mode, and then to use what it has gained. */
const ATTACK = [
  { toolCalls: [...tricks, ...QUOTED.map(shell)] },
  { toolCalls: [{ name: 'enter_plan_mode', args: { reason: 'x' } }] },
  { toolCalls: [write('plan.md', '# Plan\n\nDo it.\n')] },
  { toolCalls: [{ name: 'exit_plan_mode', args: { plan_filename: 'plan.md' } }] },
  { toolCalls: [shell('touch ran.txt'), shell('ls'), write('written.txt', 'x')] },
  { text: 'end' },
];

describe.each(gateCases(DRIVERS, 1))('a step with an allowed command (%s)', (transport) => {
  const lab = shareLab(ATTACK, { config: { transport, allowedTools } });

  it.each(['default', 'plan', 'auto_edit'] as const)(
    'in %s redirects nothing, stays in its mode, and lists every refused call (claim: no-redirection) (claim: mode-cannot-be-left) (claim: refused-calls-listed)',
    async (approvalMode) => {
      const { deniedTools, files } = await lab().run('go', { approvalMode });
      const isPlan = approvalMode === 'plan';
      const written = approvalMode === 'auto_edit' ? ['plan.md', 'written.txt'] : [];
      expect(readdirSync(outside)).toEqual([]);
      expect(readdirSync(lab().workspace)).toEqual(written);
      const inWorkspace = files.filter(({ outsideWorkspace }) => !outsideWorkspace);
      expect(inWorkspace.map(({ path }) => path)).toEqual(written);
      // In the plan mode the model may write plans, into the folder of its session.
      const refusedWrites = { default: 2, plan: 1, auto_edit: 0 }[approvalMode];
      const count = (name: string) => deniedTools.filter(({ tool }) => tool === name).length;
      expect(count('run_shell_command')).toBe(TRICKS.length + 2);
      expect(count('write_file')).toBe(refusedWrites);
      expect(count('enter_plan_mode') + count('exit_plan_mode')).toBe(2);
      expect(new Set(deniedTools.map(({ toolId }) => toolId)).size).toBe(deniedTools.length);
      expect(files.length - inWorkspace.length).toBe(isPlan ? 1 : 0);
    },
  );
});

describe.each(DRIVERS)('an allowed command (%s)', (transport) => {
  it('may redirect if allowRedirection says so, and the file is in the manifest wherever it is', async () => {
    const outside = makeFolder({ 'old.txt': 'old\n' });
    const commands = [
      `echo new > ${outside}/new.txt`,
      `echo more >> ${outside}/old.txt`,
      'echo in > in.txt',
      `echo x > ${outside}/not.txt; touch ${outside}/not2.txt`,
    ];
    const lab = await openLab([{ toolCalls: commands.map(shell) }, { text: 'end' }], {
      config: { transport, allowedTools, allowRedirection: allowedTools },
    });
    const result = await lab.run();
    expect(read(outside, 'old.txt')).toBe('old\nmore\n');
    expect(existsSync(join(outside, 'not.txt'))).toBe(false);
    expect(result.deniedTools).toHaveLength(1);
    const found = result.files.map(({ absolutePath, kind, outsideWorkspace }) => {
      return [absolutePath, kind, outsideWorkspace];
    });
    expect(found.sort()).toEqual(
      [
        [join(outside, 'new.txt'), 'created', true],
        [join(outside, 'old.txt'), 'modified', true],
        [join(lab.workspace, 'in.txt'), 'created', false],
      ].sort(),
    );
    expect(result.warnings.filter(({ code }) => code === 'FILE_OUTSIDE_WORKSPACE')).toHaveLength(2);
  });
});

describe('files that commands name outside of the workspace', () => {
  it('are in the manifest (claim: shell-writes-listed)', async () => {
    const outside = makeFolder({
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      'folder/keep': '',
      'same.txt': 's',
    });
    const at = (name: string) => join(outside, name);
    const commands = [
      `cp local.txt ${at('folder')}`,
      `mv ${at('a.txt')} ${at('moved.txt')}`,
      `sed -i s/b/c/ ${at('b.txt')}`,
      `cd ${outside} && touch touched.txt`,
      `cat local.txt | tee ${at('tee.txt')} > /dev/null`,
      `D=${outside}; echo x > "$D/variable.txt"`,
      `sh -c "echo y > ${at('inner.txt')}"`,
      `cat ${at('same.txt')}`,
    ];
    const lab = await openLab([{ toolCalls: [shell(commands.join('\n'))] }, { text: 'end' }], {
      files: { 'local.txt': 'local\n' },
      config: { approvalMode: 'yolo' },
    });
    const result = await lab.run();
    const prefix = `../${outside.split('/').at(-1)}/`;
    const names = result.files.map(({ path, kind }) => `${path.replace(prefix, '')} ${kind}`);
    expect(names).toEqual([
      'a.txt deleted',
      'b.txt modified',
      'folder/local.txt created',
      'inner.txt created',
      'moved.txt created',
      'tee.txt created',
      'touched.txt created',
      'variable.txt created',
    ]);
    expect(
      result.files.every(({ outsideWorkspace, confirmed }) => outsideWorkspace && confirmed),
    ).toBe(true);
  });
});
