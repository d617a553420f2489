import { expect, it } from 'vitest';
import { countWorkers, describeWorkers } from '../../../src/cli/batch/worker-counts.js';
import { anAttempt, aStep } from '../../batch/report/report-builder.js';

const job = { jobId: 'j', worker: 'w2', host: 'h', attempt: 1, waitMs: 0, lost: [] };

it('countWorkers counts attempts and lost attempts by worker', () => {
  const lost = [{ attempt: 1, worker: 'w10', host: 'h' }];
  const attempts = [anAttempt(0, 1, { job }), anAttempt(1, 2, { job: { ...job, lost } })];
  const counts = countWorkers([
    aStep('a', { attempts }),
    aStep('b', { attempts: [anAttempt(0, 1)] }),
  ]);
  expect(counts).toEqual([
    { worker: 'w2', host: 'h', attempts: 2, lost: 0 },
    { worker: 'w10', host: 'h', attempts: 0, lost: 1 },
  ]);
  expect(describeWorkers(counts)).toBe('Attempts by worker: w2 (2), w10 (0, 1 lost)');
});

it('describeWorkers names eight workers and counts the rest', () => {
  const many = Array.from({ length: 11 }, (_, index) => {
    return { worker: `w${index}\u001b[31m`, host: 'h', attempts: 1, lost: 0 };
  });
  const text = describeWorkers(many);
  expect(text).toMatch(/w7\S* \(1\) and 3 more$/);
  expect(text).not.toContain('\u001b');
});
