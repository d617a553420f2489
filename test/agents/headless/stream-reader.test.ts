import { describe, expect, it } from 'vitest';
import { StreamReader } from '../../../src/agents/headless/stream-reader.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';

const INIT = { type: 'init', session_id: 's', model: 'm' };
const TEXT = { type: 'message', role: 'assistant', content: 'Hello', delta: true };
const RESULT = { type: 'result', status: 'success', stats: { total_tokens: 3 } };

function read(text: string, options?: { maxLineBytes: number }) {
  const reader = new StreamReader(options);
  const events: AgentEvent[] = [...reader.push(Buffer.from(text)), ...reader.end()];
  return { reader, events };
}

function lines(...values: readonly (object | string)[]): string {
  return values
    .map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`)
    .join('');
}

describe('a reader of the stream', () => {
  it('gives the events of a line as soon as it is complete', () => {
    const reader = new StreamReader();
    const [first = '', second = ''] = [JSON.stringify(INIT), JSON.stringify(TEXT)];
    expect(reader.push(Buffer.from(first))).toEqual([]);
    expect(reader.push(Buffer.from(`\n${second}`))).toMatchObject([{ type: 'session-init' }]);
    expect(reader.push(Buffer.from('\n'))).toMatchObject([{ type: 'text-delta', text: 'Hello' }]);
    expect(reader.end()).toEqual([]);
  });

  it('reads a last line without its newline', () => {
    const { events, reader } = read(lines(INIT) + JSON.stringify(TEXT));
    expect(events.map(({ type }) => type)).toEqual(['session-init', 'text-delta']);
    expect(reader.isTorn).toBe(false);
  });

  it('remembers the event that ends the run, and gives none for it', () => {
    const { events, reader } = read(lines(INIT, RESULT));
    expect(events.map(({ type }) => type)).toEqual(['session-init']);
    expect(reader.terminal).toEqual(RESULT);
    expect(reader.wireEvents).toBe(2);
  });

  it('has no end where the CLI gave none', () => {
    expect(read(lines(INIT, TEXT)).reader.terminal).toBeUndefined();
  });

  it('hands over what came over the wire, unknown fields included', () => {
    const raw = { ...TEXT, timestamp: '2026-01-01T00:00:00Z', new_field: { a: 1 } };
    expect(read(lines(raw)).events).toMatchObject([{ timestamp: '2026-01-01T00:00:00Z', raw }]);
  });

  it('hands it over as it came, also where something odd was left out', () => {
    const raw = { type: 'tool_result', tool_id: '1', status: 'success', output: null };
    const [event] = read(lines(raw)).events;
    expect(event).toMatchObject({ type: 'tool-completion', status: 'completed', raw });
    expect(event).toHaveProperty('output', undefined);
  });

  it('reads objects with blanks around them', () => {
    expect(read(` ${JSON.stringify(INIT)} \t\n`).events).toHaveLength(1);
  });

  it('reads CRLF, empty lines and a byte order mark', () => {
    const text = `\u{FEFF}${JSON.stringify(INIT)}\r\n\r\n\n${JSON.stringify(TEXT)}\r\n`;
    const { events, reader } = read(text);
    expect(events).toHaveLength(2);
    expect(reader.noise).toMatchObject({ nonJsonLines: 0, samples: {} });
  });
});

describe('noise in the stream', () => {
  it('is nothing in a clean one', () => {
    expect(read(lines(INIT, TEXT, RESULT)).reader.noise).toEqual({
      nonJsonLines: 0,
      overlongLines: 0,
      unknownEvents: 0,
      invalidEvents: 0,
      samples: {},
    });
  });

  it('is shown by whole words, because half of a secret could not be recognised', () => {
    const { samples } = read(lines(`${'x'.repeat(190)} my-secret-key-12345 and more`)).reader.noise;
    expect(samples.nonJsonLines).toBe(`${'x'.repeat(190)} …`);
    const json = JSON.stringify({ type: 'new', a: 'a'.repeat(170), key: 'my-secret-key-12345' });
    expect(read(lines(json)).reader.noise.samples.unknownEvents).toMatch(/"key":"…$/);
  });

  it('that is no JSON is counted, with the first line as a sample', () => {
    const { events, reader } = read(lines('Current memory:', INIT, '- likes tea', '[1]', TEXT));
    expect(events.map(({ type }) => type)).toEqual(['session-init', 'text-delta']);
    expect(reader.noise).toMatchObject({
      nonJsonLines: 3,
      samples: { nonJsonLines: 'Current memory:' },
    });
    expect(reader.wireEvents).toBe(2);
  });

  it('that looks like JSON by its start alone is counted like any other', () => {
    expect(read('{\n'.repeat(500_000)).reader.noise.nonJsonLines).toBe(500_000);
  });

  it('has a sample of bounded length', () => {
    const { reader } = read(lines('word '.repeat(1_000)));
    expect(reader.noise.samples.nonJsonLines).toBe(`${'word '.repeat(40)}…`);
  });

  it('that is an event of a new type is an unknown event', () => {
    const raw = { type: 'thought', text: 'hm', timestamp: 't' };
    const { events, reader } = read(lines(INIT, raw, TEXT));
    expect(events[1]).toEqual({ type: 'unknown', raw });
    expect(events).toHaveLength(3);
    expect(reader.noise).toMatchObject({
      unknownEvents: 1,
      samples: { unknownEvents: JSON.stringify(raw) },
    });
  });

  it('that is an event without what it must have is an unknown event too', () => {
    const raw = { type: 'tool_use', tool_id: '1' };
    const { events, reader } = read(lines(raw, raw));
    expect(events).toEqual([
      { type: 'unknown', raw },
      { type: 'unknown', raw },
    ]);
    expect(reader.noise).toMatchObject({
      invalidEvents: 2,
      unknownEvents: 0,
      samples: { invalidEvents: expect.stringContaining('tool_name') },
    });
  });

  it('does not end the run where the event that should is broken', () => {
    const { reader } = read(lines({ type: 'result', status: 'perhaps' }));
    expect(reader.terminal).toBeUndefined();
    expect(reader.noise.invalidEvents).toBe(1);
  });

  it('that is a line too long is dropped with its size', () => {
    const long = { ...TEXT, content: 'x'.repeat(500) };
    const { events, reader } = read(lines(INIT, long, TEXT), { maxLineBytes: 200 });
    expect(events.map(({ type }) => type)).toEqual(['session-init', 'text-delta']);
    expect(reader.noise).toMatchObject({
      overlongLines: 1,
      samples: { overlongLines: `${JSON.stringify(long).length} bytes` },
    });
  });
});

describe('a stream that breaks off', () => {
  const text = lines(INIT, TEXT);

  it.each([1, 10, 40])('in a line, %i bytes before its end, is torn', (missing) => {
    const { reader, events } = read(text.slice(0, -1 - missing));
    expect(reader.isTorn).toBe(true);
    expect(events).toHaveLength(1);
    expect(reader.noise.nonJsonLines).toBe(1);
  });

  it('between two lines is not torn', () => {
    expect(read(lines(INIT)).reader.isTorn).toBe(false);
    expect(read('').reader.isTorn).toBe(false);
  });

  it('is not torn by a line of text that was complete', () => {
    expect(read(lines(INIT, 'plain text')).reader.isTorn).toBe(false);
  });
});
