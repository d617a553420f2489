import { AgentPool, GeminiCliProvider } from 'gemini-cli-provider';
import { assertWritten, openBenchLab, PROMPT, runAll } from './lab.mjs';
import { median, timed } from './statistics.mjs';

const STEPS = 40;
const CONCURRENCY = 8;
const LATENCY_MS = 1000;
const CALLS_PER_STEP = 2;
const MOST_ROUNDS = 3;

/**
 * Measures steps with model calls of one second, eight at a time, against the time that the model alone takes. The cold
 * start of the process is included.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchModelBound(rounds) {
  const lab = await openBenchLab(LATENCY_MS);
  const floorMs = (STEPS / CONCURRENCY) * CALLS_PER_STEP * LATENCY_MS;
  /** @type {number[]} */
  const times = [];
  let processes = 0;
  const run = async () => {
    const pool = new AgentPool();
    const provider = new GeminiCliProvider({ ...lab.config, transport: 'acp', pool });
    try {
      await runAll(STEPS, CONCURRENCY, async () => assertWritten(await provider.generate(PROMPT)));
      processes = Math.max(processes, pool.stats().started);
    } finally {
      await provider.dispose();
      await pool.dispose();
    }
  };
  try {
    for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round++)
      times.push(await timed(run));
  } finally {
    await lab.close();
  }
  const ms = median(times);
  return [
    {
      name: `${STEPS} steps of two calls of 1 s, ${CONCURRENCY} at a time: time against the model alone`,
      value: ms / floorMs,
      unit: 'x',
      atMost: 1.25,
      detail: `${(ms / 1000).toFixed(1)} s, model alone ${floorMs / 1000} s, processes started: ${processes}`,
    },
  ];
}
