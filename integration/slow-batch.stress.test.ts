import { describe, it } from 'vitest';
import { expectSlowCancel, expectSlowSuccess, ISOLATIONS } from './slow-batch.js';
import { openLab } from './support.js';
import { writing } from './tool-calls.js';

/** Long version of the slow file systems in bounds.test.ts. */
describe.each(ISOLATIONS)('a batch (%s)', (isolation) => {
  it('of the real CLI on a file system that answers after 50 ms succeeds', async () => {
    const config = { transport: 'acp', approvalMode: 'yolo', startTimeout: 600 } as const;
    const { provider } = await openLab([writing('go.txt', 'go'), { text: 'end' }], { config });
    await expectSlowSuccess({ isolation, delayMs: 50, provider });
  });

  it('on a file system that answers after 200 ms succeeds', async () => {
    await expectSlowSuccess({ isolation, delayMs: 200 });
  });

  it.each(['step-started', 'step-progress'] as const)(
    'on a file system that answers after 200 ms can be cancelled (%s)',
    async (type) => {
      await expectSlowCancel({ isolation, delayMs: 200 }, type);
    },
  );
});
