import { expect, it } from 'vitest';
import { listUnreadFiles } from '../../../src/step/manifest/unread-files.js';

it('files on a dead file system are listed by the reports of the tools alone', () => {
  const call = (id: string, file_path: unknown, more = {}) => ({
    id,
    name: 'write_file',
    input: { file_path },
    outcome: 'completed' as const,
    ...more,
  });
  const files = listUnreadFiles(
    [
      call('1', 'a.txt'),
      call('2', '/mnt/disk/a.txt', { name: 'replace' }),
      call('3', '../b.txt', { outcome: 'pending' }),
      call('4', 'failed.txt', { outcome: 'failed' }),
      call('5', 'read.txt', { name: 'read_file' }),
      call('6', 7),
    ],
    { workingDir: '/mnt/disk', workspaceDirs: ['/mnt/disk'] },
  );
  expect(files).toMatchObject([
    { path: 'a.txt', tools: ['write_file', 'replace'], toolIds: ['1', '2'], confirmed: false },
    { path: '../b.txt', absolutePath: '/mnt/b.txt', outsideWorkspace: true, bytes: 0 },
  ]);
  expect(files).toHaveLength(2);
});
