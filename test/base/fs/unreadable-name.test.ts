import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasUnreadableName } from '../../../src/base/fs/unreadable-name.js';
import { makeTree } from './make-tree.js';

describe('a file name', () => {
  it('is unreadable if it is not UTF-8, but not if it contains U+FFFD itself', () => {
    const root = makeTree({ 'a.txt': '', 'real \ufffd': '' });
    writeFileSync(Buffer.from([...Buffer.from(join(root, 'bad')), 0xff]), '');
    const names = ['a.txt', 'gone.txt', 'real \ufffd', 'bad\ufffd'];
    expect(names.filter((name) => hasUnreadableName(join(root, name)))).toEqual(['bad\ufffd']);
  });
});
