import { expect, it } from 'vitest';
import { ProviderError } from '../../src/base/errors/provider-error.js';
import { type BatchStatus, describeStatus } from '../../src/cli/batch-status.js';
import { PLAIN } from '../../src/cli/output.js';

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
