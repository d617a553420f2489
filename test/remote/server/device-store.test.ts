import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ALL_RIGHTS, DeviceStore } from '../../../src/remote/server/device-store.js';

afterEach(() => void vi.useRealTimers());
const createFile = (): string => join(mkdtempSync(join(tmpdir(), 'devices-')), 'devices.json');

describe('DeviceStore', () => {
  it('exchanges a code once, and knows the token after a restart', async () => {
    const file = createFile();
    const store = await DeviceStore.open(file);
    const code = store.createCode();
    const paired = await store.pair(code, 'phone', ALL_RIGHTS);
    expect(await store.pair(code, 'thief', ALL_RIGHTS)).toBeUndefined();
    const again = await DeviceStore.open(file);
    expect(again.authenticate(paired?.token ?? '')?.name).toBe('phone');
    expect(again.authenticate('x')).toBeUndefined();
    expect(readFileSync(file, 'utf8')).not.toContain(paired?.token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('refuses a code after two minutes, and one that was never given', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    const store = await DeviceStore.open(createFile());
    const code = store.createCode();
    vi.advanceTimersByTime(2 * 60 * 1000 + 1);
    expect(await store.pair(code, 'phone', ALL_RIGHTS)).toBeUndefined();
    expect(await store.pair('never', 'phone', ALL_RIGHTS)).toBeUndefined();
  });

  it('refuses the token of a device that was revoked or has expired', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    const store = await DeviceStore.open(createFile());
    const [first, second] = await Promise.all([
      store.pair(store.createCode(), 'one', ['watch']),
      store.pair(store.createCode(), 'two', ['watch']),
    ]);
    expect(await store.revoke(first?.device.id ?? '')).toBe(true);
    expect(await store.revoke('unknown')).toBe(false);
    expect(store.authenticate(first?.token ?? '')).toBeUndefined();
    expect(store.authenticate(second?.token ?? '')?.rights).toEqual(['watch']);
    vi.advanceTimersByTime(91 * 24 * 60 * 60 * 1000);
    expect(store.authenticate(second?.token ?? '')).toBeUndefined();
  });

  it('leaves out a device that is damaged, and keeps the others', async () => {
    const file = createFile();
    const store = await DeviceStore.open(file);
    const tokens: string[] = [];
    for (const name of ['a', 'b', 'c'])
      tokens.push((await store.pair(store.createCode(), name, ['watch']))?.token ?? '');
    const stored = JSON.parse(readFileSync(file, 'utf8'));
    stored.devices[0].tokenHash = 'short';
    stored.devices[1].expiresAt = 'never';
    writeFileSync(file, JSON.stringify(stored));
    const again = await DeviceStore.open(file);
    expect([store.note, again.note]).toEqual([undefined, expect.stringContaining(file)]);
    expect(tokens.map((token) => again.authenticate(token)?.name)).toEqual([
      ...[undefined, undefined, 'c'],
    ]);
  });

  it('starts without devices if the file is damaged', async () => {
    const file = createFile();
    writeFileSync(file, '{"devices":[{"id":1}]}');
    const store = await DeviceStore.open(file);
    expect([store.list(), store.note]).toEqual([[], expect.stringContaining(file)]);
  });
});
