import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GenerateResult } from 'gemini-cli-provider';
import { describe, expect, it } from 'vitest';
import { makeFolder, openLab, read } from './support.js';

const hash = (content: string) => createHash('sha256').update(content).digest('hex');
const write = (path: string, content: string) => ({
  name: 'write_file',
  args: { file_path: path, content },
});
const replace = (path: string, from: string, to: string) => ({
  name: 'replace',
  args: { file_path: path, old_string: from, new_string: to, instruction: 'change' },
});
const shell = (command: string) => ({ name: 'run_shell_command', args: { command } });
const kinds = ({ files }: GenerateResult) => files.map(({ path, kind }) => `${path} ${kind}`);

describe('the manifest', () => {
  it('tells created, modified and unchanged files, with hashes and diffs', async () => {
    const files = { 'old.txt': 'one\ntwo\n', 'same.txt': 'same\n' };
    const lab = await openLab(
      [
        {
          toolCalls: [
            write('new/a b é.txt', 'new\n'),
            write('old.txt', 'three\n'),
            write('same.txt', 'same\n'),
          ],
        },
        { toolCalls: [replace('old.txt', 'three', 'four')] },
        { text: 'done' },
      ],
      { files },
    );
    const result = await lab.run();
    expect(kinds(result)).toEqual([
      'new/a b é.txt created',
      'old.txt modified',
      'same.txt unchanged',
    ]);
    const [created, modified, same] = result.files;
    expect(created).toMatchObject({
      absolutePath: join(lab.workspace, 'new/a b é.txt'),
      tools: ['write_file'],
      bytes: 4,
      sha256Before: undefined,
      sha256After: hash('new\n'),
      confirmed: true,
      outsideWorkspace: false,
    });
    // Quoted as git does it, so that `git apply` takes it.
    expect(created?.diff).toContain('--- /dev/null\n+++ "b/new/a b \\303\\251.txt"\n');
    expect(modified).toMatchObject({
      tools: ['write_file', 'replace'],
      sha256Before: hash('one\ntwo\n'),
      sha256After: hash('four\n'),
      confirmed: true,
    });
    expect(modified?.toolIds).toHaveLength(2);
    expect(modified?.diff).toContain('-one\n-two\n+four\n');
    expect(same).toMatchObject({ diff: undefined, sha256Before: hash('same\n') });
    expect(result.warnings).toEqual([]);
  });

  it('knows the old content to the byte, line ends included', async () => {
    const lab = await openLab(
      [{ toolCalls: [replace('crlf.txt', 'one', 'uno')] }, { text: 'ok' }],
      {
        files: { 'crlf.txt': 'one\r\ntwo\r\n' },
      },
    );
    const { files } = await lab.run();
    expect(files).toMatchObject([
      {
        sha256Before: hash('one\r\ntwo\r\n'),
        sha256After: hash('uno\r\ntwo\r\n'),
        confirmed: true,
      },
    ]);
  });

  it('leaves out calls that failed', async () => {
    const lab = await openLab([
      { toolCalls: [replace('missing.txt', 'a', 'b'), write('/etc/nope.txt', 'x')] },
      { text: 'ok' },
    ]);
    const { files, filesWritten } = await lab.run();
    expect(files).toEqual([]);
    expect(filesWritten).toEqual({});
  });

  it('reports a link under its own name, and what it leads to', async () => {
    const lab = await openLab([{ toolCalls: [write('link.txt', 'via link\n')] }, { text: 'ok' }], {
      files: { 'real.txt': 'before\n' },
    });
    symlinkSync('real.txt', join(lab.workspace, 'link.txt'));
    const { files } = await lab.run();
    expect(files).toMatchObject([
      {
        path: 'link.txt',
        kind: 'modified',
        symlinkTarget: join(lab.workspace, 'real.txt'),
        sha256Before: hash('before\n'),
        sha256After: hash('via link\n'),
        confirmed: true,
      },
    ]);
    expect(read(lab.workspace, 'real.txt')).toBe('via link\n');
  });

  it('counts included directories as workspace', async () => {
    const other = makeFolder();
    const lab = await openLab([{ toolCalls: [write(join(other, 'x.txt'), 'x')] }, { text: 'ok' }]);
    const { files } = await lab.run('go', { includeDirectories: [other] });
    expect(files).toMatchObject([
      { absolutePath: join(other, 'x.txt'), outsideWorkspace: false, kind: 'created' },
    ]);
    expect(files[0]?.path).toMatch(/^\.\.\//);
  });

  it('follows a hook that sends a call to another file', async () => {
    const command = `echo '{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"file_path":"b.txt","content":"x"}}}'`;
    const hooks = {
      BeforeTool: [{ matcher: 'write_file', hooks: [{ type: 'command', command }] }],
    };
    const lab = await openLab([{ toolCalls: [write('a.txt', 'x')] }, { text: 'ok' }], {
      settings: { hooks },
    });
    expect(kinds(await lab.run())).toEqual(['b.txt created']);
  });

  it('does not believe a call whose file is gone afterwards', async () => {
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

  it('shows what a sub-agent wrote, although no event tells of it', async () => {
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

  it('are found by git where the workspace is a repository, dirty or not', async () => {
    const lab = await openLab(script(COMMAND), { files: { ...FILES, 'tracked.txt': '1\n' } });
    const git = (...args: string[]) => {
      execFileSync('git', [
        '-C',
        lab.workspace,
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@b',
        ...args,
      ]);
    };
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'begin');
    writeFileSync(join(lab.workspace, 'tracked.txt'), '2\n');
    writeFileSync(join(lab.workspace, 'untracked.txt'), '3\n');
    const result = await lab.run('go', yolo);
    expect(kinds(result)).toEqual(FOUND);
    const old = result.files.find(({ path }) => path === 'old.txt');
    expect(old).toMatchObject({ sha256Before: hash('old\n'), sha256After: hash('old\nmore\n') });
    expect(old?.diff).toContain('+more');
    expect(result.files.find(({ path }) => path === 'gone.txt')?.diff).toContain('-gone');
  });

  it('are found in a repository even if the agent commits them', async () => {
    const command =
      'echo x > c.txt && git add c.txt && git -c user.name=a -c user.email=a@b commit -qm c';
    const lab = await openLab(script(command), { files: { 'a.txt': 'a' } });
    execFileSync('git', ['-C', lab.workspace, 'init', '-q']);
    execFileSync('git', [
      '-C',
      lab.workspace,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit',
      '-qm',
      'x',
      '--allow-empty',
    ]);
    expect(kinds(await lab.run('go', yolo))).toEqual(['c.txt created']);
  });

  it('are told from those of write_file, also where both touch one file', async () => {
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
    expect(warnings).toEqual([]);
  });

  it('are not looked for when that is switched off', async () => {
    const lab = await openLab(script('echo x > x.txt'));
    expect((await lab.run('go', { ...yolo, workspaceScan: 'off' })).files).toEqual([]);
  });

  it('are looked for where a rule allows a command', async () => {
    const lab = await openLab(script('touch x.txt'));
    const { files, deniedTools } = await lab.run('go', {
      allowedTools: ['run_shell_command(touch)'],
    });
    expect(deniedTools).toEqual([]);
    expect(files).toMatchObject([{ path: 'x.txt', tools: ['run_shell_command'] }]);
  });
});

describe('rules for tools', () => {
  it('allow what they name and nothing beside it', async () => {
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

  it('allow all commands, those with redirection too, when the tool alone is named', async () => {
    const lab = await openLab(script('echo hi > r.txt'));
    const result = await lab.run('go', { allowedTools: ['run_shell_command'] });
    expect(result.deniedTools).toEqual([]);
    expect(kinds(result)).toEqual(['r.txt created']);
  });

  it('deny even in yolo mode', async () => {
    const lab = await openLab(
      [{ toolCalls: [shell('rm -f a.txt'), shell('true'), write('b.txt', 'b')] }, { text: 'ok' }],
      { files: { 'a.txt': 'a' } },
    );
    const deniedTools = ['run_shell_command(rm)', 'write_file'];
    const result = await lab.run('go', { ...yolo, deniedTools });
    expect(result.files).toEqual([]);
    expect(result.deniedTools.map(({ tool }) => tool)).toEqual(['run_shell_command', 'write_file']);
    expect(result.deniedTools[1]?.hint).toBe('Remove write_file from deniedTools.');
    expect(lab.model.requests[0]?.tools).not.toContain('write_file');
  });
});

describe('a run in a read-only folder', () => {
  it('keeps the text and says that nothing was written', async () => {
    const lab = await openLab([{ toolCalls: [write('locked/a.txt', 'x')] }, { text: 'could not' }]);
    // A file in the place of a folder is read-only even for root.
    writeFileSync(join(lab.workspace, 'locked'), '');
    const { text, files } = await lab.run();
    expect(text).toBe('could not');
    expect(files).toEqual([]);
    rmSync(join(lab.workspace, 'locked'));
    mkdirSync(join(lab.workspace, 'locked'));
  });
});
