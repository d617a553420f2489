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
  expect(findAdmissionStop(event, true)).toEqual(stop);
  expect(findAdmissionStop(event, false)).toEqual(stop);
});

it('a step of a doubtful signature stops a worker until its secret is proven', () => {
  const event = { outcome: 'returned', code: 'INVALID_CONFIG', message: 'm' } as const;
  const stop = { code: 'INVALID_CONFIG', message: 'm' };
  expect(findAdmissionStop(event, true)).toEqual({ ...stop, pauseMs: 5_000 });
  expect(findAdmissionStop(event, false)).toEqual({ ...stop, isDoubtful: true });
});
