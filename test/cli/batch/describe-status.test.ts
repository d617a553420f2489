import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import type { BatchStatus } from '../../../src/cli/batch/collect-status.js';
import { describeStatus } from '../../../src/cli/batch/describe-status.js';
import { PLAIN } from '../../../src/cli/output/output.js';

const { hint, ...error } = new ProviderError({
  code: 'CLI_CONFIG',
  message: 'no',
  stderrTail: 'settings.json: line 3\n',
}).toJSON();
const STATUS: BatchStatus = {
  name: 'n',
  state: 'ended',
  outcome: 'failed',
  startedAt: '2026-01-01T00:00:00.000Z',
  lastEntryAt: '2026-01-01T00:00:01.000Z',
  total: 2,
  counts: {
    pending: 0,
    running: 0,
    merging: 0,
    succeeded: 0,
    failed: 2,
    skipped: 0,
    cancelled: 0,
  },
  tokens: 1,
  running: [],
  interrupted: [],
  retrying: [],
  failures: [
    { id: 'a', code: 'CLI_CONFIG', message: 'no', hint },
    { id: 'b', code: 'TIMEOUT', message: 'late', hint: 'Raise `timeout`.' },
  ],
  stop: { reason: 'QUOTA_EXHAUSTED', message: 'Set another `model`.' },
};

it('the status has flags in hints, what they refer to, and a remark on flags', () => {
  const lines = describeStatus(STATUS, PLAIN, 0, new Map([['a', { ...error, hint }]])).split('\n');
  expect(lines.slice(2)).toEqual([
    '✗ a CLI_CONFIG no',
    expect.stringMatching(/^ {2}Correct what the CLI reports in the stderr below: /),
    '    settings.json: line 3',
    '✗ b TIMEOUT late',
    '  Raise `--timeout`.',
    '  Flags apply to steps for which the plan does not set the same key.',
    '→ Stopped: Set another `--model`.',
  ]);
});

describe('the state of a batch', () => {
  const owner = { pid: 7, host: 'h', since: '2026-01-01T00:00:00.000Z' };
  const firstLine = (more: Partial<BatchStatus>) => {
    const nowMs = Date.parse('2026-01-01T00:01:00.000Z');
    return describeStatus({ ...STATUS, ...more }, PLAIN, nowMs).split('\n')[0];
  };

  it.each<[string, Partial<BatchStatus>]>([
    [
      'n: running for 1 min 0 s (process 7 on h, since 2026-01-01T00:00:00.000Z)',
      { state: 'running', owner },
    ],
    [
      'n: not answering (process 7 on h), last sign at 2026-01-01T00:00:01.000Z',
      { state: 'silent', owner },
    ],
    [
      'n: not answering (owner unknown), last sign at 2026-01-01T00:00:01.000Z',
      { state: 'silent' },
    ],
    [
      'n: not running: killed (last line of the ledger at 2026-01-01T00:00:01.000Z, process 7 on h)',
      { state: 'killed', owner },
    ],
    [
      'n: not running: killed (last line of the ledger at 2026-01-01T00:00:01.000Z)',
      { state: 'killed' },
    ],
    ['n: not running: succeeded at 2026-01-01T00:00:01.000Z', { outcome: 'succeeded' }],
  ])('is "%s"', (line, more) => {
    expect(firstLine(more)).toBe(line);
  });

  it('names the steps that a kill has cut off, and counts more than ten failures and steps', () => {
    const ids = Array.from({ length: 12 }, (_, n) => `s${n}`);
    const failures = ids.map((id) => ({ id, code: 'TIMEOUT', message: 'late', hint: '' }));
    const lines = describeStatus({ ...STATUS, interrupted: ids, failures }, PLAIN, 0).split('\n');
    expect(lines[2]).toBe(
      '! interrupted, will begin again: s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 and 2 more',
    );
    expect(lines).toContain('  and 2 more failures');
    expect(lines.filter((line) => line.startsWith('✗'))).toHaveLength(10);
  });

  it('has a line for each running step, with the number of a later attempt', () => {
    const running = [
      { id: 'a', state: 'running', attempt: 1, forMs: 2000, activity: 'writing' },
      { id: 'long', state: 'merging', attempt: 3, forMs: 0, activity: 'waits for its merge' },
    ] as const;
    expect(
      describeStatus({ ...STATUS, running }, PLAIN, 0)
        .split('\n')
        .slice(2, 4),
    ).toEqual(['→ a    2.0 s writing', '→ long 0.0 s attempt 3 waits for its merge']);
  });
});

it('the status tells what holds up the steps: a rate limit, and delays before retries', () => {
  const lines = describeStatus(
    {
      ...STATUS,
      failures: [],
      tokens: 12_345,
      state: 'running',
      pausedUntil: '2026-01-01T00:01:05.000Z',
      limit: 2,
      retrying: [{ id: 'a', code: 'RATE_LIMITED', attempt: 2, inMs: 5_000 }],
    },
    PLAIN,
    Date.parse('2026-01-01T00:01:00.000Z'),
  ).split('\n');
  expect(lines.slice(1, 4)).toEqual([
    '0 of 2 steps succeeded · 2 failed · 12,345 tokens',
    '! rate limited: no step starts for 5 s, at most 2 steps at a time',
    '↻ a RATE_LIMITED, attempt 2 in 5 s',
  ]);
});

it('the status names an outage as the cause of a pause', () => {
  const nowMs = Date.parse('2026-01-01T00:01:00.000Z');
  const pausedUntil = '2026-01-01T00:03:00.000Z';
  const status = { ...STATUS, failures: [], pausedUntil, pauseCause: 'outage' } as const;
  const lines = describeStatus(status, PLAIN, nowMs).split('\n');
  expect(lines[2]).toBe('! API not reachable: no step starts for 2 min 0 s');
});
