import {
  chmodSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeGitSnapshot } from '../../../src/step/manifest/git-snapshot.js';
import { git as gitIn } from '../../base/git/git-as-user.js';
import { addFiles, type Files, makeFolder } from '../../fixtures/cli/support.js';

function makeRepository(files: Files) {
  const folder = makeFolder(files);
  const git = (...args: string[]) => gitIn(folder, ...args);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'begin', '--allow-empty');
  return { folder, git, add: (more: Files) => addFiles(folder, more) };
}

/** Maps each changed path to its old content; `null` for a new file. */
async function changesIn(folder: string, act: () => void, root = folder) {
  const snapshot = await takeGitSnapshot(root);
  act();
  const changes = (await snapshot?.changes()) ?? [];
  return Object.fromEntries(
    changes.map(({ path, before }) => {
      return [relative(folder, path), before === null ? null : before?.content?.toString()];
    }),
  );
}

describe('the snapshot of a repository', () => {
  it('shows created, changed and deleted files with their committed content', async () => {
    const { folder, add } = makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'same.txt': 's\n' });
    const changes = await changesIn(folder, () => {
      add({ 'a.txt': 'A\n', 'new/c.txt': 'c\n' });
      unlinkSync(join(folder, 'b.txt'));
      utimesSync(join(folder, 'same.txt'), 1, 1);
      chmodSync(join(folder, 'same.txt'), 0o755);
    });
    expect(changes).toEqual({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'new/c.txt': null });
  });

  it('does not show files that were dirty before, unless they changed again', async () => {
    const { folder, git, add } = makeRepository({ 'a.txt': '1', 'b.txt': '1', 'gone.txt': '1' });
    add({ 'a.txt': '2', 'b.txt': '2', 'untracked.txt': '2', 'other.txt': '2', 'staged.txt': '2' });
    git('add', 'staged.txt', 'b.txt');
    unlinkSync(join(folder, 'gone.txt'));
    const changes = await changesIn(folder, () => {
      add({ 'b.txt': '3', 'untracked.txt': '3', 'gone.txt': '1' });
    });
    expect(changes).toEqual({ 'b.txt': '2', 'untracked.txt': '2', 'gone.txt': null });
  });

  it('shows files that were staged, committed, stashed or reset during the step', async () => {
    const { folder, git, add } = makeRepository({ 'a.txt': '1', 'b.txt': '1', 'c.txt': '1' });
    add({ 'c.txt': 'dirty' });
    const changes = await changesIn(folder, () => {
      git('checkout', '-q', 'c.txt');
      add({ 'a.txt': '2', 'new.txt': 'n' });
      git('add', '-A');
      git('commit', '-qm', 'during');
      add({ 'b.txt': '2', 'staged.txt': 's' });
      git('add', '-A');
    });
    expect(changes).toEqual({
      'a.txt': '1',
      'b.txt': '1',
      'c.txt': 'dirty',
      'new.txt': null,
      'staged.txt': null,
    });
  });

  it('does not show a file that was dirty before and was only committed', async () => {
    const { folder, git, add } = makeRepository({ 'a.txt': '1' });
    add({ 'a.txt': '2', 'b.txt': '2' });
    const changes = await changesIn(folder, () => {
      git('add', '-A');
      git('commit', '-qm', 'during');
    });
    expect(changes).toEqual({});
  });

  it('shows a renamed file as deleted and created', async () => {
    const { folder, git } = makeRepository({ 'a.txt': 'long enough to be recognised\n' });
    const changes = await changesIn(folder, () => git('mv', 'a.txt', 'b.txt'));
    expect(changes).toEqual({ 'a.txt': 'long enough to be recognised\n', 'b.txt': null });
  });

  it('shows files with unusual names', async () => {
    const names = ['line\nend', 'ü 日本語', '-dash', 'tab\t', '"quoted"', ' blank ', 'back\\slash'];
    const filesNamed = (end: string, content: string) => {
      return Object.fromEntries(names.map((name) => [`${name}.${end}`, content]));
    };
    const { folder, git, add } = makeRepository(filesNamed('old', 'old'));
    const changes = await changesIn(folder, () => {
      add(filesNamed('committed', ''));
      git('add', '-A');
      git('commit', '-qm', 'during');
      add({ ...filesNamed('new', ''), ...filesNamed('old', 'changed') });
    });
    const expected = names.flatMap((name) => [
      [`${name}.new`, null],
      [`${name}.old`, 'old'],
      [`${name}.committed`, null],
    ]);
    expect(changes).toEqual(Object.fromEntries(expected));
  });

  it('shows a symlink with a new target, and a folder that replaced a file', async () => {
    const { folder, git, add } = makeRepository({ 'a.txt': '', 'b.txt': '', place: 'x' });
    symlinkSync('a.txt', join(folder, 'link'));
    git('add', '-A');
    git('commit', '-qm', 'link');
    const changes = await changesIn(folder, () => {
      unlinkSync(join(folder, 'link'));
      symlinkSync('b.txt', join(folder, 'link'));
      unlinkSync(join(folder, 'place'));
      add({ 'place/inside.txt': '' });
    });
    expect(changes).toEqual({ link: 'a.txt', place: 'x', 'place/inside.txt': null });
  });

  it('does not show ignored files or files outside the requested folder', async () => {
    const { folder, add } = makeRepository({
      '.gitignore': 'out/\n',
      'sub/a.txt': '1',
      'b.txt': '1',
    });
    const act = () => add({ 'out/x': '', 'sub/a.txt': '2', 'sub/new.txt': '', 'b.txt': '2' });
    expect(await changesIn(folder, act, join(folder, 'sub'))).toEqual({
      'sub/a.txt': '1',
      'sub/new.txt': null,
    });
  });

  it('reads old content with the filters of a checkout applied', async () => {
    const { folder, add } = makeRepository({
      '.gitattributes': '*.txt eol=crlf\n',
      'a.txt': 'a\r\n',
    });
    expect(await changesIn(folder, () => add({ 'a.txt': 'b\r\n' }))).toEqual({ 'a.txt': 'a\r\n' });
  });

  it('works before the first commit', async () => {
    const folder = makeFolder({ 'a.txt': '1', 'b.txt': '1' });
    gitIn(folder, 'init', '-q');
    const act = () => addFiles(folder, { 'a.txt': '2', 'c.txt': '' });
    expect(await changesIn(folder, act)).toEqual({ 'a.txt': '1', 'c.txt': null });
  });
});

