import { describe, expect, it } from 'vitest';
import type { SessionToolCall } from '../../../src/api/session.js';
import { hasResult, toToolBlocks } from '../../../src/sessions/messages/tool-blocks.js';

const PNG = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };

function answer(response: unknown, id = 'c', more: object = {}) {
  return { functionResponse: { id, name: 'glob', response, ...more } };
}

function resultOf(call: Partial<SessionToolCall>) {
  return toToolBlocks({ id: 'c', name: 'glob', ...call })[1];
}

describe('a tool call', () => {
  it('becomes a block for the call and one for its result', () => {
    const call = { id: 'c', name: 'glob', args: { pattern: '*' }, status: 'success' };
    expect(toToolBlocks({ ...call, result: [answer({ output: 'a.ts' })] })).toEqual([
      { type: 'tool_use', id: 'c', name: 'Glob', input: { pattern: '*' } },
      { type: 'tool_result', tool_use_id: 'c', content: 'a.ts', is_error: false },
    ]);
  });

  it.each([undefined, 'executing', 'awaiting_approval', 'scheduled'])(
    'has no result while it is %s',
    (status) => {
      const call = { id: 'c', name: 'glob', status, result: null };
      expect(toToolBlocks(call)).toEqual([{ type: 'tool_use', id: 'c', name: 'Glob', input: {} }]);
      expect(hasResult(call)).toBe(false);
    },
  );
});

describe('the result of a tool call', () => {
  it.each([
    ['output', [answer({ output: 'text' })], 'text', false],
    ['an error', [answer({ error: 'no' })], 'no', true],
    ['both', [answer({ output: 'text', error: 'no' })], 'text', true],
    ['an empty error', [answer({ output: 'text', error: '' })], 'text', false],
    ['no output', [answer({ output: '' })], '', false],
    ['nothing', [answer({})], '', false],
    ['no response', [answer(undefined)], '', false],
    ['an object as output', [answer({ output: { a: 1 } })], '{"a":1}', false],
    ['an object as error', [answer({ error: { code: 5 } })], '{"code":5}', true],
    ['other fields', [answer({ content: [1] })], '{"content":[1]}', false],
    ['text as response', [answer('text')], 'text', false],
    ['a number', [answer(7)], '7', false],
    ['an object in place of the list', answer({ output: 'text' }), 'text', false],
    ['a string in place of the list', 'text', 'text', false],
    ['a text part', [{ text: 'text' }], 'text', false],
    ['a string in the list', ['text'], 'text', false],
    ['the response alone', { output: 'text' }, 'text', false],
    ['an odd object', [{ odd: true }], '{"odd":true}', false],
    [
      'several answers',
      [answer({ output: 'a' }, 'x'), answer({ output: 'b' }, 'y')],
      'a\nb',
      false,
    ],
    ['other media', [answer({ output: 'a' }), { fileData: { fileUri: 'x' } }], 'a', false],
  ])('may be %s', (_what, result, content, isError) => {
    expect(resultOf({ status: 'success', result })).toEqual({
      type: 'tool_result',
      tool_use_id: 'c',
      content,
      is_error: isError,
    });
  });

  it.each(['error', 'cancelled'])('is an error if the call ended as %s', (status) => {
    const block = resultOf({ status, result: [answer({ output: 'text' })] });
    expect(block).toMatchObject({ content: 'text', is_error: true });
    const shown = resultOf({ status, resultDisplay: 'shown to the person' });
    expect(shown).toMatchObject({ content: 'shown to the person', is_error: true });
    expect(resultOf({ status, result: [] })).toMatchObject({ content: '', is_error: true });
  });

  it('is the text shown to the user if the model got no answer', () => {
    const call = { status: 'success', result: null, resultDisplay: 'Listed 3 items.' };
    expect(resultOf(call)).toMatchObject({ content: 'Listed 3 items.', is_error: false });
    expect(resultOf({ status: 'success', resultDisplay: { fileDiff: 'x' } })).toMatchObject({
      content: '',
    });
  });

  it.each([
    ['beside the answer', [answer({ output: 'A dot.' }), PNG]],
    ['inside of it', [answer({ output: 'A dot.' }, 'c', { parts: [PNG, { text: 'x' }] })]],
  ])('may have an image %s', (_where, result) => {
    expect(resultOf({ status: 'success', result })).toMatchObject({
      content: [{ type: 'text', text: 'A dot.' }, IMAGE],
    });
  });

  it('may be an image alone', () => {
    expect(resultOf({ status: 'success', result: [PNG] })).toMatchObject({ content: [IMAGE] });
  });

  it('is that of the call if a resume has recorded those of all calls', () => {
    const parts = [
      answer({ output: 'first' }, 'a'),
      answer({ error: 'second' }, 'c'),
      PNG,
      answer({ output: 'third' }, 'b'),
    ];
    const result = (id: string) => {
      return toToolBlocks({ id, name: 'glob', status: 'success', result: parts })[1];
    };
    expect(result('a')).toMatchObject({ tool_use_id: 'a', content: 'first', is_error: false });
    expect(result('b')).toMatchObject({ tool_use_id: 'b', content: 'third', is_error: false });
    expect(result('c')).toMatchObject({
      content: [{ type: 'text', text: 'second' }, IMAGE],
      is_error: true,
    });
  });
});

describe('text beside the answer of a tool', () => {
  it('is kept before and after the answer', () => {
    const result = [{ text: 'before' }, answer({ output: 'answer' }), { text: 'after' }];
    expect(resultOf({ result })).toMatchObject({ content: 'before\nanswer\nafter' });
  });

  it('belongs to the answer before it, or to the first one', () => {
    const result = [
      { text: 'b' },
      answer({ output: '1' }),
      { text: 'm' },
      answer({ output: '2' }, 'd'),
    ];
    expect(resultOf({ result })).toMatchObject({ content: 'b\n1\nm' });
    expect(resultOf({ id: 'd', result })).toMatchObject({ content: '2' });
  });
});
