import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { JsonlFollower } from '../../../src/sessions/watch/follow-jsonl.js';
import { ANSWER, HEADER, lines, QUESTION, sessionFile } from '../files/session-text.js';

/** Creates a file, a follower, and a function that describes each reading. */
function follow(text: string) {
  const file = sessionFile(text);
  const follower = new JsonlFollower();
  const readNew = async () => {
    const { written, removed, isEverything, problems } = await follower.readNew(file);
    return {
      written: written.map(({ id, content }) => `${id} ${content}`),
      ...(removed.length === 0 ? {} : { removed }),
      ...(isEverything ? { isEverything } : {}),
      ...(problems.length === 0 ? {} : { problems: problems.map(({ kind }) => kind) }),
    };
  };
  return { file, readNew, follower };
}

const NOTHING = { written: [] };
const BEGIN = { written: ['q question', 'a answer'], isEverything: true };

describe('a file that grows', () => {
  it('is read from the last position', async () => {
    const { file, readNew, follower } = follow(lines(HEADER, QUESTION, ANSWER));
    expect(await readNew()).toEqual(BEGIN);
    expect(await readNew()).toEqual(NOTHING);
    appendFileSync(file, lines({ ...ANSWER, content: 'better' }, { ...QUESTION, id: 'new' }));
    expect(await readNew()).toEqual({ written: ['a better', 'new question'] });
    appendFileSync(file, lines({ $rewindTo: 'new' }, { $set: { summary: 's' } }));
    expect(await readNew()).toEqual({ written: [], removed: ['new'] });
    expect((await follower.readNew(file)).header).toEqual({ ...HEADER, summary: 's' });
  });

  it('is read byte by byte, and each line is reported when it is complete', async () => {
    const { file, readNew } = follow(lines(HEADER));
    expect(await readNew()).toEqual({ written: [], isEverything: true });
    const line = lines({ ...ANSWER, content: 'é😀' });
    const bytes = Buffer.from(line);
    for (const [index, byte] of bytes.entries()) {
      appendFileSync(file, Buffer.of(byte));
      const isWhole = index === bytes.length - 1;
      expect(await readNew()).toEqual({ written: isWhole ? ['a é😀'] : [] });
    }
  });

  it('has its garbage reported once', async () => {
    const { file, readNew } = follow(lines(HEADER, 'garbage'));
    expect(await readNew()).toEqual({ written: [], isEverything: true, problems: ['garbage'] });
    expect(await readNew()).toEqual(NOTHING);
    appendFileSync(file, lines('more', ANSWER));
    expect(await readNew()).toEqual({ written: ['a answer'], problems: ['garbage'] });
  });

  it('has only its remaining messages reported', async () => {
    const { file, readNew } = follow(lines(HEADER, QUESTION));
    await readNew();
    appendFileSync(
      file,
      lines(
        ANSWER,
        { $rewindTo: 'a' },
        { id: 'b', type: 'user' },
        { $set: { messages: [ANSWER] } },
      ),
    );
    expect(await readNew()).toEqual({ written: ['a answer'], removed: ['q', 'b'] });
  });

  it('may have lines longer than one read', async () => {
    const { file, readNew } = follow(lines(HEADER));
    await readNew();
    const content = 'x'.repeat(1_000_000);
    appendFileSync(file, lines({ ...ANSWER, content }, QUESTION));
    expect(await readNew()).toEqual({ written: [`a ${content}`, 'q question'] });
  });
});

describe('a file that was changed', () => {
  const other = { ...ANSWER, id: 'other' };

  it.each([
    ['shorter', lines(HEADER, other)],
    ['longer', lines(HEADER, other, { ...other, id: 'x', content: 'longer than ever before' })],
  ])('is read again if it was rewritten in place and is %s', async (_how, text) => {
    const { file, readNew } = follow(lines(HEADER, QUESTION, ANSWER));
    await readNew();
    writeFileSync(file, text);
    expect(await readNew()).toMatchObject({ isEverything: true });
    expect(await readNew()).toEqual(NOTHING);
  });

  it('is read again if it was rewritten in place with the same size', async () => {
    const { file, readNew } = follow(lines(HEADER, QUESTION, ANSWER));
    await readNew();
    writeFileSync(file, lines(HEADER, QUESTION, { ...ANSWER, content: 'REWSNA' }));
    expect(await readNew()).toEqual({ written: ['q question', 'a REWSNA'], isEverything: true });
  });

  it('is read again if only its beginning was changed', async () => {
    const filler = { ...ANSWER, content: 'long enough to hide what comes before it'.repeat(9) };
    const { file, readNew } = follow(lines(HEADER, QUESTION, filler));
    await readNew();
    const text = readFileSync(file, 'utf8').replace('question', 'QUESTION');
    writeFileSync(file, text);
    // Set the time, because the clock of the file system may not have advanced.
    utimesSync(file, 1_800_000_000, 1_800_000_000);
    expect(await readNew()).toMatchObject({
      written: ['q QUESTION', expect.stringMatching(/^a long/)],
      isEverything: true,
    });
  });

  it('is read again if it was cut', async () => {
    const { file, readNew } = follow(lines(HEADER, QUESTION, ANSWER));
    await readNew();
    truncateSync(file, lines(HEADER, QUESTION).length);
    expect(await readNew()).toEqual({ written: ['q question'], isEverything: true });
    truncateSync(file, 0);
    expect(await readNew()).toEqual({ written: [], isEverything: true });
    appendFileSync(file, lines(HEADER, ANSWER));
    expect(await readNew()).toMatchObject({ written: ['a answer'] });
  });

  it('is read again if it was replaced', async () => {
    const { file, readNew } = follow(lines(HEADER, QUESTION, ANSWER));
    await readNew();
    renameSync(file, `${file}.old`);
    writeFileSync(file, lines(HEADER, QUESTION, ANSWER, other));
    expect(await readNew()).toEqual({
      written: ['q question', 'a answer', 'other answer'],
      isEverything: true,
    });
  });

  it('is read again if it was cut in the middle of a line and grows', async () => {
    const { file, readNew } = follow(`${lines(HEADER, QUESTION)}{"id":"a","ty`);
    await readNew();
    copyFileSync(file, `${file}.copy`);
    truncateSync(file, lines(HEADER, QUESTION).length);
    expect(await readNew()).toEqual({ written: ['q question'], isEverything: true });
    appendFileSync(file, lines(ANSWER));
    expect(await readNew()).toEqual({ written: ['a answer'] });
  });

  it('is an error while it is missing, and is read when it returns', async () => {
    const { file, readNew } = follow(lines(HEADER, QUESTION));
    await readNew();
    const text = readFileSync(file);
    unlinkSync(file);
    await expect(readNew()).rejects.toThrow('ENOENT');
    writeFileSync(file, text);
    appendFileSync(file, lines(ANSWER));
    expect((await readNew()).written).toContain('a answer');
  });
});
