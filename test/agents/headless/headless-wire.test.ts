import { describe, expect, it } from 'vitest';
import { parseWireEvent } from '../../../src/agents/headless/headless-wire.js';

const timestamp = '2026-11-15T23:35:54.494Z';
const counts = { total_tokens: 12, input_tokens: 10, output_tokens: 2, cached: 4, input: 6 };

const EVENTS = [
  ['init', { type: 'init', timestamp, session_id: 's', model: 'm' }],
  ['a prompt', { type: 'message', timestamp, role: 'user', content: 'hi' }],
  ['a piece of text', { type: 'message', timestamp, role: 'assistant', content: '', delta: true }],
  ['a whole text', { type: 'message', timestamp, role: 'assistant', content: 'x', delta: false }],
  [
    'a tool call',
    { type: 'tool_use', timestamp, tool_name: 'glob', tool_id: 'g_1', parameters: { a: [1] } },
  ],
  [
    'a successful tool result',
    { type: 'tool_result', timestamp, tool_id: 'g_1', status: 'success' },
  ],
  [
    'a failed tool result',
    {
      type: 'tool_result',
      timestamp,
      tool_id: 'g_1',
      status: 'error',
      output: 'no',
      error: { type: 'file_not_found', message: 'no' },
    },
  ],
  ['a warning', { type: 'error', timestamp, severity: 'warning', message: 'careful' }],
  ['an error', { type: 'error', timestamp, severity: 'error', message: 'bad' }],
  [
    'a successful result',
    {
      type: 'result',
      timestamp,
      status: 'success',
      stats: { ...counts, duration_ms: 5, tool_calls: 1, models: { m: counts } },
    },
  ],
  [
    'a failed result',
    { type: 'result', timestamp, status: 'error', error: { type: 'unknown', message: 'bad' } },
  ],
] as const;

const LEAST = [
  { type: 'init', session_id: 's' },
  { type: 'message', role: 'assistant', content: '', delta: true },
  { type: 'tool_use', tool_name: 't', tool_id: '1' },
  { type: 'tool_result', tool_id: '1', status: 'success' },
  { type: 'error', severity: 'warning', message: '(no message)' },
  { type: 'result', status: 'error' },
];
/** Required fields by event type. Every other field may be missing or of any type. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  init: ['session_id'],
  message: ['role', 'content'],
  tool_use: ['tool_name', 'tool_id'],
  tool_result: ['tool_id', 'status'],
  error: [],
  result: ['status'],
};

describe('an event of the CLI', () => {
  it.each(EVENTS)('may be %s', (_what, event) => {
    expect(parseWireEvent(event)).toEqual({ kind: 'event', event });
  });

  it.each(EVENTS)('keeps unknown fields: %s', (_what, known) => {
    const event = { ...known, new_field: { deep: [1, { x: null }] } };
    expect(parseWireEvent(event)).toEqual({ kind: 'event', event });
  });

  it('keeps unknown fields of nested objects', () => {
    const event = {
      type: 'result',
      status: 'error',
      error: { type: 't', message: 'm', code: 7 },
      stats: { thoughts: 3, models: { m: { thoughts: 3 } } },
    };
    expect(parseWireEvent(event)).toEqual({ kind: 'event', event });
  });

  it.each(LEAST)('may leave out optional fields: %j', (event) => {
    expect(parseWireEvent(event)).toEqual({ kind: 'event', event });
  });
});

describe('an event of a new type', () => {
  it.each([
    { type: 'thought', text: 'hm' },
    { type: 'Message' },
    { type: '' },
    { type: 5 },
    { type: null },
    { type: 'toString' },
    {},
    { error: { type: 'x', message: 'y' } },
  ])('is unknown: %j', (value) => {
    expect(parseWireEvent(value)).toEqual({ kind: 'unknown' });
  });
});

describe('an event without a required field', () => {
  const required = LEAST.flatMap((event) =>
    Object.keys(event)
      .filter((field) => REQUIRED[event.type]?.includes(field))
      .map((field) => [event.type, field, { ...event, [field]: undefined }] as const),
  );

  it.each(required)('is invalid: %s without %s', (_type, field, event) => {
    const parsed = parseWireEvent(JSON.parse(JSON.stringify(event)));
    expect(parsed).toMatchObject({ kind: 'invalid', problem: expect.stringContaining(field) });
  });

  it.each([
    { type: 'message', role: 'system', content: 'x' },
    { type: 'message', role: 'assistant', content: null, delta: true },
    { type: 'init', session_id: 7 },
    { type: 'tool_use', tool_name: 't', tool_id: 1 },
    { type: 'tool_result', tool_id: '1', status: 'cancelled' },
    { type: 'result', status: 'done' },
  ])('is invalid if the field has another type: %j', (value) => {
    expect(parseWireEvent(value)).toMatchObject({ kind: 'invalid' });
  });
});

describe('an event with an unexpected value in an optional field', () => {
  const odd = EVENTS.flatMap(([what, event]) =>
    Object.keys(event)
      .filter((field) => field !== 'type' && !REQUIRED[event.type]?.includes(field))
      .flatMap((field) =>
        [null, { odd: 1 }, ['odd'], 7, 'odd', true].map((value) => ({
          what: `${what}, ${field} = ${JSON.stringify(value)}`,
          event: { ...event, [field]: value },
        })),
      ),
  );

  it.each(odd)('is kept: $what', ({ event }) => {
    expect(parseWireEvent(event)).toMatchObject({ kind: 'event', event: { type: event.type } });
  });

  it('keeps all other fields', () => {
    const end = {
      type: 'result',
      status: 'success',
      error: null,
      stats: { total_tokens: '5', output_tokens: 2, models: { m: { input_tokens: 3 }, n: 4 } },
    };
    expect(parseWireEvent(end)).toEqual({
      kind: 'event',
      event: { ...end, stats: { output_tokens: 2, models: { m: { input_tokens: 3 } } } },
    });
  });

  it.each(['info', 'fatal', 3, undefined])('is a warning if its severity is %s', (severity) => {
    expect(parseWireEvent({ type: 'error', severity, message: 'x' })).toMatchObject({
      event: { severity: 'warning', message: 'x' },
    });
  });

  it.each(['boom', 7, {}, []])('is still an error if its error field is %j', (error) => {
    expect(parseWireEvent({ type: 'result', status: 'error', error })).toMatchObject({
      event: { error: { type: 'unknown', message: '(no message)' } },
    });
  });
});
