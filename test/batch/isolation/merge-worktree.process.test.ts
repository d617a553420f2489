import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import {
  ALL_CHANGES,
  edit,
  LINES,
  makeRepository,
  merge,
  open,
  openWorktree,
  read,
  readPersonal,
  writeByteName,
} from './support.js';

describe('the changes of a step in a worktree', () => {
  it('are merged, whatever their kind, and nothing else of the repository changes', async () => {
    const repository = makeRepository({
      ...ALL_CHANGES.before,
      'old name.txt': `${LINES}${LINES}`,
      'Case.txt': 'c\n',
    });
    edit(repository.folder, {
      'same.txt': 'uncommitted\n',
      'mine.txt': 'mine\n',
      'x.log': 'log\n',
    });
    repository.git('add', 'same.txt');
    const before = readPersonal(repository);
    const workspace = await openWorktree(repository);
    edit(workspace.dir, {
      ...ALL_CHANGES.edits,
      'old name.txt': null,
      'new "name"\n.txt': `${LINES}${LINES}`,
      'Case.txt': null,
      'case.txt': 'c\n',
      'empty.txt': '',
      'new/deep/ü.txt': 'u\n',
      'dangling\\link': '-> no/such "file"',
      'build.log': 'ignored\n',
    });
    writeByteName(workspace.dir, [0x62, 0xff, 0x20], 'not UTF-8\n');
    const { 'build.log': _log, ...wanted } = read(workspace.dir);
    const outcome = await merge(workspace);
    expect(outcome.merged && [...outcome.paths].sort()).toEqual(
      [
        ...ALL_CHANGES.paths,
        'Case.txt',
        'b\\xff ',
        'case.txt',
        'dangling\\link',
        'empty.txt',
        'new/deep/ü.txt',
        'old name.txt',
      ].sort(),
    );
    expect(read(repository.folder)).toEqual({ ...wanted, 'x.log': 'log\n' });
    expect(existsSync(join(repository.folder, 'gone'))).toBe(false);
    await workspace.dispose();
    expect(readPersonal(repository)).toEqual(before);
  });

  it('are merged with those of the user and of other steps, even in the same file', async () => {
    const repository = makeRepository({ 'a.txt': LINES, 'b.txt': LINES });
    const one = await openWorktree(repository);
    const two = await openWorktree(repository);
    edit(one.dir, { 'a.txt': LINES.replace('one', 'ONE'), 'new1.txt': '1\n' });
    edit(two.dir, { 'a.txt': LINES.replace('seven', 'SEVEN'), 'b.txt': null });
    edit(repository.folder, { 'a.txt': LINES.replace('four', 'FOUR'), 'unrelated.txt': 'u\n' });
    expect(await merge(one)).toMatchObject({ merged: true, paths: ['a.txt', 'new1.txt'] });
    expect(await merge(two)).toMatchObject({ merged: true, paths: ['a.txt', 'b.txt'] });
    expect(read(repository.folder)).toEqual({
      'a.txt': 'ONE\ntwo\nthree\nFOUR\nfive\nsix\nSEVEN\n',
      'new1.txt': '1\n',
      'unrelated.txt': 'u\n',
    });
  });

  it('are seen by a step that begins later', async () => {
    const repository = makeRepository({ 'a.txt': 'a\n' });
    const one = await openWorktree(repository);
    edit(one.dir, { 'made.txt': 'm\n', 'a.txt': 'b\n' });
    await merge(one);
    const two = await openWorktree(repository);
    expect(read(two.dir)).toEqual({ 'made.txt': 'm\n', 'a.txt': 'b\n' });
  });

  it('are kept as a patch on a conflict, and the working tree does not change', async () => {
    const repository = makeRepository({ 'a.txt': LINES, 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const personal = readPersonal(repository);
    const workspace = await openWorktree(repository);
    const base = makeTree(read(repository.folder));
    edit(workspace.dir, {
      'a.txt': LINES.replace('two', 'theirs'),
      'b.txt': 'changed\n',
      'c.txt': 'fine\n',
      'new.bin': Buffer.from([0, 255]),
      'both.txt': 'theirs\n',
    });
    edit(repository.folder, {
      'a.txt': LINES.replace('two', 'ours'),
      'b.txt': null,
      'both.txt': 'ours\n',
    });
    const tree = read(repository.folder);
    const outcome = await merge(workspace);
    if (outcome.merged) throw new Error('merged');
    expect(outcome.conflicts).toEqual([
      { path: 'a.txt', reason: 'changed' },
      { path: 'b.txt', reason: 'changed' },
      { path: 'both.txt', reason: 'changed' },
    ]);
    expect(read(repository.folder)).toEqual(tree);
    git(base, 'apply', outcome.patchFile);
    expect(read(base)).toEqual(read(workspace.dir));
    await workspace.dispose();
    expect(readPersonal(repository)).toEqual(personal);
    expect(existsSync(outcome.patchFile)).toBe(true);
  });

  it('are merged into a file that the user has renamed meanwhile', async () => {
    const repository = makeRepository({ 'old.txt': LINES.repeat(5) });
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'old.txt': `first\n${LINES.repeat(5)}` });
    renameSync(join(repository.folder, 'old.txt'), join(repository.folder, 'new.txt'));
    expect(await merge(workspace)).toMatchObject({ merged: true, paths: ['new.txt'] });
    expect(read(repository.folder)).toEqual({ 'new.txt': `first\n${LINES.repeat(5)}` });
  });

  it('are merged again if the user changes a file during the merge', async () => {
    const repository = makeRepository({
      'a.up': 'abc\n'.repeat(9),
      'b.txt': LINES,
      '.gitattributes': '*.up filter=up\n',
    });
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'a.up': `first\n${'abc\n'.repeat(9)}`, 'b.txt': `zero\n${LINES}` });
    edit(repository.folder, { 'a.up': `${'abc\n'.repeat(9)}last\n` });
    // Git runs this script after the merge is planned and before it is applied.
    const script = `cat; grep -q user-line '${repository.folder}/b.txt' || echo user-line >> '${repository.folder}/b.txt'`;
    repository.git('config', 'filter.up.smudge', script);
    expect(await merge(workspace)).toMatchObject({ merged: true, paths: ['a.up', 'b.txt'] });
    expect(read(repository.folder)).toMatchObject({
      'a.up': `first\n${'abc\n'.repeat(9)}last\n`,
      'b.txt': `zero\n${LINES}user-line\n`,
    });
  });

  it('are a conflict if the user changes files during every try', async () => {
    const repository = makeRepository({
      'a.up': 'abc\n'.repeat(9),
      '.gitattributes': '*.up filter=up\n',
    });
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'a.up': `first\n${'abc\n'.repeat(9)}` });
    edit(repository.folder, { 'a.up': `${'abc\n'.repeat(9)}last\n` });
    repository.git('config', 'filter.up.smudge', `cat; echo more >> '${repository.folder}/a.up'`);
    expect(await merge(workspace)).toMatchObject({
      merged: false,
      conflicts: [{ path: 'a.up', reason: 'changed' }],
    });
    expect(read(repository.folder)['a.up']).toBe(`${'abc\n'.repeat(9)}last\n${'more\n'.repeat(5)}`);
  });

  it('are skipped if the original already has them', async () => {
    const repository = makeRepository({ 'a.txt': 'a\n', 'gone.txt': 'g\n' });
    const workspace = await openWorktree(repository);
    const edits = { 'a.txt': 'same\n', 'new.txt': 'n\n', 'gone.txt': null };
    edit(workspace.dir, edits);
    edit(repository.folder, edits);
    expect(await merge(workspace)).toEqual({ merged: true, paths: [], notes: [] });
    expect(await merge(await openWorktree(repository))).toMatchObject({ merged: true, paths: [] });
  });

  it('are merged even if the step has committed, staged or stashed them, or damaged its .git', async () => {
    const repository = makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'a.txt': 'committed\n', 'new.txt': 'n\n' });
    git(workspace.dir, 'add', '-A');
    git(workspace.dir, 'commit', '-qm', 'by the step');
    edit(workspace.dir, { 'b.txt': 'after it\n' });
    rmSync(join(workspace.dir, '.git'));
    git(workspace.dir, 'init', '-q');
    expect(await merge(workspace)).toMatchObject({ merged: true });
    expect(read(repository.folder)).toEqual({
      'a.txt': 'committed\n',
      'b.txt': 'after it\n',
      'new.txt': 'n\n',
    });
    expect(repository.git('log', '--format=%s')).toBe('first\n');
  });

  it('keep the permissions of the original except the execute bit', async () => {
    const repository = makeRepository({ 'secret.txt': 's\n', 'run.sh': 'r\n' });
    chmodSync(join(repository.folder, 'secret.txt'), 0o600);
    chmodSync(join(repository.folder, 'run.sh'), 0o640);
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'secret.txt': 'changed\n', 'run.sh': '+xr\n' });
    await merge(workspace);
    const mode = (path: string): number => statSync(join(repository.folder, path)).mode & 0o777;
    expect([mode('secret.txt'), mode('run.sh')]).toEqual([0o600, 0o750]);
  });

  it('in a sub-folder have paths from there, and the folder stays even if it is empty', async () => {
    const repository = makeRepository({ 'pkg/a/x.txt': 'x\n', 'pkg/b.txt': 'b\n' });
    const workspaceDir = join(repository.folder, 'pkg/a');
    const workspace = await open({ kind: 'worktree', workspaceDir, stateDir: repository.stateDir });
    edit(workspace.dir, { 'x.txt': null, '../b.txt': 'c\n' });
    expect(await merge(workspace)).toMatchObject({ merged: true, paths: ['x.txt', '../b.txt'] });
    expect(read(repository.folder)).toEqual({ 'pkg/b.txt': 'c\n' });
    expect(existsSync(workspaceDir)).toBe(true);
  });

  it('are merged before the first commit too', async () => {
    const folder = makeTree({ 'a.txt': LINES });
    git(folder, 'init', '-q');
    const workspace = await open({ kind: 'worktree', workspaceDir: folder, stateDir: makeTree() });
    edit(workspace.dir, { 'a.txt': LINES.replace('one', '1'), 'b.txt': 'b\n' });
    edit(folder, { 'a.txt': LINES.replace('seven', '7') });
    expect(await merge(workspace)).toMatchObject({ merged: true });
    expect(read(folder)).toEqual({
      'a.txt': '1\ntwo\nthree\nfour\nfive\nsix\n7\n',
      'b.txt': 'b\n',
    });
    expect(() => git(folder, 'rev-parse', '--verify', 'HEAD')).toThrow();
  });

  it('are merged while the index of the user is locked', async () => {
    const repository = makeRepository();
    const workspace = await openWorktree(repository);
    writeFileSync(join(repository.folder, '.git/index.lock'), '');
    edit(workspace.dir, { 'a.txt': 'b\n' });
    edit(repository.folder, { 'other.txt': 'o\n' });
    expect(await merge(workspace)).toMatchObject({ merged: true, paths: ['a.txt'] });
  });

  it('can be kept as a patch if the step failed', async () => {
    const repository = makeRepository({ 'a.txt': 'a\n', '.gitignore': '*.log\n' });
    const workspace = await openWorktree(repository);
    const patchFile = join(makeTree(), 'deep/kept.patch');
    expect(await workspace.keepPatch({ extraPaths: [], patchFile })).toBeUndefined();
    edit(workspace.dir, { 'a.txt': 'b\n', 'x.log': 'x\n', 'y.log': 'y\n' });
    expect(await workspace.keepPatch({ extraPaths: ['y.log'], patchFile })).toBe(patchFile);
    const target = makeTree(read(repository.folder));
    git(target, 'apply', patchFile);
    expect(read(target)).toEqual({ 'a.txt': 'b\n', '.gitignore': '*.log\n', 'y.log': 'y\n' });
  });

  it('cannot be merged from a worktree that was removed', async () => {
    const workspace = await openWorktree(makeRepository());
    rmSync(workspace.dir, { recursive: true });
    await expect(merge(workspace)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('ignored files', () => {
  const files = { 'a.txt': 'a\n', '.gitignore': 'out/\n*.env\n' };

  it('are merged only if `extraPaths` names them', async () => {
    const repository = makeRepository(files);
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'out/one.js': '1\n', 'out/two.js': '2\n', 'x.env': 'x\n' });
    const named = ['out/one.js', join(workspace.dir, 'x.env'), 'no/such.file', '/etc/hostname'];
    expect(await merge(workspace, named)).toMatchObject({ paths: ['out/one.js', 'x.env'] });
    expect(read(repository.folder)).toEqual({ ...files, 'out/one.js': '1\n', 'x.env': 'x\n' });
  });

  it('of the user are never overwritten by files that a step created without seeing them', async () => {
    const repository = makeRepository(files);
    edit(repository.folder, { 'x.env': 'SECRET=1\n', 'same.env': 's\n' });
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'x.env': 'SECRET=\n', 'same.env': 's\n' });
    expect(await merge(workspace, ['same.env'])).toMatchObject({ merged: true, paths: [] });
    expect(await merge(workspace, ['x.env'])).toMatchObject({
      merged: false,
      conflicts: [{ path: 'x.env', reason: 'changed' }],
    });
    expect(read(repository.folder)['x.env']).toBe('SECRET=1\n');
  });

  it('that block a file or a folder of the step are a conflict', async () => {
    const repository = makeRepository(files);
    edit(repository.folder, { 'out/mine.js': 'm\n', 'thing.env': 't\n' });
    const workspace = await openWorktree(repository);
    edit(workspace.dir, {
      '.gitignore': '\n',
      out: 'a file\n',
      'thing.env/x.txt': 'x\n',
      'b.txt': 'b\n',
    });
    const before = read(repository.folder);
    expect(await merge(workspace)).toMatchObject({
      merged: false,
      conflicts: [
        { path: 'out', reason: 'occupied' },
        { path: 'thing.env', reason: 'occupied' },
      ],
    });
    expect(read(repository.folder)).toEqual(before);
  });

  it('are not written through a link of the user', async () => {
    const repository = makeRepository(files);
    const elsewhere = makeTree();
    edit(repository.folder, { out: `-> ${elsewhere}` });
    repository.git('config', 'core.excludesFile', join(makeTree({ ignore: 'out\n' }), 'ignore'));
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'out/x.js': 'x\n' });
    expect(await merge(workspace, ['out/x.js'])).toMatchObject({
      merged: false,
      conflicts: [{ path: 'out', reason: 'occupied' }],
    });
    expect(read(elsewhere)).toEqual({});
  });
});

