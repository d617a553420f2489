import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readCallerOptions, readConnection, toLabels } from '../../../src/cli/queue/queue-flags.js';
import { makeTree } from '../../base/fs/make-tree.js';

const env = { GEMINI_CLI_PROVIDER_QUEUE: 'redis://store' };

it('the queue comes from the flag, or from the variable', () => {
  expect(readConnection({ queue: 'embedded' }, env)).toEqual({ queue: 'embedded' });
  expect(readConnection({ queue: 'env' }, env)).toEqual({ queue: 'redis://store' });
  expect(readConnection({}, env)).toEqual({ queue: 'redis://store' });
  expect(() => readConnection({ queue: 'env' }, {})).toThrow(
    /GEMINI_CLI_PROVIDER_QUEUE is not set/,
  );
});

it('the secret is read from a file, without the line feed at its end', () => {
  const folder = makeTree({ secret: 'sixteen characters!\n' });
  const queueSecretFile = join(folder, 'secret');
  expect(readConnection({ queueSecretFile }, env)).toMatchObject({ secret: 'sixteen characters!' });
  expect(() => readConnection({ queueSecretFile: join(folder, 'none') }, env)).toThrow(
    /--queue-secret-file cannot be read/,
  );
});

it('a step goes to the queue only if --queue says so, not because the variable is set', () => {
  expect(readCallerOptions({}, env)).toBe(undefined);
  expect(readCallerOptions({ queue: 'env', labels: ['a'], workspace: 'ship' }, env)).toEqual({
    queue: 'redis://store',
    labels: ['a'],
    workspace: 'ship',
  });
  expect(readCallerOptions({ queue: 'env', workspace: 'ssh://git/x' }, env)).toMatchObject({
    workspace: { remote: 'ssh://git/x' },
  });
});

it('a way that is none, and a path of a git remote, are refused before a step is sent', () => {
  for (const workspace of ['shard', '/srv/steps.git'])
    expect(() => readCallerOptions({ queue: 'env', workspace }, env)).toThrow(
      `--workspace is "${workspace}", and not auto, shared, ship or the URL of a git remote`,
    );
});

it('limits of shipped workspaces belong to the queue', () => {
  const maxChanges = 5;
  expect(readCallerOptions({ queue: 'env', maxChanges }, env)).toMatchObject({
    limits: { maxChangesBytes: 5 },
  });
  expect(() => readCallerOptions({ maxChanges }, env)).toThrow('--max-changes has no meaning');
});

it('flags that mean nothing without a queue are refused by name', () => {
  expect(() => readCallerOptions({ labels: ['a'] }, env)).toThrow(
    '--labels has no meaning without',
  );
  expect(() => readCallerOptions({ priority: 1 }, env)).toThrow('--priority has no meaning');
});

it('labels are split at commas, and a repeated flag adds labels', () => {
  expect(toLabels('c', toLabels('a, b', undefined))).toEqual(['a', 'b', 'c']);
});
