import { chmodSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  describeRemoteFolder,
  findRemotePath,
  openRemoteFolder,
} from '../../../src/remote/state/remote-folder.js';

const createFolder = (): string => mkdtempSync(join(tmpdir(), 'state-'));
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the state folder', () => {
  it('lies in the state directory of the user, or where it was asked for', () => {
    const environment = { XDG_STATE_HOME: '/state' };
    expect(findRemotePath(environment, undefined)).toMatch(/^\/state\/.*remote$/);
    expect(findRemotePath(environment, '/other')).toBe('/other');
    // Hooks run in other folders, so that a relative path must not depend on them.
    expect(findRemotePath(environment, 'here')).toBe(resolve('here'));
  });

  it('is made for the user alone, with the folders above it, and opened again', () => {
    const path = join(createFolder(), 'a', 'remote');
    const folder = openRemoteFolder({}, path);
    expect(folder).toEqual(describeRemoteFolder(path));
    expect([path, folder.sessions, join(path, '..')].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
    expect(openRemoteFolder({}, path)).toEqual(folder);
    const inside = Object.values(folder).filter((file) => file !== path);
    expect(inside.every((file) => file.startsWith(`${path}/`))).toBe(true);
    expect(new Set(inside).size).toBe(inside.length);
  });

  it('is refused if other users could write to it or to its sessions', () => {
    const path = join(createFolder(), 'remote');
    const { sessions } = openRemoteFolder({}, path);
    chmodSync(sessions, 0o777);
    expect(() => openRemoteFolder({}, path)).toThrow('is writable by other users');
    chmodSync(sessions, 0o700);
    chmodSync(path, 0o720);
    expect(() => openRemoteFolder({}, path)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', hint: expect.stringContaining(path) }),
    );
  });

  it('is refused if it is a link or a file', () => {
    const folder = createFolder();
    const link = join(folder, 'link');
    mkdirSync(join(folder, 'elsewhere'), { mode: 0o700 });
    symlinkSync(join(folder, 'elsewhere'), link);
    expect(() => openRemoteFolder({}, link)).toThrow('is a symbolic link');
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => openRemoteFolder({}, file)).toThrow();
  });
});
