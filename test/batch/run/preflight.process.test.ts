import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PlannedStep } from '../../../src/api/batch-plan.js';
import { checkGroups } from '../../../src/batch/run/preflight.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { makeRepository } from '../isolation/support.js';

function planned(workingDir: string, commit?: true): PlannedStep {
  return {
    id: 'a',
    planId: 'a',
    index: 0,
    prompt: 'a',
    needs: [],
    retries: 0,
    repair: 0,
    isolation: 'shared',
    inputs: [],
    config: { workingDir, cliPath: '/no/such/cli' },
    ...(commit && { commit }),
  };
}

describe('checkGroups', () => {
  it('asks git about the repository of steps that are to be committed', async () => {
    const { folder } = makeRepository();
    const broken = makeTree();
    mkdirSync(join(broken, '.git'));
    const steps = [planned(folder, true), planned(folder), planned(broken, true)];
    const groups = await checkGroups(steps, { stateDir: makeTree() });
    const found = groups.map(({ findings }) =>
      findings.filter(({ check }) => check === 'git commits'),
    );
    expect(found).toMatchObject([
      [{ status: 'ok', message: folder }],
      [],
      [{ status: 'problem', code: 'INVALID_CONFIG' }],
    ]);
    expect(found[2]?.[0]?.message).toContain('not a git repository');
  });
});
