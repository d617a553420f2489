import { expect, it } from 'vitest';
import { manifestJson, reportJson } from '../../../src/batch/report/report-json.js';
import { aFile, anAttempt, aReport, aStep } from './report-builder.js';

const steps = [aStep('one', { text: 'two\nlines', attempts: [anAttempt(0, 1)] }), aStep('two')];

it('writes the same text as JSON.stringify', () => {
  for (const report of [aReport(steps), aReport([]), aReport(steps, { stop: undefined })]) {
    expect([...reportJson(report)].join('')).toBe(`${JSON.stringify(report, undefined, 2)}\n`);
  }
  const files = [{ ...aFile('a'), steps: ['one'], conflicts: [] }];
  expect([...manifestJson({ files })].join('')).toBe(
    `${JSON.stringify({ files }, undefined, 2)}\n`,
  );
});

it('writes a large report in pieces', () => {
  const many = Array.from({ length: 5_000 }, (_, n) => aStep(`s${n}`, { text: 'x'.repeat(500) }));
  const pieces = [...reportJson(aReport(many))];
  expect(pieces.length).toBeGreaterThan(5);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(300_000);
});