describe('a file that git converts', () => {
  it('keeps its bytes if only the step changed it, and is as in a checkout if both sides did', async () => {
    const repository = makeRepository({ 'a.txt': LINES, 'b.txt': LINES });
    repository.git('config', 'core.autocrlf', 'true');
    repository.git('config', 'core.safecrlf', 'true');
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
    edit(repository.folder, { 'a.txt': crlf(LINES), 'b.txt': crlf(LINES) });
    const workspace = await openWorktree(repository);
    expect(read(workspace.dir)).toEqual(read(repository.folder));
    edit(workspace.dir, {
      'a.txt': crlf(LINES.replace('one', 'ONE')),
      'b.txt': LINES.replace('two', 'TWO'),
      'mixed.txt': 'a\r\nb\n',
    });
    edit(repository.folder, { 'a.txt': crlf(LINES.replace('seven', 'SEVEN')) });
    expect(await merge(workspace)).toMatchObject({ merged: true });
    expect(read(repository.folder)).toEqual({
      'a.txt': crlf(LINES.replace('one', 'ONE').replace('seven', 'SEVEN')),
      'b.txt': LINES.replace('two', 'TWO'),
      'mixed.txt': 'a\r\nb\n',
    });
  });

  it('comes back with other line ends if the manifest names it', async () => {
    const repository = makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    repository.git('config', 'core.autocrlf', 'input');
    edit(repository.folder, { 'a.txt': 'a\r\n', 'b.txt': 'b\r\n' });
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'a.txt': 'a\r\n', 'b.txt': 'b\n' });
    edit(repository.folder, { 'c.txt': 'c\n' });
    expect(await merge(workspace, ['a.txt'])).toMatchObject({ merged: true, paths: [] });
    edit(repository.folder, { 'a.txt': 'a\n' });
    expect(await merge(workspace, ['a.txt'])).toMatchObject({ merged: true, paths: ['a.txt'] });
    expect(read(repository.folder)).toEqual({
      'a.txt': 'a\r\n',
      'b.txt': 'b\r\n',
      'c.txt': 'c\n',
    });
  });

  it('passes through the filters of the repository', async () => {
    const repository = makeRepository({
      'a.up': 'abc\n'.repeat(9),
      '.gitattributes': '*.up filter=up\n',
    });
    repository.git('config', 'filter.up.clean', 'tr A-Z a-z');
    repository.git('config', 'filter.up.smudge', 'tr a-z A-Z');
    const workspace = await openWorktree(repository);
    expect(read(workspace.dir)['a.up']).toBe('ABC\n'.repeat(9));
    edit(workspace.dir, { 'a.up': `FIRST\n${'ABC\n'.repeat(9)}` });
    edit(repository.folder, { 'a.up': `${'ABC\n'.repeat(9)}LAST\n` });
    expect(await merge(workspace)).toMatchObject({ merged: true });
    expect(read(repository.folder)['a.up']).toBe(`FIRST\n${'ABC\n'.repeat(9)}LAST\n`);
  });

  it('keeps its execute bit if core.fileMode is false', async () => {
    const repository = makeRepository({ 'a.sh': 'a\n', 'b.sh': 'b\n' });
    repository.git('config', 'core.fileMode', 'false');
    chmodSync(join(repository.folder, 'a.sh'), 0o755);
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'a.sh': 'changed\n', 'new.sh': '+xn\n' });
    expect(await merge(workspace)).toMatchObject({ paths: ['a.sh', 'new.sh'] });
    expect(read(repository.folder)).toEqual({
      'a.sh': '+xchanged\n',
      'b.sh': 'b\n',
      'new.sh': '+xn\n',
    });
  });

  it('can be created in a folder that a sparse checkout leaves out', async () => {
    const repository = makeRepository({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' });
    repository.git('sparse-checkout', 'set', 'in');
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'in/a.txt': 'A\n', 'out/new.txt': 'n\n' });
    expect(await merge(workspace)).toMatchObject({ paths: ['in/a.txt', 'out/new.txt'] });
    expect(read(repository.folder)).toEqual({ 'in/a.txt': 'A\n', 'out/new.txt': 'n\n' });
  });
});

