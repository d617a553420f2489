import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeTemporaryState } from '../../../src/batch/run/temporary-state.js';
import { makeTree } from '../../base/fs/make-tree.js';

it('a temporary folder that does not exist is an error with the remedy', async () => {
  vi.stubEnv('TMPDIR', join(makeTree(), 'missing'));
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(makeTemporaryState([])).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    message: expect.stringMatching(/^The temporary folder cannot be written: ENOENT/),
    hint: expect.stringContaining('TMPDIR'),
  });
});
