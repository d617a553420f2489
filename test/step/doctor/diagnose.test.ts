import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { diagnose } from '../../../src/step/doctor/diagnose.js';
import { readSettings } from '../../../src/step/doctor/run-checks.js';
import { type Files, makeFolder, program } from '../../fixtures/cli/support.js';

/** Environment without the settings of the person who runs the tests. */
beforeEach(() => {
  for (const name of Object.keys(process.env)) {
    if (/^(GEMINI|GOOGLE)_/.test(name)) vi.stubEnv(name, undefined);
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const CHECKS = [
  'configuration',
  'CLI',
  'version',
  'settings',
  'authentication',
  'workspace trust',
  'approval mode',
  'sandbox',
  'processes',
  'temp folder',
  'home of the CLI',
];

function examine(config: Record<string, unknown> = {}, files: Files = {}) {
  const workingDir = makeFolder(files);
  const env = { GEMINI_CLI_HOME: makeFolder(), GEMINI_API_KEY: 'a-key-that-is-long' };
  const cliPath = program('quick.sh');
  return diagnose({ cliPath, workingDir, env, trustWorkspace: true, ...config });
}
type Findings = Awaited<ReturnType<typeof diagnose>>;
const problems = ({ findings }: Findings) => {
  return findings.flatMap(({ status, check }) => (status === 'problem' ? check : []));
};
const checks = ({ findings }: Findings) => [...new Set(findings.map(({ check }) => check))];
const settings = (value: object) => ({ '.gemini/settings.json': JSON.stringify(value) });

describe('a workspace where a step can start', () => {
  it('has only findings with status ok, in the order of a step', async () => {
    const { ok, findings } = await examine();
    expect(ok).toBe(true);
    expect(findings.map(({ check, status }) => `${check} ${status}`)).toEqual(
      CHECKS.map((check) => `${check} ok`),
    );
    expect(findings[1]?.message).toBe(`${program('quick.sh')} (found in cliPath)`);
  });

  it('may have notes', async () => {
    const { ok, findings } = await examine({ cliPath: program('old-0.10.mjs'), modle: 'x' });
    expect(ok).toBe(true);
    const notes = findings.filter(({ status }) => status === 'note');
    expect(notes).toMatchObject([
      { check: 'configuration', message: 'Unknown key "modle". Did you mean "model"?' },
      { check: 'version', message: expect.stringContaining('older than the tested') },
      { check: 'version', message: expect.stringContaining('no tool calls') },
    ]);
  });
});

describe('a problem that would make a step fail', () => {
  it.each<[string, Record<string, unknown>, Files, string[]]>([
    [
      'no authentication is configured',
      { env: { GEMINI_CLI_HOME: '/nowhere' } },
      {},
      ['authentication'],
    ],
    ['no rule trusts the workspace', { trustWorkspace: false }, {}, ['workspace trust']],
    ['settings are broken', {}, { '.gemini/settings.json': '{oops' }, ['settings']],
    [
      'yolo is forbidden',
      { approvalMode: 'yolo' },
      settings({ security: { disableYoloMode: true } }),
      ['approval mode'],
    ],
    ['the sandbox is missing', { sandbox: 'no-such-box' }, {}, ['sandbox']],
    ['the CLI is missing', { cliPath: '/no/such/gemini' }, {}, ['CLI']],
    ['a folder is missing', { includeDirectories: ['/no/such/folder'] }, {}, ['configuration']],
    ['the configuration is wrong', { timeout: 'long' }, {}, ['configuration']],
    [
      'everything is wrong',
      {
        workingDir: '/no/such/folder',
        cliPath: '/no/such/gemini',
        timeout: 'long',
        env: { GEMINI_CLI_HOME: '/nowhere' },
        trustWorkspace: false,
        sandbox: 'no-such-box',
      },
      {},
      ['configuration', 'configuration', 'CLI', 'authentication', 'workspace trust', 'sandbox'],
    ],
  ])('is found if %s, and all other checks run too', async (_what, config, files, expected) => {
    const diagnosis = await examine(config, files);
    expect(diagnosis.ok).toBe(false);
    expect(problems(diagnosis)).toEqual(expected);
    expect(checks(diagnosis)).toEqual(CHECKS);
    for (const { status, fix } of diagnosis.findings) {
      if (status === 'problem') expect(fix).toMatch(/\w/);
    }
  });

  it('is reported if it was known before', async () => {
    const { findings } = await diagnose({}, [{ key: 'config', value: '/f', problem: 'is gone' }]);
    expect(findings[0]).toMatchObject({
      check: 'configuration',
      status: 'problem',
      message: 'Invalid configuration: config = "/f": is gone',
    });
  });
});

describe('the settings of a project that is not trusted', () => {
  const trustWorkspace = false;

  it('cannot make the project trusted', async () => {
    const files = settings({ security: { folderTrust: { enabled: false } } });
    const diagnosis = await examine({ trustWorkspace }, files);
    expect(problems(diagnosis)).toEqual(['workspace trust']);
    expect(diagnosis.findings).toContainEqual({
      check: 'settings',
      status: 'note',
      message: expect.stringMatching(/settings\.json is ignored: the workspace is not trusted/),
    });
  });

  it('do not choose the authentication type', async () => {
    const env = {
      GEMINI_CLI_HOME: makeFolder(),
      GEMINI_API_KEY: 'k',
      GOOGLE_GEMINI_BASE_URL: 'http://x',
    };
    const files = settings({ security: { auth: { selectedType: 'gemini-api-key' } } });
    expect(problems(await examine({ env, trustWorkspace }, files))).toEqual([
      'authentication',
      'workspace trust',
    ]);
    expect(problems(await examine({ env, trustWorkspace: true }, files))).toEqual([]);
  });

  it('do not forbid an approval mode', async () => {
    const files = settings({ security: { disableYoloMode: true } });
    const diagnosis = await examine({ trustWorkspace, approvalMode: 'yolo' }, files);
    expect(problems(diagnosis)).toEqual(['workspace trust']);
  });

  it('must still be readable', async () => {
    const diagnosis = await examine({ trustWorkspace }, { '.gemini/settings.json': '{oops' });
    expect(problems(diagnosis)).toEqual(['settings', 'workspace trust']);
  });
});

describe('the settings of the CLI', () => {
  it("are the user's and those of the project, comments and all", () => {
    const workspace = makeFolder({ '.gemini/settings.json': '{"model":{"name":"a"}}' });
    const home = makeFolder({
      'settings.json': '// mine\n{"model":{"name":"b"},/* */"ui":{"x":1}}',
    });
    const paths = [join(workspace, '.gemini/settings.json'), join(home, 'settings.json')];
    expect(readSettings(home, workspace)).toEqual({
      project: { path: paths[0], content: { model: { name: 'a' } } },
      user: { path: paths[1], content: { model: { name: 'b' }, ui: { x: 1 } } },
      broken: [],
      findings: paths.map((message) => ({ check: 'settings', status: 'ok', message })),
    });
  });

  it('may be missing', () => {
    expect(readSettings(makeFolder(), makeFolder())).toEqual({
      broken: [],
      findings: [{ check: 'settings', status: 'ok', message: 'None' }],
    });
  });

  it.each(['{oops', '[]', '"text"'])(
    'that are %s are a problem, and the other files still apply',
    (text) => {
      const workspace = makeFolder({ '.gemini/settings.json': text });
      const home = makeFolder({ 'settings.json': '{"a":1}' });
      const { user, project, findings } = readSettings(home, workspace);
      expect(findings.at(-1)).toEqual({
        check: 'settings',
        status: 'problem',
        message: `${join(workspace, '.gemini/settings.json')} is not a JSON object`,
        fix: expect.stringContaining('52'),
        code: 'CLI_CONFIG',
      });
      expect(project).toBeUndefined();
      expect(user?.content).toEqual({ a: 1 });
    },
  );

  it('in a home that is also the working directory are those of the user', () => {
    const folder = makeFolder({ '.gemini/settings.json': '{"a":1}' });
    const { user, project, findings } = readSettings(join(folder, '.gemini'), folder);
    expect([user?.content, project]).toEqual([{ a: 1 }, undefined]);
    expect(findings).toHaveLength(1);
  });
});

it.each([
  [5, {}],
  [[{ key: 1 }], {}],
  [[], 5],
  [[], { agentDirs: 'x' }],
])(
  'wrong problems and options are refused: %j, %j (claim: input-validated)',
  async (known, options) => {
    // @ts-expect-error: the compiler refuses them, too.
    await expect(diagnose({}, known, options)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  },
);
