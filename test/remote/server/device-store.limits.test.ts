import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DeviceStore } from '../../../src/remote/server/device-store.js';

const DAY_MS = 24 * 60 * 60 * 1000;

async function create() {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const file = join(mkdtempSync(join(tmpdir(), 'devices-')), 'devices.json');
  const store = await DeviceStore.open(file);
  const pair = async (name: string) => {
    const paired = await store.pair(store.createCode(), name, ['watch']);
    return { token: paired?.token ?? '', id: paired?.device.id ?? '' };
  };
  return { store, file, pair };
}

describe('DeviceStore', () => {
  it('keeps the latest 8 codes, and the latest 50 devices', async () => {
    const { store, pair } = await create();
    const codes = Array.from({ length: 9 }, () => store.createCode());
    expect(await store.pair(codes[0] ?? '', 'late', [])).toBeUndefined();
    expect(await store.pair(codes[1] ?? '', 'first', [])).toBeDefined();
    for (let count = 0; count < 50; count++) await pair(`device ${count}`);
    const names = store.list().map(({ name }) => name);
    expect([names.length, names[0], names.includes('first')]).toEqual([50, 'device 0', false]);
  });

  it('notes when a device was seen, once a minute, and keeps it', async () => {
    const { store, file, pair } = await create();
    const { token } = await pair('phone');
    const seen = () => store.authenticate(token)?.seenAt;
    const first = seen();
    vi.advanceTimersByTime(59_000);
    expect(seen()).toBe(first);
    vi.advanceTimersByTime(2_000);
    const second = seen();
    expect(Date.parse(second ?? '') - Date.parse(first ?? '')).toBe(61_000);
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain(second));
  });

  it('goes on if the file cannot be written for a while', async () => {
    const { store, file, pair } = await create();
    const { token, id } = await pair('phone');
    rmSync(dirname(file), { recursive: true });
    await expect(store.setPush(id, {})).rejects.toThrow('ENOENT');
    vi.advanceTimersByTime(61_000);
    expect(store.authenticate(token)?.name).toBe('phone');
    expect(await store.setPush('unknown', {})).toBeUndefined();
  });

  it('keeps subscriptions out of the list, and removes them', async () => {
    const { store, file, pair } = await create();
    const { id } = await pair('phone');
    await pair('tablet');
    const subscription = { endpoint: 'https://push.example/secret' };
    await store.setPush(id, subscription);
    expect(store.pushTargets()).toEqual([{ id, subscription }]);
    expect(JSON.stringify(store.list())).not.toMatch(/secret|tokenHash/);
    expect((await DeviceStore.open(file)).pushTargets()).toEqual([{ id, subscription }]);
    await store.setPush(id, undefined);
    expect((await DeviceStore.open(file)).pushTargets()).toEqual([]);
  });

  it('knows which pairings hold', async () => {
    const { store, pair } = await create();
    const [{ id }, other] = [await pair('phone'), await pair('tablet')];
    await store.revoke(other.id);
    expect([id, other.id, 'unknown'].map((one) => store.isPaired(one))).toEqual([
      ...[true, false, false],
    ]);
    vi.advanceTimersByTime(90 * DAY_MS + 1);
    expect(store.isPaired(id)).toBe(false);
  });

  it('takes no devices from a file in which one of them is damaged', async () => {
    const { file, pair } = await create();
    await pair('phone');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"watch"', '"everything"'));
    expect((await DeviceStore.open(file)).list()).toEqual([]);
  });
});
