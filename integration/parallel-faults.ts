import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentPool, ProviderError } from 'gemini-cli-provider';
import { expect } from 'vitest';
import { findLabProcesses, type Lab, openLab, read } from './support.js';
import { writing } from './tool-calls.js';

const KINDS = [
  'none',
  'rate limit',
  'server error',
  'lost connection',
  'empty answer',
  'silent model',
  'cancel',
] as const;

/** What the API or the caller does to a step. */
type Fault = (typeof KINDS)[number];

/** Error codes that a step with this fault may end with. */
const CODES: Readonly<Record<Fault, readonly string[]>> = {
  none: [],
  'rate limit': ['RATE_LIMITED'],
  'server error': ['API_UNAVAILABLE', 'TIMEOUT'],
  'lost connection': ['NETWORK', 'TIMEOUT', 'EMPTY_RESPONSE'],
  'empty answer': ['EMPTY_RESPONSE', 'TIMEOUT'],
  'silent model': ['TIMEOUT'],
  cancel: ['CANCELLED'],
};

const SHORT_TIMEOUT = 10;

const turns = {
  none: (step: number) => [writing(`${step}.txt`, `content of ${step}`), { text: `Done ${step}.` }],
  'rate limit': () => [{ error: { status: 429, retryDelay: '4000s' } }],
  'server error': () => [{ error: { status: 500 } }],
  'lost connection': () => [{ text: 'half', drop: 'after' as const }],
  'empty answer': () => [{}],
  'silent model': () => [{ text: 'half', endless: 'stall' as const }],
  cancel: () => [{ text: 'half', endless: 'stall' as const }],
} satisfies Record<Fault, (step: number) => object[]>;

/**
 * Runs many steps at the same time on shared warm processes, most of them with a fault. Every step must settle as its
 * fault allows, undisturbed by the faults of the others, and nothing may be left behind.
 */
export async function runParallelFaults(steps: number): Promise<void> {
  const pool = new AgentPool({ maxProcesses: 2, sessionsPerProcess: 16 });
  const faultOf = (step: number): Fault => KINDS[step % KINDS.length] ?? 'none';
  const lab = await openLab(
    Array.from({ length: steps }, (_, step) => ({
      prompt: `step ${step}.`,
      turns: turns[faultOf(step)](step),
    })),
    { config: { transport: 'acp', pool } },
  );
  const openFiles = countOpenFiles();
  await Promise.all(Array.from({ length: steps }, (_, step) => runOne(lab, step, faultOf(step))));
  await lab.provider.dispose();
  await pool.dispose();
  expect(pool.stats()).toMatchObject({ processes: 0, running: 0 });
  expect(findLabProcesses(lab)).toEqual([]);
  // Connections of the scripted model close a little later than the processes that opened them.
  for (let tries = 0; tries < 100 && countOpenFiles() > openFiles + 8; tries++) await sleep(100);
  expect(countOpenFiles()).toBeLessThanOrEqual(openFiles + 8);
}

async function runOne(lab: Lab, step: number, fault: Fault): Promise<void> {
  const workingDir = join(lab.workspace, `f${step}`);
  mkdirSync(workingDir);
  const cancel = new AbortController();
  // A loaded machine may need more than the short time until the first answer of the API.
  const timeout = CODES[fault].includes('TIMEOUT') ? SHORT_TIMEOUT : 600;
  const running = lab
    .run(`step ${step}.`, { workingDir, timeout, signal: cancel.signal })
    .catch((error: unknown) => error);
  if (fault === 'cancel') setTimeout(() => cancel.abort(), 50 * (step % 40));
  const outcome = await running;
  if (fault === 'none') {
    expect(outcome).toMatchObject({ text: `Done ${step}.`, files: [{ path: `${step}.txt` }] });
    expect(read(workingDir, `${step}.txt`)).toBe(`content of ${step}`);
    return;
  }
  if (!ProviderError.isInstance(outcome)) {
    throw new Error(`Step ${step} (${fault}) should have failed: ${String(outcome)}`);
  }
  expect(CODES[fault], `step ${step}, ${fault}: ${outcome.message}`).toContain(outcome.code);
  expect(existsSync(join(workingDir, `${step}.txt`))).toBe(false);
}

/** Counts the open files of this process. Linux only. */
function countOpenFiles(): number {
  return readdirSync('/proc/self/fd').length;
}
