import { existsSync, mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Presence } from '../../../src/remote/state/presence.js';

const createFile = (): string => join(mkdtempSync(join(tmpdir(), 'presence-')), 'away');

describe('Presence', () => {
  it('survives the server, and tells listeners of each change once', async () => {
    const file = createFile();
    const presence = new Presence(file);
    const [first, second] = [vi.fn(), vi.fn()];
    const unsubscribe = presence.subscribe(first);
    presence.subscribe(second);
    await presence.set(false);
    await presence.set(true);
    await presence.set(true);
    expect([presence.isAway(), new Presence(file).isAway()]).toEqual([true, true]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    unsubscribe();
    await presence.set(false);
    expect([existsSync(file), new Presence(file).isAway()]).toEqual([false, false]);
    expect([first.mock.calls, second.mock.calls]).toEqual([[[true]], [[true], [false]]]);
  });

  it('does not change if its file cannot be written or removed', async () => {
    const file = createFile();
    const presence = new Presence(join(file, 'missing', 'away'));
    const listener = vi.fn();
    presence.subscribe(listener);
    await expect(presence.set(true)).rejects.toThrow('ENOENT');
    expect([presence.isAway(), listener.mock.calls]).toEqual([false, []]);
    mkdirSync(file);
    const blocked = new Presence(file);
    await expect(blocked.set(false)).rejects.toThrow();
    expect(blocked.isAway()).toBe(true);
  });
});
