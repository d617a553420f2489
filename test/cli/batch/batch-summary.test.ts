import { expect, it } from 'vitest';
import type { StepReport } from '../../../src/api/step-report.js';
import { ERROR_CODES } from '../../../src/base/errors/codes.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { buildReport } from '../../../src/batch/ledger/build-report.js';
import { LedgerFold } from '../../../src/batch/ledger/fold-ledger.js';
import { describeStep } from '../../../src/cli/batch/batch-lines.js';
import { describeReport } from '../../../src/cli/batch/batch-summary.js';
import { PLAIN } from '../../../src/cli/output/output.js';
import { date, RECORDED } from '../../batch/ledger/record-ledger.js';

const fold = new LedgerFold();
for (const entry of date(RECORDED)) fold.accept(entry);
const report = buildReport(fold);
const options = { pageFile: '/out/report.html', paint: PLAIN };

function step(id: string, more: Partial<StepReport>): StepReport {
  const [first] = report.steps;
  if (first === undefined) throw new Error('no step');
  return { ...first, id, reused: false, ...more };
}
const error = new ProviderError({ code: 'TOOL_FAILED', message: 'it\u001b[31m broke' }).toJSON();

it('the summary ends with the outcome, the reason of the stop and the report file', () => {
  const numbers =
    '2 of 3 steps succeeded · 1 reused · 1 cancelled · 1 file · 15 tokens · cost unknown (no price of m) · 14.0 s (the steps worked 4.0 s)';
  expect(describeReport(report, options)).toBe(
    `stopped: ${numbers}\n→ stop\nReport: /out/report.html`,
  );
});

it('the summary counts steps whose changes wait for the next run', () => {
  const steps = [step('a', { state: 'merging' }), step('b', {})];
  const text = describeReport({ ...report, steps }, options);
  expect(text).toMatch(/^stopped: 1 of 2 steps succeeded · 1 saved and not merged · /);
  expect(describeStep(step('a', { state: 'merging' }), PLAIN)).toBe(
    '- a finished and saved: the next run merges it',
  );
});

it('the summary names the command that resumes the batch, unless all steps have succeeded', () => {
  const resumeCommand = 'gemini-cli-provider batch p.yaml';
  const lines = (outcome: 'failed' | 'succeeded') =>
    describeReport({ ...report, outcome }, { ...options, resumeCommand }).split('\n');
  expect(lines('failed').at(-1)).toBe(`Resume: ${resumeCommand}`);
  expect(lines('succeeded').at(-1)).toBe('Report: /out/report.html');
});

it('the summary repeats the first failures, each with its whole hint', () => {
  const hint = `${'Read this. '.repeat(30)}Then do this.`;
  const failed = step('a', { state: 'failed', error: { ...error, hint } });
  const counts = { ...report.counts, succeeded: 0, failed: 12, cancelled: 0 };
  const steps = Array.from({ length: 12 }, () => failed);
  const lines = describeReport({ ...report, counts, steps }, options).split('\n');
  expect(lines.slice(0, 2)).toEqual(['✗ a TOOL_FAILED it broke', `  ${hint}`]);
  expect(lines[20]).toBe('  and 2 more failures');
  expect(lines[21]).toMatch(/^stopped: 0 of 12 steps succeeded · 12 failed · 1 file · 15 tokens/);
});

it('the summary has flags in hints, what they refer to, and a remark on flags', () => {
  const failure = new ProviderError({
    code: 'EXPECTATION_FAILED',
    message: 'not met',
    sessionId: 's',
    missing: [{ kind: 'files', message: 'a.txt was not written.' }],
  }).toJSON();
  const stop = {
    reason: 'UNTRUSTED_WORKSPACE',
    message: `No. ${ERROR_CODES.UNTRUSTED_WORKSPACE.hint}`,
  } as const;
  const steps = [step('a', { state: 'failed', error: failure })];
  const lines = describeReport({ ...report, steps, stop }, options).split('\n');
  expect(lines.slice(0, 4)).toEqual([
    '✗ a EXPECTATION_FAILED not met',
    expect.stringMatching(
      /^ {2}See the unmet expectations below\. Raise `--repair` .*run --resume s`/,
    ),
    '    Missing: a.txt was not written.',
    '  Flags apply to steps for which the plan does not set the same key.',
  ]);
  expect(lines.at(-2)).toMatch(/^→ No\. Set `--trust-workspace` if/);
});

it('the summary of a part of the plan is about the selected steps, and counts the others', () => {
  const skip = { reason: 'selection', message: 'left out' } as const;
  const steps = [
    step('a', { state: 'succeeded', reused: true }),
    step('b', { state: 'failed', error, leftOut: true }),
    step('c', { state: 'skipped', skippedBecauseOf: 'b', leftOut: true }),
    step('d', { state: 'skipped', skip, leftOut: true }),
    step('e', { state: 'succeeded', leftOut: true }),
  ];
  const [line = '', ...rest] = describeReport(
    { ...report, steps, outcome: 'succeeded', stop: undefined },
    options,
  ).split('\n');
  expect(line).toMatch(
    /^succeeded: 1 selected step · 1 reused · 4 not selected \(1 succeeded, 1 failed, 1 skipped in earlier runs\) · 1 file/,
  );
  expect(rest).toEqual(['Report: /out/report.html']);
});

it('the summary groups skipped steps by their reason', () => {
  const skipped = (id: string, skippedBecauseOf: string) =>
    step(id, { state: 'skipped', skippedBecauseOf });
  const message = '`when` is false';
  const steps = [
    ...['b', 'c', 'd', 'e'].map((id) => skipped(id, 'a')),
    skipped('g', 'f\u001b[2J'),
    step('h', { state: 'skipped', skip: { reason: 'condition', message } }),
  ];
  expect(
    describeReport({ ...report, steps }, options)
      .split('\n')
      .slice(0, 3),
  ).toEqual([
    '- 4 skipped because a failed: b, c, d and 1 more',
    '- 1 skipped because f failed: g',
    '- 1 skipped: `when` is false: h',
  ]);
  const many = Array.from({ length: 9 }, (_, n) => skipped(`s${n}`, `x${n}`));
  expect(describeReport({ ...report, steps: many }, options).split('\n')[5]).toBe(
    '- and steps that were skipped for 4 other reasons',
  );
});

it('the summary tells the time of work from that of waiting', () => {
  const steps = [
    step('a', { durationMs: 61_000, waitMs: 0 }),
    step('b', { durationMs: 1000, waitMs: 12_300 }),
  ];
  const text = describeReport({ ...report, steps }, options);
  expect(text).toContain('14.0 s (the steps worked 1 min 2 s, waited 12.3 s)');
  const idle = steps.map((one) => ({ ...one, durationMs: 0, waitMs: 0 }));
  expect(describeReport({ ...report, steps: idle }, options)).toMatch(/ · 14\.0 s$/m);
});
