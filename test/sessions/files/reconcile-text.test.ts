import { describe, expect, it } from 'vitest';
import { reconcileText } from '../../../src/sessions/files/reconcile-text.js';

describe('the text of the model', () => {
  it('is not shifted by an answer of blanks, which the session file does not record', () => {
    expect(reconcileText(['\n', 'HelloHello'], ['Hello'])).toEqual({
      text: '\nHello',
      correction: 'repeated',
    });
  });

  it.each([
    ['there is no session file', ['Hello \n'], undefined],
    ['the session file has no answer yet', ['Hello'], []],
    ['both agree', ['Hello'], ['Hello']],
    ['they differ in blanks around the answers', ['\n Hello \n', ' world\n'], ['Hello', 'world']],
    ['they divide the answers differently', ['Hello world'], ['Hello', 'world']],
    ['they differ in terminal codes', ['\u001b[1mHello\u001b[0m'], ['Hello']],
    ['an answer was still being streamed', ['Hello', ' and now'], ['Hello']],
    ['the session file has another text altogether', ['Hello'], ['Good evening']],
    ['there is no text', [], []],
  ])('is that of the stream if %s', (_when, streamed, recorded) => {
    expect(reconcileText(streamed, recorded)).toEqual({
      text: streamed.join(''),
      correction: 'none',
    });
  });

  it.each([
    [
      'the whole answer came twice',
      ['Hello world\nHello world\n'],
      ['Hello world'],
      'Hello world\n',
    ],
    ['a broken answer came first', ['Hello woHello world'], ['Hello world'], 'Hello world'],
    ['the CLI needed four retries', ['AbAbcAbAbcd.\n'], ['Abcd.'], 'Abcd.\n'],
    ['the retries differ', ['First idea. Better idea.'], ['Better idea.'], 'Better idea.'],
  ])('appears once if %s', (_when, streamed, recorded, text) => {
    expect(reconcileText(streamed, recorded)).toEqual({ text, correction: 'repeated' });
  });

  it('keeps the other answers of the stream', () => {
    expect(reconcileText(['First. \n', 'SecSecond.\n'], ['First.', 'Second.'])).toEqual({
      text: 'First. \nSecond.\n',
      correction: 'repeated',
    });
  });

  it.each([
    ['the end of an answer is missing', ['Hello wo'], ['Hello world'], 'Hello world'],
    ['a whole answer is missing', ['One. '], ['One.', 'Two.'], 'One. Two.'],
    ['everything is missing', [], ['One.', 'Two.'], 'One.Two.'],
  ])('is completed if %s', (_when, streamed, recorded, text) => {
    expect(reconcileText(streamed, recorded)).toEqual({ text, correction: 'missing' });
  });

  it('counts as incomplete if one answer was repeated and another is missing', () => {
    expect(reconcileText(['HelHello'], ['Hello', 'world'])).toEqual({
      text: 'Helloworld',
      correction: 'missing',
    });
    expect(reconcileText(['Hel', 'wowo!'], ['Hello', 'wo!']).correction).toBe('missing');
  });

  it('may repeat itself if the model did', () => {
    expect(reconcileText(['ha ha'], ['ha ha'])).toEqual({ text: 'ha ha', correction: 'none' });
  });
});
