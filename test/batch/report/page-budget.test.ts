import { expect, it } from 'vitest';
import { fitSteps } from '../../../src/batch/report/page-budget.js';
import { aFile, aStep } from './report-builder.js';

const MEGABYTE = 1024 * 1024;

it('keeps small steps as they are', () => {
  const step = aStep('one', {
    prompt: 'p',
    text: 't',
    data: { a: 1 },
    files: [aFile('a', { diff: 'd' })],
  });
  expect(fitSteps([step]).get(step)).toEqual({ step, cut: [] });
});

it('shortens the texts of a large batch: failed steps keep theirs', () => {
  const text = 'x'.repeat(MEGABYTE / 8);
  const steps = Array.from({ length: 300 }, (_, n) => {
    const files = [aFile(`f${n}`, { diff: text })];
    return aStep(`s${n}`, {
      state: n === 299 ? 'failed' : 'succeeded',
      prompt: text,
      text,
      data: [text],
      files,
    });
  });
  const fitted = fitSteps(steps);
  const failed = steps.at(-1);
  const first = steps[0];
  if (failed === undefined || first === undefined) throw new Error('There are 300 steps');
  expect(fitted.get(failed)?.cut).toEqual([]);
  const all = [...fitted.values()].map(({ step }) => step);
  const size = all.reduce((sum, step) => sum + JSON.stringify(step).length, 0);
  expect(size).toBeLessThan(50 * MEGABYTE);
  const last = fitted.get(steps[298] ?? first);
  expect(last?.cut).toEqual(['prompt', 'text', 'data', 'diffs']);
  expect(last?.step.prompt).toHaveLength(300);
});

it('leaves less room for the texts and diffs of very many steps, so that their page still opens', () => {
  const steps = Array.from({ length: 100_000 }, (_, n) => {
    const diff = 'd'.repeat(200);
    return aStep(`s${n}`, { prompt: 'p'.repeat(200), files: [aFile(`f${n}`, { diff })] });
  });
  const all = [...fitSteps(steps).values()].map(({ step }) => step);
  const sum = (sizeOf: (step: (typeof all)[number]) => number) => {
    return all.reduce((size, step) => size + sizeOf(step), 0);
  };
  expect(sum(({ prompt = '' }) => prompt.length)).toBeLessThanOrEqual(6 * MEGABYTE);
  expect(sum(({ files }) => files[0]?.diff?.length ?? 0)).toBeLessThanOrEqual(4 * MEGABYTE);
});
