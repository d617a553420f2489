import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Scanner } from '../../../src/step/manifest/scanner.js';
import { makeFolder } from '../../fixtures/cli/support.js';

describe('the scanner', () => {
  it('answers for folders, files and what is missing', async () => {
    const folder = makeFolder({ a: 'a' });
    const folders = [folder, join(folder, 'a'), join(folder, 'missing')];
    expect(await new Scanner().serve({ type: 'probe', folders })).toBe(true);
  });

  it('compares a workspace with its snapshot', async () => {
    const workingDir = makeFolder({ a: 'a' });
    const scanner = new Scanner();
    await expect(scanner.serve({ type: 'changes' })).rejects.toThrow('There is no snapshot');
    await scanner.serve({
      type: 'snapshot',
      request: { workspaceDirs: [workingDir], excludedDirs: [], mayAskGit: true },
    });
    writeFileSync(join(workingDir, 'b'), 'b');
    expect(await scanner.serve({ type: 'changes' })).toMatchObject([
      { path: join(workingDir, 'b') },
    ]);
  });
});
