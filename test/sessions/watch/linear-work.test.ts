import { appendFileSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { JsonlFollower } from '../../../src/sessions/watch/follow-jsonl.js';
import { SessionDiff } from '../../../src/sessions/watch/session-diff.js';
import { HEADER, lines, sessionFile } from '../files/session-text.js';

const BURST = 20;

interface Work {
  readonly messages: number;
  readonly readBytes: number;
  readonly cpuMicros: number;
}

/** Returns the bytes that this process has read from files so far. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

/** Follows a file into which messages are written, a few at a time, each with a second version. */
async function follow(count: number): Promise<Work> {
  const file = sessionFile(lines(HEADER));
  const [follower, diff] = [new JsonlFollower(), new SessionDiff({})];
  const cpuBefore = process.cpuUsage();
  const bytesBefore = bytesRead();
  const reported = new Set<string>();
  for (let start = 0; start < count; start += BURST) {
    const burst = Array.from({ length: BURST }, (_, index) => {
      const tokens = { input: 10, output: 2, total: 12 };
      return { id: `m${start + index}`, type: 'gemini', content: 'x'.repeat(200), tokens };
    });
    appendFileSync(file, lines(...burst, ...burst.map((one) => ({ ...one, model: 'flash' }))));
    for (const update of diff.accept(await follower.readNew(file))) {
      if (update.type === 'message') reported.add(update.message.id);
    }
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    messages: reported.size,
    readBytes: bytesRead() - bytesBefore,
    cpuMicros: user + system,
  };
}

describe('following a session of five thousand messages', () => {
  it('is about ten times the work of five hundred', async () => {
    // The first call includes all work that is done once.
    await follow(500);
    const [few, many] = [await follow(500), await follow(5000)];
    expect([few.messages, many.messages]).toEqual([500, 5000]);
    // The work would be a hundredfold if each reading began at the beginning.
    expect(many.readBytes / few.readBytes).toBeLessThan(15);
    expect(many.cpuMicros / few.cpuMicros).toBeLessThan(40);
  });
});
