import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLI_PACKAGE, findCli } from '../../../src/agents/gemini/find-cli.js';
import { failureOf, makeFolder } from '../../fixtures/cli/support.js';

const PROGRAM = '#!/bin/sh\n';

/** Changes the current directory for one test, because this repository has a CLI of its own. */
function standIn(folder: string): void {
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(folder);
}

describe('the search for the CLI', () => {
  it('tries cliPath, GEMINI_CLI_PATH, the project, PATH and the usual install folders, in this order', () => {
    const folder = makeFolder({
      'host/node_modules/.bin/gemini*': PROGRAM,
      'one/gemini*': PROGRAM,
      'two/gemini*': PROGRAM,
      'app/node_modules/.bin/gemini*': PROGRAM,
      'app/src/deep/x': '',
      'path/gemini*': PROGRAM,
      'home/.npm-global/bin/gemini*': PROGRAM,
    });
    const request = {
      cliPath: join(folder, 'one/gemini'),
      workingDir: join(folder, 'app/src/deep'),
      env: {
        GEMINI_CLI_PATH: join(folder, 'two/gemini'),
        PATH: `${folder}/nowhere:${folder}/path`,
        HOME: join(folder, 'home'),
      },
    };
    const { GEMINI_CLI_PATH: _named, ...env } = request.env;
    standIn(join(folder, 'host'));
    const found = [
      findCli(request),
      findCli({ ...request, cliPath: undefined }),
      findCli({ ...request, cliPath: undefined, env: { ...env, GEMINI_CLI_PATH: '' } }),
      findCli({ cliPath: undefined, workingDir: folder, env }),
    ];
    standIn(folder);
    found.push(
      findCli({ cliPath: undefined, workingDir: folder, env }),
      findCli({ cliPath: undefined, workingDir: folder, env: { HOME: env.HOME } }),
    );
    expect(found.map(({ path, foundIn }) => [path.slice(folder.length + 1), foundIn])).toEqual([
      ['one/gemini', 'cliPath'],
      ['two/gemini', 'GEMINI_CLI_PATH'],
      ['app/node_modules/.bin/gemini', 'the project'],
      ['host/node_modules/.bin/gemini', 'the project'],
      ['path/gemini', 'PATH'],
      ['home/.npm-global/bin/gemini', 'the usual install folders'],
    ]);
  });

  it.each([
    [
      '.local/share/mise/installs/npm-google-gemini-cli/0.9.2/bin',
      '.local/share/mise/installs/npm-google-gemini-cli/0.61.0/bin',
    ],
    ['.local/share/mise/installs/node/9.0.0/bin', '.local/share/mise/installs/node/22.3.0/bin'],
    ['.nvm/versions/node/v8.17.0/bin', '.nvm/versions/node/v20.20.2/bin'],
    [
      '.local/share/fnm/node-versions/v9.1.0/installation/bin',
      '.local/share/fnm/node-versions/v10.0.0/installation/bin',
    ],
  ])('prefers the newest version to %s', (older, newer) => {
    const home = makeFolder({ [`${older}/gemini*`]: PROGRAM, [`${newer}/gemini*`]: PROGRAM });
    standIn(home);
    const { path } = findCli({ cliPath: undefined, workingDir: home, env: { HOME: home } });
    expect(path).toBe(join(home, newer, 'gemini'));
  });

  it('skips folders, dead links and files without execute permission', () => {
    const folder = makeFolder({ 'b/gemini': PROGRAM, 'd/gemini*': PROGRAM });
    mkdirSync(join(folder, 'a/gemini'), { recursive: true });
    mkdirSync(join(folder, 'c'));
    symlinkSync('gone', join(folder, 'c/gemini'));
    const PATH = ['a', 'b', 'c', 'd'].map((name) => join(folder, name)).join(':');
    standIn(folder);
    const { path } = findCli({ cliPath: undefined, workingDir: folder, env: { PATH } });
    expect(path).toBe(join(folder, 'd/gemini'));
  });

  it('fails with a hint to install the CLI if there is none', async () => {
    const workingDir = makeFolder();
    standIn(workingDir);
    const find = () => findCli({ cliPath: undefined, workingDir, env: { PATH: '' } });
    expect(await failureOf(find)).toMatchObject({
      code: 'CLI_NOT_FOUND',
      retryable: false,
      message: `No gemini executable in the project (${workingDir}), on PATH or in the usual install folders`,
      hint: expect.stringContaining(`npm install ${CLI_PACKAGE}`),
    });
  });
});

