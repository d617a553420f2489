import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tryIsolation } from '../../../src/base/process/isolation.js';
import { setPlatform } from './set-platform.js';

describe('on a system without the means of Linux', () => {
  const pretend = () => setPlatform('sunos');

  it('the default holds nothing together, and says why', async () => {
    pretend();
    expect(await tryIsolation('auto')).toMatchObject({ means: 'none', launcher: [] });
    expect(await tryIsolation('off')).toMatchObject({ means: 'none', reason: 'turned off' });
  });

  it.each(['cgroup', 'namespace', 'subreaper'] as const)('%s is INVALID_CONFIG', async (means) => {
    pretend();
    await expect(tryIsolation(means)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining(`'${means}' is not possible here`),
    });
  });
});

describe('without the programs that hold a process tree', () => {
  it.each(['namespace', 'subreaper'] as const)('%s is INVALID_CONFIG', async (means) => {
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(tryIsolation(means)).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });
});
