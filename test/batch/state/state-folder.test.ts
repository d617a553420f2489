import { chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findStateDirectory } from '../../../src/base/fs/state-directory.js';
import { locateState, openStateFolder } from '../../../src/batch/state/state-folder.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { withVariables } from '../isolation/support.js';

const ANOTHER_USER = 4321;

describe('the state directory of the user', () => {
  it.each([
    ['linux', {}, '/h/.local/state/gemini-cli-provider'],
    ['linux', { XDG_STATE_HOME: '/s' }, '/s/gemini-cli-provider'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/h/.local/state/gemini-cli-provider'],
    ['darwin', { XDG_STATE_HOME: '/s' }, '/h/Library/Application Support/gemini-cli-provider'],
    ['win32', { LOCALAPPDATA: '/l' }, '/l/gemini-cli-provider'],
    ['win32', {}, '/h/AppData/Local/gemini-cli-provider'],
  ] as const)('is found on %s with %j', (platform, variables, expected) => {
    expect(findStateDirectory({ HOME: '/h', ...variables }, platform)).toBe(expected);
  });
});

describe('the state folder of a batch', () => {
  it('is private, below the state directory, and one for each output folder (claim: state-private)', () => {
    const folder = makeTree({ 'out/': '', 'Out 2/': '' });
    withVariables({ XDG_STATE_HOME: join(folder, 'deep/state') });
    const first = openStateFolder(join(folder, 'out'), undefined, []);
    expect(dirname(first)).toBe(join(folder, 'deep/state/gemini-cli-provider/batches'));
    for (const path of [first, dirname(first)]) expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(openStateFolder(join(folder, 'Out 2'), undefined, [])).not.toBe(first);
    symlinkSync(join(folder, 'out'), join(folder, 'link'));
    expect(locateState(join(folder, 'link'), undefined)).toBe(first);
    expect(dirname(locateState(join(folder, 'out'), join(folder, 'own')))).toBe(
      join(folder, 'own'),
    );
  });

  it('is refused inside of a folder that agents write to (claim: state-out-of-reach)', () => {
    const folder = makeTree({ 'work/sub/': '' });
    const open = (state: string, agentFolders: readonly string[]) => {
      return () => openStateFolder(join(folder, 'out'), join(folder, state), agentFolders);
    };
    expect(open('work/state', [join(folder, 'work')])).toThrow(
      /lies inside of .*work, where agents/,
    );
    symlinkSync(join(folder, 'work/sub'), join(folder, 'link'));
    expect(open('link', [join(folder, 'work')])).toThrow(/lies inside of/);
    expect(open('state', [join(folder, 'work')])).not.toThrow();
  });

  it('is refused if another user owns it, may write to it, or owns a link to it (claim: state-private)', () => {
    const folder = makeTree({ 'open/': '', 'foreign/': '', 'mine/': '' });
    const open = (state: string) => () => openStateFolder('/out', join(folder, state), []);
    chmodSync(join(folder, 'open'), 0o777);
    expect(open('open')).toThrow(/open is writable by other users/);
    chownSync(join(folder, 'foreign'), ANOTHER_USER, ANOTHER_USER);
    expect(open('foreign')).toThrow(/foreign belongs to another user \(uid 4321\)/);
    chmodSync(join(folder, 'mine'), 0o700);
    symlinkSync(join(folder, 'mine'), join(folder, 'link'));
    expect(open('link')).not.toThrow();
    lchownSync(join(folder, 'link'), ANOTHER_USER, ANOTHER_USER);
    expect(open('link')).toThrow(/through .*link, a link of another user/);
    expect(open('link/below')).toThrow(/a link of another user/);
  });

  it('is not created in a home that does not exist', () => {
    const home = join(makeTree(), 'no', 'home');
    withVariables({ HOME: home, XDG_STATE_HOME: '' });
    expect(() => openStateFolder('/out', undefined, [])).toThrow(/cannot be created \(The home/);
    mkdirSync(home, { recursive: true });
    expect(() => openStateFolder('/out', undefined, [])).not.toThrow();
  });
});
