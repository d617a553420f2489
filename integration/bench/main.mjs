// npm run bench [-- --json] [-- --rounds 7] [-- --only import,cold]. Without --only, all benches run.
import { parseArgs } from 'node:util';
import { benchAiSdk } from './ai-sdk.mjs';
import { benchBatchRunner } from './batch-runner.mjs';
import { benchColdStep } from './cold-step.mjs';
import { benchCompileCache } from './compile-cache.mjs';
import { benchImportCost } from './import-cost.mjs';
import { benchLatency } from './latency.mjs';
import { benchManifest } from './manifest.mjs';
import { benchMcpCall } from './mcp-call.mjs';
import { benchModelBound } from './model-bound.mjs';
import { benchQueue } from './queue.mjs';
import { benchReading } from './reading.mjs';
import { benchRemoteAllow } from './remote-allow.mjs';
import { benchRemoteDeltas } from './remote-deltas.mjs';
import { benchRemoteHook } from './remote-hook.mjs';
import { benchRemoteIdle } from './remote-idle.mjs';
import { benchRemoteOpen } from './remote-open.mjs';
import { isReached, renderTable } from './report.mjs';
import { benchScale } from './scale.mjs';
import { benchSessions } from './sessions.mjs';
import { benchSlowGit } from './slow-git.mjs';
import { benchTelemetry } from './telemetry.mjs';
import { benchWarmBatch } from './warm-batch.mjs';
import { benchWarmStep } from './warm-step.mjs';

/** @type {Record<string, (rounds: number) => Promise<import('./report.mjs').Measurement[]>>} */
const BENCHES = {
  import: benchImportCost,
  cold: benchColdStep,
  cache: benchCompileCache,
  warm: benchWarmStep,
  batch: benchWarmBatch,
  floor: benchModelBound,
  latency: benchLatency,
  reading: benchReading,
  manifest: benchManifest,
  sessions: benchSessions,
  runner: benchBatchRunner,
  git: benchSlowGit,
  scale: benchScale,
  queue: benchQueue,
  'remote-allow': benchRemoteAllow,
  'remote-hook': benchRemoteHook,
  'remote-deltas': benchRemoteDeltas,
  'remote-idle': benchRemoteIdle,
  'remote-open': benchRemoteOpen,
  'ai-sdk': benchAiSdk,
  mcp: benchMcpCall,
  telemetry: benchTelemetry,
};

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string', default: Object.keys(BENCHES).join(',') },
  },
});
const rounds = Number(values.rounds);
const measurements = [];
for (const name of values.only.split(',')) {
  const bench = BENCHES[name];
  if (bench === undefined)
    throw new Error(
      `--only: unknown bench ${name}. Choose from ${Object.keys(BENCHES).join(', ')}`,
    );
  if (!values.json) console.error(`${name} …`);
  measurements.push(...(await bench(rounds)));
}
const report = measurements.map((measurement) => ({
  ...measurement,
  reached: isReached(measurement),
}));
console.log(values.json ? JSON.stringify(report, undefined, 2) : renderTable(measurements));
process.exitCode = report.every(({ reached }) => reached) ? 0 : 1;
