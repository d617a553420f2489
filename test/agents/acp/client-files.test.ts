import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClientFiles } from '../../../src/agents/acp/client-files.js';
import type { ClientFileHooks } from '../../../src/api/client-file-hooks.js';
import { failureOf, makeFolder } from '../../fixtures/cli/support.js';

/** Creates a workspace of two folders, and folders outside of it. */
function open(hooks: ClientFileHooks = {}, showsMissingAsEmpty = false) {
  const root = makeFolder({
    'work/a.txt': 'one\ntwo\nthree\n',
    'more/b.txt': 'more',
    'outside/secret.txt': 'secret',
    'work-2/near.txt': 'near',
  });
  const [workingDir, more] = [join(root, 'work'), join(root, 'more')];
  const workspaceDirs = [workingDir, more];
  const options = { sessionId: 's', workingDir, workspaceDirs, hooks, showsMissingAsEmpty };
  const files = new ClientFiles(options);
  return { files, root, workingDir };
}

describe('reading a file for the agent', () => {
  it('returns the whole text or some lines', async () => {
    const { files, workingDir } = open();
    const path = join(workingDir, 'a.txt');
    const read = async (more = {}) => (await files.read({ sessionId: 's', path, ...more })).content;
    expect(await read()).toBe('one\ntwo\nthree\n');
    expect(await read({ line: null, limit: null })).toBe('one\ntwo\nthree\n');
    expect(await read({ line: 2 })).toBe('two\nthree\n');
    expect(await read({ line: 2, limit: 1 })).toBe('two');
    expect(await read({ limit: 2 })).toBe('one\ntwo');
    expect(await read({ line: 0, limit: 1 })).toBe('one');
    expect(await read({ line: 1, limit: 50 })).toBe('one\ntwo\nthree\n');
    expect(await read({ line: 99 })).toBe('');
    expect(await read({ limit: 0 })).toBe('');
  });

  it('reaches every folder of the workspace', async () => {
    const { files, root } = open();
    expect(await files.read({ path: join(root, 'more/b.txt') })).toEqual({ content: 'more' });
  });

  it('fails for a missing file and for a folder', async () => {
    const { files, workingDir } = open();
    expect(await failureOf(() => files.read({ path: join(workingDir, 'none') }))).toMatchObject({
      code: 'ENOENT',
    });
    expect(await failureOf(() => files.read({ path: workingDir }))).toMatchObject({
      message: expect.stringContaining('is not a regular file'),
    });
  });

  it('returns an empty text for a missing file if the agent needs that, and creates no file', async () => {
    const { files, root, workingDir } = open({}, true);
    const path = join(workingDir, 'none/new.txt');
    expect(await files.read({ path })).toEqual({ content: '' });
    expect(await files.read({ path, line: 2, limit: 1 })).toEqual({ content: '' });
    expect(existsSync(join(workingDir, 'none'))).toBe(false);
    // Other errors are still errors.
    expect(await failureOf(() => files.read({ path: workingDir }))).toMatchObject({
      message: expect.stringContaining('is not a regular file'),
    });
    expect(await failureOf(() => files.read({ path: join(root, 'none') }))).toMatchObject({
      message: expect.stringContaining('is outside of the workspace'),
    });
  });
});

