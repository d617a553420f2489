import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStartTime } from '../../../src/base/process/process-table.js';
import { DeskClaims } from '../../../src/remote/desk/desk-claims.js';
import { SessionOwners } from '../../../src/remote/session/session-owners.js';
import { createSession } from '../session/create-session.js';

/** The parent of this process lives as long as the test. */
const CLI = { pid: process.ppid, startTime: readStartTime(process.ppid) };

async function create(folder = mkdtempSync(join(tmpdir(), 'claims-'))) {
  const { session, contents } = await createSession();
  const owners = new SessionOwners(folder);
  const locks = (): string[] => readdirSync(folder);
  return { session, contents, owners, claims: new DeskClaims(owners), folder, locks };
}

describe('DeskClaims', () => {
  it('takes the lock of a session once, and another one when the CLI has another session', async () => {
    const { session, contents, owners, claims, locks } = await create();
    await claims.take(session, 'one', CLI);
    await claims.take(session, 'one', CLI);
    await expect(owners.claim('one')).rejects.toThrow('Another process');
    await claims.take(session, 'two', CLI);
    expect(locks()).toEqual(['two.json']);
    await claims.release(session);
    await claims.release(session);
    expect([locks(), await contents()]).toEqual([[], []]);
  });

  it('tells the person once that another process has the session, and releases nothing of it', async () => {
    const { session, contents, owners, claims, locks } = await create();
    await owners.claim('one');
    await claims.take(session, 'one', CLI);
    await claims.take(session, 'one', CLI);
    expect(await contents()).toMatchObject([
      { type: 'notice', level: 'warning', message: expect.stringContaining('another process') },
    ]);
    await claims.release(session);
    expect(locks()).toEqual(['one.json']);
  });

  it('keeps the lock for the next server while the CLI lives', async () => {
    const first = await create();
    await first.claims.take(first.session, 'one', CLI);
    const second = await create(first.folder);
    await second.claims.take(second.session, 'one', CLI);
    expect([await second.contents(), second.locks()]).toEqual([[], ['one.json']]);
  });
});
