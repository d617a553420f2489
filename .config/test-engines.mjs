/**
 * Runs the recipes of integration/examples in the engines that they are for: `npm run test:engines`, or
 * `npm run test:engines -- temporal` for one. The engines are installed when they are first needed and stay in
 * node_modules/.cache, beside the output of the checks. With `--write`, the outcome is written to
 * integration/engines/results.json, which the table in src/engines/README.md repeats.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureFreshBuild } from './fresh-build.mjs';
import { installBeside } from './install-beside.mjs';

/**
 * Engine → its packages. The newest versions that run on Node 20; @langchain packages are all pinned, because the newest of
 * them do not fit together.
 */
const ENGINES = {
  langgraph: [
    '@langchain/langgraph@1.4.18',
    '@langchain/core@1.2.13',
    '@langchain/langgraph-checkpoint@1.1.5',
    '@langchain/langgraph-sdk@1.12.3',
    '@langchain/protocol@0.0.19',
  ],
  mastra: ['@mastra/core@0.24.9', 'zod@4'],
  temporal: [
    '@temporalio/testing@1.24.0',
    '@temporalio/activity@1.24.0',
    '@temporalio/common@1.24.0',
  ],
  restate: ['@restatedev/restate-sdk@1.12', '@restatedev/restate-server@1.7'],
};
const LONGEST_RUN_MS = 5 * 60_000;
const root = fileURLToPath(new URL('../', import.meta.url));
const CACHE = join(root, 'node_modules/.cache/gemini-cli-provider/engines');
const RESULTS = join(root, 'integration/engines/results.json');

/**
 * @typedef {{ check: string, ok: boolean }} Outcome
 * @typedef {{ engine: string, version: string, date: string, node: string, checks: string[] }} Row
 */

const chosen = process.argv.slice(2).filter((name) => !name.startsWith('--'));
const unknown = chosen.filter((name) => !Object.hasOwn(ENGINES, name));
if (unknown.length > 0)
  throw new Error(`Unknown engine ${unknown}. Choose from ${Object.keys(ENGINES).join(', ')}`);
await ensureFreshBuild();
/** @type {Row[]} */
const rows = [];
for (const [engine, packages] of Object.entries(ENGINES)) {
  if (chosen.length > 0 && !chosen.includes(engine)) continue;
  const folder = prepare(engine, packages);
  const outcomes = await run(engine, folder);
  for (const { check, ok } of outcomes)
    console.log(`${engine}: ${ok ? 'passed' : 'FAILED'}: ${check}`);
  if (outcomes.length === 0 || outcomes.some(({ ok }) => !ok)) process.exitCode = 1;
  rows.push({
    engine,
    version: versionOf(folder, packages[0] ?? ''),
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    checks: outcomes.flatMap(({ check, ok }) => (ok ? check : [])),
  });
}
if (process.argv.includes('--write')) writeResults(rows);

/**
 * Installs the engine, and copies the package, the recipes and their checks beside it.
 * @param {string} engine
 * @param {readonly string[]} packages
 */
function prepare(engine, packages) {
  const folder = join(CACHE, engine);
  installBeside(folder, packages);
  for (const name of ['examples', 'engines'])
    cpSync(join(root, 'integration', name), join(folder, name), { recursive: true });
  return folder;
}

/**
 * Runs the checks of one engine.
 * @param {string} engine
 * @param {string} folder
 * @returns {Promise<Outcome[]>}
 */
async function run(engine, folder) {
  const env = { ...process.env, GEMINI_CLI_PATH: join(root, 'node_modules/.bin/gemini') };
  const log = join(folder, 'output.log');
  const child = spawn(process.execPath, [`engines/${engine}.mjs`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_RUN_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code, signal] = await once(child, 'close');
  writeFileSync(log, output);
  if (code !== 0) {
    console.log(`${engine}: the checks ended with ${signal ?? code} (output in ${log})`);
    process.exitCode = 1;
  }
  const lines = output.split('\n').filter((line) => line.startsWith('{"check":'));
  return lines.map((line) => JSON.parse(line));
}

/**
 * @param {string} folder
 * @param {string} spec
 */
function versionOf(folder, spec) {
  const name = spec.slice(0, spec.lastIndexOf('@'));
  const file = join(folder, 'node_modules', name, 'package.json');
  return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`;
}

/**
 * Replaces the rows of the engines that ran.
 * @param {readonly Row[]} fresh
 */
function writeResults(fresh) {
  /** @type {Row[]} */
  const kept = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : [];
  const all = Object.keys(ENGINES).flatMap((engine) => {
    return [...fresh, ...kept].find((row) => row.engine === engine) ?? [];
  });
  writeFileSync(RESULTS, `${JSON.stringify(all, undefined, 2)}\n`);
}
