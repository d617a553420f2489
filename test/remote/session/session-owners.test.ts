import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeProcess } from '../../../src/base/process/process-identity.js';
import { SessionOwners } from '../../../src/remote/session/session-owners.js';

const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'owners-'));

describe('SessionOwners', () => {
  it('gives a session to one owner at a time', async () => {
    const folder = makeFolder();
    const claims = await Promise.allSettled(
      Array.from({ length: 8 }, () => new SessionOwners(folder).claim('one')),
    );
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await new SessionOwners(folder).claim('two');
    for (const claim of claims) if (claim.status === 'fulfilled') await claim.value.release();
    await new SessionOwners(folder).claim('one');
    expect(readdirSync(folder).sort()).toEqual(['one.json', 'two.json']);
  });

  it('takes the lock of a process that has ended, and a file that is no lock', async () => {
    const folder = makeFolder();
    const dead = { ...describeProcess(), pid: 2 ** 22 + 1, startTime: 1 };
    writeFileSync(join(folder, 'one.json'), JSON.stringify(dead));
    writeFileSync(join(folder, 'two.json'), 'garbage');
    const owners = new SessionOwners(folder);
    await owners.claim('one');
    await owners.claim('two');
    await expect(owners.claim('one')).rejects.toThrow('Another process');
  });

  it('keeps the lock of a CLI at the desk over a new start of the server, and from all others', async () => {
    const folder = makeFolder();
    // The parent of this process lives, and is another process than this one.
    const { readStartTime } = await import('../../../src/base/process/process-table.js');
    const cli = { ...describeProcess(), pid: process.ppid, startTime: readStartTime(process.ppid) };
    await new SessionOwners(folder).claim('one', cli);
    const again = await new SessionOwners(folder).claim('one', cli);
    await expect(new SessionOwners(folder).claim('one')).rejects.toThrow('Another process');
    await again.release();
    await new SessionOwners(folder).claim('one');
  });
});
