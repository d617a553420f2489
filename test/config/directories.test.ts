import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findMissingDirectories,
  findMissingFixedDirectories,
} from '../../src/config/directories.js';
import { makeTree } from '../base/fs/make-tree.js';

describe('directories in the configuration of a provider', () => {
  it('cause no problem if all of them exist', () => {
    const root = makeTree({ 'app/lib/': '' });
    const config = {
      workingDir: join(root, 'app'),
      includeDirectories: ['lib', root],
    };
    expect(findMissingFixedDirectories(config)).toEqual([]);
  });

  it('are reported all at once if they are missing or not directories', () => {
    const root = makeTree({ 'app/file.txt': 'x' });
    const config = {
      workingDir: join(root, 'nope'),
      includeDirectories: [join(root, 'app/file.txt'), join(root, 'gone')],
    };
    expect(findMissingFixedDirectories(config)).toEqual([
      { key: 'workingDir', value: join(root, 'nope'), problem: 'does not exist' },
      {
        key: 'includeDirectories.0',
        value: join(root, 'app/file.txt'),
        problem: 'is not a directory',
      },
      { key: 'includeDirectories.1', value: join(root, 'gone'), problem: 'does not exist' },
    ]);
  });

  it('are not checked if they are relative and the working directory is not known', () => {
    const config = { workingDir: undefined, includeDirectories: ['no/such/folder'] };
    expect(findMissingFixedDirectories(config)).toEqual([]);
  });

  it('are resolved from the working directory if they are relative', () => {
    const root = makeTree({ 'lib/': '' });
    const config = { workingDir: root, includeDirectories: ['lib', 'other'] };
    expect(findMissingFixedDirectories(config)).toEqual([
      { key: 'includeDirectories.1', value: join(root, 'other'), problem: 'does not exist' },
    ]);
  });
});

describe('directories of a call', () => {
  it('are refused if the working directory has a comma in its path', () => {
    const root = makeTree({ 'a,b/lib/': '' });
    const config = { workingDir: undefined, includeDirectories: ['lib'] };
    expect(findMissingDirectories(config, join(root, 'a,b'))).toMatchObject([
      {
        key: 'includeDirectories',
        value: join(root, 'a,b/lib'),
        problem: expect.stringContaining('comma'),
      },
    ]);
  });

  it('are all checked, relative ones from the working directory of the call', () => {
    const root = makeTree({ 'here/lib/': '' });
    const config = {
      workingDir: undefined,
      includeDirectories: ['lib', '../gone', join(root, 'here')],
    };
    expect(findMissingDirectories(config, join(root, 'here'))).toEqual([
      { key: 'includeDirectories.1', value: join(root, 'gone'), problem: 'does not exist' },
    ]);
  });
});
