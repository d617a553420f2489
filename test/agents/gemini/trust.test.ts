import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decideTrust } from '../../../src/agents/gemini/trust.js';
import { makeFolder } from '../../fixtures/cli/support.js';

interface Case {
  readonly env?: Readonly<Record<string, string>>;
  /** `security.folderTrust.enabled` of the user and of the project. */
  readonly user?: unknown;
  readonly project?: unknown;
  /** The level of the working directory, or the whole file. */
  readonly level?: string;
  readonly file?: string;
}

function decide({ env = {}, user, project, level, file }: Case) {
  const workingDir = makeFolder();
  const rules = level === undefined ? {} : { [workingDir]: level };
  const geminiHome = makeFolder({ 'trustedFolders.json': file ?? JSON.stringify(rules) });
  const settings = (path: string, enabled: unknown) => {
    return { path, content: { security: { folderTrust: { enabled } } } };
  };
  return decideTrust({
    settings: { user: settings('user', user), project: settings('project', project) },
    env,
    geminiHome,
    workingDir,
  });
}

const TRUST = { GEMINI_CLI_TRUST_WORKSPACE: 'true' };
const RESTRICT = { GEMINI_RESTRICTED_MODE: 'true' };

describe('a workspace is trusted', () => {
  it.each<[string, Case]>([
    ['for this run', { env: TRUST }],
    ['for this run, whatever is said of it', { env: TRUST, level: 'DO_NOT_TRUST', file: '{oops' }],
    ['by the list', { level: 'TRUST_FOLDER' }],
    ['by the parent on the list', { level: 'TRUST_PARENT' }],
    ['because the user trusts every folder', { user: false, file: '{oops' }],
  ])('%s', (_why, trust) => {
    expect(decide(trust)).toMatchObject({ isTrusted: true, readsProject: true });
  });
});

describe('a workspace is not trusted', () => {
  it.each<[string, Case, string, boolean]>([
    ['that nobody names', {}, 'folder', false],
    ['that is marked', { level: 'DO_NOT_TRUST' }, 'folder', false],
    ['that only says so itself', { project: false }, 'folder', false],
    ['where the list is broken', { file: '{oops' }, 'broken-file', false],
    ['where the list is no object', { file: '[]' }, 'broken-file', false],
    ['where the environment forbids it', { env: { ...TRUST, ...RESTRICT } }, 'environment', false],
    ['that wants to be asked about', { user: false, project: true }, 'folder', true],
    ['where the setting is odd', { user: 'no' }, 'folder', false],
  ])('%s, and a run is refused', (_why, trust, reason, readsProject) => {
    expect(decide(trust)).toMatchObject({
      isTrusted: false,
      isRefused: true,
      reason,
      readsProject,
    });
  });

  it('but a run is not refused where the user has turned the question off', () => {
    expect(decide({ env: RESTRICT, user: false })).toMatchObject({
      isTrusted: false,
      isRefused: false,
      readsProject: false,
    });
  });

  it('where only its neighbour is', () => {
    const root = makeFolder({ 'app/x': '', 'app-2/x': '' });
    const rules = JSON.stringify({ [join(root, 'app')]: 'TRUST_FOLDER' });
    const trust = decideTrust({
      settings: { user: undefined, project: undefined },
      env: {},
      geminiHome: makeFolder({ 'trustedFolders.json': rules }),
      workingDir: join(root, 'app-2'),
    });
    expect(trust).toMatchObject({ isTrusted: false, isRefused: true });
  });
});
