import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './statistics.mjs';

const SMALL = 10_000;
const LARGE = 100_000;
/** A round takes minutes. */
const MOST_ROUNDS = 1;
const HOST = join(import.meta.dirname, 'scale-host.mjs');
const PHASES = /** @type {const} */ (['run', 'resume', 'report']);

/** @typedef {{ ms: number, cpuMs: number, megabytes: number }} Phase */

/**
 * Measures a batch of 100,000 steps that do nothing against one of 10,000: the run, a resume that reuses all results, and
 * the reports from the ledger. Each is a process of its own, so that its greatest memory is known. The small batch is
 * measured before and after the large one, because the load of the machine changes meanwhile; the CPU time does not depend
 * on it.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchScale(rounds) {
  /** @type {Map<number, Record<string, Phase[]>>} */
  const measured = new Map([SMALL, LARGE].map((count) => [count, {}]));
  for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round++) {
    for (const count of [SMALL, LARGE, SMALL]) {
      const phases = measured.get(count) ?? {};
      const folder = mkdtempSync(join(tmpdir(), 'bench-'));
      try {
        for (const phase of PHASES) {
          const list = phases[phase] ?? [];
          phases[phase] = list;
          list.push(await measure(phase, count, folder));
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  }
  /** @param {number} count @param {string} phase @param {keyof Phase} key */
  const values = (count, phase, key) => {
    return (measured.get(count)?.[phase] ?? []).map((one) => one[key]);
  };
  return PHASES.flatMap((phase) =>
    [
      { key: /** @type {const} */ ('ms'), word: 'time', unit: 'ms', atMost: 12 },
      { key: /** @type {const} */ ('cpuMs'), word: 'CPU time', unit: 'ms', atMost: 12 },
      { key: /** @type {const} */ ('megabytes'), word: 'memory', unit: 'MB', atMost: 10 },
    ].map(({ key, word, unit, atMost }) => {
      const [small, large] = [values(SMALL, phase, key), values(LARGE, phase, key)];
      return {
        name: `${word} of 100,000 steps that do nothing against 10,000: ${phase}`,
        value: median(large) / median(small),
        unit: 'x',
        atMost,
        detail: `10,000: ${median(small).toFixed(0)} ${unit}, 100,000: ${median(large).toFixed(0)} ${unit}`,
      };
    }),
  );
}

/**
 * @param {string} phase
 * @param {number} count
 * @param {string} folder
 * @returns {Promise<Phase>}
 */
async function measure(phase, count, folder) {
  const child = fork(HOST, [phase, String(count), folder]);
  const [[message], [code]] = await Promise.all([
    Promise.race([once(child, 'message'), once(child, 'exit').then(() => [undefined])]),
    once(child, 'exit'),
  ]);
  if (code !== 0 || message === undefined) {
    throw new Error(`${phase} of ${count} steps has ended with ${code}`);
  }
  return message;
}
