import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseClientSettings } from '../../../src/queue/provider/client-settings.js';
import { acceptStep } from '../../../src/queue/provider/queued-request.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { errorOf } from '../protocol/support.js';

const QUEUE = { queue: 'redis://127.0.0.1' };
const settings = parseClientSettings({ ...QUEUE, labels: 'linux', config: { timeout: 5 } });

describe('acceptStep', () => {
  it('takes what travels from the configuration and the call, and leaves the rest to the worker', () => {
    const dir = makeTree({});
    const context = { projectRoot: dir, idempotency_key: 'k', own: 1 };
    const options = { model: 'm', transport: 'acp', labels: ['gpu', 'a'], priority: 3 };
    const request = acceptStep('do it', context, options, settings);
    expect(request).toMatchObject({
      prompt: 'do it',
      workingDir: dir,
      options: { timeout: 5, model: 'm' },
      labels: ['a', 'gpu'],
      priority: 3,
      idempotencyKey: 'k',
    });
    expect(request.context).toBe(context);
    expect(request.options).not.toHaveProperty('transport');
    expect(acceptStep('x', {}, {}, settings)).toMatchObject({ labels: ['linux'], priority: 0 });
  });

  it('looks for the folder at each step, although the options of the provider are checked once', () => {
    const dir = makeTree({});
    const own = parseClientSettings({ ...QUEUE, config: { workingDir: dir, model: 'm' } });
    const before = acceptStep('x', {}, {}, own);
    expect(acceptStep('y', {}, {}, own)).toMatchObject({
      workingDir: dir,
      options: { model: 'm' },
    });
    expect(acceptStep('y', {}, { model: 'n' }, own).options).toEqual({ model: 'n' });
    expect(acceptStep('y', {}, {}, own).options).toEqual(before.options);
    rmSync(dir, { recursive: true });
    expect(errorOf(() => acceptStep('z', {}, {}, own)).code).toBe('INVALID_INPUT');
  });

  it('reads prompt file and system prompt here: the worker may not have them', () => {
    const dir = makeTree({ 'p.md': 'from the file\n', 's.md': 'system\n' });
    const options = { workingDir: dir, systemPrompt: { mode: 'prepend', file: 's.md' } };
    const request = acceptStep('', { promptFile: 'p.md' }, options, settings);
    expect(request.prompt).toContain('from the file');
    expect(request.options['systemPrompt']).toEqual({ mode: 'prepend', text: 'system\n' });
  });

  it.each([
    ['', {}, {}, 'INVALID_INPUT'],
    ['x', {}, { workingDir: '/does/not/exist' }, 'INVALID_CONFIG'],
    ['x', { projectRoot: '/does/not/exist' }, {}, 'INVALID_INPUT'],
    ['x', { projectRoot: import.meta.filename }, {}, 'INVALID_INPUT'],
    ['x', { idempotencyKey: 7 }, {}, 'INVALID_INPUT'],
    ['x', {}, { signal: {} }, 'INVALID_CONFIG'],
    ['x', {}, { priority: -1 }, 'INVALID_CONFIG'],
    ['x', {}, { labels: 'a b' }, 'INVALID_CONFIG'],
    ['x', {}, { labels: Array.from({ length: 200 }, (_, index) => `l${index}`) }, 'INVALID_CONFIG'],
    ['x', {}, { env: { KEY: 'hidden-value' } }, 'INVALID_CONFIG'],
    ['x', {}, { onPermission: () => 'allow' }, 'INVALID_CONFIG'],
    ['x', {}, { expects: { json: { parse: () => 1 } } }, 'INVALID_CONFIG'],
  ])('refuses %j with %j and %j: %s', (prompt, context, options, code) => {
    // @ts-expect-error: some contexts are wrong.
    const error = errorOf(() => acceptStep(prompt, context, options, settings));
    expect(error.code).toBe(code);
    expect(JSON.stringify(error)).not.toContain('hidden-value');
  });
});

describe('parseClientSettings', () => {
  it('fills in the defaults', () => {
    expect(parseClientSettings(QUEUE)).toMatchObject({
      workspace: 'auto',
      attempts: 1,
      detach: false,
      waitTimeoutMs: 86_400_000,
      keepMs: 86_400_000,
      keepCount: 10_000,
      pollMs: 1_000,
    });
  });

  it.each([
    { workspace: 'moon' },
    { workspace: { remote: '' } },
    { retention: { age: 'x' } },
    { limits: { maxFiles: 0 } },
    { attempts: 0 },
    { queue: 'redis//nothing' },
    { unknown: 1 },
    7,
  ])('refuses %j', (options) => {
    const given = typeof options === 'object' ? { ...QUEUE, ...options } : options;
    expect(errorOf(() => parseClientSettings(given)).code).toBe('INVALID_CONFIG');
  });
});
