// node scale-host.mjs run|resume|report COUNT FOLDER. Tells its parent the time, the CPU time and the greatest memory of the phase.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runBatch } from 'gemini-cli-provider/batch';
import { rebuildReports } from '../../.build/batch/run/rebuild-reports.js';
import { scriptedResult, UNUSED_METHODS } from '../../test/batch/run/scripted-result.mjs';
import { timed } from './statistics.mjs';

const [phase = '', count = '0', folder = ''] = process.argv.slice(2);
const provider = {
  /** @param {string} prompt @param {import('gemini-cli-provider').GenerateContext} context */
  async *stream(prompt, context) {
    const tokens = { total: 7, input: 5, output: 2, cached: 0, thoughts: 0, tool: 0 };
    const result = scriptedResult({ text: prompt, files: [], tokens, context });
    yield { type: 'turn-complete', subtype: 'success', isError: false, result };
  },
  ...UNUSED_METHODS,
};
const steps = Array.from({ length: Number(count) }, (_, n) => ({ id: `s${n}`, prompt: `Do ${n}` }));
const out = join(folder, 'out');
const state = join(folder, 'state');
const workingDir = join(folder, 'work');
mkdirSync(workingDir, { recursive: true });

const ms = await timed(async () => {
  if (phase === 'report') {
    await rebuildReports(out, state);
    return;
  }
  const plan = { defaults: { workingDir, retries: 0 }, steps };
  // @ts-expect-error: the provider has only the members that a batch uses.
  const batch = runBatch(plan, { out, state, baseDir: workingDir, concurrency: 8, provider });
  const { counts, steps: reports } = await batch;
  const reused = reports.filter((step) => step.reused).length;
  const wanted = phase === 'resume' ? steps.length : 0;
  if (counts.succeeded !== steps.length || reused !== wanted) {
    throw new Error(`${counts.succeeded} steps have succeeded, ${reused} of them were reused`);
  }
});
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
process.send?.({ ms, cpuMs: (userCPUTime + systemCPUTime) / 1000, megabytes: maxRSS / 1024 });
