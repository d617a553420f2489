import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnifiedMessage } from '../../../src/api/unified-message.js';
import { readSession } from '../../../src/sessions/files/read-session.js';
import { toUnifiedMessages } from '../../../src/sessions/messages/to-unified-messages.js';
import { JsonlFollower } from '../../../src/sessions/watch/follow-jsonl.js';
import { SessionDiff } from '../../../src/sessions/watch/session-diff.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { arbitraryRecords } from '../files/arbitrary-session.js';
import { lines } from '../files/session-text.js';

/** Creates a listener that knows only the updates and not the file. */
function listen(file: string) {
  const [follower, diff] = [new JsonlFollower(), new SessionDiff({ extras: 'mark' })];
  const known = new Map<string, UnifiedMessage>();
  const readUpdates = async () => {
    for (const update of diff.accept(await follower.readNew(file))) {
      if (update.type === 'message') {
        expect(update.change).toBe(known.has(update.message.id) ? 'changed' : 'new');
        known.set(update.message.id, update.message);
      }
      if (update.type === 'removed') {
        for (const id of update.ids) expect(known.delete(id)).toBe(true);
      }
    }
  };
  return { known, readUpdates };
}

async function seen(file: string): Promise<Map<string, UnifiedMessage>> {
  const { messages } = await readSession(file);
  return new Map(toUnifiedMessages(messages, { extras: 'mark' }).map((one) => [one.id, one]));
}

describe('a listener that gets each update', () => {
  it('has the messages of the file in the end, for any order of writes', async () => {
    const file = join(makeTree(), 'session.jsonl');
    const pieces = fc.array(fc.nat(400), { maxLength: 12 });
    const property = fc.asyncProperty(arbitraryRecords, pieces, async (records, sizes) => {
      writeFileSync(file, '');
      const { known, readUpdates } = listen(file);
      const bytes = Buffer.from(lines({ sessionId: 's' }, ...records));
      let written = 0;
      for (const size of [...sizes, bytes.length]) {
        appendFileSync(file, bytes.subarray(written, written + size));
        written += size;
        await readUpdates();
      }
      expect(known).toEqual(await seen(file));
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it('has them also if the file was replaced, cut or created again', async () => {
    const file = join(makeTree(), 'session.jsonl');
    const versions = fc.array(arbitraryRecords, { minLength: 2, maxLength: 4 });
    const property = fc.asyncProperty(versions, async (all) => {
      writeFileSync(file, '');
      const { known, readUpdates } = listen(file);
      for (const records of all) {
        writeFileSync(file, lines({ sessionId: 's' }, ...records));
        await readUpdates();
        appendFileSync(file, lines({ id: 'last', type: 'user', content: `${records.length}` }));
        await readUpdates();
        expect(known).toEqual(await seen(file));
      }
    });
    await fc.assert(property, { numRuns: 60 });
  });
});