describe('a repository that is removed during the step', () => {
  it('cannot be compared, which is an error and not an empty list', async () => {
    const { folder } = makeRepository({ 'a.txt': '' });
    const snapshot = await takeGitSnapshot(folder);
    rmSync(join(folder, '.git'), { recursive: true });
    await expect(snapshot?.changes()).rejects.toThrow('git does not answer any more');
  });
});

describe('a folder outside any repository', () => {
  it('has no snapshot by git', async () => {
    const folder = makeFolder({ 'a.txt': '' });
    expect(await takeGitSnapshot(folder)).toBeUndefined();
    mkdirSync(join(folder, '.git'));
    expect(await takeGitSnapshot(folder)).toBeUndefined();
  });
});

describe('a commit during the step', () => {
  it('is compared in a repository that had no commit before', async () => {
    const folder = makeFolder({ 'old.txt': 'old' });
    const git = (...args: string[]) => gitIn(folder, ...args);
    git('init', '-q');
    const changes = await changesIn(folder, () => {
      addFiles(folder, { 'new.txt': 'new' });
      git('add', '-A');
      git('commit', '-qm', 'first');
    });
    expect(changes).toEqual({ 'new.txt': null });
  });

  it('does not add files outside the workspace', async () => {
    const { folder, git, add } = makeRepository({ 'out.txt': '1', 'sub/in.txt': '1' });
    add({ 'out.txt': '2' });
    const act = () => {
      add({ 'sub/in.txt': '2' });
      git('commit', '-qam', 'all');
    };
    expect(await changesIn(folder, act, join(folder, 'sub'))).toEqual({ 'sub/in.txt': '1' });
  });
});

