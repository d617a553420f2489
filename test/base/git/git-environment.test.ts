import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { buildGitEnvironment } from '../../../src/base/git/git-environment.js';
import { PRIVATE_VARIABLES } from '../../../src/base/process/environment.js';

describe('the environment of git', () => {
  it('has no variable that would lead git to another repository', () => {
    const names = execFileSync('git', ['rev-parse', '--local-env-vars'], { encoding: 'utf8' });
    const told = names.split('\n').filter((name) => name !== '' && name !== 'GIT_CONFIG_COUNT');
    expect(told).toContain('GIT_INDEX_FILE');
    const parent = Object.fromEntries(told.map((name) => [name, '/elsewhere']));
    expect(Object.values(buildGitEnvironment(parent))).not.toContain('/elsewhere');
  });

  it('does not have private variables (claim: state-key-hidden, queue-secret-hidden)', () => {
    const parent = Object.fromEntries(PRIVATE_VARIABLES.map((name) => [name, 'the key']));
    expect(Object.values(buildGitEnvironment(parent))).not.toContain('the key');
  });

  it('keeps general git settings of the user and all other variables', () => {
    const parent = {
      HOME: '/home/x',
      GIT_SSH_COMMAND: 'ssh -4',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      GIT_LFS_SKIP_SMUDGE: '1',
    };
    expect(buildGitEnvironment({ ...parent, NOTHING: undefined })).toMatchObject(parent);
  });

  it('has an author and English messages', () => {
    expect(buildGitEnvironment({ LC_ALL: 'de_DE.UTF-8', GIT_AUTHOR_NAME: 'x' })).toMatchObject({
      LC_ALL: 'C',
      GIT_AUTHOR_NAME: 'gemini-cli-provider',
      GIT_COMMITTER_EMAIL: expect.stringContaining('@'),
    });
  });
});
