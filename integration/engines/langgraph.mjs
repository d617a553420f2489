import assert from 'node:assert/strict';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { createGeminiNode, RETRY_POLICY } from '../examples/langgraph-node.mjs';
import { failureOf, openEngineLab } from './lab.mjs';

const { provider, check, close } = await openEngineLab();
const State = Annotation.Root({ prompt: Annotation(), text: Annotation(), files: Annotation() });
const graph = new StateGraph(State)
  .addNode('gemini', createGeminiNode(provider), RETRY_POLICY)
  .addEdge(START, 'gemini')
  .addEdge('gemini', END)
  .compile();

await check('runs a step and streams its events', async () => {
  const types = [];
  let state;
  const options = { streamMode: ['custom', 'values'] };
  for await (const [mode, chunk] of await graph.stream({ prompt: 'greet' }, options)) {
    if (mode === 'custom') types.push(chunk.type);
    else state = chunk;
  }
  assert.equal(state.text, 'Done.');
  assert.equal(state.files[0].path, 'hello.txt');
  assert.ok(types.includes('tool-completion') && types.at(-1) === 'turn-complete');
});
await check('repeats a step that may succeed later', async () => {
  assert.equal((await graph.invoke({ prompt: 'limited' })).text, 'After a retry.');
});
await check('passes on the code of an error', async () => {
  const { code, retryable } = await failureOf(graph.invoke({ prompt: 'login' }));
  assert.deepEqual([code, retryable], ['AUTH', false]);
});
await check('cancels the step with the graph', async () => {
  const abort = new AbortController();
  const running = failureOf(graph.invoke({ prompt: 'wait' }, { signal: abort.signal }));
  setTimeout(() => abort.abort(), 1_000);
  assert.match(String((await running).name), /Abort|ProviderError/);
});
await close();
