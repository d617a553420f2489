import { expect, it } from 'vitest';
import { JobAdder } from '../../../src/queue/provider/job-adder.js';
import { openMemoryStore } from '../memory-store.js';

const JOB = {
  data: { text: 't' },
  createdAtMs: 7,
  attempts: 1,
  priority: 0,
  keepMs: 1,
  keepCount: 1,
};

it('jobs that are added at the same time share a request, 200 at most', async () => {
  const memory = await openMemoryStore();
  const adder = new JobAdder(memory.store);
  await Promise.all(
    Array.from({ length: 450 }, (_, index) => adder.add('q', { ...JOB, id: `j${index}` })),
  );
  expect(memory.queue().requests).toEqual(['addBulk 200', 'addBulk 200', 'addBulk 50']);
  expect(memory.queue().jobs.size).toBe(450);
});

it('a request that fails fails its own jobs, and later ones are added', async () => {
  const memory = await openMemoryStore();
  const adder = new JobAdder(memory.store);
  memory.queue().failure = new Error('full');
  await expect(adder.add('q', { ...JOB, id: 'a' })).rejects.toThrow('full');
  await adder.add('q', { ...JOB, id: 'b' });
  expect(memory.queue().requests).toEqual(['add', 'add']);
  expect([...memory.queue().jobs.keys()]).toEqual(['b']);
});
