import { expect, it, vi } from 'vitest';
import { collect, errorOf, openQueueLab } from '../queue-lab.js';

const [OWN, OTHER] = ['the secret of the caller', 'the secret of others'];

it('a worker gives a job of another secret back, takes no more, and fails none; the right one runs it', async () => {
  const lab = await openQueueLab();
  const { events: ofWrong } = await lab.work({ workerName: 'wrong', secret: OTHER });
  const running = collect(lab.connect({ secret: OWN }).stream('say one'));
  // The end of the stream is waited for later.
  running.catch(() => {});
  const stopped = await vi.waitUntil(
    () => ofWrong.find((event) => event.type === 'admission-stopped'),
    10_000,
  );
  expect(stopped).toMatchObject({
    code: 'INVALID_CONFIG',
    message: expect.stringContaining(
      'has a signature of another secret than that of this worker (GEMINI_CLI_PROVIDER_QUEUE_SECRET)',
    ),
  });
  expect(stopped).not.toHaveProperty('until');
  const { counts, workers } = await lab.open({ secret: OWN }).status();
  expect(counts).toMatchObject({ waiting: 1, failed: 0 });
  expect(workers).toMatchObject([{ name: 'wrong', state: 'stopped', reason: stopped.message }]);
  await lab.work({ workerName: 'right', secret: OWN });
  const events = await running;
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'session-status',
      message:
        'Worker wrong has given the step back (the job has a signature of another secret): it waits for a worker',
    }),
  );
  expect(events.at(-1)).toMatchObject({
    result: { text: 'said say one', job: { worker: 'right' } },
  });
});

it('a job that no secret has signed fails at a worker with one, and the worker goes on', async () => {
  const lab = await openQueueLab();
  await lab.work({ secret: OWN });
  const error = await errorOf(lab.connect().generate('say one'));
  expect(error).toMatchObject({
    code: 'INVALID_CONFIG',
    message: expect.stringMatching(/^The job \S+ is not signed$/),
  });
  const { text } = await lab.connect({ secret: OWN }).generate('say two');
  expect(text).toBe('said say two');
});
