import { describe, expect, it } from 'vitest';
import { settleText } from '../../../src/sessions/files/settle-text.js';

describe('what the model said', () => {
  it('is not shifted by a turn of blanks, of which the session file has no record', () => {
    expect(settleText(['\n', 'HelloHello'], ['Hello'])).toEqual({
      text: '\nHello',
      correction: 'repeated',
    });
  });

  it.each([
    ['there is no session file', ['Hello \n'], undefined],
    ['the session file has no answer yet', ['Hello'], []],
    ['both agree', ['Hello'], ['Hello']],
    ['they differ in blanks around the turns', ['\n Hello \n', ' world\n'], ['Hello', 'world']],
    ['they divide the turns differently', ['Hello world'], ['Hello', 'world']],
    ['they differ in terminal codes', ['\u001b[1mHello\u001b[0m'], ['Hello']],
    ['a turn was still being said', ['Hello', ' and now'], ['Hello']],
    ['the session file says something else altogether', ['Hello'], ['Good evening']],
    ['nothing was said', [], []],
  ])('is what was streamed where %s', (_when, streamed, recorded) => {
    expect(settleText(streamed, recorded)).toEqual({
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
    ['it took four attempts', ['AbAbcAbAbcd.\n'], ['Abcd.'], 'Abcd.\n'],
    ['the attempts differ', ['First idea. Better idea.'], ['Better idea.'], 'Better idea.'],
  ])('is said once where %s', (_when, streamed, recorded, text) => {
    expect(settleText(streamed, recorded)).toEqual({ text, correction: 'repeated' });
  });

  it('keeps the other turns as they were streamed', () => {
    expect(settleText(['First. \n', 'SecSecond.\n'], ['First.', 'Second.'])).toEqual({
      text: 'First. \nSecond.\n',
      correction: 'repeated',
    });
  });

  it.each([
    ['the end of a turn is missing', ['Hello wo'], ['Hello world'], 'Hello world'],
    ['a whole turn is missing', ['One. '], ['One.', 'Two.'], 'One. Two.'],
    ['everything is missing', [], ['One.', 'Two.'], 'One.Two.'],
  ])('is completed where %s', (_when, streamed, recorded, text) => {
    expect(settleText(streamed, recorded)).toEqual({ text, correction: 'missing' });
  });

  it('counts as incomplete where one turn was repeated and another is missing', () => {
    expect(settleText(['HelHello'], ['Hello', 'world'])).toEqual({
      text: 'Helloworld',
      correction: 'missing',
    });
    expect(settleText(['Hel', 'wowo!'], ['Hello', 'wo!']).correction).toBe('missing');
  });

  it('may repeat itself where that is what the model said', () => {
    expect(settleText(['ha ha'], ['ha ha'])).toEqual({ text: 'ha ha', correction: 'none' });
  });
});
