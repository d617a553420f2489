import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DeviceStore } from '../../../src/remote/server/device-store.js';

afterEach(() => void vi.useRealTimers());

async function pairOne() {
  const store = await DeviceStore.open(join(mkdtempSync(join(tmpdir(), 'devices-')), 'd.json'));
  const paired = await store.pair(store.createCode(), 'phone', ['watch']);
  return { store, id: paired?.device.id ?? '' };
}

describe('the push subscription of a device', () => {
  it('is removed when its service has ended it, but not one that came meanwhile', async () => {
    const { store, id } = await pairOne();
    const [older, newer] = [{ endpoint: 'https://push/1' }, { endpoint: 'https://push/2' }];
    await store.setPush(id, older);
    await store.setPush(id, newer);
    await store.dropPush(id, older);
    expect(store.pushTargets()).toEqual([{ id, subscription: newer }]);
    await store.dropPush(id, newer);
    expect(store.pushTargets()).toEqual([]);
    await store.dropPush('unknown', newer);
  });

  it('is used no longer when the pairing is over', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    const { store, id } = await pairOne();
    await store.setPush(id, { endpoint: 'https://push/1' });
    vi.advanceTimersByTime(91 * 24 * 60 * 60 * 1000);
    expect(store.pushTargets()).toEqual([]);
  });
});
