import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePack } from '../../../src/queue/workspace/pack-blobs.js';
import type { ShippedChanges } from '../../../src/queue/workspace/shipped-workspace.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import { edit, LINES, makeRepository, read } from '../../batch/isolation/support.js';
import { createShipLab, type ShipLab } from './support.js';

const FILES = { 'a.txt': LINES, 'sub/b.txt': 'b\n' };

interface RawEntry {
  readonly mode: string;
  readonly name: string | Buffer;
  readonly object: string;
}

/** Repository whose objects are written as bytes, so that no check of git stands in the way. */
function makeForge() {
  const folder = makeTree();
  git(folder, 'init', '-q', '--bare');
  const write = (type: string, content: Buffer): string => {
    const args = ['-C', folder, 'hash-object', '-w', '--literally', '-t', type, '--stdin'];
    return execFileSync('git', args, { input: content, encoding: 'utf8' }).trim();
  };
  const blob = (text: string): string => write('blob', Buffer.from(text));
  const tree = (entries: readonly RawEntry[]): string => {
    const parts = entries.flatMap(({ mode, name, object }) => [
      Buffer.from(`${mode} `),
      Buffer.from(name),
      Buffer.from([0]),
      Buffer.from(object, 'hex'),
    ]);
    return write('tree', Buffer.concat(parts));
  };
  const commit = (treeName: string): string => {
    const who = 'x <x@x> 0 +0000';
    return write('commit', Buffer.from(`tree ${treeName}\nauthor ${who}\ncommitter ${who}\n\nx\n`));
  };
  const pack = (commitName: string): Buffer => {
    const args = ['-C', folder, 'pack-objects', '--revs', '--stdout', '-q'];
    return execFileSync('git', args, { input: `${commitName}\n` });
  };
  return { blob, tree, commit, pack };
}

type Forge = ReturnType<typeof makeForge>;

function file(forge: Forge, name: string | Buffer, text = 'evil\n', mode = '100644'): RawEntry {
  return { mode, name, object: forge.blob(text) };
}

function folder(forge: Forge, name: string | Buffer, entries: readonly RawEntry[]): RawEntry {
  return { mode: '40000', name, object: forge.tree(entries) };
}

const HOSTILE: readonly (readonly [string, (forge: Forge) => readonly RawEntry[]])[] = [
  ['a path above the folder', (f) => [folder(f, '..', [file(f, 'evil.txt')])]],
  ['a slash in a name', (f) => [file(f, '../evil.txt')]],
  ['an absolute name', (f) => [file(f, '/tmp/evil.txt')]],
  ['.git', (f) => [folder(f, '.git', [folder(f, 'hooks', [file(f, 'pre-commit')])])]],
  ['.GIT', (f) => [folder(f, '.GIT', [file(f, 'config')])]],
  ['.git in a folder', (f) => [folder(f, 'sub', [folder(f, '.gIt', [file(f, 'config')])])]],
  ['git~1 of Windows', (f) => [folder(f, 'GIT~1', [file(f, 'config')])]],
  ['.git with a dot and a blank', (f) => [folder(f, '.git . ', [file(f, 'config')])]],
  ['.git as a stream of Windows', (f) => [file(f, '.git::$INDEX_ALLOCATION')]],
  ['.git with a backslash', (f) => [file(f, '.git\\config')]],
  ['.git of macOS', (f) => [folder(f, '.g\u200cit', [file(f, 'config')])]],
  ['a link with an absolute target', (f) => [file(f, 'l', '/etc', '120000')]],
  ['a link to a parent', (f) => [file(f, 'l', '../x', '120000')]],
  ['a link into .git', (f) => [file(f, 'l', '.git/hooks', '120000')]],
  [
    'a link that leads out through another link',
    (f) => [
      folder(f, 'd', [folder(f, 'e', [file(f, 'up', '../..', '120000')])]),
      file(f, 'l', 'd/e/up/../x', '120000'),
    ],
  ],
  ['a submodule', () => [{ mode: '160000', name: 'm', object: '1'.repeat(40) }]],
  [
    'a link and a folder of the same name',
    (f) => [file(f, 'x', '/tmp', '120000'), folder(f, 'x', [file(f, 'evil.txt')])],
  ],
];

