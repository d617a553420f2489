import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { type StepFlags, streamStep } from '../../../src/cli/run/stream-step.js';
import { failureOf, makeFolder, program } from '../../fixtures/cli/support.js';

/** Collects the events of a step and its error. */
async function collect(prompt: string, flags: StepFlags) {
  const events: AgentEvent[] = [];
  const error = await failureOf(async () => {
    const never = new AbortController().signal;
    for await (const event of streamStep(prompt, { ...flags, stdin: false }, never, {
      say: () => {},
    }))
      events.push(event);
  });
  return { events, error };
}

describe('a step that fails before the CLI starts', () => {
  it.each([
    ['a wrong value', { timeout: -1 }, 'INVALID_CONFIG'],
    ['a missing config file', { config: '/no/such/file' }, 'INVALID_CONFIG'],
    ['two prompts', { promptFile: 'step.md' }, 'INVALID_INPUT'],
    ['a missing CLI', { cliPath: '/no/such/gemini' }, 'CLI_NOT_FOUND'],
  ])('ends with its error as an event: %s', async (_what, flags, code) => {
    const { events, error } = await collect('go', { cwd: makeFolder(), ...flags });
    expect(error).toMatchObject({ code });
    expect(events).toMatchObject([
      { type: 'turn-complete', subtype: code, isError: true, error: { code } },
    ]);
  });

  it('has the generation id of its error in the event', async () => {
    const flags = { cwd: makeFolder(), cliPath: '/no/such/gemini' };
    const { events, error } = await collect('go', flags);
    const generationId = ProviderError.isInstance(error) ? error.generationId : undefined;
    expect(generationId).toBeTypeOf('string');
    expect(events).toMatchObject([{ type: 'turn-complete', generationId }]);
  });
});

describe('a step that fails after the CLI has started', () => {
  it('ends with its error as one event', async () => {
    const cliPath = program('fails-after-success.mjs');
    const { events, error } = await collect('go', { cwd: makeFolder(), cliPath });
    expect(error).toMatchObject({ code: 'UNKNOWN' });
    expect(events.map(({ type }) => type)).toEqual(['session-init', 'text-delta', 'turn-complete']);
  });
});
