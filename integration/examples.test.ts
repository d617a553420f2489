import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { BatchReport } from 'gemini-cli-provider/batch';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runPipeline } from './examples/engine.mjs';
import { GEMINI, makeFolder, read } from './support.js';
import { writing } from './tool-calls.js';

describe('the demo', () => {
  it('runs six steps, retries one, repairs one, and again on two workers of which one is killed', async () => {
    const program = join(import.meta.dirname, 'examples', 'demo.mjs');
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], {
      env: { ...process.env, GEMINI_CLI_PATH: GEMINI },
    });
    expect(stderr).toContain('Batch greetings: 6 steps');
    expect(stderr).toMatch(/↻ farewell RATE_LIMITED/);
    expect(stderr).toMatch(/✓ translate\[de\]/);
    expect(stdout).toMatch(/^succeeded: 6 steps · 5 files/);
    const pages = [...stdout.matchAll(/^Report: (.*report\.html)$/gm)].map(([, path = '']) => path);
    onTestFinished(() => {
      for (const path of pages) rmSync(dirname(dirname(path)), { recursive: true, force: true });
    });
    const [page = '', pageOfQueue = ''] = pages;
    const folder = dirname(page);
    expect(readFileSync(page, 'utf8')).toContain('<!doctype html>');
    const report: BatchReport = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    const stepOf = (id: string) => report.steps.find((step) => step.id === id);
    expect(stepOf('farewell')?.attempts.map(({ outcome }) => outcome)).toEqual([
      'RATE_LIMITED',
      'succeeded',
    ]);
    expect(stepOf('index')?.attempts[0]?.repairs).toBe(1);
    expect(stepOf('summary')?.data).toEqual({ modules: 4 });

    expect(stderr).toMatch(/SIGKILL: the worker (anna|berta) dies at work on: /);
    expect(stdout.match(/^succeeded: 6 steps · 5 files/gm)).toHaveLength(2);
    expect(stdout).toMatch(/^Lost: the attempt of \S+ on (anna|berta)\. (anna|berta) has run/m);
    expect(stdout).toContain('The 5 files are byte by byte those of act 1');
    const queued: BatchReport = JSON.parse(
      readFileSync(join(dirname(pageOfQueue), 'report.json'), 'utf8'),
    );
    const jobs = queued.steps.flatMap(({ attempts }) => attempts.map(({ job }) => job));
    expect(jobs.flatMap((job) => job?.lost ?? []).length).toBeGreaterThan(0);
  });
});

describe('the example engine', () => {
  it('loads the provider as a plugin, runs steps and stops at the first failure', async () => {
    const model = await startScriptedModel([
      { prompt: 'one', turns: [writing('one.txt', 'one.txt\n'), { text: 'first' }] },
      {
        prompt: 'two',
        turns: [writing('two.txt', 'two.txt\n'), { error: { status: 400, message: 'No.' } }],
      },
    ]);
    onTestFinished(() => model.close());
    const projectRoot = makeFolder();
    const config = {
      model: 'gemini-2.5-flash',
      env: model.env,
      trust_workspace: true,
      cli_path: GEMINI,
    };
    const step = (id: string) => ({ id, provider: 'gemini-cli', prompt: id, config });
    const outcomes = await runPipeline([step('one'), step('two'), step('three')], projectRoot);
    expect(outcomes).toEqual([
      { id: 'one', ok: true, text: 'first', files: ['one.txt'] },
      { id: 'two', ok: false, text: '', files: ['two.txt'], error: 'API_REQUEST' },
    ]);
    expect(read(projectRoot, 'two.txt')).toBe('two.txt\n');
  });
});
