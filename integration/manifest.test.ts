import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GenerateResult } from 'gemini-cli-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, openLab, read, shareLab } from './support.js';
import { replace, shell, write } from './tool-calls.js';

const hash = (content: string) => createHash('sha256').update(content).digest('hex');
const kinds = ({ files }: GenerateResult) => files.map(({ path, kind }) => `${path} ${kind}`);

describe('the manifest of a step', () => {
  const files = { 'old.txt': 'one\ntwo\n', 'same.txt': 'same\n', 'real.txt': 'before\n' };
  const other = makeFolder({}, afterAll);
  const lab = shareLab(
    [
      {
        toolCalls: [
          write('new/a b é.txt', 'new\n'),
          write('old.txt', 'three\n'),
          write('same.txt', 'same\n'),
          write('link.txt', 'via link\n'),
          write(join(other, 'x.txt'), 'x'),
          // These calls fail: the file is missing, the path is outside of the workspace, the parent folder is a file.
          replace('missing.txt', 'a', 'b'),
          write('/etc/nope.txt', 'x'),
          write('locked/a.txt', 'x'),
        ],
      },
      { toolCalls: [replace('old.txt', 'three', 'four')] },
      { text: 'done' },
    ],
    { files: { ...files, locked: '' }, config: { includeDirectories: [other] } },
  );
  let result: GenerateResult;
  const file = (name: string) => result.files.find(({ path }) => path === name);
  beforeAll(async () => {
    symlinkSync('real.txt', join(lab().workspace, 'link.txt'));
    result = await lab().run();
  });

  it('lists the files of all successful calls, and no others', () => {
    expect(result.text).toBe('done');
    expect(kinds(result)).toEqual([
      expect.stringMatching(/^\.\.\/.*\/x\.txt created$/),
      'link.txt modified',
      'new/a b é.txt created',
      'old.txt modified',
      'same.txt unchanged',
    ]);
    expect(Object.keys(result.filesWritten).sort()).toEqual([
      expect.stringMatching(/^\.\.\/.*\/x\.txt$/),
      'link.txt',
      'new/a b é.txt',
      'old.txt',
      'same.txt',
    ]);
    expect(result.warnings).toEqual([]);
  });

  it('distinguishes created, modified and unchanged files, with hashes and diffs', () => {
    const created = file('new/a b é.txt');
    expect(created).toMatchObject({
      absolutePath: join(lab().workspace, 'new/a b é.txt'),
      tools: ['write_file'],
      bytes: 4,
      sha256Before: undefined,
      sha256After: hash('new\n'),
      confirmed: true,
      outsideWorkspace: false,
    });
    // The path is quoted as git quotes it, so that `git apply` accepts the diff.
    expect(created?.diff).toContain('--- /dev/null\n+++ "b/new/a b \\303\\251.txt"\n');
    const modified = file('old.txt');
    expect(modified).toMatchObject({
      tools: ['write_file', 'replace'],
      sha256Before: hash('one\ntwo\n'),
      sha256After: hash('four\n'),
      confirmed: true,
    });
    expect(modified?.toolIds).toHaveLength(2);
    expect(modified?.diff).toContain('-one\n-two\n+four\n');
    expect(file('same.txt')).toMatchObject({ diff: undefined, sha256Before: hash('same\n') });
  });

  it('lists a symbolic link under its own name, with its target', () => {
    expect(file('link.txt')).toMatchObject({
      symlinkTarget: join(lab().workspace, 'real.txt'),
      sha256Before: hash('before\n'),
      sha256After: hash('via link\n'),
      confirmed: true,
    });
    expect(read(lab().workspace, 'real.txt')).toBe('via link\n');
  });

  it('counts included directories as workspace', () => {
    expect(result.files).toContainEqual(
      expect.objectContaining({
        absolutePath: join(other, 'x.txt'),
        outsideWorkspace: false,
        kind: 'created',
      }),
    );
  });
});

describe('the manifest', () => {
  it('lists the file to which a hook redirected a call', async () => {
    const command = `echo '{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"file_path":"b.txt","content":"x"}}}'`;
    const hooks = {
      BeforeTool: [{ matcher: 'write_file', hooks: [{ type: 'command', command }] }],
    };
    const lab = await openLab([{ toolCalls: [write('a.txt', 'x')] }, { text: 'ok' }], {
      settings: { hooks },
    });
    expect(kinds(await lab.run())).toEqual(['b.txt created']);
  });

  it('does not confirm a file that is gone after the call', async () => {
    const command = 'rm -f a.txt; echo "{}"';
    const hooks = { AfterTool: [{ matcher: 'write_file', hooks: [{ type: 'command', command }] }] };
    const lab = await openLab([{ toolCalls: [write('a.txt', 'x')] }, { text: 'ok' }], {
      settings: { hooks },
    });
    const { files, filesWritten, warnings } = await lab.run();
    expect(files).toMatchObject([{ path: 'a.txt', kind: 'unchanged', confirmed: false, bytes: 0 }]);
    expect(filesWritten).toEqual({});
    expect(warnings).toMatchObject([{ code: 'FILE_NOT_CONFIRMED' }]);
  });

  it('lists the files of a sub-agent, although no event names them', async () => {
    const lab = await openLab([
      {
        prompt: 'SUBTASK',
        turns: [
          { toolCalls: [write('sub.txt', 'by sub-agent\n')] },
          { toolCalls: [{ name: 'complete_task', args: { result: { response: 'done' } } }] },
        ],
      },
      {
        turns: [
          {
            toolCalls: [
              { name: 'invoke_agent', args: { agent_name: 'generalist', prompt: 'SUBTASK' } },
            ],
          },
          { text: 'ok' },
        ],
      },
    ]);
    const result = await lab.run('delegate');
    expect(result.files).toMatchObject([
      { path: 'sub.txt', kind: 'created', tools: ['write_file'], confirmed: true },
    ]);
  });
});

