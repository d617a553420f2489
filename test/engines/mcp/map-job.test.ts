import { describe, expect, it } from 'vitest';
import type { DeniedTool } from '../../../src/api/tool.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { estimateCost } from '../../../src/base/usage/estimate-cost.js';
import { Job, type JobOutcome, type JobTool } from '../../../src/engines/mcp/job.js';
import { mapJob } from '../../../src/engines/mcp/map-job.js';
import { aFile, aReport, aStep, usageOf } from '../../batch/report/report-builder.js';
import { resultOf } from '../ai-sdk/fake-steps.js';

const DENIED: DeniedTool = {
  tool: 'write_file',
  toolId: 'call-1',
  reason: 'policy',
  message: 'no',
  hint: 'allow it',
};
const shout = (hint: string): string => hint.toUpperCase();

async function map(outcome: JobOutcome, tool: JobTool = 'gemini_edit') {
  const job = new Job({ tool, cwd: '/work', run: async () => outcome });
  await job.run();
  return mapJob(job, shout);
}

describe('the result of a job', () => {
  it('that waits has an activity, and nothing else', () => {
    const job = new Job({ tool: 'gemini_ask', cwd: '/work', run: async () => ({}) });
    expect(mapJob(job, shout)).toEqual({
      jobId: job.id,
      tool: 'gemini_ask',
      state: 'waiting',
      cwd: '/work',
      elapsedMs: expect.any(Number),
      activity: 'waiting for other jobs',
      resources: undefined,
    });
  });

  it('has texts, differences and lists that are cut to their limits', async () => {
    const files = Array.from({ length: 103 }, (_, index) =>
      aFile(`f${index}`, { diff: index < 5 ? 'd'.repeat(5_000) : undefined }),
    );
    const output = resultOf({ text: 'x'.repeat(30_000), files });
    const deniedTools = Array.from({ length: 30 }, () => DENIED);
    const mapped = await map({
      output: { ...output, deniedTools, data: { a: 'y'.repeat(20_000) } },
    });
    expect(mapped.text).toHaveLength(20_000);
    expect(mapped).toMatchObject({ isTextCut: true, data: undefined, moreFiles: 3 });
    expect(mapped.files).toHaveLength(100);
    expect(mapped.files?.map(({ diff }) => diff?.length ?? 0).slice(0, 6)).toEqual([
      4_000, 4_000, 4_000, 4_000, 0, 0,
    ]);
    expect(mapped.files?.[4]).toMatchObject({ isDiffCut: true });
    expect(mapped.deniedTools).toHaveLength(20);
    expect(mapped.deniedTools?.[0]?.hint).toBe('ALLOW IT');
  });

  it('tells a question that it changes nothing, in the place of a flag', async () => {
    const mapped = await map({ output: resultOf({ deniedTools: [DENIED] }) }, 'gemini_ask');
    expect(mapped.deniedTools?.[0]?.hint).toBe('gemini_ask changes nothing: use gemini_edit.');
  });

  it('has data, price and usage where they are known', async () => {
    const usage = usageOf({ 'gemini-2.5-flash': 100 });
    const cost = estimateCost(usage);
    const mapped = await map({ output: { ...resultOf({ usage, cost }), data: [1] } });
    expect(mapped).toMatchObject({
      data: [1],
      isTextCut: undefined,
      moreFiles: undefined,
      usage: { total: 100 },
      cost: { usd: cost.usd, unknownModels: [] },
    });
    expect(mapped.usage).not.toHaveProperty('models');
    const { usage: _, ...unknown } = resultOf();
    const without = await map({ output: { ...unknown, usage: undefined } });
    expect([without.usage, without.cost]).toEqual([undefined, undefined]);
  });

  it('has the error with its hint for a server that is started with flags', async () => {
    const error = new ProviderError({
      code: 'EXPECTATION_FAILED',
      message: 'm'.repeat(600),
      hint: 'raise it',
      missing: [{ kind: 'files', message: 'a.txt is missing' }],
    }).toJSON();
    const mapped = await map({ error });
    expect(mapped.state).toBe('failed');
    expect(mapped.error).toMatchObject({
      code: 'EXPECTATION_FAILED',
      hint: 'RAISE IT',
      missing: ['a.txt is missing'],
    });
    expect(mapped.error?.message).toHaveLength(501);
  });

  it('of a batch has failed steps first, and says how many are left out', async () => {
    const error = new ProviderError({ code: 'TIMEOUT', message: 'late' }).toJSON();
    const steps = [
      ...Array.from({ length: 51 }, (_, index) => aStep(`s${index}`)),
      aStep('bad', { state: 'failed', error, text: 'partial' }),
    ];
    const stop = { reason: 'maxFailures', message: 'One step failed' } as const;
    const cost = estimateCost(usageOf({ 'gemini-2.5-flash': 100 }));
    const warnings = [{ code: 'SAME_FILE' as const, message: 'Two steps', steps: [] }];
    const report = aReport(steps, {
      stop,
      cost,
      warnings,
      files: [{ ...aFile('a.txt'), steps: [], conflicts: [] }],
    });
    const mapped = await map({ batch: report }, 'gemini_batch');
    expect(mapped.batch?.steps).toHaveLength(50);
    expect(mapped.batch?.steps[0]).toEqual({
      id: 'bad',
      state: 'failed',
      files: 0,
      error: 'TIMEOUT: late',
      text: 'partial',
    });
    expect(mapped.batch).toMatchObject({ moreSteps: 2, stop: 'One step failed' });
    expect(mapped.warnings).toEqual([{ code: 'SAME_FILE', message: 'Two steps' }]);
    expect(mapped.cost?.usd).toBe(cost.usd);
    const small = await map({ batch: aReport([aStep('a')]) }, 'gemini_batch');
    expect(small.batch).toMatchObject({ moreSteps: undefined, stop: undefined });
    expect(small.cost).toBeUndefined();
  });
});
