import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QueuedProvider } from 'gemini-cli-provider/queue';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { GEMINI, MODEL, runAll } from './lab.mjs';
import { startBenchWorkers } from './queue-lab.mjs';
import { timed } from './statistics.mjs';

const STEPS = 48;
const LATENCY_MS = 2_000;
const CONCURRENCY = 4;

/**
 * Measures how many times as fast three workers are as one. Each step waits for the model, whose answer takes two seconds.
 * @param {import('./queue-lab.mjs').BenchStore} store
 * @returns {Promise<import('./report.mjs').Measurement>}
 */
export async function benchQueueWorkers(store) {
  const model = await startScriptedModel([
    { prompt: 'warm', turns: [{ text: 'Warm.' }] },
    { prompt: 'go', turns: [{ latencyMs: LATENCY_MS, text: 'Done.' }] },
  ]);
  const workingDir = await mkdtemp(join(tmpdir(), 'bench-workers-'));
  const gemini = {
    model: MODEL,
    env: model.env,
    trustWorkspace: true,
    cliPath: GEMINI,
    workingDir,
    transport: 'acp',
  };
  const measure = async (/** @type {number} */ count) => {
    const workers = await startBenchWorkers(store, count, { concurrency: CONCURRENCY, gemini });
    const provider = new QueuedProvider({
      ...workers.queue,
      workspace: 'shared',
      config: { workingDir },
    });
    const run = (/** @type {string} */ prompt) => async () =>
      void (await provider.generate(prompt));
    try {
      // All processes of the CLI are started before the measurement.
      await runAll(3 * count * CONCURRENCY, count * CONCURRENCY, run('warm'));
      return await timed(() => runAll(STEPS, STEPS, run('go')));
    } finally {
      await provider.dispose();
      await workers.close();
    }
  };
  try {
    const one = await measure(1);
    const three = await measure(3);
    return {
      name: `${store.name}: ${STEPS} steps of ${LATENCY_MS / 1000} s, three workers against one`,
      value: one / three,
      unit: 'x',
      atLeast: 2.7,
      detail: `one ${(one / 1000).toFixed(1)} s, three ${(three / 1000).toFixed(1)} s`,
    };
  } finally {
    await model.close();
    await rm(workingDir, { recursive: true, force: true });
  }
}