const yolo = { approvalMode: 'yolo' } as const;
const script = (command: string) => [{ toolCalls: [shell(command)] }, { text: 'ok' }];
const COMMAND = [
  'echo new > made.txt',
  "printf 'a\\nb' > $'new\\nline.txt'",
  'echo more >> old.txt',
  'rm gone.txt',
  'touch same.txt',
  'ln -s old.txt link',
  'mkdir -p out && echo x > out/ignored.txt',
].join(' && ');
const FILES = {
  'old.txt': 'old\n',
  'gone.txt': 'gone\n',
  'same.txt': 'same\n',
  '.gitignore': 'out/\n',
};
const FOUND = [
  'gone.txt deleted',
  'link created',
  'made.txt created',
  'new\nline.txt created',
  'old.txt modified',
];

describe('files made by shell commands', () => {
  it('are found by comparing the workspace', async () => {
    const lab = await openLab(script(COMMAND), { files: FILES });
    const result = await lab.run('go', yolo);
    expect(kinds(result)).toEqual(FOUND);
    expect(result.files.every(({ tools }) => tools.join() === 'run_shell_command')).toBe(true);
    expect(result.files.every(({ toolIds }) => toolIds.length === 1)).toBe(true);
    expect(result.files.find(({ path }) => path === 'old.txt')?.sha256Before).toBe(hash('old\n'));
    expect(result.files.find(({ path }) => path === 'link')?.symlinkTarget).toBe(
      join(lab.workspace, 'old.txt'),
    );
  });

  it('are found by git in a repository, with and without uncommitted changes, committed or not', async () => {
    const commit =
      'echo x > c.txt && git add c.txt && git -c user.name=a -c user.email=a@b commit -qm c c.txt';
    const lab = await openLab(script(`${COMMAND} && ${commit}`), {
      files: { ...FILES, 'tracked.txt': '1\n' },
    });
    const git = (...args: string[]) => {
      const author = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
      return execFileSync('git', ['-C', lab.workspace, ...author, ...args], { encoding: 'utf8' });
    };
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'begin');
    writeFileSync(join(lab.workspace, 'tracked.txt'), '2\n');
    writeFileSync(join(lab.workspace, 'untracked.txt'), '3\n');
    const result = await lab.run('go', yolo);
    expect(git('log', '--format=%s')).toBe('c\nbegin\n');
    expect(kinds(result)).toEqual(['c.txt created', ...FOUND]);
    const old = result.files.find(({ path }) => path === 'old.txt');
    expect(old).toMatchObject({ sha256Before: hash('old\n'), sha256After: hash('old\nmore\n') });
    expect(old?.diff).toContain('+more');
    expect(result.files.find(({ path }) => path === 'gone.txt')?.diff).toContain('-gone');
  });

  it('are distinguished from files of write_file, also when both write the same file', async () => {
    const lab = await openLab([
      { toolCalls: [write('a.txt', 'one\n'), write('b.txt', 'one\n')] },
      { toolCalls: [shell('echo two >> a.txt; echo c > c.txt')] },
      { text: 'ok' },
    ]);
    const { files, warnings } = await lab.run('go', yolo);
    expect(files).toMatchObject([
      {
        path: 'a.txt',
        kind: 'created',
        tools: ['write_file', 'run_shell_command'],
        confirmed: true,
        sha256After: hash('one\ntwo\n'),
      },
      { path: 'b.txt', kind: 'created', tools: ['write_file'], confirmed: true },
      { path: 'c.txt', kind: 'created', tools: ['run_shell_command'], confirmed: true },
    ]);
    // On a busy machine the CLI may exit late after a command, which is no failure.
    expect(warnings.filter(({ code }) => code !== 'CLI_LINGERED')).toEqual([]);
  });

  it('are not searched for when workspaceScan is off', async () => {
    const lab = await openLab(script('echo x > x.txt'));
    expect((await lab.run('go', { ...yolo, workspaceScan: 'off' })).files).toEqual([]);
  });
});

describe('rules for tools', () => {
  it('allow the named tools and commands, and nothing else', async () => {
    const lab = await openLab(
      [
        {
          toolCalls: [
            shell('echo ok'),
            shell('echo ok && rm -f a.txt'),
            shell('rm -f a.txt'),
            write('b.txt', 'b'),
          ],
        },
        { text: 'ok' },
      ],
      { files: { 'a.txt': 'a' } },
    );
    const allowedTools = ['write_file', 'run_shell_command(echo)'];
    const result = await lab.run('go', { approvalMode: 'default', allowedTools });
    expect(kinds(result)).toEqual(['b.txt created']);
    expect(result.deniedTools.map(({ tool, reason }) => `${tool} ${reason}`)).toEqual([
      'run_shell_command policy',
      'run_shell_command policy',
    ]);
    expect(read(lab.workspace, 'a.txt')).toBe('a');
  });
});
