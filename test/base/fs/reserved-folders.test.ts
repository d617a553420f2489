import { describe, expect, it } from 'vitest';
import {
  isInReservedFolder,
  listReservedFolders,
  reserveFolder,
} from '../../../src/base/fs/reserved-folders.js';

describe('a reserved folder', () => {
  it('has the files below it, is listed until its last user gives it back, and never restored', () => {
    const first = reserveFolder('/out/.batch');
    const second = reserveFolder('/out/.batch');
    expect(listReservedFolders()).toEqual(['/out/.batch']);
    expect(isInReservedFolder('/out/.batch')).toBe(true);
    expect(isInReservedFolder('/out/.batch/lease-1.json')).toBe(true);
    expect(isInReservedFolder('/out/.batch-2/file')).toBe(false);
    first();
    first();
    expect(isInReservedFolder('/out/.batch/lease-1.json')).toBe(true);
    second();
    expect(listReservedFolders()).toEqual([]);
    // A step that started while the folder was reserved still must not touch its files.
    expect(isInReservedFolder('/out/.batch/lease-1.json')).toBe(true);
  });
});
