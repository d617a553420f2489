import { describe, expect, it } from 'vitest';
import { StreamedText } from '../../../src/cli/run/streamed-text.js';

function open() {
  const written: string[] = [];
  const writeExact = async (text: string): Promise<void> => void written.push(text);
  const text = new StreamedText({ writeExact });
  return { text, written };
}

describe('the answer on stdout', () => {
  it('is printed as it comes, and ends with a line end', async () => {
    const { text, written } = open();
    for (const piece of ['one ', '', 'two']) await text.add(piece);
    expect(written).toEqual(['one ', 'two']);
    expect(text.isMidLine).toBe(true);
    expect(await text.finish('one two')).toBe(true);
    expect(written.join('')).toBe('one two\n');
  });

  it('gets what was lost on its way', async () => {
    const { text, written } = open();
    await text.add('the begin');
    expect(await text.finish('the beginning and the end')).toBe(true);
    expect(written.join('')).toBe('the beginning and the end\n');
  });

  it('is whole if no piece came at all', async () => {
    const { text, written } = open();
    expect(await text.finish('all')).toBe(true);
    expect(written.join('')).toBe('all\n');
  });

  it('is nothing if there is no text', async () => {
    const { text, written } = open();
    expect(await text.finish('')).toBe(true);
    expect(written).toEqual([]);
  });

  it('is followed by the whole text if the pieces are not its beginning', async () => {
    const { text, written } = open();
    await text.add('end');
    expect(await text.finish('beginning and end')).toBe(false);
    expect(written.join('')).toBe('end\nbeginning and end\n');
  });

  it('has a blank line between two turns, as the result has', async () => {
    const { text, written } = open();
    text.beginTurn();
    await text.add('first');
    text.beginTurn();
    await text.add('second');
    expect(await text.finish('first\n\nsecond')).toBe(true);
    expect(written.join('')).toBe('first\n\nsecond\n');
  });

  it('never has half of a character', async () => {
    const { text, written } = open();
    const [high = '', low = ''] = '🦀'.split('');
    await text.add(`a${high}`);
    await text.add(`${low}b`);
    expect(written).toEqual(['a', '🦀b']);
    expect(await text.finish('a🦀b')).toBe(true);
  });
});
