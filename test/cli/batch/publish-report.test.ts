import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { publishReport } from '../../../src/cli/batch/publish-report.js';
import { type Output, PLAIN } from '../../../src/cli/output/output.js';
import { aReport, aStep } from '../../batch/report/report-builder.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const report = aReport([
  aStep('a', {
    state: 'failed',
    error: { name: 'ProviderError', code: 'TIMEOUT', message: 'late', hint: '', retryable: true },
  }),
]);

function createRecorder() {
  const texts = { stdout: '', stderr: '' };
  const printer = (name: keyof typeof texts) => ({
    paint: PLAIN,
    terminal: undefined,
    write: async (text: string) => {
      texts[name] += text;
    },
    writeExact: async (text: string) => {
      texts[name] += text;
    },
  });
  const broken = new AbortController().signal;
  const printers = { stdout: printer('stdout'), stderr: printer('stderr') };
  const output: Output = { ...printers, broken, ignoresHangup: false, isShared: false };
  return { texts, output };
}

it('prints nothing and writes nothing unless asked', async () => {
  const { texts, output } = createRecorder();
  await publishReport(report, {}, {}, output);
  await publishReport(report, { githubAnnotations: false }, { GITHUB_ACTIONS: 'true' }, output);
  expect(texts).toEqual({ stdout: '', stderr: '' });
});

it('annotates on GitHub, on stderr if stdout holds JSON lines, and appends the summary', async () => {
  const { texts, output } = createRecorder();
  const summary = join(makeFolder({ 'summary.md': 'before\n' }), 'summary.md');
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  await publishReport(report, {}, env, output);
  expect(texts.stdout).toContain('::error title=a::TIMEOUT: late');
  expect(readFileSync(summary, 'utf8')).toMatch(/^before\n[\s\S]+a/);
  await publishReport(report, { json: true, githubAnnotations: true }, {}, output);
  expect(texts.stderr).toContain('::error title=a::TIMEOUT: late');
});

it('goes on without a summary that cannot be written', async () => {
  const { texts, output } = createRecorder();
  const env = { GITHUB_STEP_SUMMARY: join(makeFolder(), 'missing', 'summary.md') };
  await publishReport(report, { githubAnnotations: true }, env, output);
  expect(texts.stderr).toContain('The job summary was not written: ');
});

it('writes JUnit XML into a new folder, and names a file that cannot be written', async () => {
  const { output } = createRecorder();
  const folder = makeFolder({ file: '' });
  const junit = join(folder, 'new', 'junit.xml');
  await publishReport(report, { junit }, {}, output);
  expect(readFileSync(junit, 'utf8')).toContain('<testsuite');
  const wrong = join(folder, 'file', 'junit.xml');
  await expect(publishReport(report, { junit: wrong }, {}, output)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: `Cannot write the JUnit report to ${wrong}`,
  });
  expect(existsSync(wrong)).toBe(false);
});
