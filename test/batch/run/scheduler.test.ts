import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import type { PlannedStep } from '../../../src/api/batch-plan.js';
import type { BatchReport } from '../../../src/api/batch-report.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { type Ledger, memoryLedger } from '../../../src/batch/ledger/ledger-file.js';
import { orderSteps } from '../../../src/batch/plan/order-steps.js';
import type { ParsedLimits } from '../../../src/batch/plan/plan-schema.js';
import { BatchState } from '../../../src/batch/run/batch-state.js';
import { MergeOrder } from '../../../src/batch/run/merge-order.js';
import { Scheduler } from '../../../src/batch/run/scheduler.js';
import { StepRunner } from '../../../src/batch/run/step-runner.js';
import { leaseLost } from '../../../src/batch/state/lease-messages.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { read } from '../isolation/support.js';
import { plannedStep } from './pieces.js';
import { type Answer, type Call, createScriptedProvider } from './scripted-provider.js';

interface Setting {
  readonly steps: readonly PlannedStep[];
  readonly answer: (call: Call) => Answer | Promise<Answer>;
  readonly ledger?: Ledger;
  readonly limits?: ParsedLimits & { readonly concurrency: number };
  readonly emit?: (event: BatchEvent) => void;
  readonly folder?: string;
}

async function run(setting: Setting): Promise<BatchReport> {
  const { steps, answer, ledger = memoryLedger, emit = () => {} } = setting;
  const limits = { concurrency: 4, ...setting.limits };
  const { folder = makeTree() } = setting;
  const located = steps.map((step) => ({ ...step, config: { workingDir: folder } }));
  const known = located.map((step) => ({ ...step, folder: '' }));
  const plan = { name: 'n', baseDir: folder, limits, steps: located, hash: 'h' };
  const state = new BatchState(ledger, []);
  await state.write({ type: 'plan', name: 'n', planHash: 'h', steps: known });
  const ordered = orderSteps(located);
  const mergeOrder = new MergeOrder(ordered);
  const runner = new StepRunner({
    plan,
    state,
    provider: createScriptedProvider(answer),
    mergeOrder,
    baseline: undefined,
    stateDir: makeTree(),
    emit,
    warn: async () => {},
  });
  await new Scheduler({ steps: ordered, limits, state, mergeOrder, runner, emit }).run();
  await state.write({ type: 'end' });
  return state.report();
}

const FULL = new ProviderError({ code: 'INVALID_INPUT', message: 'disk full' });

/** Creates a ledger that fails after this many entries. */
function createFullLedger(entries: number, failure = FULL): Ledger {
  let taken = 0;
  return {
    append: async () => {
      taken++;
      if (taken > entries) throw failure;
    },
    close: async () => {},
  };
}

it('the scheduler ends at once if the ledger cannot be written, even while steps run', async () => {
  for (let entries = 1; entries < 15; entries++) {
    let calls = 0;
    const ending = run({
      steps: [plannedStep(0), plannedStep(1), plannedStep(2, [0]), plannedStep(3, [2])],
      // Step 1 never ends by itself.
      answer: ({ prompt }) => {
        calls++;
        return prompt === 'prompt 1' ? new Promise(() => {}) : {};
      },
      ledger: createFullLedger(entries),
      limits: { concurrency: 2 },
    });
    await expect(ending).rejects.toMatchObject({ message: 'disk full' });
    expect(calls).toBeLessThanOrEqual(4);
  }
});

it('the scheduler tells its steps that another batch has taken them over', async () => {
  const reasons: unknown[] = [];
  for (let entries = 3; entries < 6; entries++) {
    const ending = run({
      steps: [plannedStep(0), plannedStep(1)],
      // Step 1 never ends by itself.
      answer: ({ prompt, signal }) => {
        if (prompt !== 'prompt 1') return {};
        signal?.addEventListener('abort', () => reasons.push(signal.reason));
        return new Promise(() => {});
      },
      ledger: createFullLedger(entries, leaseLost('the ledger')),
      limits: { concurrency: 2 },
    });
    await expect(ending).rejects.toThrow('has taken over the ledger');
  }
  expect(reasons.length).toBeGreaterThan(0);
  for (const reason of reasons) expect(reason).toMatchObject({ name: 'Takeover' });
});

