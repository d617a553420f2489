import { describe, expect, it } from 'vitest';
import {
  describeProcessesLeft,
  describeRemarks,
} from '../../../src/agents/events/describe-remarks.js';

describe('the remarks of an agent', () => {
  it('become one warning for all retries, and one for each warning', () => {
    const warnings = describeRemarks([
      { status: 'warning', message: 'old model' },
      { status: 'retrying', message: 'Attempt 1 failed' },
      { status: 'retrying', message: 'Attempt 2 failed' },
      { status: 'error', message: 'is in the error already' },
      { status: 'warning', message: 'slow' },
    ]);
    expect(warnings).toEqual([
      {
        code: 'CLI_RETRIED',
        count: 2,
        message: 'Retries by the CLI: 2; the first: Attempt 1 failed',
      },
      { code: 'CLI_WARNING', message: 'old model' },
      { code: 'CLI_WARNING', message: 'slow' },
    ]);
  });

  it('become no warning if there are none', () => {
    expect(describeRemarks([])).toEqual([]);
  });
});

describe('processes that were left behind', () => {
  it('are reported in one warning with their number, or in none if there are none', () => {
    expect(describeProcessesLeft(0)).toEqual([]);
    expect(describeProcessesLeft(3)).toEqual([
      {
        code: 'PROCESSES_LEFT',
        message: 'Processes that the agent left running and that were killed: 3.',
        count: 3,
      },
    ]);
  });
});
