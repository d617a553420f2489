import { describe, expect, it } from 'vitest';
import { answerCheck } from '../../../src/step/expectations/answer-check.js';

const conditions = { files: [], contains: [], noChangesOutside: undefined };
const answering = (text: string) => ({ text, answers: [text], files: [] });

describe('a check in the thread', () => {
  it('checks the JSON of an answer by a schema, with and without one', () => {
    const schema = JSON.stringify({ type: 'object', required: ['a'] });
    for (let times = 0; times < 2; times++) {
      const checked = answerCheck({ conditions, schema, subject: answering('{"a": 1}') });
      expect(checked).toMatchObject({ checked: { missing: [], data: { a: 1 } } });
    }
    const wrong = answerCheck({ conditions, schema, subject: answering('{"b": 1}') });
    expect(wrong).toMatchObject({ checked: { missing: [{}] } });
    const none = answerCheck({ conditions, schema: undefined, subject: answering('x') });
    expect(none).toMatchObject({ checked: { missing: [] } });
  });

  it('reports a schema that cannot be used, and forgets old ones', () => {
    const subject = answering('1');
    expect(answerCheck({ conditions, schema: '{', subject })).toHaveProperty('problem');
    for (let index = 0; index < 40; index++) {
      const schema = JSON.stringify({ const: index });
      const { length } = JSON.stringify(answerCheck({ conditions, schema, subject }));
      expect(length).toBeGreaterThan(0);
    }
  });
});