it('the scheduler runs a retry that becomes due between two readings of the clock', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let nowMs = 1_000_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs++);
  onTestFinished(() => {
    vi.useRealTimers();
    clock.mockRestore();
  });
  let isOver = false;
  let dueMs = 0;
  const running = run({
    steps: [{ ...plannedStep(0), retries: 1 }],
    answer: ({ time }) => (time === 1 ? { error: 'NETWORK' } : {}),
    emit: (event) => {
      if (event.type === 'step-retry') dueMs = nowMs - 1 + event.delayMs;
    },
  }).finally(() => {
    isOver = true;
  });
  for (let rounds = 0; rounds < 10 && !isOver; rounds++) {
    while (!isOver && vi.getTimerCount() === 0) await new Promise((go) => setImmediate(go));
    // The timer fires one millisecond too early, as timers may.
    nowMs = Math.max(nowMs, dueMs - 1);
    vi.advanceTimersToNextTimer();
    await new Promise((go) => setImmediate(go));
  }
  expect((await running).outcome).toBe('succeeded');
});

it.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])(
  'a wall clock that is set %s by an hour changes no wait, no limit and no duration (claim: monotonic-time)',
  async (_, jumpMs) => {
    const wallClock = Date.now.bind(Date);
    let offsetMs = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => wallClock() + offsetMs);
    onTestFinished(() => clock.mockRestore());
    const report = await run({
      steps: [{ ...plannedStep(0), retries: 1 }, plannedStep(1, [0])],
      answer: ({ time }) => (time === 1 ? { error: 'RATE_LIMITED', retryAfterMs: 300 } : {}),
      limits: { concurrency: 2, maxDuration: 600 },
      emit: (event) => {
        // The pause has begun.
        if (event.type === 'step-retry') offsetMs = jumpMs;
      },
    });
    expect(report.steps.map(({ attempts }) => attempts.length)).toEqual([2, 1]);
    expect(report.stop).toBeUndefined();
    const [first] = report.steps;
    const startedMs = first?.attempts.map(({ startedAt }) => Date.parse(startedAt)) ?? [];
    expect((startedMs[1] ?? 0) - (startedMs[0] ?? 0)).toBeGreaterThanOrEqual(300);
    for (const { durationMs } of [report, ...report.steps]) {
      expect(durationMs).toBeGreaterThanOrEqual(0);
      expect(durationMs).toBeLessThan(600_000);
    }
  },
);

it('the scheduler reverts a merge if the `done` line of the step cannot be written', async () => {
  const folder = makeTree({ 'a.txt': 'a', 'b.txt': 'b' });
  const ending = run({
    steps: [plannedStep(0, [], 'copy')],
    answer: () => ({ write: { 'a.txt': 'changed', 'b.txt': null, 'new/c.txt': 'c' } }),
    // These four entries are written: plan, start, generation and attempt.
    ledger: createFullLedger(4),
    folder,
  });
  await expect(ending).rejects.toMatchObject({ message: 'disk full' });
  expect(read(folder)).toEqual({ 'a.txt': 'a', 'b.txt': 'b' });
});

it('the scheduler limits how many isolated steps wait for the merge of a slow one', async () => {
  const begun = new Set<string>();
  let startedMeanwhile = 0;
  const report = await run({
    steps: Array.from({ length: 30 }, (_, index) => plannedStep(index, [], 'copy')),
    answer: async ({ prompt }) => {
      begun.add(prompt);
      if (prompt !== 'prompt 0') return {};
      while (startedMeanwhile < begun.size || begun.size <= 16) {
        startedMeanwhile = begun.size;
        await sleep(300);
      }
      return {};
    },
    limits: { concurrency: 4 },
  });
  expect(report.counts.succeeded).toBe(30);
  // Expected: the slow step, 16 waiting steps, and 3 steps that ran when the last of them began to wait.
  expect(startedMeanwhile).toBeLessThanOrEqual(1 + 16 + 3);
});

