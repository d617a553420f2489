import { expect, it } from 'vitest';
import type { ManifestFile } from '../../../../src/api/manifest.js';
import { packFile, packStep } from '../../../../src/batch/report/packed/pack-step.js';
import { unpackReport } from '../../../../src/batch/report/packed/unpack-report.js';
import { aFile, anAttempt, aReport, aStep, at, usageOf } from '../report-builder.js';

const origin = { startMs: Date.parse(at(0)), root: '/app/' };

/** Packs steps as the page has them, and unpacks them. The page gets them as JSON. */
function roundTrip(steps: ReturnType<typeof aStep>[]) {
  const { steps: _, files: __, ...report } = aReport(steps);
  const packed = steps.map((step) => packStep(step, origin, []));
  const files = steps
    .flatMap((step) => step.files)
    .map((file: ManifestFile) => packFile(file, origin));
  return unpackReport(JSON.parse(JSON.stringify({ report, steps: packed, files, root: '/app/' })));
}

it('gives every property of a step back', () => {
  const step = aStep('convert[a]', {
    planId: 'other',
    needs: ['types'],
    folder: 'packages/a',
    state: 'failed',
    skippedBecauseOf: 'types',
    skip: { reason: 'need', message: 'types failed', stepId: 'types' },
    continueOnError: true,
    reused: true,
    isolation: 'worktree',
    prompt: 'go',
    attempts: [
      anAttempt(1, 5, {
        outcome: 'TIMEOUT',
        message: 'late',
        repairs: 2,
        lane: 3,
        usage: usageOf({ flash: 5 }),
      }),
      anAttempt(6, 9, {
        number: 4,
        mergedAt: at(12),
        waitedMs: 7,
        reason: 'retry',
        model: 'pro',
        sessionId: 's',
      }),
    ],
    durationMs: 7_000,
    waitMs: 3_000,
    text: 'answer',
    data: { ok: true },
    files: [
      aFile('src/a.ts', { kind: 'created', confirmed: false, outsideWorkspace: true, bytes: 0 }),
      aFile('b.ts', { absolutePath: '/elsewhere/b.ts', tools: [], toolIds: [] }),
    ],
    usage: usageOf({ flash: 5 }),
    model: 'pro',
    generationId: 'g',
    sessionId: 's',
    deniedTools: [],
    warnings: [],
    expectations: [{ kind: 'files', name: 'a.ts', passed: true }],
    commit: 'abc',
  });
  const [found] = roundTrip([step]).steps;
  const plain = JSON.parse(JSON.stringify(found));
  // The ids of tool calls are not shown on the page.
  const files = step.files.map((file) => ({ ...file, toolIds: [] }));
  expect(plain).toEqual(JSON.parse(JSON.stringify({ ...step, files })));
});

it('fills in what a plain step leaves out', () => {
  const steps = [aStep('a'), aStep('b', { attempts: [anAttempt(0, undefined)] })];
  const report = roundTrip(steps);
  expect(JSON.parse(JSON.stringify(report.steps[0]))).toEqual(JSON.parse(JSON.stringify(steps[0])));
  expect(report.steps[1]).toMatchObject({ id: 'b', planId: 'b', state: 'succeeded', needs: [] });
  expect(report.files).toEqual([]);
});
