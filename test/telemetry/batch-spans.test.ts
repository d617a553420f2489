import { SpanStatusCode } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import type { StepReport } from '../../src/api/step-report.js';
import { ProviderError } from '../../src/base/errors/provider-error.js';
import { runBatch } from '../../src/batch/index.js';
import { traceBatch, traced } from '../../src/otel.js';
import { aReport, aStep } from '../batch/report/report-builder.js';
import { fails, fakeSteps, session, succeeds } from '../engines/ai-sdk/fake-steps.js';
import { createMemorySdk } from './memory-sdk.js';

const STEP_ID = 'gemini_cli_provider.step.id';

describe('traceBatch', () => {
  it('records run, steps and attempts, with links between attempts and the steps of the agent below', async () => {
    const sdk = createMemorySdk();
    const tried = new Set<string>();
    const provider = fakeSteps(async function* ({ prompt }) {
      yield session;
      const isRetry = tried.has(prompt);
      tried.add(prompt);
      const code = prompt === 'PROMPT one' ? 'EMPTY_RESPONSE' : 'CONTENT_BLOCKED';
      for (const event of isRetry ? [succeeds()] : fails({ code })) {
        if (ProviderError.isInstance(event)) throw event;
        yield event;
      }
    });
    const observer = await traceBatch(sdk.providers);
    const report = await runBatch(
      {
        name: 'tour',
        concurrency: 1,
        steps: [
          { id: 'convert', for: { name: ['one'] }, prompt: 'PROMPT {{name}}' },
          { id: 'blocked', prompt: 'PROMPT' },
          { id: 'never', prompt: 'PROMPT', needs: ['blocked'] },
        ],
      },
      { provider, observer },
    );
    expect(report.outcome).toBe('failed');
    const workflow = sdk.find('invoke_workflow tour');
    expect(workflow.status).toEqual({ code: SpanStatusCode.ERROR, message: 'failed' });
    expect(workflow.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_workflow',
      'gemini_cli_provider.plan.steps': 3,
      'gemini_cli_provider.outcome': 'failed',
    });
    const step = sdk.find('step convert');
    expect(step.attributes).toMatchObject({ [STEP_ID]: 'convert[one]' });
    expect(step.parentSpanContext?.spanId).toBe(workflow.spanContext().spanId);
    const attempts = sdk.spans().filter(({ name }) => name === 'attempt');
    const [first, second] = attempts.filter(({ attributes }) => attributes[STEP_ID] !== 'blocked');
    expect(first).toMatchObject({ status: { code: SpanStatusCode.ERROR }, links: [] });
    expect(first?.parentSpanContext?.spanId).toBe(step.spanContext().spanId);
    expect(second?.links.map((link) => link.context.spanId)).toEqual([first?.spanContext().spanId]);
    const agents = sdk.spans().filter(({ name }) => name === 'invoke_agent fake');
    expect(agents.map(({ parentSpanContext }) => parentSpanContext?.spanId).sort()).toEqual(
      attempts.map((attempt) => attempt.spanContext().spanId).sort(),
    );
    expect(sdk.find('step blocked').status.message).toBe('CONTENT_BLOCKED');
    expect(sdk.spans().some(({ name }) => name === 'step never')).toBe(false);
    expect(await sdk.read('gemini_cli_provider.retries')).toMatchObject([
      { value: 1, attributes: { 'error.type': 'EMPTY_RESPONSE' } },
    ]);
    const states = await sdk.read('gemini_cli_provider.batch.steps');
    expect(
      states.map(({ attributes, value }) => [attributes['gemini_cli_provider.step.state'], value]),
    ).toEqual([
      ['succeeded', 1],
      ['failed', 1],
      ['skipped', 1],
    ]);
    expect(await sdk.read('gen_ai.workflow.duration')).toHaveLength(1);
  });

  it('traces a provider once that is traced already', async () => {
    const sdk = createMemorySdk();
    const provider = traced(fakeSteps([session, succeeds()]), sdk.providers);
    const observer = await traceBatch(sdk.providers);
    await runBatch([{ id: 'one', prompt: 'go' }], { provider, observer });
    expect(sdk.spans().map(({ name }) => name)).toEqual([
      'invoke_agent fake',
      'attempt',
      'step one',
      expect.stringContaining('invoke_workflow'),
    ]);
  });

  it('ends all spans of a batch that breaks off', async () => {
    const sdk = createMemorySdk();
    const observer = await traceBatch(sdk.providers);
    const start = { type: 'batch-started', name: 'b', planHash: '', isFresh: true } as const;
    observer.onEvent({ ...start, steps: ['one'] });
    observer.onEvent({ type: 'step-started', stepId: 'one', attempt: 1, lane: 0 });
    observer.onEnd?.(new Error('SECRET'));
    observer.onEnd?.();
    expect(sdk.spans().map(({ name, status }) => [name, status.message])).toEqual([
      ['attempt', 'UNKNOWN'],
      ['step one', 'UNKNOWN'],
      ['invoke_workflow b', 'UNKNOWN'],
    ]);
  });

  it('notes waits, pauses and the stop, and ends steps by their state', async () => {
    const sdk = createMemorySdk();
    const observer = await traceBatch(sdk.providers);
    const start = { type: 'batch-started', name: 'b\n\u001b[2J', planHash: 'h' } as const;
    observer.onEvent({ ...start, isFresh: false, steps: ['one', 'two', 'three'] });
    for (const stepId of ['one', 'two'])
      observer.onEvent({ type: 'step-started', stepId, attempt: 1, lane: 0, reason: 'failed' });
    observer.onEvent({ type: 'step-waiting', stepId: 'one', waitsFor: 'merge' });
    observer.onEvent({ type: 'step-waiting', stepId: 'unknown', waitsFor: 'slot' });
    observer.onEvent({ type: 'paused', cause: 'rate-limit', untilMs: 1 });
    const finish = (id: string, more: Partial<StepReport>): void =>
      observer.onEvent({ type: 'step-finished', stepId: id, report: aStep(id, more) });
    finish('one', {});
    finish('two', { state: 'cancelled' });
    finish('three', { state: 'skipped' });
    const stop = { reason: 'maxCost', message: 'SECRET' } as const;
    observer.onEvent({ type: 'stopping', stop });
    const steps = [aStep('one'), aStep('two', { state: 'cancelled' })];
    observer.onEvent({ type: 'batch-finished', report: aReport(steps, { stop }) });
    observer.onEnd?.();
    const [workflow] = sdk.spans().slice(-1);
    expect(workflow).toMatchObject({
      name: 'invoke_workflow b',
      status: { message: 'maxCost' },
      attributes: { 'gemini_cli_provider.stop.reason': 'maxCost' },
    });
    expect(workflow?.events.map(({ name }) => name)).toEqual([
      'gemini_cli_provider.paused',
      'gemini_cli_provider.stopping',
    ]);
    expect(sdk.find('step one').status.code).toBe(SpanStatusCode.UNSET);
    expect(sdk.find('step two').status.message).toBe('cancelled');
    expect(sdk.spans().some(({ name }) => name === 'step three')).toBe(false);
    expect(sdk.find('attempt').events).toMatchObject([{ attributes: { waits_for: 'merge' } }]);
  });

  it('gives the steps of an attempt its position, and none to a step that does not run', async () => {
    const sdk = createMemorySdk();
    const observer = await traceBatch(sdk.providers);
    const attempt = { type: 'step-started', stepId: 'one', attempt: 1, lane: 0 } as const;
    // Before the batch begins, there is nothing to which a step could belong.
    observer.onEvent(attempt);
    expect(observer.contextOf?.('one')).toBeUndefined();
    const start = { type: 'batch-started', name: 'b', planHash: '', isFresh: true } as const;
    observer.onEvent({ ...start, steps: ['one'] });
    observer.onEvent(attempt);
    expect(observer.contextOf?.('one')).toEqual({
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    });
    const retry = { type: 'step-retry', stepId: 'one', attempt: 2, delayMs: 1 } as const;
    observer.onEvent({ ...retry, code: 'NETWORK', message: 'cut' });
    observer.onEvent({ ...retry, code: 'NETWORK', message: 'cut' });
    expect(observer.contextOf?.('one')).toBeUndefined();
    expect(await sdk.read('gemini_cli_provider.retries')).toMatchObject([{ value: 2 }]);
    observer.onEvent({ type: 'step-finished', stepId: 'one', report: aStep('one') });
    observer.onEvent({ type: 'batch-finished', report: aReport([aStep('one')]) });
    expect(sdk.find('invoke_workflow b').status.code).toBe(SpanStatusCode.UNSET);
  });

  it('names the code of the error that has ended a batch, and records nothing before its begin', async () => {
    const sdk = createMemorySdk();
    const observer = await traceBatch({ ...sdk.providers, recordContent: true });
    observer.onEnd?.(new Error('early'));
    observer.onEvent({ type: 'batch-finished', report: aReport([]) });
    expect(sdk.spans()).toEqual([]);
    const start = { type: 'batch-started', name: 'b', planHash: '', isFresh: true } as const;
    observer.onEvent({ ...start, steps: ['one'] });
    observer.onEnd?.(new ProviderError({ code: 'INVALID_CONFIG', message: 'the ledger is gone' }));
    expect(sdk.find('invoke_workflow b')).toMatchObject({
      status: { message: 'the ledger is gone' },
      attributes: { 'error.type': 'INVALID_CONFIG' },
    });
  });
});
