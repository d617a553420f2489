import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkFolders, checkSandbox } from '../../../src/step/doctor/check-host.js';
import { makeFolder } from '../../fixtures/cli/support.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the sandbox', () => {
  it.each([
    [false, 'ok', 'Off'],
    [true, 'ok', 'podman'],
    ['podman', 'ok', 'podman'],
    ['no-such-box', 'problem', 'No no-such-box on PATH'],
  ])('configured as %s is %s', (sandbox, status, message) => {
    const PATH = makeFolder({ 'podman*': '#!/bin/sh\n' });
    expect(checkSandbox(sandbox, { PATH })).toMatchObject({ check: 'sandbox', status, message });
  });

  it('is a problem if no sandbox program is on PATH', () => {
    expect(checkSandbox(true, { PATH: '/nowhere' })).toEqual({
      check: 'sandbox',
      status: 'problem',
      message: 'No docker, podman, sandbox-exec on PATH',
      fix: 'Install docker or podman or sandbox-exec, or turn sandbox off.',
      code: 'SANDBOX',
    });
  });
});

describe('the folders that a step needs', () => {
  it('are fine if they are writable or can be created', () => {
    const home = makeFolder();
    expect(checkFolders(join(home, 'none/.gemini'))).toMatchObject([
      { check: 'temp folder', status: 'ok' },
      { check: 'home of the CLI', status: 'ok', message: home },
    ]);
  });

  it('are a problem if the temp folder is missing', () => {
    vi.stubEnv('TMPDIR', '/no/such/folder');
    expect(checkFolders('/')[0]).toMatchObject({
      status: 'problem',
      message: '/no/such/folder is not writable',
      fix: expect.stringContaining('TMPDIR'),
    });
  });
});
