import type {
  LedgerEntry,
  NewLedgerEntry,
  StepResult,
} from '../../../src/batch/ledger/ledger-entry.js';
import { manifestFile } from '../run/pieces.js';

export const RESULT: StepResult = {
  text: 'täxt',
  data: undefined,
  files: [manifestFile('x')],
  model: 'm',
  sessionId: 's',
  deniedTools: [],
  warnings: [],
};

const STEPS = ['a', 'b', 'c'].map((id) => {
  return { id, planId: id, needs: [], isolation: 'shared' as const, folder: '' };
});

export const PLAN: NewLedgerEntry = { type: 'plan', name: 'n', planHash: 'h', steps: STEPS };

/** Dates the entries, one second apart. */
export function date(entries: readonly NewLedgerEntry[]): LedgerEntry[] {
  return entries.map((entry, second) => {
    return { ...entry, at: new Date(second * 1000).toISOString() };
  });
}

export function start(step: string, attempt = 1, key = 'k'): NewLedgerEntry {
  return { type: 'start', step, attempt, lane: 0, key, prompt: `do ${step}` };
}

export function attempt(
  step: string,
  outcome: 'succeeded' | 'RATE_LIMITED',
  more: { readonly attempt?: number; readonly generationId?: string } = {},
): NewLedgerEntry {
  const counts = { total: 5, input: 3, output: 2, cached: 0, thoughts: 0, tool: 0 };
  const usage = { ...counts, models: { m: counts }, toolCalls: 1 };
  return { type: 'attempt', step, attempt: 1, outcome, repairs: 0, usage, ...more };
}

export function done(step: string, key = 'k'): NewLedgerEntry {
  return { type: 'done', step, key, result: RESULT, inputs: {} };
}

/** Entries of a batch that was killed once. They cover all types of entries but `generation`, `failed` and `open`. */
export const RECORDED: readonly NewLedgerEntry[] = [
  PLAN,
  start('a'),
  start('b'),
  attempt('a', 'succeeded'),
  done('a'),
  PLAN,
  start('b', 2),
  attempt('b', 'RATE_LIMITED'),
  start('b', 3),
  attempt('b', 'succeeded'),
  done('b'),
  {
    type: 'warning',
    warning: { code: 'SAME_FILE', message: 'x', steps: ['a', 'b'], paths: ['x'] },
  },
  { type: 'skipped', step: 'c', because: 'a' },
  { type: 'cancelled', step: 'c' },
  { type: 'stop', stop: { reason: 'interrupted', message: 'stop' } },
  { type: 'end' },
];
