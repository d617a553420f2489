import { describe, expect, it } from 'vitest';
import type { AgentEvent, TurnCompleteEvent } from '../../../src/api/agent-event.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import {
  addConformanceTests,
  createConformanceSuite,
} from '../../../src/testing/conformance/index.js';
import { conformanceOf, type Faults } from './model-provider.js';

/** Names of the checks that a provider with these faults fails. */
async function failing(faults: Faults): Promise<string[]> {
  const { checks, close } = createConformanceSuite(conformanceOf(faults));
  const failed: string[] = [];
  for (const { name, run } of checks) await run().catch(() => failed.push(name));
  await close();
  return failed;
}

type Change = (event: AgentEvent) => AgentEvent | readonly AgentEvent[];
const each = (change: Change): Faults => ({ events: (events) => events.flatMap(change) });
const drop = (type: AgentEvent['type']) => each((event) => (event.type === type ? [] : event));
const atEnd = (change: (end: TurnCompleteEvent) => AgentEvent | readonly AgentEvent[]) =>
  each((event) => (event.type === 'turn-complete' ? change(event) : event));
const inResult = (more: object) =>
  atEnd((end) => (end.result === undefined ? end : { ...end, result: { ...end.result, ...more } }));
const first = { type: 'session-init', sessionId: 's' } as const;
const withNewId = (error: ProviderError) =>
  new ProviderError({ ...error.toJSON(), generationId: 'other' });

/** For each check a provider that breaks its sentence. */
const BROKEN: Readonly<Record<string, Faults>> = {
  'every event has the id of the step and a time': each((event) => ({
    ...event,
    timestamp: 'now',
  })),
  'the last event is turn-complete, and no other event is': atEnd((end) => [end, end]),
  'turn-complete of a success has the result, and no error': atEnd(({ result: _, ...end }) => end),
  'the text of the result is the text of the events': each((event) =>
    event.type === 'text-delta' ? [event, event] : event,
  ),
  'the session is opened once, before text and tool calls': atEnd((end) => [
    { ...end, ...first },
    end,
  ]),
  'every tool call has one completion, after it': drop('tool-completion'),
  'usage in turn-complete is that of the result, and adds up': atEnd(({ usage: _, ...end }) => end),
  'events are plain JSON': each((event) => ({ ...event, raw: new Date() })),
  'the result has every field, and the id of its events': inResult({ durationMs: undefined }),
  'the context of the call comes back unchanged': inResult({ context: {} }),
  'generate() returns what stream() yields': {
    members: ({ generate }) => ({
      generate: async (...call: Parameters<typeof generate>) => {
        return { ...(await generate(...call)), text: 'Other.' } as never;
      },
    }),
  },
  'steps at the same time have ids of their own': each((event) => {
    const generationId = 'same';
    if (event.type !== 'turn-complete' || event.result === undefined)
      return { ...event, generationId };
    return { ...event, generationId, result: { ...event.result, generationId } };
  }),
  'the manifest has the written file as it is on the disk': inResult({ files: [] }),
  'a failed step ends with turn-complete, and the stream throws its error': {
    events: (events, prompt) => (prompt === 'fail' ? events.slice(0, 0) : events),
  },
  'an error is a ProviderError with a code, a hint and an id, and plain JSON': { error: withNewId },
  'the error has in `partial` what the step has produced': {
    error: (error) => new ProviderError({ ...error.toJSON(), partial: undefined }),
  },
  'generate() throws the error that stream() throws': {
    members: ({ generate }) => ({
      generate: (prompt: string, ...rest: never[]) => {
        return prompt === 'fail' ? Promise.reject(new Error('No.')) : generate(prompt, ...rest);
      },
    }),
  },
  'an empty prompt is INVALID_INPUT, rejected and not thrown': {
    members: ({ generate }) => ({
      generate: (prompt: string, ...rest: never[]) => {
        if (prompt === '') throw new ProviderError({ code: 'INVALID_INPUT', message: 'Empty' });
        return generate(prompt, ...rest);
      },
    }),
  },
  'a signal that is aborted before the call starts nothing': { ignoresSignal: true },
  'an abort ends the step with CANCELLED, and the reason as its cause': { ignoresSignal: true },
  'leaving the loop ends the step': {
    members: ({ stream }) => ({
      stream: (...call) => withReturn(stream(...call), () => new Promise(() => {})),
    }),
  },
  'return() ends a step whose next event is awaited': { ignoresReturn: true },
  'metadata names the provider, its keys and its access to files': {
    members: ({ metadata }) => ({ metadata: { ...metadata, name: '' } }),
  },
  'validate() reports where steps run': {
    members: ({ validate }) => ({
      validate: async () => ({ ...(await validate()), workingDir: '/elsewhere' }),
    }),
  },
  'dispose() cancels running steps': { ignoresDispose: true },
  'dispose() may be called again, also by `await using`': {
    members: () => ({ [Symbol.asyncDispose]: () => Promise.reject(new Error('Twice')) }),
  },
  'a disposed provider refuses steps': { acceptsLaterSteps: true },
};

function withReturn(
  events: AsyncIterable<AgentEvent>,
  end: () => Promise<IteratorResult<AgentEvent>>,
): AsyncIterable<AgentEvent> {
  const iterator = events[Symbol.asyncIterator]();
  return { [Symbol.asyncIterator]: () => ({ next: () => iterator.next(), return: end }) };
}

describe('the checks of a provider', () => {
  it('pass for one that keeps the contract', async () => {
    expect(await failing({})).toEqual([]);
  });

  it.each(Object.entries(BROKEN))('can fail: %s', async (name, faults) => {
    expect(await failing(faults)).toContain(name);
  });

  it('each have a provider above that fails them', () => {
    const { checks } = createConformanceSuite(conformanceOf());
    expect(checks.map(({ name }) => name)).toEqual(Object.keys(BROKEN));
  });

  it('leave files alone for a provider that writes none', () => {
    const options = { ...conformanceOf(), writtenFile: undefined, partialFile: undefined };
    const names = createConformanceSuite(options).checks.map(({ name }) => name);
    expect(names).not.toContain('the manifest has the written file as it is on the disk');
  });

  it('are added to a test framework, with an end that disposes of the providers', async () => {
    const tests = new Map<string, () => Promise<void>>();
    const ends: (() => Promise<void>)[] = [];
    const after = (end: () => Promise<void>) => ends.push(end);
    addConformanceTests({ it: (name, run) => tests.set(name, run), after }, conformanceOf());
    expect([...tests.keys()]).toEqual(Object.keys(BROKEN));
    await tests.get('validate() reports where steps run')?.();
    for (const end of ends) await end();
  });
});
