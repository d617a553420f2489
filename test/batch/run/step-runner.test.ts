import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LedgerEntry } from '../../../src/batch/ledger/ledger-entry.js';
import { BatchState } from '../../../src/batch/run/batch-state.js';
import { MergeOrder } from '../../../src/batch/run/merge-order.js';
import { keyOfStep } from '../../../src/batch/run/step-key.js';
import { toAttemptResult } from '../../../src/batch/run/step-result.js';
import { StepRunner } from '../../../src/batch/run/step-runner.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { plannedStep } from './pieces.js';
import { type Answer, createScriptedProvider } from './scripted-provider.js';
import { scriptedResult } from './scripted-result.mjs';

/** Runs one attempt of one step. The disk is full from the first ledger line of the type `refused` on. */
async function attempt(
  answer: Answer,
  refused?: LedgerEntry['type'],
  checkLease?: () => Promise<void>,
) {
  const folder = makeTree();
  const step = { ...plannedStep(0), config: { workingDir: folder } };
  const lines: LedgerEntry[] = [];
  let isFull = false;
  const append = async (entry: LedgerEntry): Promise<void> => {
    isFull ||= entry.type === refused;
    if (isFull) throw new Error('disk full');
    lines.push(entry);
  };
  const state = new BatchState({ append, close: async () => {} }, []);
  const provider = createScriptedProvider(() => answer);
  const runner = new StepRunner({
    plan: { name: 'n', baseDir: folder, limits: {}, steps: [step], hash: 'h' },
    state,
    provider,
    mergeOrder: new MergeOrder([step]),
    baseline: undefined,
    stateDir: makeTree(),
    checkLease,
    emit: () => {},
    warn: async () => {},
  });
  const { signal } = new AbortController();
  const outcome = await runner.run(step, { index: 0, signal, free: () => {} });
  const generationId = provider.calls[0]?.generationId;
  return { outcome, lines, generationId, attempts: state.stepState(step.id).attempts };
}

it('the runner writes the generation id when an event names it, and again at the end', async () => {
  const { lines, generationId, attempts } = await attempt({});
  expect(generationId).toBeTypeOf('string');
  const known = { step: 's0', attempt: 1, generationId };
  expect(lines).toMatchObject([
    { type: 'start', step: 's0', attempt: 1 },
    { type: 'generation', ...known },
    { type: 'attempt', ...known, outcome: 'succeeded' },
    { type: 'done', step: 's0', result: { generationId } },
  ]);
  expect(attempts).toMatchObject([{ number: 1, generationId }]);
});

it('the runner writes the generation id of a failed attempt', async () => {
  const { lines, generationId, outcome } = await attempt({ error: 'NETWORK' });
  expect(outcome.kind).toBe('failed');
  expect(lines.at(-1)).toMatchObject({
    type: 'attempt',
    step: 's0',
    attempt: 1,
    generationId,
    outcome: 'NETWORK',
  });
});

it('the error of a failed attempt has the generation id too', async () => {
  const { generationId, outcome } = await attempt({ error: 'NETWORK' });
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'NETWORK', generationId } });
});

it('an unexpected error after the generation has the generation id', async () => {
  const checkLease = () => Promise.reject(new Error('no lease'));
  const { lines, generationId, outcome } = await attempt({}, undefined, checkLease);
  expect(generationId).toBeTypeOf('string');
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'UNKNOWN', generationId } });
  expect(lines.at(-1)).toMatchObject({ type: 'attempt', outcome: 'UNKNOWN', generationId });
});

it('the runner rejects if the generation id cannot be written to the ledger', async () => {
  await expect(attempt({}, 'generation')).rejects.toThrow('disk full');
});

it('attempts without an outcome in the ledger share an idempotency key; each outcome gives a new one', async () => {
  const folder = makeTree();
  const step = { ...plannedStep(0), config: { workingDir: folder } };
  const keysOf = async (batch: string | undefined, lines: LedgerEntry[], answers: Answer[]) => {
    const append = async (entry: LedgerEntry): Promise<void> => void lines.push(entry);
    const state = new BatchState({ append, close: async () => {} }, [...lines]);
    const provider = createScriptedProvider(() => answers.shift() ?? {});
    const runner = new StepRunner({
      plan: { name: 'n', baseDir: folder, limits: {}, steps: [step], hash: 'h' },
      state,
      batch,
      provider,
      mergeOrder: new MergeOrder([step]),
      baseline: undefined,
      stateDir: makeTree(),
      emit: () => {},
      warn: async () => {},
    });
    const { signal } = new AbortController();
    for (const _ of [...answers]) await runner.run(step, { index: 0, signal, free: () => {} });
    return provider.calls.map(({ context }) => context?.['idempotencyKey']);
  };
  const lines: LedgerEntry[] = [];
  const [first, retry] = await keysOf('b1', lines, [{ error: 'NETWORK' }, { error: 'NETWORK' }]);
  expect(first).toMatch(/^[0-9a-f]{16,}$/);
  expect(retry).not.toBe(first);
  // The batch is killed during the first attempt: the ledger has its start alone.
  const killed = lines.filter(({ type }) => type === 'start').slice(0, 1);
  expect(await keysOf('b1', [...killed], [{}])).toEqual([first]);
  expect(await keysOf('b2', [...killed], [{}])).not.toEqual([first]);
  expect(await keysOf(undefined, [], [{}])).toEqual([undefined]);
});

it('a step with saved changes that is cancelled before their merge keeps them for the next run', async () => {
  const folder = makeTree({ 'in.txt': 'in' });
  const step = {
    ...plannedStep(0, [], 'copy'),
    config: { workingDir: folder },
    inputs: [join(folder, 'in.txt')],
  };
  const lines: LedgerEntry[] = [];
  const append = async (entry: LedgerEntry): Promise<void> => void lines.push(entry);
  const state = new BatchState({ append, close: async () => {} }, []);
  const plan = { name: 'n', baseDir: folder, limits: {}, steps: [step], hash: 'h' };
  const provider = createScriptedProvider(() => ({}));
  const runner = new StepRunner({
    plan,
    state,
    provider,
    mergeOrder: new MergeOrder([step]),
    baseline: undefined,
    stateDir: makeTree(),
    emit: () => {},
    warn: async () => {},
  });
  const key = keyOfStep(step, step.prompt, { baseDir: folder }, []);
  const result = toAttemptResult({
    ...scriptedResult({ text: 't', files: [], tokens, context: {} }),
    generationId: 'g',
  });
  const saved = { step: step.id, attempt: 1, key, result, inputs: {}, changes: '0123456789abcdef' };
  await state.write({ type: 'saved', ...saved });
  const lane = { index: 0, signal: AbortSignal.abort(), free: () => {} };
  const outcome = await runner.run(step, lane);
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'CANCELLED' } });
  expect(lines.map(({ type }) => type)).toEqual(['saved']);
  expect(state.stepState(step.id).saved).toMatchObject({ key });
  expect(provider.calls).toEqual([]);
});

const tokens = { total: 7, input: 5, output: 2, cached: 0, thoughts: 0, tool: 0 };
