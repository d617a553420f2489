import { describe, expect, it } from 'vitest';
import { buildChildEnvironment } from '../../../src/agents/gemini/child-environment.js';
import { OWN_VARIABLES, PRIVATE_VARIABLES } from '../../../src/base/process/environment.js';

const PARENT = {
  // Allowed.
  PATH: '/bin',
  HOME: '/home/me',
  USER: 'me',
  LOGNAME: 'me',
  SHELL: '/bin/sh',
  LANG: 'C.UTF-8',
  LANGUAGE: 'en',
  LC_ALL: 'C',
  LC_TIME: 'de_DE',
  TZ: 'UTC',
  TMPDIR: '/tmp',
  TMP: '/tmp',
  TEMP: '/tmp',
  XDG_CONFIG_HOME: '/home/me/.config',
  HTTP_PROXY: 'http://proxy',
  https_proxy: 'http://proxy',
  ALL_PROXY: 'http://proxy',
  no_proxy: 'localhost',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  SSL_CERT_FILE: '/ca.pem',
  SSL_CERT_DIR: '/certs',
  GEMINI_API_KEY: 'key',
  GEMINI_CLI_HOME: '/home/me/other',
  GOOGLE_CLOUD_PROJECT: 'project',
  GOOGLE_APPLICATION_CREDENTIALS: '/creds.json',
  CLOUDSDK_CONFIG: '/gcloud',
  DOCKER_HOST: 'unix:///run/docker.sock',
  DOCKER_CONFIG: '/docker',
  SANDBOX_FLAGS: '-v /a:/a',
  SEATBELT_PROFILE: 'strict',
  BUILD_SANDBOX: '1',
  SystemRoot: 'C:\\Windows',
  PATHEXT: '.EXE',
  AppData: 'C:\\Users\\me',
} as const;

const HELD_BACK = {
  AWS_SECRET_ACCESS_KEY: 'x',
  GITHUB_TOKEN: 'x',
  OPENAI_API_KEY: 'x',
  ANTHROPIC_API_KEY: 'x',
  DATABASE_URL: 'x',
  NPM_TOKEN: 'x',
  SSH_AUTH_SOCK: '/ssh',
  NODE_OPTIONS: '--inspect',
  NODE_PATH: '/evil',
  LD_PRELOAD: '/evil.so',
  BASH_ENV: '/evil.sh',
  CI: 'true',
  PWD: '/elsewhere',
  DISPLAY: ':0',
  SANDBOX: 'inside',
  NO_COLOR: '1',
  MY_GEMINI_KEY: 'x',
  EMPTY: undefined,
};

const build = (more: Partial<Parameters<typeof buildChildEnvironment>[0]> = {}) => {
  return buildChildEnvironment({
    parent: { ...PARENT, ...HELD_BACK, TERM: 'dumb' },
    inheritAll: false,
    additions: {},
    settings: {},
    processTag: 'run-1',
    ...more,
  });
};

const OWN = {
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  GEMINI_CLI_NO_RELAUNCH: 'true',
  GEMINI_CLI_PROVIDER_TAG: 'run-1',
};

describe('the environment of the CLI', () => {
  it('is exactly the allow-list and the variables that every step sets', () => {
    expect(build()).toEqual({ ...PARENT, ...OWN });
  });

  it('is the whole parent environment with inheritEnv, without undefined variables', () => {
    const { EMPTY: _empty, ...held } = HELD_BACK;
    expect(build({ inheritAll: true })).toEqual({ ...PARENT, ...held, ...OWN });
  });

  it('takes additions by value or from the parent by name, before everything else', () => {
    const additions = {
      NEW: 'value',
      GITHUB_TOKEN: true,
      MISSING: true,
      HOME: '/h',
      TERM: 'vt100',
    } as const;
    const settings = { GEMINI_SANDBOX: 'docker', NEW: 'setting' };
    expect(build({ additions, settings })).toEqual({
      ...PARENT,
      ...OWN,
      GEMINI_SANDBOX: 'docker',
      NEW: 'value',
      GITHUB_TOKEN: 'x',
      HOME: '/h',
      TERM: 'vt100',
    });
  });

  it('keeps the process tag and GEMINI_CLI_NO_RELAUNCH, whatever is added', () => {
    const additions = { GEMINI_CLI_PROVIDER_TAG: 'forged', GEMINI_CLI_NO_RELAUNCH: '' };
    expect(build({ additions })).toEqual({ ...PARENT, ...OWN });
  });
});

const LOGINS = PRIVATE_VARIABLES.filter((name) => !OWN_VARIABLES.includes(name));

it.each(LOGINS)(
  'the environment of an agent has %s only if the option `env` names it (claim: queue-secret-hidden)',
  (name) => {
    const parent = { [name]: 'of the store' };
    const request = { parent, inheritAll: true, settings: {}, processTag: 't' };
    expect(buildChildEnvironment({ ...request, additions: {} })).not.toHaveProperty(name);
    for (const [addition, value] of [[true, 'of the store'] as const, ['own', 'own'] as const])
      expect(buildChildEnvironment({ ...request, additions: { [name]: addition } })).toMatchObject({
        [name]: value,
      });
  },
);

it.each(OWN_VARIABLES)(
  'the environment of an agent never has %s (claim: state-key-hidden, queue-secret-hidden)',
  (name) => {
    for (const inheritAll of [false, true]) {
      for (const addition of [true, 'the key'] as const) {
        const child = buildChildEnvironment({
          parent: { [name]: 'the key', GEMINI_API_KEY: 'x' },
          inheritAll,
          additions: { [name]: addition },
          settings: {},
          processTag: 't',
        });
        expect(child['GEMINI_API_KEY']).toBe('x');
        expect(Object.values(child)).not.toContain('the key');
      }
    }
  },
);
