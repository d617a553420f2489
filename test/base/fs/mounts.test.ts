import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRemoteMounts, findSyntheticMounts } from '../../../src/base/fs/mounts.js';
import { makeFolder } from '../../fixtures/cli/support.js';

/** Writes a list of mounts as Linux has it. A blank in a path is `\\040` there. */
function listMounts(mounts: Readonly<Record<string, string>>): string {
  const lines = Object.entries(mounts).map(([path, type], index) => {
    const escaped = path.replaceAll(' ', '\\040');
    return `${index} 1 0:1 / ${escaped} rw,relatime shared:1 - ${type} source rw`;
  });
  const file = join(makeFolder(), 'mountinfo');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

describe('remote mounts', () => {
  const folder = makeFolder({ 'work/a.txt': '' }, () => {});
  const work = join(folder, 'work');

  it.each(['nfs', 'nfs4', 'cifs', 'fuse', 'fuse.sshfs', '9p', 'ceph', 'autofs'])(
    'of the type %s are found above and below a folder',
    (type) => {
      const above = listMounts({ '/': 'ext4', [folder]: type });
      expect(findRemoteMounts([work], above)).toEqual([folder]);
      const below = listMounts({ '/': 'ext4', [join(work, 'deep/data')]: type });
      expect(findRemoteMounts([work], below)).toEqual([join(work, 'deep/data')]);
    },
  );

  it('are found through links, and with a blank in their path', () => {
    const remote = join(makeFolder(), 'net share');
    mkdirSync(remote);
    const link = join(makeFolder(), 'link');
    symlinkSync(remote, link);
    const list = listMounts({ '/': 'ext4', [remote]: 'nfs4' });
    expect(findRemoteMounts([join(link, 'project')], list)).toEqual([remote]);
  });

  it.each(['ext4', 'tmpfs', 'overlay', 'btrfs', 'fusectl'])('do not include %s', (type) => {
    const list = listMounts({ '/': 'ext4', [folder]: type });
    expect(findRemoteMounts([work], list)).toEqual([]);
  });

  it('are those of the present list, not of the one that was read before', () => {
    const list = listMounts({ '/': 'ext4' });
    expect(findRemoteMounts([work], list)).toEqual([]);
    writeFileSync(list, `1 1 0:1 / ${folder} rw shared:1 - nfs4 source rw\n`);
    expect(findRemoteMounts([work], list)).toEqual([folder]);
  });

  it('do not include those of neighbours', () => {
    const list = listMounts({ '/': 'ext4', [`${work}-2`]: 'nfs', [join(folder, 'other')]: 'nfs' });
    expect(findRemoteMounts([work], list)).toEqual([]);
  });

  it('are none if the list cannot be read, or the links have no end', () => {
    expect(findRemoteMounts([work], join(folder, 'none'))).toEqual([]);
    const loop = join(makeFolder(), 'loop');
    symlinkSync(loop, loop);
    expect(findRemoteMounts([loop], listMounts({ '/else': 'nfs' }))).toEqual([]);
  });
});

it('mounts without files of a disk are found below a folder', () => {
  const list = listMounts({ '/': 'ext4', '/proc': 'proc', '/sys': 'sysfs', '/home': 'ext4' });
  expect([...findSyntheticMounts('/', list)]).toEqual(['/proc', '/sys']);
  expect([...findSyntheticMounts('/home', list)]).toEqual([]);
});