describe('a nested repository', () => {
  /** Creates a nested repository `inner` with a committed and an uncommitted file. The outer one does not track it. */
  const makeNested = () => {
    const outer = makeRepository({ '.gitignore': '*.log\n', 'top.txt': '1' });
    const inner = join(outer.folder, 'inner');
    outer.add({ 'inner/a.txt': '1', 'inner/.gitignore': 'out\n' });
    gitIn(inner, 'init', '-q');
    gitIn(inner, 'add', '-A');
    gitIn(inner, 'commit', '-qm', 'inner');
    outer.add({ 'inner/b.txt': '1', 'inner/same.txt': '1' });
    return { ...outer, inner };
  };
  const act = ({ add, inner }: ReturnType<typeof makeNested>) => {
    add({ 'inner/a.txt': '2', 'inner/new.txt': '', 'inner/out/x': '', 'inner/new.log': '' });
    unlinkSync(join(inner, 'b.txt'));
  };
  const FOUND = {
    'inner/a.txt': undefined,
    'inner/b.txt': undefined,
    'inner/new.txt': null,
    'inner/new.log': null,
  };

  it('is compared by its own ignore rules', async () => {
    const nested = makeNested();
    expect(await changesIn(nested.folder, () => act(nested))).toEqual(FOUND);
  });

  it('is compared if the outer repository tracks it as a commit', async () => {
    const nested = makeNested();
    nested.git('add', 'inner');
    nested.git('commit', '-qm', 'with inner');
    expect(await changesIn(nested.folder, () => act(nested))).toEqual(FOUND);
  });

  it('is compared if the outer repository adds it, it gets a commit or its .git folder is removed', async () => {
    const [taken, committed, ended] = [makeNested(), makeNested(), makeNested()];
    const takeIn = () => {
      act(taken);
      taken.git('add', 'inner');
      taken.git('commit', '-qm', 'with inner');
    };
    expect(await changesIn(taken.folder, takeIn)).toEqual(FOUND);
    const commit = () => {
      act(committed);
      gitIn(committed.inner, 'add', '-A');
      gitIn(committed.inner, 'commit', '-qm', 'all');
    };
    expect(await changesIn(committed.folder, commit)).toEqual(FOUND);
    const end = () => {
      act(ended);
      rmSync(join(ended.inner, '.git'), { recursive: true });
    };
    expect(await changesIn(ended.folder, end)).toEqual(FOUND);
  });

  it('is compared if it was created during the step, tracked by the outer repository or not', async () => {
    const { folder, git, add } = makeRepository({ '.gitignore': '*.log\n', 'lib/old.txt': '1' });
    add({ 'app/old.txt': '1', 'app/same.txt': '1', 'app/old.log': '1', 'lib/old.log': '1' });
    const changes = await changesIn(folder, () => {
      add({ 'app/old.txt': '2', 'app/new.txt': '', 'lib/old.txt': '2', 'lib/new.txt': '' });
      add({ 'app/deeper/one.txt': '' });
      for (const name of ['app', 'app/deeper', 'lib']) gitIn(join(folder, name), 'init', '-q');
      add({ 'taken/in.txt': '' });
      gitIn(join(folder, 'taken'), 'init', '-q');
      gitIn(join(folder, 'taken'), 'commit', '-qm', 'x', '--allow-empty');
      git('add', 'taken');
      git('commit', '-qm', 'taken');
    });
    expect(changes).toEqual({
      'app/old.txt': '1',
      'app/new.txt': null,
      'app/deeper/one.txt': null,
      'lib/old.txt': '1',
      'lib/new.txt': null,
      'taken/in.txt': null,
    });
  });

  it.each(['pkg/app', 'pkg'])(
    'does not hide the workspace if it is created in %s',
    async (name) => {
      const { folder, add } = makeRepository({
        '.gitignore': '*.log\n',
        'pkg/app/tracked.txt': '1',
        'pkg/app/same.txt': '1',
        'pkg/out.txt': '1',
      });
      add({ 'pkg/app/dirty.txt': '1', 'pkg/app/old.log': '1', 'pkg/app/still.txt': '1' });
      const reinit = () => {
        gitIn(join(folder, name), 'init', '-q');
        add({ 'pkg/app/made.txt': '', 'pkg/app/tracked.txt': '2', 'pkg/app/dirty.txt': '2' });
        add({ 'pkg/out.txt': '2' });
      };
      expect(await changesIn(folder, reinit, join(folder, 'pkg/app'))).toEqual({
        'pkg/app/made.txt': null,
        'pkg/app/tracked.txt': '1',
        'pkg/app/dirty.txt': '1',
      });
    },
  );

  it.each(['pkg/app', 'pkg'])('does not hide an untracked workspace (%s)', async (name) => {
    const { folder, add } = makeRepository({});
    mkdirSync(join(folder, 'pkg/app'), { recursive: true });
    const reinit = () => {
      gitIn(join(folder, name), 'init', '-q');
      add({ 'pkg/app/made.txt': '', 'pkg/out.txt': '' });
    };
    expect(await changesIn(folder, reinit, join(folder, 'pkg/app'))).toEqual({
      'pkg/app/made.txt': null,
    });
  });
});

