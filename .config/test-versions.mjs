/**
 * Runs what a step promises (integration/versions) on released versions of the CLI, one after another, and writes the results
 * and the table in src/agents/README.md: `npm run test:versions`, or `npm run test:versions -- 0.40.0` for some versions.
 * npm installs each version below node_modules/.cache when its turn comes; it is removed afterwards, because each
 * takes 100 to 600 MB. `--keep` keeps it. Exits with 1 if a supported version breaks a promise.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureFreshBuild } from './fresh-build.mjs';
import {
  compareVersions,
  drawVersionTable,
  insertVersionTable,
  MANUAL,
  RESULTS,
  readResults,
} from './version-table.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const CACHE = join(root, 'node_modules/.cache/gemini-cli-provider/versions');
const CLI = '@google/gemini-cli';
const VERSIONS = ['0.30.0', '0.35.0', '0.40.0', '0.44.0', '0.60.0', '0.61.0'];

const words = process.argv.slice(2);
const isKept = words.includes('--keep');
const chosen = words.filter((word) => !word.startsWith('--'));
await ensureFreshBuild();
const results = existsSync(RESULTS) ? readResults() : { node: '', versions: {} };
for (const version of chosen.length > 0 ? chosen : [...new Set([...VERSIONS, newest()])]) {
  console.log(`${CLI} ${version}: install`);
  const gemini = install(version);
  console.log(`${CLI} ${version}: tests`);
  results.versions[version] = runTests(version, gemini);
  if (!isKept) rmSync(join(CACHE, version), { recursive: true, force: true });
  report(version, results.versions[version]);
  save({ ...results, node: process.version });
}

/** Returns the newest version that the registry has. */
function newest() {
  return npm(['view', CLI, 'version'], root).trim();
}

/** @param {string} version */
function install(version) {
  const folder = join(CACHE, version);
  const gemini = join(folder, 'node_modules', '.bin', 'gemini');
  if (existsSync(gemini)) return gemini;
  mkdirSync(folder, { recursive: true });
  const flags = ['--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
  npm(['install', '--prefix', folder, ...flags, `${CLI}@${version}`], folder);
  return gemini;
}

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function npm(args, cwd) {
  const { status, stdout, stderr, error } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return stdout;
  throw new Error(`npm ${args[0]} failed: ${error?.message ?? stderr}`);
}

/**
 * @param {string} version
 * @param {string} gemini
 * @returns {import('./version-table.mjs').VersionResult}
 */
function runTests(version, gemini) {
  const output = join(CACHE, `${version}.json`);
  rmSync(output, { force: true });
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...['node_modules/vitest/vitest.mjs', 'run', '-c', '.config/vitest.config.ts'],
      ...['--project', 'versions', '--reporter=dot', '--reporter=json'],
      `--outputFile.json=${output}`,
    ],
    { cwd: root, encoding: 'utf8', env: { ...process.env, GEMINI_UNDER_TEST: gemini } },
  );
  writeFileSync(join(CACHE, `${version}.log`), `${stdout}${stderr}`);
  if (!existsSync(output)) throw new Error(`The tests did not run:\n${stdout}${stderr}`);
  const { testResults } = JSON.parse(readFileSync(output, 'utf8'));
  /** @type {import('./version-table.mjs').VersionResult} */
  const result = { headless: {}, acp: {} };
  for (const { assertionResults } of testResults) {
    for (const { ancestorTitles, title, status } of assertionResults) {
      result[ancestorTitles[0] === 'acp' ? 'acp' : 'headless'][title] = status === 'passed';
    }
  }
  return result;
}

/**
 * @param {string} version
 * @param {import('./version-table.mjs').VersionResult} result
 */
function report(version, result) {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const oldest = peerDependencies[CLI].replace(/^>=/, '');
  const isSupported = compareVersions(version, oldest) >= 0;
  for (const [driver, tests] of Object.entries(result)) {
    const broken = Object.entries(tests).filter(([, isPassed]) => !isPassed);
    console.log(
      `  ${driver}: ${Object.keys(tests).length - broken.length} of ${Object.keys(tests).length}`,
    );
    for (const [promise] of broken) console.log(`    broken: ${promise}`);
    if (isSupported && broken.length > 0) process.exitCode = 1;
  }
  console.log(`  output: ${join(CACHE, `${version}.log`)}`);
}

/** @param {import('./version-table.mjs').VersionResults} all */
function save(all) {
  const sorted = Object.entries(all.versions).sort(([a], [b]) => compareVersions(a, b));
  const text = { node: all.node, versions: Object.fromEntries(sorted) };
  writeFileSync(RESULTS, `${JSON.stringify(text, undefined, 2)}\n`);
  writeFileSync(MANUAL, insertVersionTable(readFileSync(MANUAL, 'utf8'), drawVersionTable(text)));
}
