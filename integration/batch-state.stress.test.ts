import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type BatchReport, runBatch } from 'gemini-cli-provider/batch';
import { expect, it, onTestFinished } from 'vitest';
import { createScriptedProvider } from './programs/scripted-provider.mjs';
import { makeFolder, read } from './support.js';

const HOST = join(import.meta.dirname, 'programs', 'lease-host.mjs');
const FLIPS = 2_000;
const CUTS = 1_302;
/** Damaged ledgers that are resumed at the same time. */
const AT_ONCE = 20;

function prepare(count: number) {
  const folder = makeFolder();
  const [work, state, out] = ['work', 'state', 'out'].map((name) => join(folder, name));
  if (!work || !state || !out) throw new Error('There are three folders');
  mkdirSync(work);
  const steps = Array.from({ length: count }, (_, n) => ({ id: `s${n}`, prompt: `s${n}` }));
  const plan = join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify({ defaults: { workingDir: work }, steps }));
  const run = async (prefix: readonly string[] = []) => {
    const [command = '', ...args] = [...prefix, process.execPath, HOST, plan, out, state, '0'];
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const [[code], stdout, stderr] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, stderr, lines: stdout.trimEnd().split('\n') };
  };
  /** Runs the batch in this process: a process for each of thousands of runs would take most of the time. */
  const runHere = async () => {
    const provider = createScriptedProvider(0);
    // @ts-expect-error: the provider has only the members that a batch uses.
    const batch = runBatch(plan, { out, state, provider, concurrency: 1 });
    const lines: string[] = [];
    for await (const event of batch) {
      lines.push(event.type === 'warning' ? `warning ${event.warning.code}` : event.type);
    }
    return { end: (await batch).outcome, lines };
  };
  const ledger = () => join(state, readdirSync(state)[0] ?? '', 'ledger.jsonl');
  const essence = () => {
    const report: BatchReport = JSON.parse(read(out, 'report.json'));
    return report.steps.map(({ id, state: end, text: answer, prompt }) => [
      id,
      end,
      answer,
      prompt,
    ]);
  };
  return { run, runHere, ledger, essence, state };
}

it(`${FLIPS} flipped bits: each batch ends with the same results`, async () => {
  const labs = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const lab = prepare(5);
      expect((await lab.runHere()).end).toBe('succeeded');
      return { ...lab, before: readFileSync(lab.ledger()), wanted: lab.essence() };
    }),
  );
  for (let flips = 0; flips < FLIPS; flips += AT_ONCE) {
    await Promise.all(
      labs.map(async ({ runHere, ledger, essence, before, wanted }) => {
        const flipped = Buffer.from(before);
        const at = Math.floor(Math.random() * before.length);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
        writeFileSync(ledger(), flipped);
        const { end, lines } = await runHere();
        expect([at, end]).toEqual([at, 'succeeded']);
        expect([at, essence()]).toEqual([at, wanted]);
        const hasRun = lines.some((line) => line.startsWith('step-started'));
        const isTold = lines.some((line) => /^warning (DAMAGED|TORN)_LEDGER/.test(line));
        expect([at, hasRun && !isTold]).toEqual([at, false]);
      }),
    );
  }
}, 7_200_000);

it(`${CUTS} cut ledgers: each batch ends with the same results, without a word of damage`, async () => {
  const lab = prepare(5);
  expect((await lab.runHere()).end).toBe('succeeded');
  const [before, wanted] = [readFileSync(lab.ledger()), lab.essence()];
  for (let cut = 1; cut <= CUTS; cut++) {
    const bytes = Math.ceil((cut * before.length) / CUTS);
    writeFileSync(lab.ledger(), before.subarray(0, bytes));
    const { end, lines } = await lab.runHere();
    expect([bytes, end, lab.essence()]).toEqual([bytes, 'succeeded', wanted]);
    expect([bytes, lines.includes('warning DAMAGED_LEDGER')]).toEqual([bytes, false]);
  }
}, 7_200_000);

it('300 steps on a disk that becomes full: none of them is done twice', async () => {
  const { run, ledger, state } = prepare(300);
  mkdirSync(state, { mode: 0o700 });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300k,mode=700', 'tmpfs', state]);
  onTestFinished(() => void execFileSync('umount', ['-l', state]));
  const listDone = () => {
    const pattern = /"entry":\{"type":"done",[^\n]*?"step":"(s\d+)"[^\n]*\}\n/g;
    return [...readFileSync(ledger(), 'utf8').matchAll(pattern)].map(([, id]) => id);
  };
  const first = await run();
  expect(first).toMatchObject({ code: 2, stderr: '' });
  expect(first.lines.at(-1)).toMatch(/^refused The ledger .* cannot be used/);
  const done = listDone();
  expect(done.length).toBeGreaterThan(10);
  expect(done.length).toBeLessThan(300);
  execFileSync('mount', ['-o', 'remount,size=32m', state]);
  const { code, lines } = await run();
  expect([code, lines.at(-1)]).toEqual([0, 'succeeded']);
  const all = listDone();
  expect([all.length, new Set(all).size]).toEqual([300, 300]);
});

it('20,000 steps are resumed with 256 open files, none of them again', async () => {
  const { run } = prepare(20_000);
  expect((await run()).code).toBe(0);
  const { code, stderr, lines } = await run(['prlimit', '--nofile=256']);
  expect({ code, stderr, end: lines.at(-1) }).toEqual({ code: 0, stderr: '', end: 'succeeded' });
  expect(lines.filter((line) => line.startsWith('step-started'))).toEqual([]);
});
