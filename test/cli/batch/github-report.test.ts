import { describe, expect, it } from 'vitest';
import type { ProviderErrorData } from '../../../src/api/error.js';
import { describeCost } from '../../../src/base/usage/describe-cost.js';
import { estimateCost } from '../../../src/base/usage/estimate-cost.js';
import { githubAnnotations, githubSummary } from '../../../src/cli/batch/github-report.js';
import { aReport, aStep, at, usageOf } from '../../batch/report/report-builder.js';

const error: ProviderErrorData = {
  name: 'ProviderError',
  code: 'TIMEOUT',
  message: '100 % late\r\n::error::forged',
  hint: '',
  retryable: true,
};
const environment = {
  packageVersion: '1',
  nodeVersion: '20',
  host: 'h',
  platform: 'linux x64',
  planFile: '/repo/plans/all.yaml',
};
const runs = [{ startedAt: at(0), endedAt: at(1), environment }];

describe('annotations of GitHub Actions', () => {
  it('name plan, step and error, and cannot be forged by a text', () => {
    const report = aReport([aStep('a[x:1,y]', { state: 'failed', error }), aStep('b')], {
      runs,
      warnings: [{ code: 'SAME_FILE', message: 'Two steps', steps: [] }],
      stop: { reason: 'maxFailures', message: 'One step failed' },
    });
    expect(githubAnnotations(report, '/repo').split('\n')).toEqual([
      '::error file=plans/all.yaml,title=a[x%3A1%2Cy]::TIMEOUT: 100 %25 late%0D%0A::error::forged',
      '::warning file=plans/all.yaml,title=Batch stopped%3A maxFailures::One step failed',
      '::warning file=plans/all.yaml,title=SAME_FILE::Two steps',
      '',
    ]);
    expect(githubAnnotations(report, '/other')).toMatch(/^::error title=a/);
  });

  it('are at most ten errors, the last of which counts the others', () => {
    const steps = Array.from({ length: 25 }, (_, n) => aStep(`s${n}`, { state: 'failed', error }));
    const lines = githubAnnotations(aReport(steps), undefined).trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toMatch(/^::error title=16 more::16 more\./);
  });
});

describe('annotations without all facts', () => {
  it('have no properties where nothing is known, and a message without an error', () => {
    const failed = aReport([aStep('', { state: 'failed' })]);
    expect(githubAnnotations(failed, '/repo')).toBe('::error title=::The step failed\n');
    expect(githubAnnotations(aReport([aStep('a')], { runs }), '/repo')).toBe('');
    const elsewhere = aReport([aStep('a', { state: 'failed', error })], { runs });
    expect(githubAnnotations(elsewhere, '')).toMatch(/^::error title=a::/);
  });
});

describe('the summary of a job', () => {
  it('has the stop and the price, and leaves out what is not known', () => {
    const stop = { reason: 'maxCost', message: 'Enough | spent' } as const;
    const usage = usageOf({ 'gemini-2.5-flash': 1_000_000 });
    const steps = [aStep('', { state: 'failed', usage })];
    const cost = estimateCost(usage);
    const summary = githubSummary(aReport(steps, { name: '', stop, cost, outcome: 'stopped' }));
    expect(summary).toContain('### : stopped');
    expect(summary).toContain('Stopped: <code>Enough &#124; spent</code>');
    expect(summary).toContain('|  |  |  |');
    expect(summary).toContain(`1 failed · 1000000 tokens · ${describeCost(cost)}`);
    expect(githubSummary(aReport([aStep('a')]))).not.toContain('failed step');
  });

  it('lists failed steps, and shows their texts as code', () => {
    const step = aStep('a|<b>`[x](y)', { state: 'failed', error });
    const summary = githubSummary(aReport([step, aStep('ok')]));
    expect(summary).toContain('1 succeeded · 1 failed');
    expect(summary).toContain('| <code>a&#124;&#60;b&#62;&#96;&#91;x&#93;(y)</code> | TIMEOUT |');
  });

  it('is bounded', () => {
    const steps = Array.from({ length: 5_000 }, (_, n) =>
      aStep(`s${n}`, { state: 'failed', error }),
    );
    const summary = githubSummary(aReport(steps));
    expect(summary.length).toBeLessThan(256 * 1024 + 10);
    expect(summary).toContain('4900 more failed steps.');
  });
});
