import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { locateState } from '../../.build/batch/state/state-folder.js';
import type { FaultPlan } from './faults-plan.js';
import type { Machine } from './machine.js';

/** Returns the path of the ledger of a batch that a machine runs. */
export function locateLedger({ folder }: Machine, out: string): string {
  const before = process.env['XDG_STATE_HOME'];
  process.env['XDG_STATE_HOME'] = join(folder, 'state');
  try {
    mkdirSync(join(folder, 'state'), { recursive: true });
    return join(locateState(out, undefined), 'ledger.jsonl');
  } finally {
    process.env['XDG_STATE_HOME'] = before;
  }
}

/** Reads the entries of a ledger, which may not exist yet. */
export function readEntries(ledger: string): Record<string, unknown>[] {
  if (!existsSync(ledger)) return [];
  return readFileSync(ledger, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line).content.entry];
      } catch {
        return [];
      }
    });
}

export function countDone(ledger: string): number {
  return readEntries(ledger).filter(({ type }) => type === 'done').length;
}

interface ReportedStep {
  readonly id: string;
  readonly job?: { readonly lost: readonly unknown[] };
  readonly attempts?: readonly { readonly job?: { readonly lost: readonly unknown[] } }[];
}

function readSteps(ground: string): ReportedStep[] {
  return JSON.parse(readFileSync(join(ground, 'out', 'report.json'), 'utf8')).steps;
}

/** Counts the attempts that the report names as lost. */
export function countLost(ground: string): number {
  return readSteps(ground).reduce((sum, step) => sum + lostOf(step), 0);
}

function lostOf({ job, attempts }: ReportedStep): number {
  return Math.max(job?.lost.length ?? 0, ...(attempts ?? []).map((it) => it.job?.lost.length ?? 0));
}

/** A step runs once, and once more for each attempt that its report names as lost. */
export function checkRuns(runs: string, ground: string, plan: FaultPlan, story: string): void {
  const begun = readFileSync(runs, 'utf8').split('\n');
  for (const step of readSteps(ground)) {
    const prompt = plan.steps.find(({ id }) => id === step.id)?.prompt;
    const times = begun.filter((line) => line === prompt).length;
    expect(times, `${step.id}\n${story}`).toBeGreaterThan(0);
    expect(times, `${step.id}\n${story}`).toBeLessThanOrEqual(1 + lostOf(step));
  }
}
