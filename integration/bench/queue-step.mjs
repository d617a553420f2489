import { GeminiCliProvider } from 'gemini-cli-provider';
import { QueuedProvider } from 'gemini-cli-provider/queue';
import { assertWritten, openBenchLab, PROMPT } from './lab.mjs';
import { startBenchWorkers } from './queue-lab.mjs';
import { median, timed } from './statistics.mjs';

/**
 * Measures what the queue adds to a warm step whose model answers at once.
 * @param {import('./queue-lab.mjs').BenchStore} store
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement>}
 */
export async function benchQueueStep(store, rounds) {
  const lab = await openBenchLab();
  const gemini = { ...lab.config, transport: /** @type {const} */ ('acp') };
  const workers = await startBenchWorkers(store, 1, { gemini });
  const direct = new GeminiCliProvider(gemini);
  const workingDir = lab.config.workingDir;
  const queued = new QueuedProvider({
    ...workers.queue,
    workspace: 'shared',
    config: { workingDir },
  });
  /** @type {number[]} */
  const added = [];
  /** @type {number[]} */
  const bare = [];
  try {
    for (let round = 0; round < 2; round++) {
      await direct.generate(PROMPT);
      await queued.generate(PROMPT);
    }
    for (let round = 0; round < rounds * 3; round++) {
      const directMs = await timed(async () => assertWritten(await direct.generate(PROMPT)));
      const queuedMs = await timed(async () => assertWritten(await queued.generate(PROMPT)));
      bare.push(directMs);
      added.push(queuedMs - directMs);
    }
  } finally {
    await Promise.all([direct.dispose(), queued.dispose()]);
    await workers.close();
    await lab.close();
  }
  return {
    name: `${store.name}: what the queue adds to a warm step`,
    value: median(added),
    unit: 'ms',
    atMost: 40,
    detail: `direct ${median(bare).toFixed(0)} ms`,
  };
}
