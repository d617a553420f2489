import { GeminiCliProvider } from 'gemini-cli-provider';
import { cpuOfChildren, memoryBelow, watchMemory } from './consumption.mjs';
import { assertWritten, openBenchLab, PROMPT, runAll } from './lab.mjs';
import { timed } from './statistics.mjs';

const STEPS = 40;
/** Plain gemini takes the same time for each step, so fewer steps are run and the time of all is calculated. */
const PLAIN_STEPS = 16;
const CONCURRENCIES = [1, 2, 4, 8];
const LONG_BENCH_STEPS = 300;
const LONG_BENCH_PART = 50;

/**
 * @param {Awaited<ReturnType<typeof openBenchLab>>} lab
 * @param {number} concurrency
 */
async function runWarm(lab, concurrency) {
  const provider = new GeminiCliProvider({ ...lab.config, transport: 'acp' });
  try {
    await runAll(STEPS, concurrency, async () => assertWritten(await provider.generate(PROMPT)));
  } finally {
    await provider.dispose();
  }
}

/**
 * Measures time, CPU and memory of a batch, up to the end of all its processes.
 * @param {() => Promise<void>} batch
 */
async function consume(batch) {
  const cpuBefore = cpuOfChildren();
  const memory = watchMemory();
  const ms = await timed(batch);
  return { ms, cpu: cpuOfChildren() - cpuBefore, memoryMb: memory.stop() };
}

/**
 * Measures forty steps on warm processes, including their cold start, against a process for each step.
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchWarmBatch() {
  const lab = await openBenchLab();
  /** @type {import('./report.mjs').Measurement[]} */
  const measurements = [];
  /** @type {Map<number, number>} */
  const warmMs = new Map();
  const scale = STEPS / PLAIN_STEPS;
  try {
    for (const concurrency of CONCURRENCIES) {
      const plain = await consume(() => runAll(PLAIN_STEPS, concurrency, () => lab.runPlain()));
      const warm = await consume(() => runWarm(lab, concurrency));
      warmMs.set(concurrency, warm.ms);
      const detail = `plain ${((plain.ms * scale) / 1000).toFixed(1)} s (calculated from ${PLAIN_STEPS} steps), warm ${(warm.ms / 1000).toFixed(1)} s`;
      measurements.push({
        name: `${STEPS} steps, ${concurrency} at a time: speed against plain gemini`,
        value: (plain.ms * scale) / warm.ms,
        unit: 'x',
        atLeast: concurrency === 1 ? 12 : 8,
        detail,
      });
      if (concurrency !== Math.max(...CONCURRENCIES)) continue;
      measurements.push(
        {
          name: 'CPU of plain gemini against the batch',
          value: (plain.cpu * scale) / warm.cpu,
          unit: 'x',
          atLeast: 12,
          detail: `plain ${(plain.cpu * scale).toFixed(0)} s, warm ${warm.cpu.toFixed(1)} s`,
        },
        {
          name: `memory of plain gemini against the batch, ${concurrency} at a time`,
          value: plain.memoryMb / warm.memoryMb,
          unit: 'x',
          atLeast: 5,
          detail: `plain ${plain.memoryMb.toFixed(0)} MB, warm ${warm.memoryMb.toFixed(0)} MB`,
        },
        {
          name: `time of ${concurrency} at a time against one at a time`,
          value: warm.ms / (warmMs.get(1) ?? Number.NaN),
          unit: 'x',
          atMost: 1,
          detail: '',
        },
      );
    }
  } finally {
    await lab.close();
  }
  return [...measurements, ...(await benchManySteps())];
}

/** Measures time and memory over many steps: agents keep their sessions in memory, so the pool must replace processes. */
async function benchManySteps() {
  const lab = await openBenchLab();
  const provider = new GeminiCliProvider({ ...lab.config, transport: 'acp' });
  /** @type {{ ms: number, memoryMb: number }[]} */
  const parts = [];
  try {
    assertWritten(await provider.generate(PROMPT));
    for (let part = 0; part < LONG_BENCH_STEPS / LONG_BENCH_PART; part++) {
      let memoryMb = 0;
      const ms = await timed(async () => {
        for (let step = 0; step < LONG_BENCH_PART; step++) {
          assertWritten(await provider.generate(PROMPT));
          memoryMb = Math.max(memoryMb, memoryBelow(process.pid));
        }
      });
      parts.push({ ms: ms / LONG_BENCH_PART, memoryMb });
    }
  } finally {
    await provider.dispose();
    await lab.close();
  }
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) throw new Error('The long bench has no parts');
  const show = (/** @type {'ms' | 'memoryMb'} */ key) =>
    parts.map((part) => part[key].toFixed(0)).join(', ');
  return [
    {
      name: `time per step: last ${LONG_BENCH_PART} of ${LONG_BENCH_STEPS} against the first`,
      value: last.ms / first.ms,
      unit: 'x',
      atMost: 1.3,
      detail: show('ms'),
    },
    {
      name: `memory: last ${LONG_BENCH_PART} of ${LONG_BENCH_STEPS} steps against the first`,
      value: last.memoryMb / first.memoryMb,
      unit: 'x',
      atMost: 1.3,
      detail: show('memoryMb'),
    },
  ];
}
