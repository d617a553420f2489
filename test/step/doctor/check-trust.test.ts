import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkTrust } from '../../../src/step/doctor/check-trust.js';
import { makeFolder } from '../../fixtures/cli/support.js';

interface Case {
  readonly env?: Readonly<Record<string, string>>;
  /** `security.folderTrust.enabled` in the settings of the user and of the project. */
  readonly user?: boolean;
  readonly project?: boolean;
  /** Rules by path below the folder of the test. */
  readonly rules?: Readonly<Record<string, string>>;
  readonly text?: string;
}

function settings(path: string, enabled: boolean | undefined) {
  return { path, content: { security: { folderTrust: { enabled } } } };
}

function check({ env = {}, user, project, rules = {}, text }: Case) {
  const folder = makeFolder({ 'home/x': '', 'work/app/src/x': '' });
  const absolute = Object.entries(rules).map(([path, level]) => [join(folder, path), level]);
  const trusted = makeFolder({
    'trustedFolders.json': text ?? JSON.stringify(Object.fromEntries(absolute)),
  });
  const { finding, trust } = checkTrust({
    settings: { user: settings('user', user), project: settings('project', project) },
    env,
    geminiHome: trusted,
    workingDir: join(folder, 'work/app'),
  });
  const { isTrusted, readsProject } = trust;
  return { ...finding, isTrusted, readsProject, folder, trusted };
}

describe('a workspace', () => {
  it.each<[string, Case]>([
    ['for this run', { env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } }],
    ['like every folder', { user: false }],
    ['whatever its rule', { user: false, rules: { 'work/app': 'DO_NOT_TRUST' } }],
    [
      'by its rule, though it wants to be asked',
      { project: true, rules: { work: 'TRUST_FOLDER' } },
    ],
    ['by its own rule', { rules: { 'work/app': 'TRUST_FOLDER' } }],
    ['by the rule of a folder above', { rules: { work: 'TRUST_FOLDER' } }],
    ['because its neighbour trusts their parent', { rules: { 'work/other': 'TRUST_PARENT' } }],
    ['more closely', { rules: { work: 'DO_NOT_TRUST', 'work/app': 'TRUST_FOLDER' } }],
  ])('is trusted %s', (_why, trust) => {
    expect(check(trust)).toMatchObject({
      check: 'workspace trust',
      status: 'ok',
      isTrusted: true,
      readsProject: true,
    });
  });

  it.each<[string, Case, string]>([
    ['no rule trusts it', {}, 'is not trusted'],
    [
      'only a folder in it is trusted',
      { rules: { 'work/app/src': 'TRUST_FOLDER' } },
      'is not trusted',
    ],
    ['only its like is trusted', { rules: { 'work/ap': 'TRUST_FOLDER' } }, 'is not trusted'],
    ['it is marked', { rules: { 'work/app': 'DO_NOT_TRUST' } }, 'is marked DO_NOT_TRUST'],
    [
      'it is marked more closely',
      { rules: { work: 'TRUST_FOLDER', 'work/app': 'DO_NOT_TRUST' } },
      'is marked DO_NOT_TRUST',
    ],
    ['only the project itself trusts every folder', { project: false }, 'is not trusted'],
  ])('is refused if %s', (_why, trust, reason) => {
    const { folder, status, message, fix, isTrusted, readsProject } = check(trust);
    expect([status, isTrusted, readsProject]).toEqual(['problem', false, false]);
    expect(message).toBe(`${join(folder, 'work/app')} ${reason}`);
    expect(fix).toContain('trustWorkspace');
  });

  it.each([
    { GEMINI_RESTRICTED_MODE: 'true', GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    { GEMINI_CLI_TRUST_WORKSPACE: 'false' },
  ])('is refused if the environment %j forbids it', (env) => {
    expect(check({ env, rules: { 'work/app': 'TRUST_FOLDER' } })).toMatchObject({
      status: 'problem',
      message:
        'GEMINI_RESTRICTED_MODE or GEMINI_CLI_TRUST_WORKSPACE forbids trust in any workspace',
    });
  });

  it('is refused if the user trusts every folder but the project turns that off', () => {
    expect(check({ user: false, project: true })).toMatchObject({
      status: 'problem',
      message: expect.stringContaining('is not trusted'),
      isTrusted: false,
      readsProject: true,
    });
  });

  it('is refused if the rules cannot be read, unless the environment trusts it', () => {
    const { status, message, fix, trusted } = check({ text: '{oops' });
    expect(status).toBe('problem');
    expect(message).toBe(`${join(trusted, 'trustedFolders.json')} is not a JSON object`);
    expect(fix).toContain('52');
    const env = { GEMINI_CLI_TRUST_WORKSPACE: 'true' };
    expect(check({ text: '{oops', env }).status).toBe('ok');
  });

  it('is restricted, not refused, if the environment forbids trust and folder trust is off', () => {
    const env = { GEMINI_RESTRICTED_MODE: 'true' };
    expect(check({ user: false, project: false, env })).toMatchObject({
      status: 'note',
      message: expect.stringContaining('approvalMode "default"'),
      isTrusted: false,
      readsProject: false,
    });
  });

  it('is trusted by the rules file that the environment names', () => {
    const folder = makeFolder({ 'app/x': '' });
    const rules = makeFolder({ 'r.json': JSON.stringify({ [folder]: 'TRUST_FOLDER' }) });
    const env = { GEMINI_CLI_TRUSTED_FOLDERS_PATH: join(rules, 'r.json') };
    const trust = checkTrust({
      settings: { user: undefined, project: undefined },
      env,
      geminiHome: makeFolder(),
      workingDir: join(folder, 'app'),
    });
    expect(trust.finding).toMatchObject({
      status: 'ok',
      message: `Trusted by ${join(rules, 'r.json')}`,
    });
  });
});
