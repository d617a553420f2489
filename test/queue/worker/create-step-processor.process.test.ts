import { expect, it, onTestFinished } from 'vitest';
import { loadBullmq, loadPg } from '../../../src/queue/store/load-driver.js';
import { createStepProcessor } from '../../../src/queue/worker/create-step-processor.js';
import { errorOf, openQueueLab, scriptedAgent } from '../queue-lab.js';

it('runs the steps of a worker of BullMQ that the caller has made', async () => {
  const lab = await openQueueLab();
  const { name, queue: url } = lab.connection;
  const { provider } = scriptedAgent();
  const processor = createStepProcessor(provider, { ...lab.connection, workerName: 'bare' });
  const [bullmq, pg] = await Promise.all([loadBullmq('pg'), loadPg()]);
  const { Worker } = bullmq.withBackend(bullmq.createPostgresBackend);
  const queue = lab.open();
  // The first caller makes the schema.
  await queue.status();
  const connection = new pg.Pool({
    connectionString: url,
    options: `-c search_path=${bullmq.quoteSchemaName(bullmq.DEFAULT_SCHEMA)}`,
  });
  const worker = new Worker(name, (job, token, signal) => processor(job, token, signal), {
    connection,
  });
  onTestFinished(async () => {
    await worker.close(true);
    await connection.end();
  });
  const { id } = await queue.enqueue('say hello');
  const result = await queue.result(id);
  expect(result).toMatchObject({ text: 'said say hello', job: { worker: 'bare', attempt: 1 } });
  const refused = await queue.enqueue('fail=API_REQUEST');
  expect((await errorOf(queue.result(refused.id))).code).toBe('API_REQUEST');
});

it('refuses a job that its store does not have', async () => {
  const lab = await openQueueLab();
  const { name: queueName } = lab.connection;
  const processor = createStepProcessor(scriptedAgent().provider, lab.connection);
  const error = await errorOf(processor({ id: 'j', queueName }));
  expect(error.message).toBe(`The queue ${queueName} has no job j`);
  expect((await errorOf(processor({ queueName }))).code).toBe('INVALID_INPUT');
});

it('connects again at the next job when the store was not there', async () => {
  const away = { queue: 'postgres://127.0.0.1:1/x', connectTimeout: 0.1 };
  const processor = createStepProcessor(scriptedAgent().provider, away);
  expect((await errorOf(processor({ id: 'j', queueName: 'q' }))).code).toBe('NETWORK');
  expect((await errorOf(processor({ id: 'j', queueName: 'q' }))).code).toBe('NETWORK');
});

it('refuses a provider that is none', () => {
  // @ts-expect-error: wrong on purpose.
  expect(() => createStepProcessor({ stream: 1 })).toThrow('provider must be a provider');
});
