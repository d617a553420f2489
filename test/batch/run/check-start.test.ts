import { expect, it } from 'vitest';
import { memoryLedger } from '../../../src/batch/ledger/ledger-file.js';
import { BatchState } from '../../../src/batch/run/batch-state.js';
import { createStartCheck } from '../../../src/batch/run/check-start.js';
import { combineCauses, toCauses } from '../../../src/batch/run/preflight.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { failureOf } from '../../fixtures/cli/support.js';
import { plannedStep } from './pieces.js';

it('a batch is checked once before its first attempt, with all steps that have no result', async () => {
  const workingDir = makeTree();
  const config = { workingDir, cliPath: '/nowhere/gemini', trustWorkspace: true };
  const steps = [0, 1].map((index) => ({ ...plannedStep(index), config }));
  const other = { ...plannedStep(2, [], 'worktree'), config };
  const state = new BatchState(memoryLedger, []);
  const request = { config: { env: { GEMINI_API_KEY: 'k' } }, stateDir: makeTree() };
  const check = createStartCheck([...steps, other], state, request);
  const [first = other, second = other] = steps;
  const { signal } = new AbortController();
  const failure = await failureOf(() => check(first, signal));
  expect(failure).toMatchObject({ code: 'CLI_NOT_FOUND', cause: expect.any(AggregateError) });
  expect(String(failure)).toContain('(step s2)');
  expect(await failureOf(() => check(second, signal))).toBe(failure);
  expect(state.report()).toMatchObject({ stop: { reason: 'preflight' } });
});

it('a cancelled attempt does not wait for its check', async () => {
  const config = { workingDir: makeTree(), cliPath: '/nowhere/gemini' };
  const step = { ...plannedStep(0), config };
  const state = new BatchState(memoryLedger, []);
  const check = createStartCheck([step], state, { stateDir: makeTree() });
  await check(step, AbortSignal.abort());
  expect(state.report().stop).toBe(undefined);
  expect(await failureOf(() => check(step, new AbortController().signal))).toMatchObject({
    code: 'CLI_NOT_FOUND',
  });
});

it('a cause that concerns some steps names three of them', () => {
  const finding = { check: 'x', status: 'problem', message: 'No', fix: 'Do' } as const;
  const steps = [0, 1, 2, 3].map((index) => plannedStep(index));
  const groups = [
    { steps, findings: [finding] },
    { steps: [plannedStep(4)], findings: [] },
  ];
  const causes = toCauses(groups);
  expect(causes).toMatchObject([
    { code: 'INVALID_CONFIG', message: 'No (steps s0, s1, s2, 1 more)' },
  ]);
  expect(combineCauses(causes)).toBe(causes[0]);
  expect(combineCauses([])).toBe(undefined);
});