describe('a CLI that the caller names', () => {
  it('is searched on PATH if its name has no slash', () => {
    const folder = makeFolder({ 'bin/my-gemini*': PROGRAM });
    const env = { PATH: join(folder, 'bin') };
    expect(findCli({ cliPath: 'my-gemini', workingDir: folder, env })).toEqual({
      path: join(folder, 'bin/my-gemini'),
      foundIn: 'cliPath',
      command: join(folder, 'bin/my-gemini'),
      args: [],
      script: undefined,
    });
  });

  it.each([
    ['cliPath', 'no-such-gemini', 'does not exist'],
    ['cliPath', './missing/gemini', 'does not exist'],
    ['GEMINI_CLI_PATH', '/missing/gemini', 'does not exist'],
    ['cliPath', '.', 'does not exist'],
    ['cliPath', './', 'is not an executable file'],
  ])('is refused with %s = %s, and no other CLI is tried', async (source, name, problem) => {
    const folder = makeFolder({ 'bin/gemini*': PROGRAM });
    const PATH = join(folder, 'bin');
    const find = () => {
      return source === 'cliPath'
        ? findCli({ cliPath: name, workingDir: folder, env: { PATH } })
        : findCli({ cliPath: undefined, workingDir: folder, env: { PATH, GEMINI_CLI_PATH: name } });
    };
    expect(await failureOf(find)).toMatchObject({
      code: 'CLI_NOT_FOUND',
      message: `${source} = ${name}: ${problem}`,
      hint: `Correct ${source}, or remove it to search the project and PATH.`,
    });
  });

  it('is refused with the reason if it is not executable', async () => {
    const cliPath = join(makeFolder({ gemini: PROGRAM }), 'gemini');
    chmodSync(cliPath, 0o644);
    const find = () => findCli({ cliPath, workingDir: '/', env: {} });
    expect(await failureOf(find)).toMatchObject({
      code: 'CLI_NOT_FOUND',
      message: `cliPath = ${cliPath}: is not an executable file`,
    });
  });
});

describe('a CLI that is a script', () => {
  const SCRIPT = 'console.log(require("v8").getHeapStatistics().heap_size_limit, process.argv[2])';

  it('is run by the Node of this process, with links resolved and half of the memory as heap', () => {
    const folder = makeFolder({ 'pkg/bundle/gemini.js': SCRIPT });
    mkdirSync(join(folder, 'bin'));
    symlinkSync('../pkg/bundle/gemini.js', join(folder, 'bin/gemini'));
    chmodSync(join(folder, 'pkg/bundle/gemini.js'), 0o755);
    const cliPath = join(folder, 'bin/gemini');
    const cli = findCli({ cliPath, workingDir: folder, env: {} });
    const script = join(folder, 'pkg/bundle/gemini.js');
    expect(cli).toMatchObject({ path: cliPath, command: process.execPath, script });
    expect(cli.args.at(-1)).toBe(script);
    const said = execFileSync(cli.command, [...cli.args, 'word'], { encoding: 'utf8' });
    const [limit, word] = said.trim().split(' ');
    expect(Number(limit)).toBeGreaterThanOrEqual(Math.floor(totalmem() / 2 ** 21) * 2 ** 20);
    expect(word).toBe('word');
  });

  it.each(['gemini.js', 'gemini.mjs', 'gemini.cjs'])(
    '%s needs no permission to be executed',
    (name) => {
      const cliPath = join(makeFolder({ [name]: '' }), name);
      const { command, script } = findCli({ cliPath, workingDir: '/', env: {} });
      expect([command, script]).toEqual([process.execPath, cliPath]);
      rmSync(cliPath);
      expect(() => findCli({ cliPath, workingDir: '/', env: {} })).toThrow('does not exist');
    },
  );

  it.each([
    ['npm puts globally', 'gemini.cmd', `node_modules/${CLI_PACKAGE}`, { gemini: 'bundle/g.js' }],
    ['npm puts into a project', '.bin/gemini.cmd', CLI_PACKAGE, 'bundle/g.js'],
  ])('is found next to the Windows shim that %s', (_where, shim, folderOfPackage, bin) => {
    const folder = makeFolder({
      [`${shim}*`]: '@ECHO off',
      [`${folderOfPackage}/package.json`]: JSON.stringify({ name: CLI_PACKAGE, bin }),
    });
    const cli = findCli({ cliPath: join(folder, shim), workingDir: folder, env: {} });
    expect(cli.script).toBe(join(folder, folderOfPackage, 'bundle/g.js'));
    expect(cli.command).toBe(process.execPath);
  });
});

describe('a script whose interpreter is missing', () => {
  it('is named in the error together with the interpreter', async () => {
    const folder = makeFolder({ 'gemini*': '#! /no/such/sh -e\n', 'dos*': '#!/bin/sh\r\n' });
    standIn(folder);
    const named = () => findCli({ cliPath: './gemini', workingDir: folder, env: {} });
    expect(await failureOf(named)).toMatchObject({
      code: 'CLI_NOT_FOUND',
      message: `The interpreter that ${folder}/gemini names in its first line does not exist: "/no/such/sh"`,
      hint: expect.stringContaining('cliPath'),
    });
    const onPath = () => findCli({ cliPath: undefined, workingDir: folder, env: { PATH: folder } });
    expect(await failureOf(onPath)).toMatchObject({ hint: expect.stringContaining('PATH') });
    const dos = () => findCli({ cliPath: './dos', workingDir: folder, env: {} });
    expect(await failureOf(dos)).toMatchObject({
      message: expect.stringContaining(String.raw`"/bin/sh\r"`),
    });
  });
});
