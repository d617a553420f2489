import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findMissingDirectories,
  findMissingFixedDirectories,
} from '../../src/config/directories.js';
import { makeTree } from '../base/fs/make-tree.js';

describe('directories that are known before a call', () => {
  it('are fine where all of them exist', () => {
    const root = makeTree({ 'app/lib/': '' });
    const config = {
      workingDir: join(root, 'app'),
      includeDirectories: ['lib', root],
    };
    expect(findMissingFixedDirectories(config)).toEqual([]);
  });

  it('are named where they are missing or no directories, all at once', () => {
    const root = makeTree({ 'app/file.txt': 'x' });
    const config = {
      workingDir: join(root, 'nope'),
      includeDirectories: [join(root, 'app/file.txt'), join(root, 'gone')],
    };
    expect(findMissingFixedDirectories(config)).toEqual([
      { key: 'workingDir', value: join(root, 'nope'), problem: 'does not exist' },
      {
        key: 'includeDirectories',
        value: join(root, 'app/file.txt'),
        problem: 'is not a directory',
      },
      { key: 'includeDirectories', value: join(root, 'gone'), problem: 'does not exist' },
    ]);
  });

  it('leave out relative ones as long as the working directory is open', () => {
    const config = { workingDir: undefined, includeDirectories: ['no/such/folder'] };
    expect(findMissingFixedDirectories(config)).toEqual([]);
  });

  it('take relative ones from the working directory', () => {
    const root = makeTree({ 'lib/': '' });
    const config = { workingDir: root, includeDirectories: ['lib', 'other'] };
    expect(findMissingFixedDirectories(config)).toEqual([
      { key: 'includeDirectories', value: join(root, 'other'), problem: 'does not exist' },
    ]);
  });
});

describe('directories of a call', () => {
  it('are refused where the working directory puts a comma into their path', () => {
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

  it('are all checked, relative ones from where the call runs', () => {
    const root = makeTree({ 'here/lib/': '' });
    const config = {
      workingDir: undefined,
      includeDirectories: ['lib', '../gone', join(root, 'here')],
    };
    expect(findMissingDirectories(config, join(root, 'here'))).toEqual([
      { key: 'includeDirectories', value: join(root, 'gone'), problem: 'does not exist' },
    ]);
  });
});
