import { describe, expect, it } from 'vitest';
import {
  functionResponsesOf,
  isInjectedContext,
  shownContentOf,
  textsOf,
  withoutContext,
} from '../../../src/sessions/files/message-text.js';

const SESSION = '<session_context>\nToday is Monday.\n</session_context>';
const HOOK = '<hook_context>Be brief.</hook_context>';

describe('the texts of a message', () => {
  it.each([
    ['text', ['text']],
    [{ text: 'part' }, ['part']],
    [
      ['a', { text: 'b' }, [{ text: 'c' }]],
      ['a', 'b', 'c'],
    ],
    [[{ text: 'hm', thought: true }, { text: 'said' }], ['said']],
    [[{ functionCall: { name: 'x' } }, { inlineData: {} }, null, 5], []],
    [{ text: 7 }, []],
    [undefined, []],
    [null, []],
  ])('are found in %j', (content, texts) => {
    expect(textsOf(content)).toEqual(texts);
  });
});

describe('the context that the CLI puts before a prompt', () => {
  it.each([
    [SESSION],
    [[{ text: `\n  ${SESSION}\n` }]],
    [HOOK],
    [[{ text: SESSION }, { text: HOOK }]],
    ['<session_context>\nthat was cut'],
  ])('is recognised: %j', (content) => {
    expect(isInjectedContext(content)).toBe(true);
  });

  it.each([
    ['hello'],
    [''],
    [undefined],
    [`what is ${HOOK}?`],
    [`${HOOK}\n\nthe prompt itself`],
    [[{ text: SESSION }, { text: 'the prompt itself' }]],
    ['<session_contexts>'],
  ])('is not a prompt: %j', (content) => {
    expect(isInjectedContext(content)).toBe(false);
  });

  it.each([
    [`${HOOK}\n\nprompt`, '\n\nprompt'],
    [`${SESSION}${HOOK}prompt ${HOOK}`, `prompt ${HOOK}`],
    ['prompt', 'prompt'],
    ['<hook_context>never ends', ''],
  ])('can be removed: %j', (text, rest) => {
    expect(withoutContext(text)).toBe(rest);
  });
});

describe('a context repeated many times', () => {
  it('is removed in linear time', () => {
    const often = HOOK.repeat(200_000);
    expect(withoutContext(`${often}prompt`)).toBe('prompt');
    expect(isInjectedContext(often)).toBe(true);
  });
});

describe('the answers of tools in a message', () => {
  it('are found among other parts', () => {
    const [one, two] = [{ id: '1' }, { id: '2' }];
    const content = [{ functionResponse: one }, { text: 'x' }, null, { functionResponse: two }];
    expect(functionResponsesOf({ id: 'm', type: 'user', content })).toEqual([one, two]);
  });

  it.each([['text'], [undefined], [{}], [[{ functionResponse: null }, { functionResponse: 'x' }]]])(
    'do not exist in %j',
    (content) => {
      expect(functionResponsesOf({ id: 'm', type: 'user', content })).toEqual([]);
    },
  );
});

describe('the content of a message that the CLI shows', () => {
  const content = [{ text: 'explain @a.ts' }, { text: 'the whole file' }];

  it('is what the user wrote', () => {
    const message = { id: 'm', type: 'user', content, displayContent: [{ text: 'explain @a.ts' }] };
    expect(textsOf(shownContentOf(message))).toEqual(['explain @a.ts']);
  });

  it.each([undefined, null, '', [], [{ text: ' ' }], 7])(
    'is the content itself without one: %j',
    (displayContent) => {
      expect(shownContentOf({ id: 'm', type: 'user', content, displayContent })).toBe(content);
    },
  );
});
