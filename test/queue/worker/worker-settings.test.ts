import { expect, it } from 'vitest';
import { parseCloseOptions } from '../../../src/queue/worker/close-options.js';
import {
  parseProcessorSettings,
  parseWorkerSettings,
} from '../../../src/queue/worker/worker-settings.js';
import { UNUSED_METHODS } from '../../batch/run/scripted-result.mjs';
import { errorOf } from '../protocol/support.js';

const provider = { ...UNUSED_METHODS, stream: () => {}, validate: () => {} };
const QUEUE = { queue: 'redis://:hidden-password@127.0.0.1' };

it('fills in the defaults', () => {
  const settings = parseWorkerSettings({ ...QUEUE, provider });
  expect(settings).toMatchObject({
    concurrency: 1,
    labels: [],
    lockMs: 15_000,
    checkMs: 5_000,
    maxLostAttempts: 3,
    maxRateLimits: 10,
    maxRateLimitWaitMs: 1_800_000,
    ceiling: {
      approvalMode: 'auto_edit',
      allowedTools: [],
      weakerProtection: false,
      commands: true,
    },
  });
  expect(settings.workerName).toMatch(/^[\w.-]+-\d+$/);
});

it('takes durations, snake_case, single labels and a command as a text', () => {
  const settings = parseWorkerSettings({
    ...QUEUE,
    provider,
    lock_time: '20s',
    labels: ['b', 'a', 'b'],
    setup: 'npm ci --prefix "my app"',
    allow: { approvalMode: 'yolo' },
  });
  expect(settings).toMatchObject({ lockMs: 20_000, labels: ['a', 'b'] });
  expect(settings.setup).toEqual(['npm', 'ci', '--prefix', 'my app']);
  expect(settings.ceiling.weakerProtection).toBe(true);
});

it('refuses what is wrong with every problem at once, and shows no credentials', () => {
  const error = errorOf(() =>
    parseWorkerSettings({
      ...QUEUE,
      provider: {},
      concurrency: 0,
      labels: 'a b',
      setup: '"',
      more: 1,
      secret: 'short',
    }),
  );
  const keys = error.problems?.map(({ key }) => key);
  expect(keys).toEqual(
    expect.arrayContaining(['provider', 'concurrency', 'labels', 'setup', 'more', 'secret']),
  );
  expect(JSON.stringify(error)).not.toMatch(/hidden-password|short/);
  expect(errorOf(() => parseWorkerSettings(QUEUE)).problems?.[0]?.key).toBe('provider');
  expect(errorOf(() => parseProcessorSettings({ queue: 'http://x:y@z' })).message).not.toContain(
    'y@z',
  );
});

it('a worker closes with a drain of ten minutes', () => {
  expect(parseCloseOptions({})).toEqual({ isDraining: true, limitMs: 600_000 });
  expect(parseCloseOptions({ drain: false, limit: '5s' })).toEqual({
    isDraining: false,
    limitMs: 5_000,
  });
  expect(errorOf(() => parseCloseOptions({ limit: 'soon' })).code).toBe('INVALID_CONFIG');
});
