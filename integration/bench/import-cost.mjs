import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median, pairedRatio } from './statistics.mjs';

const DIST = join(import.meta.dirname, '..', '..', 'dist');
/** Runs a program and prints the CPU time of the shell, then of the program: two numbers each, user and system. */
const MEASURE = '"$@" >/dev/null 2>&1; times';
/** Stands in for the CLI: prints a version, and kills `run` as soon as `run` starts the CLI for a step. */
const STAND_IN = `#!/bin/sh
case "$*" in *--version*) echo 1.0.0 ;; *) kill -9 $PPID ;; esac
`;
/** A start takes a tenth of a second, so many are measured. */
const STARTS_PER_ROUND = 3;

/**
 * Measures the CPU time of importing the package, or of a command, against an empty start of Node.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchImportCost(rounds) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const standIn = join(folder, 'gemini');
  await writeFile(standIn, STAND_IN);
  await chmod(standIn, 0o755);
  const empty = join(folder, 'empty.mjs');
  await writeFile(empty, '');
  const cli = join(DIST, 'cli.js');
  const run = [cli, 'run', 'Do it.', '--cli-path', standIn, '--cwd', folder, '--model', 'any'];
  const cases = [
    { name: 'importing the package', args: [join(DIST, 'index.js')], atMost: 4 },
    { name: 'importing the sessions', args: [join(DIST, 'sessions.js')], atMost: 2 },
    { name: '--help', args: [cli, '--help'], atMost: 3 },
    { name: 'run, until the CLI is started', args: run, atMost: 5 },
  ];
  /** @type {number[]} */
  const emptyTimes = [];
  /** @type {number[][]} */
  const times = cases.map(() => []);
  try {
    for (let start = 0; start < rounds * STARTS_PER_ROUND; start++) {
      emptyTimes.push(await measureCpuMs([empty]));
      for (const [index, { args }] of cases.entries()) times[index]?.push(await measureCpuMs(args));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return cases.map(({ name, atMost }, index) => ({
    name: `${name}: CPU time against an empty start of Node`,
    value: pairedRatio(times[index] ?? [], emptyTimes),
    unit: 'x',
    atMost,
    detail: `empty ${median(emptyTimes).toFixed(0)} ms, measured ${median(times[index] ?? []).toFixed(0)} ms`,
  }));
}

/** @param {readonly string[]} args */
async function measureCpuMs(args) {
  const { stdout } = await promisify(execFile)('bash', [
    '-c',
    MEASURE,
    'bash',
    process.execPath,
    ...args,
  ]);
  const children = stdout.trim().split('\n').at(-1) ?? '';
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce((sum, [, minutes, seconds]) => {
    return sum + (Number(minutes) * 60 + Number(seconds)) * 1000;
  }, 0);
}
