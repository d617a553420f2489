import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import type { BatchPlan } from '../../../src/api/batch-plan.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { type Answer, type Call, createScriptedProvider } from './scripted-provider.js';

const SCRIPT = `
import { existsSync, writeFileSync } from 'node:fs';
const of = (name) => process.env['GEMINI_CLI_PROVIDER_BATCH_' + name];
const names = ['NAME', 'OUTCOME', 'OUT', 'REPORT_JSON', 'REPORT_HTML', 'SUCCEEDED', 'FAILED', 'SKIPPED', 'TOTAL', 'TOKENS'];
const values = Object.fromEntries(names.map((name) => [name, of(name)]));
const hasReports = existsSync(of('REPORT_JSON')) && existsSync(of('REPORT_HTML'));
writeFileSync('told.json', JSON.stringify({ ...values, hasReports, args: process.argv.slice(2) }));
console.log('told \\u001b[31mthem');
console.error('and more');
`;

function openLab(answer: (call: Call) => Answer | Promise<Answer>) {
  const folder = makeTree({ 'tell.mjs': SCRIPT, 'work/a.txt': 'a' });
  const out = join(makeTree(), 'out');
  const provider = createScriptedProvider(answer);
  const begin = (plan: Partial<BatchPlan> & Pick<BatchPlan, 'steps'>, options = {}) =>
    runBatch(
      { name: 'test', defaults: { workingDir: 'work', retries: 0 }, ...plan },
      { out, provider, baseDir: folder, ...options },
    );
  const told = () => JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8'));
  return { folder, out, begin, told };
}

const TELL = `${process.execPath} tell.mjs "an argument"`;
const steps = ['a', 'b'].map((id) => ({ id, prompt: id }));

describe('onFinish', () => {
  it('runs in the folder of the plan when the reports are written, and knows the outcome', async () => {
    const { out, begin, told } = openLab(({ prompt }) =>
      prompt === 'b' ? { error: 'API_REQUEST' } : { tokens: 7 },
    );
    const batch = begin({
      steps: [...steps, { id: 'c', prompt: 'c', needs: 'b' }],
      onFinish: TELL,
    });
    const events: BatchEvent[] = [];
    for await (const event of batch) events.push(event);
    expect((await batch).warnings).toEqual([]);
    expect(told()).toEqual({
      NAME: 'test',
      OUTCOME: 'failed',
      OUT: out,
      REPORT_JSON: join(out, 'report.json'),
      REPORT_HTML: join(out, 'report.html'),
      SUCCEEDED: '1',
      FAILED: '1',
      SKIPPED: '1',
      TOTAL: '3',
      TOKENS: '17',
      hasReports: true,
      args: ['an argument'],
    });
    const last = events.slice(-2);
    expect(last).toMatchObject([
      { type: 'finish-command', output: 'told them\nand more' },
      { type: 'batch-finished' },
    ]);
    expect(last[0]).not.toHaveProperty('problem');
  });

  it.each(['stop', 'cancel'] as const)('runs after %s()', async (end) => {
    const { begin, told } = openLab(async ({ signal }) => {
      batch[end]();
      if (end === 'cancel')
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return {};
    });
    const batch = begin({ steps, onFinish: TELL }, { concurrency: 1 });
    expect((await batch).outcome).toBe('stopped');
    expect(told()).toMatchObject({ OUTCOME: 'stopped' });
  });

  it('runs also if the reports cannot be written, for example on a full disk', async () => {
    const { out, begin, told } = openLab(() => {
      // A folder in the place of the report cannot be replaced by a file.
      mkdirSync(join(out, 'report.html', 'x'), { recursive: true });
      return {};
    });
    await expect(begin({ steps, onFinish: TELL })).rejects.toThrow('Cannot write the reports');
    expect(told()).toMatchObject({ OUTCOME: 'succeeded', SUCCEEDED: '2' });
  });

  it('fails with a warning in the report, and changes nothing else', async () => {
    const { out, begin, told } = openLab(() => ({}));
    const onFinish = [
      { command: 'no-such-program' },
      { command: process.execPath, args: ['-e', 'process.exit(3)'] },
      { command: process.execPath, args: ['-e', 'process.kill(process.pid, "SIGKILL")'] },
      { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], timeout: '300ms' },
      TELL,
    ];
    const report = await begin({ steps, onFinish });
    expect(report.outcome).toBe('succeeded');
    expect(report.warnings).toMatchObject([{ code: 'ON_FINISH_FAILED', steps: [] }]);
    const { message = '' } = report.warnings[0] ?? {};
    expect(message).toContain('no-such-program was not found');
    expect(message).toContain('exited with 3');
    expect(message).toContain('was killed by SIGKILL');
    expect(message).toContain('did not exit within 0.3 s');
    expect(told()).toMatchObject({ OUTCOME: 'succeeded' });
    const written = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    expect(written.warnings).toMatchObject([{ code: 'ON_FINISH_FAILED' }]);
    expect(written.outcome).toBe('succeeded');
  });

  it('of the options wins over that of the plan, and works without an output folder', async () => {
    const { begin, told } = openLab(() => ({}));
    const options = { onFinish: TELL, onFinishTimeout: '5m', out: undefined };
    const report = await begin({ steps, onFinish: 'no-such-program' }, options);
    expect(report.warnings).toEqual([]);
    expect(told()).toMatchObject({ OUT: '', REPORT_JSON: '', hasReports: false });
  });

  it('ends after onFinishTimeout', async () => {
    const { begin } = openLab(() => ({}));
    const onFinish = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
    const report = await begin({ steps, onFinish, onFinishTimeout: '300ms' });
    expect(report.warnings[0]?.message).toContain('did not exit within 0.3 s');
  });

  it('does not run for a plan that is refused, and is checked with the plan', async () => {
    const { folder, begin } = openLab(() => ({}));
    await expect(begin({ steps: [], onFinish: TELL })).rejects.toThrow('steps');
    await expect(begin({ steps, onFinish: 'a && b' })).rejects.toThrow('onFinish');
    await expect(begin({ steps }, { onFinish: 'a | b' })).rejects.toThrow('onFinish');
    await expect(begin({ steps, onFinish: [], onFinishTimeout: '5 x' })).rejects.toThrow(
      'onFinishTimeout',
    );
    expect(existsSync(join(folder, 'told.json'))).toBe(false);
  });
});
