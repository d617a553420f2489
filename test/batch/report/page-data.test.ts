import { describe, expect, it } from 'vitest';
import type { BatchReport } from '../../../src/api/batch-report.js';
import type { StepOutput } from '../../../src/api/result.js';
import { unpackReport } from '../../../src/batch/report/packed/unpack-report.js';
import { type PageExtras, serializePage } from '../../../src/batch/report/page-data.js';
import { aFile, aReport, aStep } from './report-builder.js';

const partial: StepOutput = {
  generationId: 'generation-1',
  text: 'so far',
  files: [aFile('a.ts')],
  deniedTools: [],
  warnings: [],
  usage: undefined,
  sessionId: undefined,
  model: undefined,
  durationMs: 1,
  transport: 'headless',
  cliVersion: undefined,
  recovered: false,
  repairs: 0,
};
const error = {
  name: 'ProviderError',
  code: 'TIMEOUT',
  message: 'Too late.',
  hint: '',
  retryable: true,
  partial,
} as const;

function serialize(report: BatchReport, extras?: PageExtras): string {
  return [...serializePage(report, extras)].join('');
}

/** Returns the report as the page gets it. Values that are undefined are left out, as in JSON. */
function throughPage(report: BatchReport): BatchReport {
  return JSON.parse(JSON.stringify(unpackReport(JSON.parse(serialize(report)))));
}

describe('serializePage', () => {
  it('returns the whole report as JSON', () => {
    const report = aReport([aStep('one', { prompt: 'Do it.', data: { a: [1, null] } })]);
    expect(throughPage(report)).toEqual(JSON.parse(JSON.stringify(report)));
  });

  it('makes paths of tool calls relative to the folder of the files', () => {
    const report = aReport([aStep('one', { files: [aFile('src/a.ts')] })], {
      files: [{ ...aFile('src/a.ts'), steps: ['one'], conflicts: [] }],
    });
    const call = (summary: string) =>
      ({ kind: 'tool', tool: 'write_file', summary, verdict: 'completed' }) as const;
    const entries = ['/app/src/a.ts', '/other/b.ts', 'cat /app/src/a.ts'].map(call);
    const transcripts = new Map([['one', { entries, isCut: false }]]);
    const shown = JSON.parse(serialize(report, { transcripts })).transcripts[0].entries;
    expect(shown.map(({ summary }: { summary: string }) => summary)).toEqual([
      'src/a.ts',
      '/other/b.ts',
      'cat /app/src/a.ts',
    ]);
  });

  it('keeps that the last run has left out a step', () => {
    const report = aReport([aStep('one', { state: 'failed', leftOut: true })]);
    expect(throughPage(report).steps[0]).toMatchObject({ id: 'one', leftOut: true });
  });

  it('keeps whether a failure of a step matters', () => {
    const report = aReport([aStep('one', { state: 'failed', continueOnError: true })]);
    expect(throughPage(report).steps[0]).toMatchObject({ id: 'one', continueOnError: true });
  });

  it.each([
    '</script>',
    '<!--<script>',
    ']]>',
    'a\u2028b\u2029c',
    '\ud800 alone',
    '"\'\\`',
    '\u0000\u202e',
  ])('escapes %j so that it cannot leave the script element', (text) => {
    const json = serialize(aReport([aStep(text, { prompt: text, data: { [text]: text } })]));
    expect(json).not.toMatch(/[<\u2028\u2029]/);
    expect(JSON.parse(json).steps[0]).toMatchObject({ id: text, data: { [text]: text } });
  });

  it('leaves out of the error what its step has as well', () => {
    const step = aStep('one', { state: 'failed', text: 'all', files: [aFile('a.ts')], error });
    const { steps } = JSON.parse(serialize(aReport([step])));
    expect(steps[0].error.partial).toMatchObject({ text: '', files: [] });
    expect(steps[0]).toMatchObject({ text: 'all', files: [{ path: 'a.ts' }] });
  });

  it('keeps the text and the files that only the error has', () => {
    const step = aStep('one', { state: 'failed', error });
    const { steps } = JSON.parse(serialize(aReport([step])));
    expect(steps[0].error.partial).toMatchObject({ text: 'so far', files: [{ path: 'a.ts' }] });
  });
});
