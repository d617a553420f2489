import assert from 'node:assert/strict';
import type { AgentEvent } from '../../api/agent-event.js';
import type { ConformanceCheck } from './conformance-subject.js';
import { findEnd } from './record-step.js';
import type { SharedSteps } from './shared-steps.js';

/** Checks of the events of a step that succeeds. */
export function listEventChecks({ succeeded }: SharedSteps): ConformanceCheck[] {
  const check = (name: string, run: (events: readonly AgentEvent[]) => void): ConformanceCheck => ({
    name,
    run: async () => {
      const { events, thrown } = await succeeded();
      if (thrown !== undefined) throw thrown;
      run(events);
    },
  });
  return [
    check('every event has the id of the step and a time', assertStamped),
    check('the last event is turn-complete, and no other event is', (events) => {
      assert.equal(events.at(-1)?.type, 'turn-complete', 'The last event is another one');
      const ends = events.filter(({ type }) => type === 'turn-complete');
      assert.equal(ends.length, 1, `There are ${ends.length} events turn-complete`);
    }),
    check('turn-complete of a success has the result, and no error', (events) => {
      const end = findEnd({ events, thrown: undefined });
      assert.equal(end?.subtype, 'success');
      assert.equal(end.isError, false);
      assert.equal(end.error, undefined);
      assert.ok(end.result !== undefined, 'turn-complete has no result');
    }),
    check('the text of the result is the text of the events', (events) => {
      const pieces = events.flatMap((event) => {
        const isText = event.type === 'text' || event.type === 'text-delta';
        return isText && event.textKind === 'text' && event.parentCallId === undefined
          ? event.text
          : [];
      });
      const { text } = findEnd({ events, thrown: undefined })?.result ?? {};
      assert.ok(text, 'The result has no text');
      assert.equal(pieces.join(''), text);
    }),
    check('the session is opened once, before text and tool calls', (events) => {
      const types = events.map(({ type }) => type);
      const opened = types.indexOf('session-init');
      assert.equal(types.lastIndexOf('session-init'), opened, 'session-init comes twice');
      const work = types.findIndex((type) => /^(text|tool)/.test(type));
      assert.ok(work < 0 || opened < work, `${types[work]} comes before session-init`);
    }),
    check('every tool call has one completion, after it', assertCompleted),
    check('usage in turn-complete is that of the result, and adds up', assertUsage),
    check('events are plain JSON', (events) => {
      for (const event of events) {
        const copy: unknown = JSON.parse(JSON.stringify(event));
        assert.deepEqual(withoutUndefined(event), copy, `${event.type} is no plain JSON`);
      }
    }),
  ];
}

function assertStamped(events: readonly AgentEvent[]): void {
  assert.ok(events.length > 1, 'The step has yielded no events beside its end');
  const ids = new Set(events.map(({ generationId }) => generationId));
  assert.equal(ids.size, 1, `The events have several ids: ${[...ids].join(', ')}`);
  for (const { type, generationId, timestamp } of events) {
    assert.ok(generationId, `${type} has no generationId`);
    assert.ok(
      timestamp !== undefined && !Number.isNaN(Date.parse(timestamp)),
      `${type} has no time`,
    );
  }
}

function assertCompleted(events: readonly AgentEvent[]): void {
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === 'tool-invocation') {
      assert.ok(!open.has(event.callId), `The call ${event.callId} begins twice`);
      open.add(event.callId);
    }
    if (event.type !== 'tool-completion') continue;
    assert.ok(open.delete(event.callId), `The result of ${event.callId} belongs to no open call`);
    assert.equal(event.isError, event.status === 'failed', 'isError contradicts status');
  }
  assert.deepEqual([...open], [], 'These calls have no completion');
}

function assertUsage(events: readonly AgentEvent[]): void {
  const { usage, result } = findEnd({ events, thrown: undefined }) ?? {};
  assert.deepEqual(usage, result?.usage, 'turn-complete and result have other counts');
  if (usage === undefined) return;
  const { total, input, output, cached, models, toolCalls } = usage;
  for (const [name, count] of Object.entries({ total, input, output, cached, toolCalls }))
    assert.ok(Number.isSafeInteger(count) && count >= 0, `${name} is ${count}`);
  assert.ok(cached <= input, `cached (${cached}) is a part of input (${input})`);
  assert.ok(total >= input + output, `total (${total}) is less than input and output`);
  const sum = Object.values(models).reduce((all, model) => all + model.total, 0);
  assert.equal(sum, total, 'The counts of the models do not add up to the total');
}

/** Returns a copy without keys that are undefined: JSON has none. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries.map(([key, entry]) => [key, withoutUndefined(entry)]));
}
