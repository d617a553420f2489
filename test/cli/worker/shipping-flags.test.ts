import { Command } from 'commander';
import { expect, it } from 'vitest';
import {
  addShippingFlags,
  readShipping,
  type ShippingFlags,
} from '../../../src/cli/worker/shipping-flags.js';
import { toAllowed } from '../../../src/cli/worker/work-on-queue.js';

function parse(...words: string[]): ShippingFlags {
  const command = addShippingFlags(new Command('worker'))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return command.parse(words, { from: 'user' }).opts();
}

it('without flags, the worker has its defaults', () => {
  expect(readShipping(parse())).toEqual({});
  expect(toAllowed(parse(), {})).toEqual({});
});

it('each flag sets an option of the worker', () => {
  const limits = [
    '--max-files',
    '7',
    '--max-file',
    '1k',
    '--max-upload',
    '2MB',
    '--max-changes',
    '3',
  ];
  const cache = ['--cache-size', '1GB', '--setup-timeout', '30m', '--setup-variable', 'A_API_KEY'];
  const remotes = ['--git-remote', 'https://a/', '--git-remote', 'git@b:'];
  expect(readShipping(parse(...limits, ...cache, ...remotes))).toEqual({
    limits: {
      maxFiles: 7,
      maxFileBytes: 1024,
      maxUploadBytes: 2 * 1024 ** 2,
      maxChangesBytes: 3,
    },
    cacheBytes: 1024 ** 3,
    setupTimeout: '30m',
    setupVariables: ['A_API_KEY'],
    remotes: ['https://a/', 'git@b:'],
  });
});

it('folders that steps share with their caller are part of the ceiling', () => {
  const folders = ['--shared-folder', '/srv/a', '--shared-folder', '/srv/b'];
  expect(toAllowed(parse(...folders), {})).toEqual({ sharedFolders: ['/srv/a', '/srv/b'] });
  expect(toAllowed(parse('--no-shared-folder'), {})).toEqual({ sharedFolders: false });
});

it.each(['--max-file=big', '--max-changes=0', '--max-files=0', '--setup-timeout=soon'])(
  '%s is refused',
  (word) => {
    expect(() => parse(word)).toThrow(/Give /);
  },
);
