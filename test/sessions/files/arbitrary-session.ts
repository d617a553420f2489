import fc from 'fast-check';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const content = fc.oneof(
  text,
  fc.array(fc.oneof(text, fc.record({ text })), { maxLength: 3 }),
  fc.constant([{ functionResponse: { id: 'c', name: 'glob', response: { output: 'x' } } }]),
);
const count = fc.nat(1000);

/** Few ids, so that they repeat. */
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');

export const arbitraryMessage = fc.record(
  {
    id,
    type: fc.constantFrom('user', 'gemini', 'info', 'warning', 'error'),
    content,
    timestamp: fc.constantFrom('2026-11-15T23:41:19.972Z', 'no time'),
    model: text,
    thoughts: fc.array(fc.record({ subject: text, description: text }), { maxLength: 2 }),
    tokens: fc.oneof(fc.constant(null), fc.record({ input: count, output: count, total: count })),
    toolCalls: fc.array(
      fc.record({ id: text, name: text, args: fc.dictionary(fc.constantFrom('x', 'y'), text) }),
      { maxLength: 2 },
    ),
    somethingNew: fc.dictionary(fc.constantFrom('x', 'y'), fc.oneof(text, count, fc.boolean())),
  },
  { requiredKeys: ['id', 'type'] },
);

const headerFields = { lastUpdated: text, summary: text, kind: text, projectHash: text };

/** All kinds of records of a session file. */
export const arbitraryRecord = fc.oneof(
  { weight: 6, arbitrary: arbitraryMessage },
  {
    weight: 1,
    arbitrary: fc.record(
      { sessionId: fc.constantFrom('s1', 's2'), ...headerFields },
      { requiredKeys: ['sessionId'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      $set: fc.record(
        { ...headerFields, messages: fc.array(arbitraryMessage, { maxLength: 4 }) },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ $rewindTo: fc.oneof(id, fc.constant('nobody')) }) },
);

export const arbitraryRecords = fc.array(arbitraryRecord, { maxLength: 20 });
