import { expect, it } from 'vitest';
import { findAdmissionStop } from '../../../src/queue/worker/admission-stop.js';

it.each([
  [
    { outcome: 'failed', code: 'AUTH', message: 'm' },
    { code: 'AUTH', message: 'm' },
  ],
  [
    { outcome: 'failed', code: 'CLI_NOT_FOUND' },
    { code: 'CLI_NOT_FOUND', message: '' },
  ],
  [
    { outcome: 'returned', code: 'UNKNOWN', message: 'ENOSPC' },
    { code: 'UNKNOWN', message: 'ENOSPC', pauseMs: 30_000 },
  ],
  [{ outcome: 'returned', code: 'RATE_LIMITED' }, undefined],
  [{ outcome: 'returned' }, undefined],
  [{ outcome: 'failed', code: 'API_REQUEST' }, undefined],
  [{ outcome: 'succeeded' }, undefined],
  [{ outcome: 'lost' }, undefined],
] as const)('%j: %j', (event, stop) => {
  expect(findAdmissionStop(event)).toEqual(stop);
});