describe('nested repositories', () => {
  it('that are submodules stay unchanged, and files written into them are a conflict', async () => {
    const inner = makeRepository({ 'lib.txt': 'l\n' });
    const repository = makeRepository();
    repository.git(
      '-c',
      'protocol.file.allow=always',
      'submodule',
      'add',
      '-q',
      inner.folder,
      'lib',
    );
    repository.git('commit', '-qm', 'lib');
    const [one, two] = [await openWorktree(repository), await openWorktree(repository)];
    edit(one.dir, { 'a.txt': 'b\n' });
    expect(await merge(one)).toMatchObject({ merged: true, paths: ['a.txt'] });
    expect(existsSync(join(repository.folder, 'lib/lib.txt'))).toBe(true);
    edit(two.dir, { 'lib/new.txt': 'n\n', 'c.txt': 'c\n' });
    const outcome = await merge(two);
    expect(outcome).toMatchObject({
      merged: false,
      conflicts: [{ path: 'lib', reason: 'repository' }],
    });
    expect(!outcome.merged && readFileSync(outcome.patchFile, 'utf8')).toContain(
      '+++ b/lib/new.txt',
    );
    expect(existsSync(join(repository.folder, 'c.txt'))).toBe(false);
  });

  it('that the step creates are merged as files, without their history', async () => {
    const repository = makeRepository();
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'app/x.txt': 'x\n', 'app/.gitignore': 'y\n', 'app/y': 'ignored\n' });
    git(join(workspace.dir, 'app'), 'init', '-q');
    expect(await merge(workspace)).toEqual({
      merged: true,
      paths: ['app/.gitignore', 'app/x.txt'],
      notes: ['Repository app was created by the step: its files are merged, its history is not'],
    });
    expect(existsSync(join(repository.folder, 'app/.git'))).toBe(false);
  });

  it('of the user are not written to', async () => {
    const repository = makeRepository();
    mkdirSync(join(repository.folder, 'own'));
    git(join(repository.folder, 'own'), 'init', '-q');
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'own/x.txt': 'x\n' });
    expect(await merge(workspace)).toMatchObject({
      merged: false,
      conflicts: [{ path: 'own/x.txt', reason: 'repository' }],
    });
    expect(existsSync(join(repository.folder, 'own/x.txt'))).toBe(false);
  });
});
