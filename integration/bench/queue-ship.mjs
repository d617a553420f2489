import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QueuedProvider } from 'gemini-cli-provider/queue';
import { assertWritten, openBenchLab, PROMPT } from './lab.mjs';
import { startBenchWorkers } from './queue-lab.mjs';
import { median, pairedRatio, timed } from './statistics.mjs';

const FILES = 5_000;
/** Each step has two model calls: two seconds in all. */
const LATENCY_MS = 1_000;

/**
 * Measures a step whose folder is shipped against the same step on a shared folder. The worker knows the base, and ten lines have
 * changed since.
 * @param {import('./queue-lab.mjs').BenchStore} store
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement>}
 */
export async function benchQueueShip(store, rounds) {
  const lab = await openBenchLab(LATENCY_MS);
  const workingDir = await makeRepository();
  const gemini = { ...lab.config, workingDir, transport: 'acp' };
  const workers = await startBenchWorkers(store, 1, { gemini });
  const config = { workingDir };
  const shared = new QueuedProvider({ ...workers.queue, workspace: 'shared', config });
  const ship = new QueuedProvider({ ...workers.queue, workspace: 'ship', config });
  /** @type {{ shared: number[], ship: number[] }} */
  const times = { shared: [], ship: [] };
  const run = async (/** @type {QueuedProvider} */ provider) => {
    await rm(join(workingDir, 'a.txt'), { force: true });
    return timed(async () => assertWritten(await provider.generate(PROMPT)));
  };
  try {
    for (const provider of [shared, ship, ship]) await run(provider);
    for (let round = 0; round < rounds; round++) {
      const lines = Array.from({ length: 10 }, (_, line) => `// ${round} ${line}`);
      writeFileSync(join(workingDir, 'd0', 'f0.ts'), lines.join('\n'));
      times.shared.push(await run(shared));
      times.ship.push(await run(ship));
    }
  } finally {
    await Promise.all([shared.dispose(), ship.dispose()]);
    await workers.close();
    await lab.close();
    await rm(workingDir, { recursive: true, force: true });
  }
  return {
    name: `${store.name}: a step on a shipped folder of ${FILES} files, against a shared folder`,
    value: pairedRatio(times.ship, times.shared),
    unit: 'x',
    atMost: 1.4,
    detail: `shared ${median(times.shared).toFixed(0)} ms, shipped ${median(times.ship).toFixed(0)} ms`,
  };
}

async function makeRepository() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-ship-'));
  for (let file = 0; file < FILES; file++) {
    const directory = join(folder, `d${file % 50}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `f${file}.ts`), `export const a${file} = ${file};\n`.repeat(60));
  }
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', ['-C', folder, ...args]);
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'base');
  return folder;
}