describe('writing a file for the agent', () => {
  it('creates missing folders and returns an empty object', async () => {
    const { files, workingDir } = open();
    const path = join(workingDir, 'new/deep/c.txt');
    expect(await files.write({ path, content: 'ünï' })).toEqual({});
    expect(readFileSync(path, 'utf8')).toBe('ünï');
    await files.write({ path, content: '' });
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  it.each([undefined, null, 7, {}, ['x']])(
    'fails if the content is not a string (%j)',
    async (content) => {
      const { files, workingDir } = open();
      const path = join(workingDir, 'a.txt');
      expect(await failureOf(() => files.write({ path, content }))).toMatchObject({
        message: 'The field `content` must be a string',
      });
      expect(readFileSync(path, 'utf8')).toContain('one');
    },
  );
});

describe('a path outside of the workspace', () => {
  it.each([
    ['another folder', 'outside/secret.txt'],
    ['a folder with a longer name', 'work-2/near.txt'],
    ['a path with `..`', 'work/../outside/secret.txt'],
    ['`..` after a missing folder', 'work/none/../../outside/new.txt'],
    ['the folder above', 'work/..'],
  ])('cannot be read or written through %s', async (_what, path) => {
    const { files, root } = open();
    const outside = `${root}/${path}`;
    for (const act of [
      () => files.read({ path: outside }),
      () => files.write({ path: outside, content: 'x' }),
    ]) {
      expect(await failureOf(act)).toMatchObject({
        message: expect.stringContaining('is outside of the workspace'),
      });
    }
    expect(readFileSync(join(root, 'outside/secret.txt'), 'utf8')).toBe('secret');
    expect(existsSync(join(root, 'outside/new.txt'))).toBe(false);
  });

  it.each([
    ['a link to a file', 'link', '../outside/secret.txt', ''],
    ['a link to a folder', 'link', '../outside', '/secret.txt'],
    ['a new file in a link to a folder', 'link', '../outside', '/new.txt'],
    ['a new folder in a link to a folder', 'link', '../outside', '/deep/new.txt'],
    ['a link to a missing file', 'link', '../outside/new.txt', ''],
  ])('cannot be reached through %s', async (_what, name, target, rest) => {
    const { files, root, workingDir } = open();
    symlinkSync(target, join(workingDir, name));
    const path = `${workingDir}/${name}${rest}`;
    expect(await failureOf(() => files.read({ path }))).toBeInstanceOf(Error);
    expect(await failureOf(() => files.write({ path, content: 'x' }))).toBeInstanceOf(Error);
    expect(readFileSync(join(root, 'outside/secret.txt'), 'utf8')).toBe('secret');
    expect(existsSync(join(root, 'outside/new.txt'))).toBe(false);
    expect(existsSync(join(root, 'outside/deep'))).toBe(false);
  });

  it('cannot be reached through `..` after a symbolic link', async () => {
    const { files, root, workingDir } = open();
    symlinkSync('../outside', join(workingDir, 'link'));
    const path = `${workingDir}/link/../outside/secret.txt`;
    expect(await failureOf(() => files.read({ path }))).toMatchObject({ code: 'ENOENT' });
    await files.write({ path, content: 'x' });
    expect(readFileSync(join(root, 'outside/secret.txt'), 'utf8')).toBe('secret');
    expect(readFileSync(join(workingDir, 'outside/secret.txt'), 'utf8')).toBe('x');
  });

  it('cannot be created through a link to a missing folder', async () => {
    const { files, root, workingDir } = open();
    symlinkSync('../outside/none', join(workingDir, 'link'));
    for (const rest of ['new.txt', 'deep/new.txt']) {
      const path = join(workingDir, 'link', rest);
      expect(await failureOf(() => files.write({ path, content: 'x' }))).toBeInstanceOf(Error);
    }
    expect(existsSync(join(root, 'outside/none'))).toBe(false);
  });

  it.each([undefined, null, 7, '', 'a.txt', './a.txt', '/tmp/\0x', ['/a']])(
    'is refused if it is not absolute (%j)',
    async (path) => {
      const { files } = open();
      for (const act of [() => files.read({ path }), () => files.write({ path, content: 'x' })]) {
        expect(await failureOf(act)).toMatchObject({ message: 'The path must be absolute' });
      }
    },
  );

  it.each([undefined, null, 'x', []])(
    'cannot be given by invalid parameters (%j)',
    async (params) => {
      const { files } = open();
      expect(await failureOf(() => files.read(params))).toBeInstanceOf(Error);
      expect(await failureOf(() => files.write(params))).toBeInstanceOf(Error);
    },
  );
});

describe('a link inside of the workspace', () => {
  it('is followed', async () => {
    const { files, workingDir } = open();
    mkdirSync(join(workingDir, 'real'));
    symlinkSync('real', join(workingDir, 'link'));
    await files.write({ path: join(workingDir, 'link/x.txt'), content: 'x' });
    expect(readFileSync(join(workingDir, 'real/x.txt'), 'utf8')).toBe('x');
  });
});

describe('hooks of the caller', () => {
  it('see every read and write before it happens', async () => {
    const seen: unknown[] = [];
    const note = (what: object) => seen.push(what) > 0;
    const { files, root, workingDir } = open({
      beforeRead: note,
      beforeWrite: async (w) => note(w),
    });
    await files.read({ path: join(workingDir, 'a.txt') });
    await files.write({ path: join(root, 'more/b.txt'), content: 'new' });
    expect(seen).toEqual([
      { sessionId: 's', absolutePath: join(workingDir, 'a.txt'), path: 'a.txt' },
      {
        sessionId: 's',
        absolutePath: join(root, 'more/b.txt'),
        path: '../more/b.txt',
        content: 'new',
      },
    ]);
  });

  it.each<[string, () => boolean | Promise<boolean>]>([
    ['return false', () => false],
    ['resolve to false', async () => false],
    ['reject', () => Promise.reject(new Error('no'))],
    [
      'throw',
      () => {
        throw new Error('no');
      },
    ],
  ])('refuse the access if they %s', async (_what, refuse) => {
    const { files, workingDir } = open({ beforeRead: refuse, beforeWrite: refuse });
    const path = join(workingDir, 'a.txt');
    expect(await failureOf(() => files.read({ path }))).toBeInstanceOf(Error);
    expect(await failureOf(() => files.write({ path, content: 'x' }))).toBeInstanceOf(Error);
    expect(readFileSync(path, 'utf8')).toContain('one');
  });

  it('are not called for a path outside of the workspace', async () => {
    const seen: unknown[] = [];
    const note = (what: object) => seen.push(what) > 0;
    const { files, root } = open({ beforeRead: note, beforeWrite: note });
    const path = join(root, 'outside/secret.txt');
    await failureOf(() => files.read({ path }));
    await failureOf(() => files.write({ path, content: 'x' }));
    expect(seen).toEqual([]);
  });
});

describe('a path that is no regular file', () => {
  it('is refused at once if it is a pipe, for reading and writing (claim: client-files-regular-only)', async () => {
    const { files, workingDir } = open();
    const path = join(workingDir, 'pipe');
    execFileSync('mkfifo', [path]);
    const message = expect.stringContaining('is not a regular file');
    // More requests than threads of Node: one open that waits would block the later ones.
    const asks = Array.from({ length: 8 }, () => [
      failureOf(() => files.read({ path })),
      failureOf(() => files.write({ path, content: 'x' })),
    ]).flat();
    for (const failure of await Promise.all(asks)) expect(failure).toMatchObject({ message });
    expect(statSync(path).isFIFO()).toBe(true);
  });

  it('is refused if it is larger than an agent can take', async () => {
    const { files, workingDir } = open();
    const path = join(workingDir, 'a.txt');
    truncateSync(path, 12 * 2 ** 30);
    expect(await failureOf(() => files.read({ path }))).toMatchObject({
      message: expect.stringContaining('has 12884901888 bytes'),
    });
  });
});

describe('a folder that is replaced by a link while a hook decides', () => {
  const swap = (workingDir: string, root: string): void => {
    renameSync(join(workingDir, 'sub'), join(workingDir, 'moved'));
    symlinkSync(join(root, 'outside'), join(workingDir, 'sub'));
  };
  const openSwapping = () => {
    let act = (): void => {};
    const hook = async (): Promise<boolean> => {
      act();
      return true;
    };
    const opened = open({ beforeRead: hook, beforeWrite: hook });
    mkdirSync(join(opened.workingDir, 'sub'));
    writeFileSync(join(opened.workingDir, 'sub', 'secret.txt'), 'own');
    act = () => swap(opened.workingDir, opened.root);
    return { ...opened, path: join(opened.workingDir, 'sub', 'secret.txt') };
  };

  it('leads no write out of the workspace (claim: client-files-link-swap)', async () => {
    const { files, root, path } = openSwapping();
    expect(await failureOf(() => files.write({ path, content: 'evil' }))).toBeInstanceOf(Error);
    expect(readFileSync(join(root, 'outside/secret.txt'), 'utf8')).toBe('secret');
  });

  it('leads no read out of the workspace', async () => {
    const { files, path } = openSwapping();
    expect(await failureOf(() => files.read({ path }))).toBeInstanceOf(Error);
  });

  it('is refused too if the link leads to another folder of the workspace', async () => {
    let workingDir = '';
    const beforeWrite = async (): Promise<boolean> => {
      renameSync(join(workingDir, 'sub'), join(workingDir, 'moved'));
      symlinkSync(join(workingDir, 'other'), join(workingDir, 'sub'));
      return true;
    };
    const opened = open({ beforeWrite });
    workingDir = opened.workingDir;
    for (const name of ['sub', 'other']) mkdirSync(join(workingDir, name));
    const path = join(workingDir, 'sub', 'new.txt');
    const failure = await failureOf(() => opened.files.write({ path, content: 'x' }));
    expect(failure).toMatchObject({ message: expect.stringContaining('replaced by a link') });
    expect(readdirSync(join(workingDir, 'other'))).toEqual([]);
  });
});

describe('a write of the agent', () => {
  it('keeps the mode of the file and leaves no other file (claim: client-files-atomic)', async () => {
    const { files, workingDir } = open();
    const path = join(workingDir, 'a.txt');
    chmodSync(path, 0o750);
    const before = readdirSync(workingDir);
    const { ino } = statSync(path);
    await files.write({ path, content: 'new' });
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o750);
    // Another inode: the file was replaced as a whole, not overwritten.
    expect(statSync(path).ino).not.toBe(ino);
    expect(readdirSync(workingDir)).toEqual(before);
  });

  it('goes to the target of a link inside of the workspace, and the link stays', async () => {
    const { files, workingDir } = open();
    symlinkSync('a.txt', join(workingDir, 'link'));
    await files.write({ path: join(workingDir, 'link'), content: 'through' });
    expect(readFileSync(join(workingDir, 'a.txt'), 'utf8')).toBe('through');
    expect(existsSync(join(workingDir, 'link'))).toBe(true);
  });

  it('is refused after the end of the step, also if its hook has only then agreed', async () => {
    let agree = (): void => {};
    const beforeWrite = () => new Promise<boolean>((resolve) => (agree = () => resolve(true)));
    const { files, workingDir } = open({ beforeWrite });
    const path = join(workingDir, 'late.txt');
    const writing = failureOf(() => files.write({ path, content: 'late' }));
    await files.close();
    agree();
    expect(await writing).toMatchObject({ message: 'The step is over' });
    expect(existsSync(path)).toBe(false);
  });
});

it('a file system that does not answer is not touched', async () => {
  const { workingDir } = open();
  const files = new ClientFiles({
    sessionId: 's',
    workingDir,
    workspaceDirs: [workingDir],
    hooks: {},
    showsMissingAsEmpty: false,
    assertReachable: () => Promise.reject(new Error('does not answer')),
  });
  const path = join(workingDir, 'a.txt');
  for (const act of [() => files.read({ path }), () => files.write({ path, content: 'x' })]) {
    expect(await failureOf(act)).toMatchObject({ message: 'does not answer' });
  }
  expect(readFileSync(path, 'utf8')).toContain('one');
});
