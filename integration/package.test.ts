import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from './support.js';

const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');
const ENTRIES = ['', '/batch', '/queue', '/sessions', '/testing', '/conformance', '/ai-sdk'];

/** Entries whose types are made of those of an optional peer. */
const PEERS = new Map([['/ai-sdk', '@ai-sdk/provider']]);

/** The tests run in a project with the packed package and its dependencies, without any other file of this repository. */
describe('the packed package', () => {
  let project = '';
  let installed = '';
  const cleanups: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of cleanups) await end();
  });

  beforeAll(() => {
    project = makeFolder({ 'package.json': '{"type":"module"}' }, (end) => cleanups.push(end));
    installed = join(project, 'node_modules', 'gemini-cli-provider');
    mkdirSync(join(project, 'node_modules', '@types'), { recursive: true });
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', project];
    const tarball = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', join(project, tarball), '-C', project]);
    execFileSync('mv', [join(project, 'package'), installed]);
    const { dependencies } = readManifest();
    for (const name of [...Object.keys(dependencies), '@types/node'])
      symlinkSync(join(modules, name), join(project, 'node_modules', name));
  });

  function readManifest(): { readonly dependencies: Record<string, string> } {
    return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  }

  function runModule(code: string, ...flags: string[]): string {
    const file = join(project, 'program.mjs');
    writeFileSync(file, code);
    return execFileSync(process.execPath, [...flags, file], { cwd: project, encoding: 'utf8' });
  }

  it('has the bundle, its source maps, types and licences, and no source', () => {
    const files = readdirSync(installed, { recursive: true }).map(String);
    const wanted = [
      'index',
      'batch',
      'queue',
      'sessions',
      'testing',
      'conformance',
      'ai-sdk',
      'cli',
      'reaper',
      'report-page',
    ];
    expect(files).toEqual(expect.arrayContaining(wanted.map((name) => join('dist', `${name}.js`))));
    expect(files).toContain(join('dist', 'THIRD-PARTY-LICENSES.txt'));
    expect(
      files.filter((file) => /(?<!\.d)\.ts$|\.sources|tsbuildinfo|^\.build/.test(file)),
    ).toEqual([]);
  });

  it('imports nothing that npm does not install', () => {
    const dist = join(installed, 'dist');
    const files = readdirSync(dist).filter((file) => file.endsWith('.js'));
    const code = files.map((file) => readFileSync(join(dist, file), 'utf8')).join('\n');
    const imports = [...code.matchAll(/^(?:import|export)[^'"\n;]*from ?["']([^"'.][^"']*)["']/gm)];
    const foreign = imports
      .map(([, name = '']) => name.replace(/^node:/, ''))
      .filter((name) => !builtinModules.includes(name));
    expect(imports.length).toBeGreaterThan(10);
    expect(foreign).toEqual([]);
  });

  it('can be imported by each of its entries', () => {
    const names = ENTRIES.map((entry) => `'gemini-cli-provider${entry}'`);
    const output = runModule(`
      const entries = await Promise.all([${names.map((name) => `import(${name})`)}]);
      const names = entries.flatMap((entry) => Object.keys(entry));
      console.log(JSON.stringify([names.length, new Set(names).size]));
    `);
    // `test/architecture` compares the names of each entry with the documentation.
    const [all, different] = JSON.parse(output);
    expect(all).toBeGreaterThan(25);
    expect(different).toBe(all);
  });

  it('has one error class in all entries, and loads JSON schemas when they are needed', () => {
    const output = runModule(`
      import { GeminiCliProvider, ProviderError } from 'gemini-cli-provider';
      import { readPlan } from 'gemini-cli-provider/batch';
      import { readSession } from 'gemini-cli-provider/sessions';
      const failures = await Promise.allSettled([
        readPlan('no-such-plan.yaml'),
        readSession('no-such-session.json'),
        (async () => new GeminiCliProvider({ expects: { json: { type: 'nonsense' } } }))(),
      ]);
      const judge = ({ reason }) => reason instanceof ProviderError && ProviderError.isInstance(reason);
      console.log(JSON.stringify(failures.map(judge)));
    `);
    expect(JSON.parse(output)).toEqual([true, true, true]);
  });

  it('has stack traces that name functions, and source files where source maps are enabled', () => {
    const code = `
      import { GeminiCliProvider } from 'gemini-cli-provider';
      try { new GeminiCliProvider({ timeout: -1 }); } catch (error) { console.log(error.stack); }
    `;
    expect(runModule(code)).toMatch(/at resolveConfig \(.*\/dist\/[\w-]+\.js:\d+:\d+\)/);
    const mapped = runModule(code, '--enable-source-maps');
    expect(mapped).toMatch(/at resolveConfig \(.*\/src\/config\/resolve-config\.ts:\d+:\d+\)/);
  });

  it('has a command', () => {
    const { bin, version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const main = join(installed, bin['gemini-cli-provider']);
    const output = execFileSync(process.execPath, [main, '--version'], { encoding: 'utf8' });
    expect(output.trim()).toBe(version);
    expect(readFileSync(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  function checkTypes(entries: readonly string[], ...flags: string[]): string {
    const imports = entries.map((entry, n) => {
      return `import * as entry${n} from 'gemini-cli-provider${entry}';\nexport type Entry${n} = typeof entry${n};\n`;
    });
    writeFileSync(join(project, 'types.ts'), imports.join(''));
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    const more = ['--lib', 'es2023,esnext.disposable', '--types', 'node', '--ignoreConfig'];
    const tsc = join(modules, '.bin', 'tsc');
    const command = [...options, ...more, ...flags, 'types.ts'];
    const output = execFileSync(tsc, command, { cwd: project, encoding: 'utf8' });
    rmSync(join(project, 'types.ts'));
    return output;
  }

  it('has types that are complete without any other package', () => {
    expect(checkTypes(ENTRIES.filter((entry) => !PEERS.has(entry)))).toBe('');
  });

  it.each([...PEERS])('has types of %s that are complete with %s', (entry, peer) => {
    const link = join(project, 'node_modules', peer);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(modules, peer), link);
    // The types of @ai-sdk/provider themselves import types that it does not bring along.
    expect(checkTypes([entry], '--skipLibCheck')).toBe('');
    rmSync(link);
  });
});
