import { describe, it } from 'vitest';
import { checkOddWorkspace } from './check-odd-workspace.js';
import { ODD_WORKSPACES } from './odd-workspaces.js';
import { KINDS } from './support.js';

describe.each(KINDS)('a step in a %s of', (kind) => {
  it.each(ODD_WORKSPACES.filter(({ isCommon }) => isCommon))(
    '$name comes back or is refused, and the repository stays as it was (claim: repository-untouched)',
    (odd) => checkOddWorkspace(odd, kind),
  );
});
