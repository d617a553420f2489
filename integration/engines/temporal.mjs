import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createGeminiActivities } from '../examples/temporal-activity.mjs';
import { failureOf, openEngineLab } from './lab.mjs';

const { provider, model, check, close } = await openEngineLab();
const { geminiStep } = createGeminiActivities(provider);

await check('runs an activity with heartbeats that name the session', async () => {
  const environment = new MockActivityEnvironment();
  const beats = [];
  environment.on('heartbeat', (details) => beats.push({ ...details }));
  const { text, files, sessionId } = await environment.run(geminiStep, { prompt: 'greet' });
  assert.equal(text, 'Done.');
  assert.equal(files[0].path, 'hello.txt');
  assert.ok(beats.some((beat) => beat.sessionId === sessionId));
});
await check('resumes the session of the attempt before', async () => {
  const { sessionId } = await provider.generate('first', {}, { transport: 'headless' });
  const environment = new MockActivityEnvironment({ heartbeatDetails: { sessionId } });
  // Over ACP, a session of the same minute is resumed in the next minute.
  const step = { prompt: 'second', options: { transport: 'headless' } };
  assert.equal((await environment.run(geminiStep, step)).sessionId, sessionId);
});
await check('makes failures that Temporal repeats or not', async () => {
  const fail = (prompt) => failureOf(new MockActivityEnvironment().run(geminiStep, { prompt }));
  const login = await fail('login');
  assert.deepEqual([login.type, login.nonRetryable], ['AUTH', true]);
  const limited = await fail('refused');
  assert.deepEqual([limited.type, limited.nonRetryable], ['RATE_LIMITED', false]);
  assert.ok(limited.nextRetryDelay >= 300_000, String(limited.nextRetryDelay));
  assert.equal(limited.details[0].code, 'RATE_LIMITED');
});
await check('cancels the step with the activity', async () => {
  const environment = new MockActivityEnvironment();
  const running = failureOf(environment.run(geminiStep, { prompt: 'wait' }));
  const before = model.requests.length;
  setTimeout(() => environment.cancel('CANCELLED'), 1_000);
  assert.equal((await running).name, 'CancelledFailure');
  assert.ok(model.requests.length >= before);
});
await close();
