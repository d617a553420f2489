import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBatch } from 'gemini-cli-provider/batch';
import {
  changeFile,
  scriptedResult,
  UNUSED_METHODS,
} from '../../test/batch/run/scripted-result.mjs';
import { median, pairedRatio, timed } from './statistics.mjs';

const STEPS = 40;
const CONCURRENCY = 4;
const GIT_MS = 100;
/** Work of a step: a step of an agent with one tool call and two short answers of a model takes longer. */
const WORK_MS = 3_000;
/** A round takes more than a minute. */
const MOST_ROUNDS = 1;
const FILES = 200;

/** Provider inside of this process that waits as long as a short step takes and writes one file. */
const provider = {
  /** @param {string} prompt @param {import('gemini-cli-provider').GenerateContext} context @param {{ workingDir: string }} options */
  async *stream(prompt, context, { workingDir }) {
    await sleep(WORK_MS);
    const file = changeFile(workingDir, `${prompt}.txt`, prompt, (path) => {
      writeFileSync(path, prompt);
    });
    const tokens = { total: 7, input: 5, output: 2, cached: 0, thoughts: 0, tool: 0 };
    const result = scriptedResult({ text: prompt, files: [file], tokens, context });
    yield { type: 'turn-complete', subtype: 'success', isError: false, result };
  },
  ...UNUSED_METHODS,
};

/**
 * Measures steps in worktrees against steps in the folder itself, with a git that takes 100 ms for each call, as on a
 * large repository or a slow disk.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchSlowGit(rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const path = process.env['PATH'] ?? '';
  /** @type {{ shared: number[], worktree: number[] }} */
  const times = { shared: [], worktree: [] };
  try {
    slowDownGit(join(folder, 'bin'), path);
    for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round++) {
      for (const isolation of /** @type {const} */ (['shared', 'worktree'])) {
        const at = join(folder, `${isolation}-${round}`);
        times[isolation].push(await measure(at, isolation));
      }
    }
  } finally {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true, force: true });
  }
  return [
    {
      name: `${STEPS} worktree steps, ${CONCURRENCY} at a time, git at ${GIT_MS} ms a call: time against shared steps`,
      value: pairedRatio(times.worktree, times.shared),
      unit: 'x',
      atMost: 1.5,
      detail: `${WORK_MS} ms of work per step; shared ${median(times.shared).toFixed(0)} ms, worktree ${median(times.worktree).toFixed(0)} ms`,
    },
  ];
}

/** @param {string} folder @param {string} path */
function slowDownGit(folder, path) {
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  mkdirSync(folder);
  const script = `#!/bin/sh\nsleep ${GIT_MS / 1000}\nexec '${git}' "$@"\n`;
  writeFileSync(join(folder, 'git'), script);
  chmodSync(join(folder, 'git'), 0o755);
  process.env['PATH'] = `${folder}${delimiter}${path}`;
}

/** @param {string} at @param {'shared' | 'worktree'} isolation */
async function measure(at, isolation) {
  const workingDir = join(at, 'repository');
  mkdirSync(workingDir, { recursive: true });
  for (let index = 0; index < FILES; index++) {
    writeFileSync(join(workingDir, `file-${index}.txt`), `${index}\n`);
  }
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', ['-C', workingDir, ...args]);
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  const steps = Array.from({ length: STEPS }, (_, index) => {
    return { id: `s${index}`, prompt: `s${index}` };
  });
  const plan = { defaults: { workingDir, isolation, retries: 0 }, steps };
  const options = {
    out: join(at, 'out'),
    state: join(at, 'state'),
    baseDir: workingDir,
    concurrency: CONCURRENCY,
    provider,
  };
  return timed(async () => {
    // @ts-expect-error: the provider has only the members that a batch uses.
    const { outcome } = await runBatch(plan, options);
    if (outcome !== 'succeeded') throw new Error(`The batch with ${isolation} steps ${outcome}`);
  });
}
