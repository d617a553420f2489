import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkFolders, checkSandbox } from '../../../src/step/doctor/check-host.js';
import { makeFolder } from '../../fixtures/cli/support.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

function hide(folder: string, name: string): string {
  rmSync(join(folder, name));
  return folder;
}

describe('the sandbox', () => {
  it.each([
    [false, 'ok', 'Off'],
    [true, 'ok', 'podman 5.1'],
    ['podman', 'ok', 'podman 5.1'],
    ['docker', 'problem', 'docker cannot be used: Cannot connect to the daemon.'],
    ['other-box', 'ok', 'other-box'],
    ['no-such-box', 'problem', 'No no-such-box on PATH'],
  ])('configured as %s is %s', async (sandbox, status, message) => {
    const folder = makeFolder({
      'podman*': '#!/bin/sh\necho 5.1\n',
      'docker*': '#!/bin/sh\necho Cannot connect to the daemon. >&2\nexit 1\n',
      'other-box*': '#!/bin/sh\nexit 1\n',
    });
    const PATH = sandbox === true ? hide(folder, 'docker') : folder;
    const finding = await checkSandbox(sandbox, { PATH });
    expect(finding).toMatchObject({ check: 'sandbox', status, message });
  });

  it('is a problem if no sandbox program is on PATH', async () => {
    expect(await checkSandbox(true, { PATH: '/nowhere' })).toEqual({
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
