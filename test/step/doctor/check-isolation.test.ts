import { describe, expect, it } from 'vitest';
import { checkIsolation } from '../../../src/step/doctor/check-isolation.js';

describe('the check of process isolation', () => {
  it('names the means and the reason', async () => {
    expect(await checkIsolation({ processIsolation: 'auto' })).toMatchObject({
      check: 'processes',
      status: 'ok',
      message: expect.stringMatching(/^A (cgroup|subreaper) holds .* \(.+\)$/),
    });
  });

  it('notes that nothing holds a daemon', async () => {
    expect(await checkIsolation({ processIsolation: 'off' })).toMatchObject({
      status: 'note',
      message: expect.stringContaining('(turned off)'),
    });
  });
});
