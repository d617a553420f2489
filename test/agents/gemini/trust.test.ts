import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decideTrust } from '../../../src/agents/gemini/trust.js';
import { makeFolder } from '../../fixtures/cli/support.js';

interface Case {
  readonly env?: Readonly<Record<string, string>>;
  /** `security.folderTrust.enabled` of the user and of the project. */
  readonly user?: unknown;
  readonly project?: unknown;
  /** Trust level of the working directory, or content of the whole file. */
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
    ['by GEMINI_CLI_TRUST_WORKSPACE', { env: TRUST }],
    [
      'by GEMINI_CLI_TRUST_WORKSPACE, despite a broken list',
      { env: TRUST, level: 'DO_NOT_TRUST', file: '{oops' },
    ],
    ['by trustedFolders.json', { level: 'TRUST_FOLDER' }],
    ['by its parent in trustedFolders.json', { level: 'TRUST_PARENT' }],
    ['because the user trusts every folder', { user: false, file: '{oops' }],
  ])('%s', (_why, trust) => {
    expect(decide(trust)).toMatchObject({ isTrusted: true, readsProject: true });
  });
});

describe('a workspace is not trusted', () => {
  it.each<[string, Case, string, boolean]>([
    ['if no rule names it', {}, 'folder', false],
    ['if a rule says DO_NOT_TRUST', { level: 'DO_NOT_TRUST' }, 'folder', false],
    ['if only its own settings turn the check off', { project: false }, 'folder', false],
    ['if trustedFolders.json is not JSON', { file: '{oops' }, 'broken-file', false],
    ['if trustedFolders.json is not an object', { file: '[]' }, 'broken-file', false],
    ['if the environment forbids it', { env: { ...TRUST, ...RESTRICT } }, 'environment', false],
    ['if its own settings turn the check on', { user: false, project: true }, 'folder', true],
    ['if the setting is not a boolean', { user: 'no' }, 'folder', false],
  ])('%s, and the CLI refuses a headless turn', (_why, trust, reason, readsProject) => {
    expect(decide(trust)).toMatchObject({
      isTrusted: false,
      isRefused: true,
      reason,
      readsProject,
    });
  });

  it('but the CLI does not refuse a turn if the user has turned the check off', () => {
    expect(decide({ env: RESTRICT, user: false })).toMatchObject({
      isTrusted: false,
      isRefused: false,
      readsProject: false,
    });
  });

  it('if only a sibling folder is trusted', () => {
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
