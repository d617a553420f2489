import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveAllowedFolder } from '../../../src/remote/session/allowed-folder.js';

/** Makes a root with a folder, beside a folder with a similar name. */
function create() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'allowed-')));
  const [root, inner, similar] = ['root', 'root/app', 'root-2'].map((name) => join(folder, name));
  for (const path of [root, inner, similar]) mkdirSync(path ?? '');
  return { folder, root: root ?? '', inner: inner ?? '', similar: similar ?? '' };
}

const REFUSED = 'Sessions can be started only in the folders that the desk has named';

describe('resolveAllowedFolder', () => {
  it('returns a root and its folders with all links followed', async () => {
    const { folder, root, inner } = create();
    const link = join(folder, 'link');
    symlinkSync(inner, link);
    expect(await resolveAllowedFolder(root, [root])).toBe(root);
    expect(await resolveAllowedFolder(link, [root])).toBe(inner);
    expect(await resolveAllowedFolder(join(root, 'x', '..', 'app'), [root])).toBe(inner);
    const rootLink = join(folder, 'root-link');
    symlinkSync(root, rootLink);
    expect(await resolveAllowedFolder(inner, [rootLink])).toBe(inner);
  });

  it('refuses what is outside, however it is written, in the same words', async () => {
    const { folder, root, similar } = create();
    symlinkSync(folder, join(root, 'escape'));
    writeFileSync(join(root, 'file'), '');
    const paths = [
      ...[folder, similar, `${root}/..`, `${root}/../root-2`, join(root, 'escape')],
      ...[join(root, 'file'), join(root, 'missing'), relative('.', root), '.', ''],
      ...[`${root}\0`, '~', `${root}/app\0/../..`],
    ];
    for (const path of paths)
      await expect(resolveAllowedFolder(path, [root]), path).rejects.toThrow(REFUSED);
  });

  it('refuses everything without roots, and leaves out a root that is gone', async () => {
    const { root, inner, similar } = create();
    await expect(resolveAllowedFolder(root, [])).rejects.toThrow(REFUSED);
    rmSync(similar, { recursive: true });
    await expect(resolveAllowedFolder(similar, [similar])).rejects.toThrow(REFUSED);
    expect(await resolveAllowedFolder(inner, [similar, root])).toBe(inner);
  });
});
