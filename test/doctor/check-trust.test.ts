import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkTrust } from '../../src/doctor/check-trust.js';
import { makeFolder } from '../fixtures/cli/support.js';

interface Case {
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Rules by path below the folder of the test. */
  readonly rules?: Readonly<Record<string, string>>;
  readonly text?: string;
}

function check({ env = {}, settings = {}, rules = {}, text }: Case) {
  const folder = makeFolder({ 'home/x': '', 'work/app/src/x': '' });
  const absolute = Object.entries(rules).map(([path, level]) => [join(folder, path), level]);
  const trusted = makeFolder({
    'trustedFolders.json': text ?? JSON.stringify(Object.fromEntries(absolute)),
  });
  const files = [{ path: '', content: settings }];
  const [finding] = checkTrust(files, env, trusted, join(folder, 'work/app'));
  return { ...finding, folder, trusted };
}

describe('a workspace', () => {
  it.each<[string, Case]>([
    ['for this run', { env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } }],
    ['like every folder', { settings: { security: { folderTrust: { enabled: false } } } }],
    ['by its own rule', { rules: { 'work/app': 'TRUST_FOLDER' } }],
    ['by the rule of a folder above', { rules: { work: 'TRUST_FOLDER' } }],
    ['because its neighbour trusts their parent', { rules: { 'work/other': 'TRUST_PARENT' } }],
    ['more closely', { rules: { work: 'DO_NOT_TRUST', 'work/app': 'TRUST_FOLDER' } }],
  ])('is trusted %s', (_why, trust) => {
    expect(check(trust)).toMatchObject({ check: 'workspace trust', status: 'ok' });
  });

  it.each<[string, Case, string]>([
    ['nobody trusts it', {}, 'is not trusted'],
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
    ['the rules cannot be read', { text: '{oops' }, 'is not trusted'],
  ])('is refused where %s', (_why, trust, reason) => {
    const { folder, status, message, fix } = check(trust);
    expect(status).toBe('problem');
    expect(message).toBe(`${join(folder, 'work/app')} ${reason}`);
    expect(fix).toContain('trustWorkspace');
  });

  it.each([
    { GEMINI_RESTRICTED_MODE: 'true', GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    { GEMINI_CLI_TRUST_WORKSPACE: 'false' },
  ])('is refused where the environment %j forbids it', (env) => {
    expect(check({ env, rules: { 'work/app': 'TRUST_FOLDER' } })).toMatchObject({
      status: 'problem',
      message: 'The environment forbids to trust any workspace',
    });
  });

  it('is judged by the file that the environment names', () => {
    const folder = makeFolder({ 'app/x': '' });
    const rules = makeFolder({ 'r.json': JSON.stringify({ [folder]: 'TRUST_FOLDER' }) });
    const env = { GEMINI_CLI_TRUSTED_FOLDERS_PATH: join(rules, 'r.json') };
    expect(checkTrust([], env, makeFolder(), join(folder, 'app'))).toMatchObject([
      { status: 'ok', message: `Trusted by ${join(rules, 'r.json')}` },
    ]);
  });
});
