import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBatch } from 'gemini-cli-provider/batch';
import {
  changeFile,
  scriptedResult,
  UNUSED_METHODS,
} from '../../test/batch/run/scripted-result.mjs';

/**
 * Runs a plan with an agent inside of this process, one step at a time. Each step writes a file named after its prompt.
 * Prints a line for each event. Arguments: PLAN OUT STATE MS, the time that a step takes.
 */
const [plan = '', out = '', state = '', ms = '0'] = process.argv.slice(2);

const provider = {
  /** @param {string} prompt @param {import('gemini-cli-provider').GenerateContext} context @param {{ workingDir: string, signal?: AbortSignal }} options */
  async *stream(prompt, context, { workingDir, signal }) {
    yield { type: 'session-init', sessionId: 's', generationId: prompt };
    await sleep(Number(ms), undefined, { signal });
    const file = changeFile(workingDir, `${prompt}.txt`, prompt, (absolutePath) => {
      writeFileSync(absolutePath, prompt, { flag: 'a' });
    });
    const tokens = { total: 7, input: 5, output: 2, cached: 0 };
    const result = scriptedResult({ text: prompt, files: [file], tokens, context });
    yield { type: 'turn-complete', subtype: 'success', isError: false, result };
  },
  ...UNUSED_METHODS,
};

/** @param {string} text */
const print = (text) => process.stdout.write(`${text}\n`);

try {
  // @ts-expect-error: the provider has only the members that a batch uses.
  const batch = runBatch(plan, { out, state, provider, concurrency: 1 });
  for await (const event of batch) {
    if (event.type === 'warning') print(`warning ${event.warning.code} ${event.warning.message}`);
    else print('stepId' in event ? `${event.type} ${event.stepId}` : event.type);
  }
  print((await batch).outcome);
} catch (error) {
  print(`refused ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
