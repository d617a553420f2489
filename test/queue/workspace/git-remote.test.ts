import { expect, it } from 'vitest';
import { checkRemote, checkWorkerRemote } from '../../../src/queue/workspace/git-remote.js';
import { errorOf } from '../protocol/support.js';

it.each(['https://git.example/a.git', 'ssh://git@host/a', 'git@host:a/b.git', 'file:///srv/a.git'])(
  'the remote %s may be named',
  (url) => {
    expect(() => checkRemote(url)).not.toThrow();
  },
);

it.each(['/srv/steps.git', '../steps', 'shard', 'ext::sh -c id', '-uexec', 'C:\\steps'])(
  '%s is no URL of a git remote',
  (url) => {
    const error = errorOf(() => checkRemote(url));
    expect(error).toMatchObject({ code: 'INVALID_CONFIG' });
    expect(error.hint).toContain('`file:///srv/steps.git`');
  },
);

it('a password does not travel, and stands in no message', () => {
  const error = errorOf(() => checkRemote('https://me:hunter2@git.example/a.git'));
  expect(error.message).toContain('has a password');
  expect(`${error.message} ${error.hint}`).not.toContain('hunter2');
});

it('a worker fetches from every URL but those of its own files, unless beginnings are named', () => {
  expect(() => checkWorkerRemote('https://git.example/a.git', undefined)).not.toThrow();
  const own = errorOf(() => checkWorkerRemote('file:///etc', undefined));
  expect(own.hint).toContain('`remotes` of the worker (`--git-remote`)');
});

it.each([
  ['https://git.example', 'https://git.example/a.git', true],
  ['https://git.example', 'https://git.example:8443/a.git', true],
  ['https://git.example/', 'https://git.example/a.git', true],
  ['https://git.example/team/a', 'https://git.example/team/a.git', true],
  ['git@git.example:', 'git@git.example:team/a.git', true],
  ['file:///srv/steps.git', 'file:///srv/steps.git', true],
  ['https://git.example', 'https://git.example.org/a.git', false],
  ['https://git.example', 'https://git.example@evil.example/a.git', false],
  ['https://git.example/team', 'https://git.example/team-of-others/a.git', false],
  ['https://git.example/team', 'https://git.example/team/../others/a.git', false],
  ['https://git.example/team', 'https://git.example/team/%2E%2e/others/a.git', false],
  ['https://git.example', 'http://git.example/a.git', false],
])('with the beginning %s, %s: %s', (beginning, url, isAllowed) => {
  const check = () => checkWorkerRemote(url, ['https://other.example/', beginning]);
  if (isAllowed) expect(check).not.toThrow();
  else expect(check).toThrow('may not fetch from the git remote');
});
