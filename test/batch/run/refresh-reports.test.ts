import { expect, it, vi } from 'vitest';
import { buildReport } from '../../../src/batch/ledger/build-report.js';
import { LedgerFold } from '../../../src/batch/ledger/fold-ledger.js';
import { refreshReports } from '../../../src/batch/run/refresh-reports.js';

it('reports are written again while a batch runs, also after a failed write, and no more after its end', async () => {
  let writes = 0;
  const end = refreshReports({
    build: () => buildReport(new LedgerFold(), { isAlive: true }),
    write: async () => {
      writes++;
      if (writes === 1) throw new Error('disk full');
    },
    timing: { everyMs: 5, restFactor: 0 },
  });
  await vi.waitUntil(() => writes > 2, { timeout: 10_000 });
  await end();
  const last = writes;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(writes).toBe(last);
});
