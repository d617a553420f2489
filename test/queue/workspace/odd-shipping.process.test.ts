import { describe, it } from 'vitest';
import { ODD_WORKSPACES } from '../../batch/isolation/odd-workspaces.js';
import { checkOddShipping } from './check-odd-shipping.js';

/** integration/queue/ship.stress.test.ts has the others. */
const COMMON = ODD_WORKSPACES.filter(({ isCommon, name }) => {
  return isCommon === true || /autocrlf|fileMode|attributes/.test(name);
});

describe('a shipped workspace with', () => {
  it.each(COMMON)('$name', async (workspace) => {
    await checkOddShipping(workspace);
  });
});
