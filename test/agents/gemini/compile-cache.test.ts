import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withCompileCache } from '../../../src/agents/gemini/compile-cache.js';
import { findExecutable } from '../../../src/agents/gemini/find-cli.js';
import { makeFolder } from '../../fixtures/cli/support.js';

/** Creates a step whose CLI is a script, with its own home folder. */
function makeStep(code = '', env: Record<string, string> = {}) {
  const home = makeFolder({ 'gemini.mjs': code });
  const location = findExecutable(join(home, 'gemini.mjs'), 'cliPath', {});
  const config = { compileCache: true };
  const step = { config, cli: { location, version: '0.61.0' }, env };
  return { step, environment: { HOME: home, XDG_CACHE_HOME: home } };
}

const folderOf = (step: { env: Readonly<Record<string, string>> }) => {
  return step.env['NODE_COMPILE_CACHE'] ?? '';
};

describe('the compile cache of the CLI', () => {
  it('is a private folder for each version of the CLI and of Node', () => {
    const { step, environment } = makeStep();
    const folder = folderOf(withCompileCache(step, environment, '24.9.0'));
    expect(statSync(folder).isDirectory()).toBe(true);
    expect(folder).toContain(environment.HOME);
    const newer = { ...step, cli: { ...step.cli, version: '0.62.0' } };
    const others = [
      withCompileCache(newer, environment, '24.9.0'),
      withCompileCache(step, environment, '24.10.0'),
    ].map(folderOf);
    expect(new Set([folder, ...others]).size).toBe(3);
    expect(folderOf(withCompileCache(step, environment, '24.9.0'))).toBe(folder);
  });

  it('is hidden from the programs that the CLI starts', () => {
    const code = 'console.log(JSON.stringify(process.env.NODE_COMPILE_CACHE ?? null));';
    const { step, environment } = makeStep(code);
    const { cli, env } = withCompileCache(step, environment, '24.9.0');
    const { command, args } = cli.location;
    const output = execFileSync(command, args, { encoding: 'utf8', env });
    expect([folderOf({ env }) === '', output]).toEqual([false, 'null\n']);
  });

  it.each([
    ['20.20.2', false],
    ['22.0.0', false],
    ['22.1.0', true],
    ['24.0.0', true],
  ])('is used with Node %s: %s', (version, isThere) => {
    const { step, environment } = makeStep();
    expect(folderOf(withCompileCache(step, environment, version)) !== '').toBe(isThere);
  });

  it('keeps a folder that the caller has chosen', () => {
    const { step, environment } = makeStep('', { NODE_COMPILE_CACHE: '/mine' });
    expect(withCompileCache(step, environment, '24.9.0')).toBe(step);
  });

  it('is not used if another program than this Node runs the CLI', () => {
    const { step: first, environment } = makeStep();
    const location = findExecutable('/bin/sh', 'cliPath', {});
    const step = { ...first, cli: { location, version: undefined } };
    expect(withCompileCache(step, environment, '24.9.0')).toBe(step);
  });

  it('is not used if the caller has switched it off', () => {
    const { step: first, environment } = makeStep();
    const step = { ...first, config: { compileCache: false } };
    expect(withCompileCache(step, environment, '24.9.0')).toBe(step);
    expect(existsSync(join(environment.HOME, 'gemini-cli-provider'))).toBe(false);
  });

  it('is not used if no private folder can be created', () => {
    const { step } = makeStep();
    const environment = { HOME: '/dev/null', XDG_CACHE_HOME: '/dev/null' };
    expect(withCompileCache(step, environment, '24.9.0')).toBe(step);
  });
});
