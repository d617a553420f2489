import { describe, it } from 'vitest';
import { checkOddWorkspace } from '../test/batch/isolation/check-odd-workspace.js';
import { ODD_WORKSPACES } from '../test/batch/isolation/odd-workspaces.js';
import { KINDS } from '../test/batch/isolation/support.js';

/** Long version of test/batch/isolation/odd-workspaces.process.test.ts: all kinds of workspaces. */
describe.each(KINDS)('a step in a %s of', (kind) => {
  it.each(ODD_WORKSPACES)(
    '$name comes back or is refused, and the repository stays as it was',
    (odd) => checkOddWorkspace(odd, kind),
  );
});