async function forgeChanges(
  lab: ShipLab,
  make: (forge: Forge) => readonly RawEntry[],
): Promise<ShippedChanges> {
  const forge = makeForge();
  const commit = forge.commit(forge.tree(make(forge)));
  const pack = await storePack(lab.blobs, forge.pack(commit));
  return { tree: '/w/tree', dir: '/w/tree', commit, pack, reported: [], notes: [] };
}

describe('applyShipped', () => {
  it.each(HOSTILE)(
    'refuses %s from a worker and changes nothing (claim: queue-workspace)',
    async (_name, make) => {
      const { folder: root } = makeRepository(FILES);
      const lab = createShipLab();
      const shipped = await lab.ship(root);
      const before = read(root, []);
      const applying = lab.apply(root, shipped, await forgeChanges(lab, make));
      await expect(applying).rejects.toMatchObject({ name: 'ProviderError' });
      expect(read(root, [])).toEqual(before);
      expect(existsSync(join(root, '..', 'evil.txt'))).toBe(false);
      expect(existsSync('/tmp/evil.txt')).toBe(false);
    },
  );

  it('refuses a pack that lacks the commit, and one that is no pack', async () => {
    const root = makeTree(FILES);
    const lab = createShipLab();
    const shipped = await lab.ship(root);
    const changes = await forgeChanges(lab, (forge) => [file(forge, 'a.txt')]);
    const other = { ...changes, commit: '2'.repeat(40) };
    await expect(lab.apply(root, shipped, other)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const noPack = { ...changes, pack: await storePack(lab.blobs, Buffer.from('PACK nonsense')) };
    await expect(lab.apply(root, shipped, noPack)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(read(root)).toEqual(FILES);
  });

  it.each([
    ['a path that leads out', { reported: [{ absolutePath: '/w/x', path: '../x' }] }],
    ['a relative tree', { tree: 'w' }],
    ['an option in place of a commit', { commit: '--upload-pack=x' }],
  ])('refuses %s in the description of the changes', async (_name, wrong) => {
    const root = makeTree(FILES);
    const lab = createShipLab();
    const shipped = await lab.ship(root);
    const changes = await forgeChanges(lab, (forge) => [file(forge, 'a.txt')]);
    const applying = lab.apply(root, shipped, { ...changes, ...wrong });
    await expect(applying).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(read(root)).toEqual(FILES);
  });

  it('does not write through a link of the user that stands where the worker has a folder', async () => {
    const outside = makeTree({ 'kept.txt': 'k\n' });
    const root = makeTree({ ...FILES, 'new/': '' });
    const lab = createShipLab();
    const step = lab.step(root, (dir) => edit(dir, { 'new/evil.txt': 'e\n' }), {
      meanwhile: () => edit(root, { new: `-> ${outside}` }),
    });
    await expect(step).rejects.toMatchObject({ code: 'EXPECTATION_FAILED' });
    expect(read(outside)).toEqual({ 'kept.txt': 'k\n' });
    expect(readFileSync(lab.patchFile, 'utf8')).toContain('evil.txt');
  });
});

describe('openShipped', () => {
  it.each(HOSTILE)(
    'refuses %s from a caller and writes nothing (claim: queue-workspace)',
    async (_name, make) => {
      const lab = createShipLab();
      const shipped = await lab.ship(makeTree(FILES));
      const { commit = '', pack } = await forgeChanges(lab, make);
      for (const hostile of [
        { ...shipped, snapshot: { commit, pack } },
        { ...shipped, base: { commit, pack }, snapshot: { commit } },
      ]) {
        await expect(lab.open(hostile)).rejects.toMatchObject({ name: 'ProviderError' });
      }
      const folders = read(lab.cacheDir, ['bases']);
      expect(Object.keys(folders).filter((path) => /evil|config$|pre-commit/.test(path))).toEqual(
        [],
      );
      expect(existsSync('/tmp/evil.txt')).toBe(false);
    },
  );

  it('refuses blobs of the store that are not what their names say (claim: queue-workspace)', async () => {
    const lab = createShipLab();
    const shipped = await lab.ship(makeTree({ 'a.txt': LINES }));
    for (const [key, bytes] of [...lab.blobs.blobs]) {
      lab.blobs.blobs.set(key, Buffer.concat([bytes, Buffer.from('x')]));
      await expect(lab.open(shipped)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      lab.blobs.blobs.delete(key);
      await expect(lab.open(shipped)).rejects.toMatchObject({
        code: 'INCOMPLETE',
        retryable: true,
      });
      lab.blobs.blobs.set(key, bytes);
    }
    await (await lab.open(shipped)).dispose();
  });

  it('runs no filter, hook or program that the workspace names (claim: queue-runs-no-program)', async () => {
    const root = makeTree(FILES);
    const lab = createShipLab();
    const home = makeTree({
      '.gitconfig': `[filter "evil"]\n\tsmudge = touch ${lab.patchFile}.ran\n\tclean = touch ${lab.patchFile}.ran\n`,
    });
    edit(root, { '.gitattributes': '* filter=evil text eol=crlf ident\n', '.gitmodules': 'x' });
    const before = process.env['GIT_CONFIG_GLOBAL'];
    process.env['GIT_CONFIG_GLOBAL'] = join(home, '.gitconfig');
    try {
      await lab.step(root, (dir) => {
        expect(read(dir)).toEqual(read(root));
        edit(dir, { 'a.txt': 'x\r\ny\n' });
      });
    } finally {
      if (before === undefined) delete process.env['GIT_CONFIG_GLOBAL'];
      else process.env['GIT_CONFIG_GLOBAL'] = before;
    }
    expect(existsSync(`${lab.patchFile}.ran`)).toBe(false);
    expect(read(root)['a.txt']).toBe('x\r\ny\n');
  });

  it.each([
    ['a prefix that leads out', { prefix: '../..' }],
    ['a prefix in .git', { prefix: '.git/hooks' }],
    ['a remote that runs a program', { remote: 'ext::sh -c touch%20evil' }],
    ['a remote on the disk of the worker', { remote: 'file:///srv/secret.git' }],
    ['a remote that is an option', { remote: '--upload-pack=evil' }],
  ])('refuses %s', async (_name, wrong) => {
    const lab = createShipLab();
    const shipped = { ...(await lab.ship(makeTree(FILES))), ...wrong };
    await expect(lab.open(shipped)).rejects.toMatchObject({
      code: expect.stringMatching(/^INVALID_/),
    });
  });

  it('refuses a workspace that grows beyond the limits when it is unpacked', async () => {
    const lab = createShipLab();
    const root = makeTree({ 'large.txt': 'x'.repeat(3_000_000) });
    const shipped = await lab.ship(root);
    const limits = { maxFileBytes: 1_000_000 };
    await expect(lab.open(shipped, { limits })).rejects.toMatchObject({
      message: expect.stringContaining('`limits.maxFileBytes`'),
    });
    await expect(lab.open(shipped, { limits: { maxUploadBytes: 100_000 } })).rejects.toMatchObject({
      message: expect.stringContaining('`limits.maxUploadBytes`'),
    });
  });
});

describe('shipWorkspace', () => {
  it('names the setting when a limit is exceeded', async () => {
    const root = makeTree({
      'large.bin': createHash('sha256').update('x').digest('hex').repeat(100),
    });
    mkdirSync(join(root, 'many'));
    for (let index = 0; index < 20; index++) writeFileSync(join(root, 'many', `${index}`), '');
    const lab = createShipLab();
    for (const limits of [{ maxFileBytes: 1000 }, { maxFiles: 10 }, { maxUploadBytes: 50 }]) {
      const [name = ''] = Object.keys(limits);
      await expect(lab.ship(root, { limits })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining(`limits.${name}`),
        hint: expect.stringContaining(`limits.${name}`),
      });
    }
  });
});
