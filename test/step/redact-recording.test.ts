import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/base/errors/redact.js';
import { redactRecording } from '../../src/step/redact-recording.js';

const SECRET = 'very"secret-value';
const redactor = createRedactor([SECRET]);
const toLines = (events: readonly object[]) =>
  events.map((event) => JSON.stringify(event)).join('\n');
const message = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });
const chunk = (kind: string, text: string) => ({
  method: 'session/update',
  params: { update: { sessionUpdate: kind, content: { type: 'text', text } } },
});

describe('a recording', () => {
  it('has no secret in several events, in any pieces (claim: secrets-hidden)', () => {
    const text = `before ${SECRET} after`;
    const cuts = fc.uniqueArray(fc.nat(text.length), { maxLength: 6 });
    fc.assert(
      fc.property(cuts, (places) => {
        const at = [0, ...places.sort((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
        const lines = redactRecording(toLines(pieces.map(message)), redactor).split('\n');
        expect(lines).toHaveLength(pieces.length);
        const contents = lines.map((line) => JSON.parse(line).content);
        expect(contents.join('')).toBe('before [redacted] after');
      }),
    );
  });

  it('may have events of another text in between', () => {
    const events = [
      chunk('agent_message_chunk', 'is very"se'),
      chunk('agent_thought_chunk', 'Let me think.'),
      chunk('agent_message_chunk', 'cret-value.'),
    ];
    expect(redactRecording(toLines(events), redactor)).toBe(
      toLines([
        chunk('agent_message_chunk', 'is [redacted]'),
        chunk('agent_thought_chunk', 'Let me think.'),
        chunk('agent_message_chunk', '.'),
      ]),
    );
  });

  it('keeps all other lines as they are, JSON or not', () => {
    const text = 'noise\n{"type" : "x", "content":"a"}\n\n{broken\n[1]\n{"content":{"content":5}}';
    expect(redactRecording(text, redactor)).toBe(text);
  });

  it('of a nested object is searched only to a depth that events have', () => {
    let event: object = { content: 'x' };
    for (let depth = 0; depth < 20; depth++) event = { event };
    expect(redactRecording(toLines([event]), redactor)).toBe(toLines([event]));
  });
});
