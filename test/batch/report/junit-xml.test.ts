import { describe, expect, it } from 'vitest';
import type { ProviderErrorData } from '../../../src/api/error.js';
import { junitXml } from '../../../src/batch/report/junit-xml.js';
import { anAttempt, aReport, aStep, at } from './report-builder.js';

function errorOf(code: ProviderErrorData['code'], message: string): ProviderErrorData {
  const missing = [
    { kind: 'command' as const, message: '`npm test` exited with 1', detail: 'FAIL a' },
  ];
  return { name: 'ProviderError', code, message, hint: 'Try again.', retryable: false, missing };
}

function xmlOf(...args: Parameters<typeof aReport>): string {
  return [...junitXml(aReport(...args))].join('');
}

describe('junitXml', () => {
  const steps = [
    aStep('good', { text: 'Done.', durationMs: 1_234 }),
    aStep('unmet', { state: 'failed', error: errorOf('EXPECTATION_FAILED', 'Not met') }),
    aStep('late', { state: 'failed', error: errorOf('TIMEOUT', 'Too late') }),
    aStep('next', { state: 'skipped', skippedBecauseOf: 'late' }),
    aStep('rest', { state: 'pending' }),
  ];

  it('has a suite with counts and a case for each step', () => {
    const xml = xmlOf(steps);
    expect(xml).toContain(
      '<testsuite name="a batch" tests="5" failures="1" errors="1" skipped="2" time="600.000" timestamp="2025-03-03T09:00:00.000Z">',
    );
    expect(xml).toContain('<testcase name="good" classname="a batch" time="1.234">');
    expect(xml).toContain('<system-out>Done.</system-out>');
    expect(xml).toMatch(/<failure type="EXPECTATION_FAILED" message="Not met">`npm test` exited/);
    expect(xml).toContain('<error type="TIMEOUT" message="Too late">');
    expect(xml).toContain('<skipped message="skipped because of late"/>');
    expect(xml).toContain('<skipped message="pending"/>');
  });

  it('has the environment as properties', () => {
    const environment = {
      packageVersion: '1.2.3',
      nodeVersion: '20',
      host: 'h',
      platform: 'linux x64',
    };
    const xml = xmlOf(steps, { runs: [{ startedAt: at(0), endedAt: at(1), environment }] });
    expect(xml).toContain('<property name="packageVersion" value="1.2.3"/>');
    expect(xml).toContain(' hostname="h"');
  });

  it('contains no character that XML does not allow, and no markup of a text', () => {
    const hostile = '</system-out>]]><x a="b">&\u0000\u001b[31m\ud800\ufffe\r\n\u{1f600}';
    const xml = xmlOf([aStep(hostile, { text: hostile })], { name: hostile });
    expect(xml).not.toMatch(/[^\t\n\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u);
    expect(xml.match(/<x|]]>/g)).toBeNull();
    expect(xml.match(/<\/system-out>/g)).toHaveLength(1);
    expect(xml).toContain('&amp;\ufffd\ufffd[31m\ufffd\ufffd&#13;&#10;\u{1f600}');
  });

  it('cuts long texts', () => {
    expect(xmlOf([aStep('long', { text: 'a'.repeat(100_000) })]).length).toBeLessThan(10_000);
  });
});

it('a case of a queued step names the worker, the time in the queue and the workers that were lost', () => {
  const lost = [{ attempt: 1, worker: '<w1>', host: 'h' }];
  const job = { jobId: 'j', worker: 'w2', host: 'h', attempt: 2, waitMs: 9, lost };
  const attempts = [anAttempt(0, 5, { waitedMs: 1_500, job })];
  const xml = xmlOf([
    aStep('queued', { attempts }),
    aStep('local', { attempts: [anAttempt(0, 1)] }),
  ]);
  expect(xml).toContain(
    [
      '<properties>',
      '<property name="worker" value="w2"/>',
      '<property name="workerHost" value="h"/>',
      '<property name="jobId" value="j"/>',
      '<property name="queueSeconds" value="1.500"/>',
      '<property name="lostWorkers" value="&lt;w1&gt;"/>',
      '</properties>',
    ].join('\n'),
  );
  expect(xml.match(/<properties>/g)).toHaveLength(1);
});
