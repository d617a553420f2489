import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GeminiCliProvider } from 'gemini-cli-provider';
import { runBatch } from 'gemini-cli-provider/batch';
import { expandPlan } from '../../.build/batch/plan/expand-plan.js';
import { orderSteps } from '../../.build/batch/plan/order-steps.js';
import { assertWritten, openBenchLab, PROMPT, runAll } from './lab.mjs';
import { median, pairedRatio, timed } from './statistics.mjs';

const STEPS = 200;
const CONCURRENCY = 4;
const MOST_ROUNDS = 3;
const MEGABYTE = 1024 * 1024;

/**
 * Measures the batch runner against bare calls of a provider for the same steps. Both sides use warm processes that are
 * started before the measurement, and both create the manifest.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchBatchRunner(rounds) {
  const lab = await openBenchLab();
  const provider = new GeminiCliProvider({ ...lab.config, transport: 'acp' });
  const outs = [];
  /** @type {{ bare: number[], batch: number[] }} */
  const times = { bare: [], batch: [] };
  /** @type {number[]} */
  const growth = [];
  try {
    await provider.generate(PROMPT);
    for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round++) {
      times.bare.push(await timed(() => runBare(provider)));
      const out = await mkdtemp(join(tmpdir(), 'bench-'));
      outs.push(out);
      times.batch.push(await timed(async () => growth.push(await runPlanned(provider, out, lab))));
    }
    return [
      {
        name: `${STEPS} steps, ${CONCURRENCY} at a time: time of the batch runner against bare calls`,
        value: pairedRatio(times.batch, times.bare),
        unit: 'x',
        atMost: 1.05,
        detail: `bare ${median(times.bare).toFixed(0)} ms, batch ${median(times.batch).toFixed(0)} ms`,
      },
      {
        name: `memory of ${STEPS} steps: last quarter against the first`,
        value: median(growth),
        unit: 'x',
        atMost: 1.2,
        detail: 'resident memory of the process that runs the batch',
      },
      await benchPlan(rounds),
    ];
  } finally {
    await provider.dispose();
    await lab.close();
    for (const out of outs) await rm(out, { recursive: true, force: true });
  }
}

/** @param {GeminiCliProvider} provider */
async function runBare(provider) {
  await runAll(STEPS, CONCURRENCY, async () => assertWritten(await provider.generate(PROMPT)));
}

/**
 * @param {GeminiCliProvider} provider
 * @param {string} out
 * @param {Awaited<ReturnType<typeof openBenchLab>>} lab
 * @returns {Promise<number>} memory of the last quarter of the steps, divided by that of the first
 */
async function runPlanned(provider, out, { config }) {
  const steps = Array.from({ length: STEPS }, (_, n) => ({ id: `s${n}`, prompt: PROMPT }));
  const options = {
    out: join(out, 'out'),
    state: join(out, 'state'),
    provider,
    concurrency: CONCURRENCY,
  };
  /** @type {number[]} */
  const memory = [];
  const defaults = { workingDir: config.workingDir };
  const batch = runBatch({ defaults, steps }, options);
  for await (const event of batch) {
    if (event.type === 'step-finished') memory.push(process.memoryUsage().rss / MEGABYTE);
  }
  const { counts } = await batch;
  if (counts.succeeded !== STEPS) throw new Error('Steps of the batch have failed');
  const quarter = STEPS / 4;
  return median(memory.slice(-quarter)) / median(memory.slice(0, quarter));
}

/**
 * Measures how long a plan of 10,000 steps takes to be checked, expanded and ordered, against one of 1,000.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement>}
 */
async function benchPlan(rounds) {
  /** @param {number} count */
  const order = async (count) => {
    const steps = Array.from({ length: count }, (_, n) => ({
      id: `s${n}`,
      prompt: `Do ${n} with {{word}}`,
      vars: { word: `w${n}` },
      needs: n === 0 ? [] : [`s${n >> 1}`].filter((id) => id !== `s${n}`),
    }));
    if (orderSteps((await expandPlan({ steps })).steps).length !== count)
      throw new Error('The order has lost steps');
  };
  /** @type {{ small: number[], large: number[] }} */
  const times = { small: [], large: [] };
  await order(1_000);
  for (let round = 0; round < rounds; round++) {
    times.large.push(await timed(() => order(10_000)));
    times.small.push(await timed(() => order(1_000)));
  }
  return {
    name: 'time to order a plan of 10,000 steps against one of 1,000',
    value: pairedRatio(times.large, times.small),
    unit: 'x',
    atMost: 11,
    detail: `1,000: ${median(times.small).toFixed(0)} ms, 10,000: ${median(times.large).toFixed(0)} ms`,
  };
}
