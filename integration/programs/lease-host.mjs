import { runBatch } from 'gemini-cli-provider/batch';
import { createScriptedProvider } from './scripted-provider.mjs';

/**
 * Runs a plan with an agent inside of this process, one step at a time. Each step writes a file named after its prompt.
 * Prints a line for each event. Arguments: PLAN OUT STATE MS, the time that a step takes.
 */
const [plan = '', out = '', state = '', ms = '0'] = process.argv.slice(2);

/** @param {string} text */
const print = (text) => process.stdout.write(`${text}\n`);

try {
  const provider = createScriptedProvider(Number(ms));
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
