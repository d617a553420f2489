import assert from 'node:assert/strict';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { createGeminiStep } from '../examples/mastra-step.mjs';
import { openEngineLab } from './lab.mjs';

const { provider, check, close } = await openEngineLab();
const step = createGeminiStep(provider);
const { inputSchema, outputSchema } = step;
const workflow = createWorkflow({ id: 'generate', inputSchema, outputSchema })
  .then(createStep(step))
  .commit();

await check('runs a step of a workflow', async () => {
  const run = await workflow.createRunAsync();
  const { status, result } = await run.start({ inputData: { prompt: 'greet' } });
  assert.equal(status, 'success');
  assert.equal(result.text, 'Done.');
  assert.deepEqual(result.files, [{ path: 'hello.txt', kind: 'created', bytes: 3 }]);
});
await check('fails with the message of the step', async () => {
  const run = await workflow.createRunAsync();
  const { status, error } = await run.start({ inputData: { prompt: 'login' } });
  assert.equal(status, 'failed');
  assert.match(String(error.message ?? error), /401|No key/);
});
await check('cancels the step with the run', async () => {
  const run = await workflow.createRunAsync();
  const running = run.start({ inputData: { prompt: 'wait' } });
  setTimeout(() => run.cancel(), 1_000);
  assert.notEqual((await running).status, 'success');
});
await close();
