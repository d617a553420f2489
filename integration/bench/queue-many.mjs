import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startBenchWorkers } from './queue-lab.mjs';

const HOST = join(import.meta.dirname, 'queue-many-host.mjs');
const FEW = 1_000;
const MANY = 10_000;
/** With a small heap, V8 collects garbage early: what is measured is what the caller needs. The heap after a collection is what it keeps. */
const SMALL_HEAP = ['--max-old-space-size=48', '--expose-gc'];

/**
 * Measures 10,000 steps that do nothing against 1,000, on three workers: time and memory of the caller.
 * @param {import('./queue-lab.mjs').BenchStore} store
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchQueueMany(store) {
  const workingDir = await mkdtemp(join(tmpdir(), 'bench-many-'));
  const measure = async (/** @type {number} */ steps, /** @type {string[]} */ ...flags) => {
    const workers = await startBenchWorkers(store, 3, { concurrency: 20 });
    try {
      const options = { ...workers.queue, workspace: 'shared', config: { workingDir } };
      const args = [...flags, HOST, JSON.stringify(options), String(steps)];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      /** @type {{ ms: number, memoryMb: number, heapMb: number }} */
      const measured = JSON.parse(stdout);
      return measured;
    } finally {
      await workers.close();
    }
  };
  try {
    // The small one is measured before and after the large one: the machine may become slower meanwhile.
    const before = await measure(FEW);
    const many = await measure(MANY);
    const after = await measure(FEW);
    const fewSmall = await measure(FEW, ...SMALL_HEAP);
    const manySmall = await measure(MANY, ...SMALL_HEAP);
    const few = (before.ms + after.ms) / 2;
    const memoryMb = (before.memoryMb + after.memoryMb) / 2;
    const detail = `${FEW}: ${(few / 1000).toFixed(1)} s, ${memoryMb.toFixed(0)} MB; ${MANY}: ${(many.ms / 1000).toFixed(1)} s, ${many.memoryMb.toFixed(0)} MB`;
    return [
      {
        name: `${store.name}: ${MANY} steps that do nothing, against ${FEW}`,
        value: many.ms / few,
        unit: 'x',
        atMost: 12,
        detail,
      },
      {
        name: `${store.name}: memory of their caller in a heap of 48 MB`,
        value: manySmall.memoryMb / fewSmall.memoryMb,
        unit: 'x',
        atMost: 1.3,
        detail: `${fewSmall.memoryMb.toFixed(0)} MB, ${manySmall.memoryMb.toFixed(0)} MB`,
      },
      {
        name: `${store.name}: heap of their caller after a garbage collection at the end`,
        value: manySmall.heapMb / fewSmall.heapMb,
        unit: 'x',
        atMost: 1.3,
        detail: `${fewSmall.heapMb.toFixed(1)} MB, ${manySmall.heapMb.toFixed(1)} MB`,
      },
      {
        name: `${store.name}: memory of their caller in a heap without a limit`,
        value: many.memoryMb / memoryMb,
        unit: 'x',
        detail,
      },
    ];
  } finally {
    await rm(workingDir, { recursive: true, force: true });
  }
}
