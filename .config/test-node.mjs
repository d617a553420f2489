/**
 * Runs the unit tests, the process tests, one step of each driver and ai 7 on other versions of Node, and prints a table:
 * `npm run test:node`, or `npm run test:node -- 24` for one version. The binaries come from npm, are fetched when
 * they are first needed and stay in node_modules/.cache, where the output of the tests is written, too.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureFreshBuild } from './fresh-build.mjs';
import { installBeside } from './install-beside.mjs';
import { nodeBinary } from './node-binary.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const LOGS = join(root, 'node_modules/.cache/gemini-cli-provider/test-node');
const VERSIONS = ['22', '24', '26'];
const CELL_WIDTH = 28;
const CHECKS = ['unit', 'process', 'headless', 'acp', 'ai-7'];
/** ai 7 needs Node 22. The unit tests and the integration tests run ai 6. */
const AI_7 = join(root, 'node_modules/.cache/gemini-cli-provider/ai-7');

const chosen = process.argv.slice(2);
await ensureFreshBuild();
installBeside(AI_7, ['ai@7', '@ai-sdk/provider@4', 'zod@4']);
const rows = [];
for (const version of chosen.length > 0 ? chosen : VERSIONS) rows.push(await checkVersion(version));
for (const cells of [['node', ...CHECKS], ...rows]) {
  console.log(
    cells
      .map((cell) => cell.padEnd(CELL_WIDTH))
      .join('')
      .trimEnd(),
  );
}

/** @param {string} version */
async function checkVersion(version) {
  const folder = join(LOGS, version);
  const node = await nodeBinary(version);
  mkdirSync(folder, { recursive: true });
  // Programs that tests start by the name `node` must be of this version, too.
  const env = { ...process.env, PATH: [join(node, '..'), process.env['PATH']].join(delimiter) };
  const row = [await readVersion(node)];
  for (const check of CHECKS) {
    const log = join(folder, `${check}.log`);
    const results = join(folder, `${check}.json`);
    rmSync(results, { force: true });
    console.log(`Node ${version}: ${check} (output in ${log})`);
    const isPassed = await run(node, argumentsOf(check, results), { env, log });
    row.push(describe(isPassed, results));
    if (!isPassed) process.exitCode = 1;
  }
  return row;
}

/**
 * @param {string} check
 * @param {string} results
 */
function argumentsOf(check, results) {
  if (check === 'ai-7') return ['integration/programs/ai-sdk-step.mjs', AI_7];
  if (check === 'headless' || check === 'acp') return ['integration/programs/one-step.mjs', check];
  return [
    ...['node_modules/vitest/vitest.mjs', 'run', '-c', '.config/vitest.config.ts'],
    ...['--project', check, '--reporter=default', '--reporter=json'],
    `--outputFile.json=${results}`,
  ];
}

/**
 * @param {boolean} isPassed
 * @param {string} results
 */
function describe(isPassed, results) {
  if (!existsSync(results)) return isPassed ? 'passed' : 'failed';
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(results, 'utf8'));
  return isPassed
    ? `${numPassedTests} passed`
    : `${numFailedTests} failed, ${numPassedTests} passed`;
}

/** @param {string} node */
async function readVersion(node) {
  const child = spawn(node, ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return text.trim();
}

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ readonly env: NodeJS.ProcessEnv, readonly log: string }} options
 * @returns {Promise<boolean>} true if the program exits with 0
 */
async function run(file, args, { env, log }) {
  const output = createWriteStream(log);
  const child = spawn(file, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  const [code] = await once(child, 'close');
  output.end();
  return code === 0;
}
