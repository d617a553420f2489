import { describe, expect, it } from 'vitest';
import {
  describeProcessesLeft,
  describeRemarks,
} from '../../../src/agents/events/describe-remarks.js';

describe('the remarks of an agent', () => {
  it('are told once for all retries, and one by one for warnings', () => {
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

  it('are none where there was nothing to say', () => {
    expect(describeRemarks([])).toEqual([]);
  });
});

describe('processes that were left behind', () => {
  it('are one warning with their number, and none where there are none', () => {
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
