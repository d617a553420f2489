import { describe, expect, it } from 'vitest';
import { readEventStream } from '../../../src/remote/page/client/read-event-stream.js';
import { describeDecision } from '../../../src/remote/page/model/describe-decision.js';
import { describeUsage } from '../../../src/remote/page/model/session-words.js';

describe('the words of the page', () => {
  it('name tokens and cost as far as they are known', () => {
    expect(describeUsage({ tokens: 1_234, costUsd: 0.01234 })).toMatch(
      / tokens · about \$0\.0123$/,
    );
    expect(describeUsage({ costUsd: 2.5 })).toBe('about $2.50');
    expect(describeUsage({})).toBe('');
  });

  it('tell who has answered a request', () => {
    const base = { type: 'decision', requestId: 'r', outcome: 'decided' } as const;
    const deny = { type: 'deny', reason: 'no' } as const;
    expect([
      describeDecision({ ...base, decision: deny, by: 'phone' }),
      describeDecision({ ...base, decision: { type: 'allow', inputHash: 'x' }, by: 'rule' }),
      describeDecision({ ...base, outcome: 'desk' }),
      describeDecision({ ...base, outcome: 'withdrawn' }),
    ]).toEqual([
      'Denied by phone: no',
      'Allowed by a rule of this session',
      'Answered at the desk.',
      'No answer is needed any more.',
    ]);
  });
});

describe('readEventStream', () => {
  it('joins messages that come in pieces, whatever their borders', async () => {
    const text = 'data: {"a":"ä"}\n\n: \n\ndata: 1\ndata: 2\n\ndata: cut off';
    const bytes = new TextEncoder().encode(text);
    for (let size = 1; size <= bytes.length; size++) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.slice(index * size, (index + 1) * size),
      );
      const messages: string[] = [];
      let signs = 0;
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start: (controller) => {
          for (const piece of pieces) controller.enqueue(piece);
          controller.close();
        },
      });
      await readEventStream(
        body,
        () => signs++,
        (data) => messages.push(data),
      );
      expect(messages).toEqual(['{"a":"ä"}', '1\n2']);
      expect(signs).toBeGreaterThan(0);
    }
  });
});
