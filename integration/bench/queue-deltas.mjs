import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QueuedProvider } from 'gemini-cli-provider/queue';
import { startBenchWorkers } from './queue-lab.mjs';
import { median } from './statistics.mjs';

const TICKS = 5_000;

/**
 * Measures the way of text deltas from a worker to the caller, at 1,000 deltas a second. The text of the deltas has their number and time.
 * @param {import('./queue-lab.mjs').BenchStore} store
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchQueueDeltas(store) {
  const workers = await startBenchWorkers(store, 1);
  const workingDir = await mkdtemp(join(tmpdir(), 'bench-deltas-'));
  const provider = new QueuedProvider({
    ...workers.queue,
    workspace: 'shared',
    config: { workingDir },
  });
  const latencies = [];
  let streamed = '';
  let text = '';
  try {
    for await (const event of provider.stream(`ticks=${TICKS}`)) {
      if (event.type === 'turn-complete') text = event.result?.text ?? '';
      if (event.type !== 'text-delta') continue;
      streamed += event.text;
      const now = performance.timeOrigin + performance.now();
      for (const [, at] of event.text.matchAll(/\d+:([\d.]+);/g)) latencies.push(now - Number(at));
    }
  } finally {
    await provider.dispose();
    await workers.close();
    await rm(workingDir, { recursive: true, force: true });
  }
  if (streamed !== text) throw new Error(`${store.name}: the deltas are not the text`);
  const numbers = [...streamed.matchAll(/ (\d+):/g)].map(([, number]) => Number(number));
  const inOrder = numbers.filter((number, index) => number === index).length;
  const sorted = latencies.toSorted((a, b) => a - b);
  return [
    {
      name: `${store.name}: a text delta from worker to caller, 1,000 a second`,
      value: median(latencies),
      unit: 'ms',
      atMost: 100,
      detail: `90 % within ${sorted[Math.floor(sorted.length * 0.9)]?.toFixed(0)} ms`,
    },
    {
      name: `${store.name}: deltas that arrive, each once and in order`,
      value: inOrder / TICKS,
      unit: 'of all',
      atLeast: 1,
      detail: `${inOrder} of ${TICKS}`,
    },
  ];
}
