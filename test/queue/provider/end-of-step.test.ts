import { expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { PROTOCOL } from '../../../src/queue/protocol/version.js';
import { parseClientSettings } from '../../../src/queue/provider/client-settings.js';
import { endOfStep } from '../../../src/queue/provider/end-of-step.js';
import { QueueClient } from '../../../src/queue/provider/queue-client.js';
import { withApplied } from '../../../src/queue/provider/receive-changes.js';
import { scriptedResult } from '../../batch/run/scripted-result.mjs';

const client = new QueueClient(parseClientSettings({ queue: 'redis://127.0.0.1' }));
const context = { own: 1 };
const request = { client, jobId: 'j', generationId: 'g', context, applyTo: '/w', durationMs: 5 };
const tokens = { total: 7, input: 5, output: 2, cached: 0, thoughts: 0, tool: 0 };
const result = {
  ...scriptedResult({ text: 'done', files: [], tokens, context: { of: 'the worker' } }),
  generationId: 'of the worker',
};
const job = { jobId: 'j', worker: 'w', host: 'h', attempt: 2, waitMs: 9, lost: [] };
const outcome = { protocol: PROTOCOL, job, content: { text: '' } };

it('a success has the id and the context of the caller, and where the step ran', async () => {
  const { event, error } = await endOfStep({ outcome, result }, request);
  expect(error).toBe(undefined);
  expect(event.result).toMatchObject({ text: 'done', generationId: 'g', job });
  expect(event.result?.context).toBe(context);
});

it('a failure keeps its partial output, with the id of the caller', async () => {
  const failed = new ProviderError({ code: 'TIMEOUT', message: 'late', partial: result });
  const { event, error } = await endOfStep({ outcome, error: failed }, request);
  expect(event).toMatchObject({ subtype: 'TIMEOUT', isError: true, usage: { total: 7 } });
  expect(error).toMatchObject({
    code: 'TIMEOUT',
    generationId: 'g',
    partial: { job, generationId: 'g' },
  });
});

it('a job without an end is an error, too', async () => {
  const { error } = await endOfStep({ outcome: undefined }, request);
  expect(error?.code).toBe('UNKNOWN');
});

it('the manifest of the worker is replaced by that of the caller', () => {
  const files = [
    { path: 'a', kind: 'created' },
    { path: 'b', kind: 'deleted' },
  ];
  const warnings = [{ code: 'NOT_ISOLATED', message: 'm' }];
  // @ts-expect-error: the members that are needed.
  const applied = withApplied(result, { files, warnings });
  expect(applied).toMatchObject({ files, warnings, filesWritten: { a: null } });
  expect(applied.filesWritten).not.toHaveProperty('b');
  expect(withApplied(result, undefined)).toBe(result);
});
