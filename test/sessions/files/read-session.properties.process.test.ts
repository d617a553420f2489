import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSession } from '../../../src/sessions/files/read-session.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { arbitraryMessage, arbitraryRecords } from './arbitrary-session.js';
import { lines } from './session-text.js';

type Fields = Record<string, unknown>;

interface ReferenceSession {
  readonly header: Fields | undefined;
  readonly messages: readonly Fields[];
}

/** Does the same as the loader of the CLI, in the simplest way. */
function foldPlainly(records: readonly object[]): ReferenceSession {
  let header: Fields = {};
  let messages: Fields[] = [];
  for (const record of records) {
    const fields: Fields = { ...record };
    if ('$rewindTo' in record) {
      const index = messages.findIndex(({ id }) => id === record.$rewindTo);
      messages = index === -1 ? [] : messages.slice(0, index);
    } else if ('id' in record) {
      messages = put(messages, fields);
    } else {
      const set: object = '$set' in record ? Object(record.$set) : record;
      const { messages: list, ...rest }: Fields = { ...set };
      header = { ...header, ...rest };
      if (Array.isArray(list)) messages = list.reduce<Fields[]>(put, []);
    }
  }
  return { header: 'sessionId' in header ? header : undefined, messages };
}

function put(messages: readonly Fields[], message: Fields): Fields[] {
  const index = messages.findIndex(({ id }) => id === message['id']);
  return index === -1 ? [...messages, message] : messages.with(index, message);
}

/** Creates a function that writes a content to one file and reads it. */
function createReader(name = 'session.jsonl') {
  const file = join(makeTree(), name);
  return (content: string | Uint8Array) => {
    writeFileSync(file, content);
    return readSession(file);
  };
}

describe('a session file of any records', () => {
  it('is read as the CLI itself would read it', async () => {
    const read = createReader();
    const property = fc.asyncProperty(arbitraryRecords, async (records) => {
      const { header, messages, diagnostics } = await read(lines(...records));
      expect({ header, messages }).toEqual(foldPlainly(records));
      expect(diagnostics.map(({ kind }) => kind)).toEqual(
        header === undefined ? ['no-header'] : [],
      );
    });
    await fc.assert(property, { numRuns: 150 });
  });

  it('can be cut at any byte and has the messages of the whole lines before the cut', async () => {
    const read = createReader();
    const cutAt = fc.double({ min: 0, max: 1, noNaN: true });
    const property = fc.asyncProperty(arbitraryRecords, cutAt, async (records, part) => {
      const bytes = Buffer.from(lines(...records));
      const cut = bytes.subarray(0, Math.round(part * bytes.length));
      const whole = cut.toString('latin1').split('\n').length - 1;
      const session = await read(cut);
      const before = foldPlainly(records.slice(0, whole));
      // A last line without its newline counts too.
      const after = foldPlainly(records.slice(0, whole + 1));
      const isTorn = session.diagnostics.some(({ kind }) => kind === 'torn-line');
      const found = { header: session.header, messages: session.messages };
      if (session.diagnostics.some(({ kind }) => kind === 'truncated')) {
        // A file that ends in its first line looks like the older form, which is read up to the cut.
        expect(whole).toBe(0);
        expect(after.header).toMatchObject(session.header ?? {});
        expect(after.messages).toEqual(expect.arrayContaining([...session.messages]));
        return;
      }
      expect([before, after]).toContainEqual(found);
      if (isTorn) expect(found).toEqual(before);
    });
    await fc.assert(property, { numRuns: 150 });
  });

  it('is the same after it is written again', async () => {
    const read = createReader();
    const property = fc.asyncProperty(arbitraryRecords, async (records) => {
      const once = await read(lines({ sessionId: 's' }, ...records));
      const again = await read(lines(once.header ?? {}, ...once.messages));
      expect(again).toEqual({ ...once, latest: once.messages });
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it('is the same in the older generation', async () => {
    const [readOld, readNew] = [createReader('session.json'), createReader()];
    const messages = fc.uniqueArray(arbitraryMessage, { selector: ({ id }) => id });
    const property = fc.asyncProperty(messages, fc.nat(4), async (list, indent) => {
      const header = { sessionId: 's', startTime: 't', summary: 'x' };
      const old = await readOld(JSON.stringify({ ...header, messages: list }, null, indent));
      expect(old).toEqual(await readNew(lines(header, ...list)));
      expect(old).toMatchObject({ header, messages: list, complete: true });
    });
    await fc.assert(property, { numRuns: 100 });
  });
});

describe('a file of arbitrary content', () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.array(fc.oneof(fc.json(), fc.string()), { maxLength: 8 }).map((parts) => parts.join('\n')),
  );

  it('is read without an exception and is incomplete if it is no session', async () => {
    const read = createReader();
    const property = fc.asyncProperty(anything, async (content) => {
      const session = await read(content);
      expect(session.complete).toBe(session.diagnostics.length === 0);
      if (session.header === undefined) expect(session.complete).toBe(false);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('does not affect the lines around it', async () => {
    const read = createReader();
    const garbage = fc
      .string({ unit: 'binary', minLength: 1 })
      .map((line) => `#${line.replaceAll('\n', ' ')}`);
    const property = fc.asyncProperty(arbitraryRecords, garbage, fc.nat(20), async (...input) => {
      const [records, line, index] = input;
      const mixed: (object | string)[] = [...records];
      mixed.splice(index, 0, line);
      const session = await read(lines(...mixed));
      expect({ header: session.header, messages: session.messages }).toEqual(foldPlainly(records));
      expect(session.diagnostics).toContainEqual(expect.objectContaining({ kind: 'garbage' }));
    });
    await fc.assert(property, { numRuns: 150 });
  });
});
