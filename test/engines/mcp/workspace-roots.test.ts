import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { WorkspaceRoots } from '../../../src/engines/mcp/workspace-roots.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-roots-')));
mkdirSync(join(base, 'work', 'app'), { recursive: true });
mkdirSync(join(base, 'work-else'));
writeFileSync(join(base, 'work', 'file'), '');
symlinkSync(join(base, 'work-else'), join(base, 'work', 'escape'));
symlinkSync(join(base, 'work'), join(base, 'link'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const outside = expect.objectContaining({ code: 'INVALID_INPUT' });

describe('WorkspaceRoots', () => {
  const roots = new WorkspaceRoots([join(base, 'link')]);

  it('resolves links of the root and takes the first root for a call without folder', () => {
    expect(roots.folders).toEqual([join(base, 'work')]);
    expect(roots.resolveFolder(undefined)).toBe(join(base, 'work'));
  });

  it('accepts folders below a root, relative ones too', () => {
    expect(roots.resolveFolder(join(base, 'link', 'app'))).toBe(join(base, 'work', 'app'));
    expect(roots.resolveFolder('app')).toBe(join(base, 'work', 'app'));
    expect(roots.resolvePath('new/file.ts', 'files')).toBe(join(base, 'work', 'new', 'file.ts'));
  });

  it.each([
    ['..', '..'],
    ['a link to another folder', 'escape'],
    ['a path through that link', 'escape/new'],
    ['a path back and forth', 'app/../../work-else'],
    ['a folder whose name begins like the root', join(base, 'work-else')],
    ['the root of the disk', '/'],
    ['a NUL character', 'app\0'],
    ['a file', 'file'],
    ['a folder that does not exist', 'nowhere'],
  ])('refuses %s (claim: mcp-roots)', (_what, path) => {
    expect(() => roots.resolveFolder(path)).toThrow(outside);
  });

  it('refuses a root that is no folder', () => {
    expect(() => new WorkspaceRoots([join(base, 'nowhere')])).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
  });
});