describe('a repository that is replaced during the step', () => {
  it('cannot be compared', async () => {
    const { folder, git } = makeRepository({ 'a.txt': '' });
    const snapshot = await takeGitSnapshot(folder);
    rmSync(join(folder, '.git'), { recursive: true });
    git('init', '-q');
    await expect(snapshot?.changes()).rejects.toThrow('git does not answer any more');
  });

  it('is not confused with the repository around it', async () => {
    const { folder, git, add } = makeRepository({});
    add({ 'sub/a.txt': '' });
    git('-C', join(folder, 'sub'), 'init', '-q');
    const snapshot = await takeGitSnapshot(join(folder, 'sub'));
    rmSync(join(folder, 'sub/.git'), { recursive: true });
    await expect(snapshot?.changes()).rejects.toThrow('git does not answer any more');
  });
});

describe('a folder that its repository ignores', () => {
  it('has no snapshot by git, which would list no files', async () => {
    const { folder, add } = makeRepository({ '.gitignore': 'work/\n' });
    add({ 'work/one/a.txt': '' });
    expect(await takeGitSnapshot(join(folder, 'work/one'))).toBeUndefined();
  });
});

describe('names that are not UTF-8', () => {
  it('are reported one by one', async () => {
    const { folder, git } = makeRepository({ 'real \ufffd.txt': '' });
    const write = (end: number) => {
      writeFileSync(Buffer.from([...Buffer.from(join(folder, 'bad')), end]), '');
    };
    write(0xfc);
    git('add', '-A');
    git('commit', '-qm', 'not touched');
    const snapshot = await takeGitSnapshot(folder);
    write(0xfd);
    write(0xfe);
    git('add', '-A');
    git('commit', '-qm', 'during');
    write(0xff);
    const obstacles = ['bad\\xff', 'bad\\xfd', 'bad\\xfe'].map((name) => {
      return { path: join(folder, name), before: undefined, obstacle: 'name' };
    });
    expect(await snapshot?.changes()).toEqual(obstacles);
  });
});

describe('the snapshot before the step', () => {
  it('stops after an abort', async () => {
    const { folder } = makeRepository({});
    await expect(takeGitSnapshot(folder, AbortSignal.abort('enough'))).rejects.toBe('enough');
  });

  it('stops after an abort while a file is being read', async () => {
    const { folder, add } = makeRepository({});
    add({ 'vast.bin': '' });
    truncateSync(join(folder, 'vast.bin'), 2 ** 40);
    const cancel = new AbortController();
    setTimeout(() => cancel.abort('enough'), 300);
    await expect(takeGitSnapshot(folder, cancel.signal)).rejects.toBe('enough');
  });
});
