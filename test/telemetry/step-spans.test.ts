import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/api/agent-event.js';
import { traced } from '../../src/otel.js';
import {
  type FakeStep,
  fails,
  fakeSteps,
  resultOf,
  session,
  succeeds,
  USAGE,
} from '../engines/ai-sdk/fake-steps.js';
import { createMemorySdk } from './memory-sdk.js';

/** Runs one traced step of a provider with this name. Returns what was recorded. */
async function trace(
  script: FakeStep,
  {
    name = 'fake',
    options = {},
    given = {},
  }: { name?: string; options?: object; given?: object } = {},
) {
  const sdk = createMemorySdk();
  const inner = fakeSteps(script);
  const provider = traced(
    { ...inner, metadata: { ...inner.metadata, name } },
    { ...sdk.providers, ...options },
  );
  await provider.generate('PROMPT', {}, given).catch(() => {});
  return { sdk, agent: sdk.find(`invoke_agent ${name}`) };
}

const status = (more: object): AgentEvent => ({
  type: 'session-status',
  status: 'retrying',
  message: '',
  ...more,
});

describe('the span of a step', () => {
  it.each([
    ['gemini-cli', {}, 'gcp.gen_ai'],
    ['queued', {}, 'gcp.gen_ai'],
    ['qwen', {}, 'qwen'],
    ['qwen', { providerName: 'own' }, 'own'],
  ])('of the provider %s with %j names %s', async (name, options, expected) => {
    const { agent } = await trace([session, succeeds()], { name, options });
    expect(agent.attributes['gen_ai.provider.name']).toBe(expected);
  });

  it('says that the answer is JSON, and names no model that nobody has named', async () => {
    const { model: _, ...unnamed } = { model: '', ...session };
    const usage = { ...USAGE, models: {} };
    const given = { expects: { json: {} } };
    const { agent } = await trace([unnamed, succeeds({ usage })], { given });
    expect(agent.attributes).toMatchObject({ 'gen_ai.output.type': 'json' });
    expect(agent.attributes).not.toHaveProperty(['gen_ai.request.model']);
    expect(agent.attributes['gen_ai.response.model']).toBeUndefined();
  });

  it('names the model with the most tokens', async () => {
    const counts = { total: 1, input: 1, output: 0, cached: 0, thoughts: 0, tool: 0 };
    const models = { small: counts, large: { ...counts, total: 9, input: 9 } };
    const { agent } = await trace([session, succeeds({ usage: { ...USAGE, models } })]);
    expect(agent.attributes['gen_ai.response.model']).toBe('large');
  });

  it('keeps the facts of each retry, and no fact that is not known', async () => {
    const { agent, sdk } = await trace([
      session,
      status({ attempt: 2, delayMs: 30, httpStatus: 429 }),
      status({ status: 'warning' }),
      status({ status: 'waiting' }),
      succeeds(),
    ]);
    expect(agent.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['gemini_cli_provider.retrying', { attempt: 2, delay_ms: 30, http_status: 429 }],
      ['gemini_cli_provider.warning', {}],
      ['gemini_cli_provider.waiting', { waits_for: 'slot' }],
    ]);
    expect(await sdk.read('gemini_cli_provider.retries')).toHaveLength(1);
  });

  it('keeps the prompt of the user, and no text that the provider has added', async () => {
    const { agent } = await trace(
      [
        session,
        { type: 'user-input', text: 'PROMPT', isSynthetic: false },
        { type: 'user-input', text: 'ADDED', isSynthetic: true },
        succeeds({ text: 'ANSWER' }),
      ],
      { options: { recordContent: true } },
    );
    expect(agent.attributes['gen_ai.input.messages']).toContain('PROMPT');
    expect(agent.attributes['gen_ai.input.messages']).not.toContain('ADDED');
    expect(agent.attributes['gen_ai.output.messages']).toContain('ANSWER');
  });

  it('counts the tokens of a failed step, with or without the rest of its output', async () => {
    const { generationId, context: _, ...partial } = resultOf({ sessionId: 'session-2' });
    const whole = await trace(fails({ code: 'TIMEOUT', partial: { ...partial, generationId } }));
    expect(whole.agent.attributes).toMatchObject({
      'gen_ai.conversation.id': 'session-2',
      'gen_ai.usage.input_tokens': 1005,
      'error.type': 'TIMEOUT',
    });
    const [end, error] = fails({ code: 'TIMEOUT' });
    if (error === undefined || end === undefined || !('type' in end)) return expect.unreachable();
    if (end.type !== 'turn-complete') return expect.unreachable();
    const counted = await trace([{ ...end, usage: USAGE }, error]);
    expect(counted.agent.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 1005 });
    expect(counted.agent.attributes).not.toHaveProperty(['gen_ai.agent.version']);
  });

  it('ignores events after the end of the step', async () => {
    const { agent } = await trace([session, succeeds(), status({ attempt: 7 }), session]);
    expect(agent.events).toEqual([]);
    expect(agent.attributes['gen_ai.conversation.id']).toBe('session-1');
  });

  it('has the code UNKNOWN after an error of another program', async () => {
    const { agent } = await trace(async function* () {
      yield session;
      throw new TypeError('SECRET');
    });
    expect(agent.status.message).toBe('UNKNOWN');
  });
});
