import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type BatchReport, runBatch } from 'gemini-cli-provider/batch';
import { expect, it } from 'vitest';
import { createScriptedProvider } from './programs/scripted-provider.mjs';
import { makeFolder, read } from './support.js';

const HOST = join(import.meta.dirname, 'programs', 'lease-host.mjs');
const FLIPS = 2_000;
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
  return { run, runHere, ledger, essence };
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

it('20,000 steps are resumed with 256 open files, none of them again', async () => {
  const { run } = prepare(20_000);
  expect((await run()).code).toBe(0);
  const { code, stderr, lines } = await run(['prlimit', '--nofile=256']);
  expect({ code, stderr, end: lines.at(-1) }).toEqual({ code: 0, stderr: '', end: 'succeeded' });
  expect(lines.filter((line) => line.startsWith('step-started'))).toEqual([]);
});
