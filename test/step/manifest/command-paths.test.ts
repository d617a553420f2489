import { describe, expect, it } from 'vitest';
import { findCommandPaths } from '../../../src/step/manifest/command-paths.js';
import { makeFolder } from '../../fixtures/cli/support.js';

function find(command: string, workingDir = '/work'): string[] {
  return findCommandPaths({ command, workingDir, env: { HOME: '/home/user', OUT: '/out' } });
}

describe('the paths of a command', () => {
  it.each([
    ['echo x > /tmp/a.txt', '/tmp/a.txt'],
    ['echo x>/tmp/a.txt', '/tmp/a.txt'],
    ['echo x >> "/tmp/a b.txt"', '/tmp/a b.txt'],
    ["echo x 2> '/tmp/a b.txt'", '/tmp/a b.txt'],
    ['echo x > /tmp/a\\ b.txt', '/tmp/a b.txt'],
    ['echo x &> ../up.txt', '/up.txt'],
    ['cp a.txt ~/b.txt', '/home/user/b.txt'],
    ['tee -a $HOME/x', '/home/user/x'],
    [`touch \${OUT}/y`, '/out/y'],
    ['F=/tmp/f; echo x > $F', '/tmp/f'],
    ['F=/tmp/f && echo x > "$F"', '/tmp/f'],
    ['cd /srv && echo x > y', '/srv/y'],
    ['git -C /srv commit -F m', '/srv/m'],
    ['tool --out=/tmp/o', '/tmp/o'],
    ['cc -o/tmp/o', '/tmp/o'],
    ['sh -c "echo x > /tmp/inner"', '/tmp/inner'],
    ['bash -c \'sh -c "echo > /tmp/deep"\'', '/tmp/deep'],
    ['cat <<EOF > /tmp/here\nx\nEOF', '/tmp/here'],
    ['(echo a; echo b)>/tmp/sub', '/tmp/sub'],
    ['echo `cat /tmp/tick`', '/tmp/tick'],
  ])('of %s include %s', (command, path) => {
    expect(find(command)).toContain(path);
  });

  it('include the names of all words in a folder that is named', () => {
    const folder = makeFolder();
    expect(find(`cp src/a.txt b.txt ${folder}`)).toEqual(
      expect.arrayContaining([`${folder}/a.txt`, `${folder}/b.txt`]),
    );
  });

  it('are bounded', () => {
    const folder = makeFolder();
    const words = Array.from({ length: 5000 }, (_, index) => `w${index}`).join(' ');
    expect(find(`cp ${folder} ${words}`).length).toBeLessThanOrEqual(1000);
  });
});