it('the scheduler starts no step after QUOTA_EXHAUSTED, even while the ledger is written', async () => {
  const ledger: Ledger = {
    append: (entry) => new Promise((go) => setTimeout(go, entry.type === 'skipped' ? 20 : 1)),
    close: async () => {},
  };
  const events: string[] = [];
  const dependants = Array.from({ length: 5 }, (_, index) => plannedStep(index + 1, [0]));
  const others = Array.from({ length: 20 }, (_, index) => plannedStep(index + 6));
  await run({
    steps: [plannedStep(0), ...dependants, ...others],
    ledger,
    limits: { concurrency: 2 },
    answer: ({ prompt }) => (prompt === 'prompt 0' ? { error: 'QUOTA_EXHAUSTED' } : {}),
    emit: (event) => {
      if (event.type === 'step-started') events.push('started');
      if (event.type === 'step-finished' && event.stepId === 's0') events.push('s0 failed');
    },
  });
  expect(events.slice(events.indexOf('s0 failed'))).toEqual(['s0 failed']);
});

it('the scheduler ends with each step in the right state, for random needs and outcomes', async () => {
  const random = fc.record({
    needs: fc.array(fc.array(fc.nat(15), { maxLength: 3 }), { minLength: 1, maxLength: 15 }),
    ends: fc.array(fc.constantFrom<Answer>({}, {}, {}, { error: 'TOOL_FAILED' }), {
      minLength: 15,
    }),
    concurrency: fc.integer({ min: 1, max: 5 }),
    maxFailures: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(random, async ({ needs, ends, concurrency, maxFailures }) => {
      const steps = needs.map((list, index) => {
        return plannedStep(
          index,
          list.filter((need) => need < index),
        );
      });
      const finished = new Map<string, number>();
      const report = await run({
        steps,
        answer: ({ prompt }) => ends[Number(prompt.slice(7))] ?? {},
        limits: { concurrency, maxFailures },
        emit: (event) => {
          if (event.type !== 'step-finished') return;
          finished.set(event.stepId, (finished.get(event.stepId) ?? 0) + 1);
        },
      });
      const states = new Map(report.steps.map(({ id, state }) => [id, state]));
      for (const { id, needs: ids, index } of steps) {
        const isGood = ids.every((need) => states.get(need) === 'succeeded');
        const own = ends[index]?.error === undefined ? 'succeeded' : 'failed';
        const isSkipped = ids.some((need) =>
          ['failed', 'skipped'].includes(states.get(need) ?? ''),
        );
        const expected = isGood ? own : isSkipped ? 'skipped' : 'pending';
        const isStopped = report.stop !== undefined && states.get(id) === 'pending';
        if (!isStopped) expect([id, states.get(id)]).toEqual([id, expected]);
        expect(finished.get(id) ?? 0).toBe(states.get(id) === 'pending' ? 0 : 1);
      }
    }),
    { numRuns: 60 },
  );
});

it('an outage of the API pauses the batch, lets one step at a time try, and costs no step its retries', async () => {
  const pauses: number[] = [];
  let isDown = false;
  let probes = 0;
  let mostWhileProbing = 0;
  const clock = vi.spyOn(performance, 'now');
  let skippedMs = 0;
  const real = performance.timeOrigin;
  clock.mockImplementation(() => Date.now() - real + skippedMs);
  onTestFinished(() => clock.mockRestore());
  const report = await run({
    steps: Array.from({ length: 12 }, (_, index) => ({ ...plannedStep(index), retries: 2 })),
    answer: async ({ prompt }) => {
      const isProbe = pauses.length > 0 && isDown;
      if (isProbe) probes++;
      mostWhileProbing = Math.max(mostWhileProbing, probes);
      await sleep(5);
      if (isProbe) probes--;
      if (prompt === 'prompt 0') isDown = true;
      else if (isDown) return { error: 'API_UNAVAILABLE' };
      return {};
    },
    limits: { concurrency: 4 },
    emit: (event) => {
      // The test does not wait for the pause: the clock goes on.
      if (event.type === 'step-retry') skippedMs += event.delayMs;
      if (event.type !== 'paused') return;
      expect(event.cause).toBe('outage');
      skippedMs += event.untilMs - Date.now();
      pauses.push(event.untilMs);
      if (pauses.length === 4) isDown = false;
    },
  });
  expect(pauses).toHaveLength(4);
  expect(mostWhileProbing).toBe(1);
  expect(report.counts).toMatchObject({ succeeded: 12, failed: 0 });
});
