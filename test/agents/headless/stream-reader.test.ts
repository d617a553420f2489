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
  it('returns the events of a line as soon as the line is complete', () => {
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

  it('keeps the result event, and returns no event for it', () => {
    const { events, reader } = read(lines(INIT, RESULT));
    expect(events.map(({ type }) => type)).toEqual(['session-init']);
    expect(reader.terminal).toEqual(RESULT);
    expect(reader.wireEvents).toBe(2);
  });

  it('has no result event if the CLI sent none', () => {
    expect(read(lines(INIT, TEXT)).reader.terminal).toBeUndefined();
  });

  it('passes the wire event on as raw, with unknown fields', () => {
    const raw = { ...TEXT, timestamp: '2026-01-01T00:00:00Z', new_field: { a: 1 } };
    expect(read(lines(raw)).events).toMatchObject([{ timestamp: '2026-01-01T00:00:00Z', raw }]);
  });

  it('passes raw on unchanged, even if the event lost an invalid field', () => {
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
  it('is zero in a clean stream', () => {
    expect(read(lines(INIT, TEXT, RESULT)).reader.noise).toEqual({
      nonJsonLines: 0,
      overlongLines: 0,
      unknownEvents: 0,
      invalidEvents: 0,
      samples: {},
    });
  });

  it('has a sample of whole words, because half of a secret would not be redacted', () => {
    const { samples } = read(lines(`${'x'.repeat(190)} my-secret-key-12345 and more`)).reader.noise;
    expect(samples.nonJsonLines).toBe(`${'x'.repeat(190)} …`);
    const json = JSON.stringify({ type: 'new', a: 'a'.repeat(170), key: 'my-secret-key-12345' });
    expect(read(lines(json)).reader.noise.samples.unknownEvents).toMatch(/"key":"…$/);
  });

  it('is counted for lines that are not JSON, with the first line as a sample', () => {
    const { events, reader } = read(lines('Current memory:', INIT, '- likes tea', '[1]', TEXT));
    expect(events.map(({ type }) => type)).toEqual(['session-init', 'text-delta']);
    expect(reader.noise).toMatchObject({
      nonJsonLines: 3,
      samples: { nonJsonLines: 'Current memory:' },
    });
    expect(reader.wireEvents).toBe(2);
  });

  it('is counted for lines that only begin like JSON', () => {
    expect(read('{\n'.repeat(500_000)).reader.noise.nonJsonLines).toBe(500_000);
  });

  it('has a sample of bounded length', () => {
    const { reader } = read(lines('word '.repeat(1_000)));
    expect(reader.noise.samples.nonJsonLines).toBe(`${'word '.repeat(40)}…`);
  });

  it('is an unknown event for an event of a new type', () => {
    const raw = { type: 'thought', text: 'hm', timestamp: 't' };
    const { events, reader } = read(lines(INIT, raw, TEXT));
    expect(events[1]).toEqual({ type: 'unknown', raw });
    expect(events).toHaveLength(3);
    expect(reader.noise).toMatchObject({
      unknownEvents: 1,
      samples: { unknownEvents: JSON.stringify(raw) },
    });
  });

  it('is an unknown event for an event without a required field', () => {
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

  it('is counted for a broken result, which does not end the turn', () => {
    const { reader } = read(lines({ type: 'result', status: 'perhaps' }));
    expect(reader.terminal).toBeUndefined();
    expect(reader.noise.invalidEvents).toBe(1);
  });

  it('is counted for a line that is too long, with its size', () => {
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

  it.each([1, 10, 40])('is torn if it ends %i bytes before the end of a line', (missing) => {
    const { reader, events } = read(text.slice(0, -1 - missing));
    expect(reader.isTorn).toBe(true);
    expect(events).toHaveLength(1);
    expect(reader.noise.nonJsonLines).toBe(1);
  });

  it('is not torn if it ends between two lines', () => {
    expect(read(lines(INIT)).reader.isTorn).toBe(false);
    expect(read('').reader.isTorn).toBe(false);
  });

  it('is not torn by a line of text that was complete', () => {
    expect(read(lines(INIT, 'plain text')).reader.isTorn).toBe(false);
  });
});

describe('an event behind text without a newline', () => {
  const RESULT = '{"type":"result","status":"success","stats":{}}';

  it.each(['hook says hi', '{"type":"message","role":"assistant","content":"torn', '{"type":"x" '])(
    'is read, and the text is counted: %s',
    (before) => {
      const reader = new StreamReader();
      reader.push(Buffer.from(`${before}${RESULT}\n`));
      reader.end();
      expect(reader.terminal?.status).toBe('success');
      expect(reader.noise.nonJsonLines).toBe(1);
      expect(reader.isTorn).toBe(false);
    },
  );

  it('is not made up: only a whole event of a known type counts', () => {
    const reader = new StreamReader();
    const lines = [
      'log: {"type":"other"}',
      'log: {"type":"result"}',
      'log: {"type":"result","status":"succ}',
    ];
    expect(reader.push(Buffer.from(`${lines.join('\n')}\n`))).toEqual([]);
    expect(reader.terminal).toBeUndefined();
    expect(reader.noise.nonJsonLines).toBe(3);
  });
});
